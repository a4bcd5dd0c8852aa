import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { anApi, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const documentOf = (retrieve: string): string => `
provider: { id: keys, baseUrl: "http://api.test" }
resources:
  api_key:
    operations:
      list: { method: GET, path: "/hosts/{host}/keys" }
      retrieve: { method: GET, path: "${retrieve}" }
      create: { method: POST, path: "/hosts/{host}/keys" }
    identity: { keys: [host, title] }
    lookup: { list: {}, match: [title] }
    serverId: { id: id }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: list, attributes: { host: { in: path }, title: { immutable: true }, key: { immutable: true } } }
`

const key = { id: 7, title: 'deploy', key: 'ssh' }

/** Reads the object with the id 7, and says what was asked for. */
const readWith = async (document: string, answers: Readonly<Record<string, { status?: number; body?: Json }>>) => {
  const transport = anApi(answers)
  const type = typeOf(providerOf(document, {}), 'api_key')
  const target = { address: 'api_key.a', attributes: { host: 'a', title: 'deploy' }, ids: { id: '7' } }
  const found = await type.read(target, { transport })
  return { found, asked: transport.sent.map(({ url }) => url.replace('http://api.test', '')) }
}

describe('an object whose list contains all of its attributes', () => {
  const beside = documentOf('/hosts/{host}/keys/{id}')

  it('is found by its id with the list alone, also under another name', async () => {
    const { found, asked } = await readWith(beside, { 'GET /hosts/a/keys': { body: [{ ...key, title: 'renamed' }] } })
    expect(found).toMatchObject({ kind: 'present', attributes: { title: 'renamed' }, ids: { id: '7' } })
    expect(asked).toEqual(['/hosts/a/keys'])
  })

  it('is absent only if it is not found alone either', async () => {
    const empty = { 'GET /hosts/a/keys': { body: [] } }
    const gone = await readWith(beside, { ...empty, 'GET /hosts/a/keys/7': { status: 404, body: {} } })
    expect(gone.found).toEqual({ kind: 'absent' })
    const hidden = await readWith(beside, { ...empty, 'GET /hosts/a/keys/7': { body: key } })
    expect(hidden.found).toMatchObject({ kind: 'unknown' })
    const unclear = await readWith(beside, { ...empty, 'GET /hosts/a/keys/7': { status: 500, body: {} } })
    expect(unclear.found).toMatchObject({ kind: 'unknown', reason: 'server_error' })
  })

  it('is read alone first if the list may contain other objects', async () => {
    const { found, asked } = await readWith(documentOf('/keys/{id}'), {
      'GET /keys/7': { body: key },
      'GET /hosts/a/keys': { body: [key] },
    })
    expect(found).toMatchObject({ kind: 'present', ids: { id: '7' } })
    expect(asked).toEqual(['/keys/7', '/hosts/a/keys'])
  })
})
