import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { memo } from '../../../../core/engine/transport/memo.ts'
import { anApi, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const document = `
provider: { id: hosts, baseUrl: "http://api.test", pagination: { style: page, param: page, pages: pages } }
resources:
  api_host:
    operations: { list: { method: GET, path: /hosts }, create: { method: POST, path: /hosts } }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name], where: { gone: false } }
    serverId: { id: id }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: list, attributes: { name: { normalise: [lower], immutable: true }, size: { type: number, immutable: true } } }
`

const page = (items: readonly JsonObject[]) => ({ body: { items, pages: 2 } })
const api = () =>
  anApi({
    'GET /hosts?page=1': page([
      { id: 1, name: 'A', size: 1, gone: false },
      { id: 2, name: 'b', size: 2, gone: true },
    ]),
    'GET /hosts?page=2': page([
      { id: 3, name: 'B', size: 3, gone: false },
      { id: 4, name: 'c', size: 4, gone: false },
      { id: 5, name: 'C', size: 5, gone: false },
      { id: 6, name: null, size: 6, gone: true },
    ]),
  })

const readAll = (names: readonly string[], transport: ReturnType<typeof api>) => {
  const type = typeOf(providerOf(document, {}), 'api_host')
  const shared = memo(transport)
  return Promise.all(
    names.map((name) => type.read({ address: `api_host.${name}`, attributes: { name } }, { transport: shared })),
  )
}

describe('objects of one list', () => {
  it('are all found in one reading, by keys that are compared as the document says', async () => {
    const transport = api()
    const found = await readAll(['a', 'b', 'c', 'd'], transport)
    expect(found).toMatchObject([
      { kind: 'present', attributes: { size: 1 }, ids: { id: '1' } },
      { kind: 'present', attributes: { size: 3 }, ids: { id: '3' } },
      { kind: 'unknown', reason: 'ambiguous' },
      { kind: 'absent' },
    ])
    // That there is no d is seen twice.
    expect(transport.sent).toHaveLength(4)
  })

  it('are found in one reading where all exist', async () => {
    const transport = api()
    expect(await readAll(['a', 'b'], transport)).toMatchObject([{ kind: 'present' }, { kind: 'present' }])
    expect(transport.sent).toHaveLength(2)
  })

  it('are unknown together where the list is incomplete', async () => {
    const transport = anApi({
      'GET /hosts?page=1': page([{ id: 1, name: 'a', gone: false }]),
      'GET /hosts?page=2': { status: 500 },
    })
    expect(await readAll(['a', 'b'], transport)).toMatchObject([
      { kind: 'unknown', reason: 'server_error' },
      { kind: 'unknown', reason: 'server_error' },
    ])
    expect(transport.sent).toHaveLength(2)
  })
})
