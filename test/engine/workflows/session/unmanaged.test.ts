import { describe, expect, it } from 'vitest'
import type { Request, Response } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const document = `
provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    discover: { op: list, ignore: [{ name: "sys.*" }] }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { required: true, in: path, normalise: [lower] }
`

/** The server makes an id, and names may change. */
const numbered = `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    discover: {}
    parts:
      - { name: main, read: { op: list, select: { in: "", where: { id: "{id}" } } }, write: { op: update }, attributes: { name: {} } }
`

const workspace = (unmanaged: string, { name = 'One', definition = document } = {}) =>
  yaml(
    `workspace: acme
providers: { api: { source: rest, definition: ./api.yaml } }
${unmanaged}
resources: [{ type: api_thing, name: one, spec: { name: ${name} } }]
`,
    { 'api.yaml': definition },
  )

const answer = (body: Json, status = 200): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
})

const planWith = async (unmanaged: string, list: Response) => {
  const send = async ({ url }: Request) => (url.endsWith('/things') ? list : answer({ name: 'one' }))
  const { deps } = testDeps({ bundle: workspace(unmanaged), transport: () => ({ send }) })
  const { run, plan } = await checkWorkspace({ workspace: 'acme', trigger: 'cli', actor }, deps)
  return { status: run.status, unmanaged: plan?.unmanaged, unchecked: plan?.unchecked }
}

const things = answer([{ name: 'one' }, { name: 'TWO' }, { name: 'sys.log' }])

describe('an undeclared object beside the declared ones', () => {
  it('is reported by its identity, as the server spells it, unless the document ignores it', async () => {
    expect(await planWith('unmanaged: report', things)).toEqual({
      status: 'in_sync',
      unmanaged: [{ type: 'api_thing', provider: 'api', identity: { name: 'TWO' } }],
      unchecked: [],
    })
  })
  it('is not confused with an object that is declared under a name that it has yet to get', async () => {
    const send = async () =>
      answer([
        { id: 'a', name: 'one' },
        { id: 'b', name: 'two' },
      ])
    const { deps, current } = testDeps({ transport: () => ({ send }) })
    const check = async (name: string) => {
      current.bundle = workspace('unmanaged: report', { name, definition: numbered })
      return (await checkWorkspace({ workspace: 'acme', trigger: 'cli', actor }, deps)).plan
    }
    const other = [{ type: 'api_thing', provider: 'api', identity: { name: 'two' } }]
    expect(await check('one')).toMatchObject({ inSync: true, unmanaged: other })
    expect(await check('uno')).toMatchObject({ changes: [{ action: 'update' }], unmanaged: other })
  })
  it('is not confused by ids that every parent counts anew', async () => {
    const nested = numbered
      .replaceAll('path: /things', 'path: "/in/{parent}/things"')
      .replaceAll('/things/{id}', '/in/{parent}/things/{id}')
      .replace('keys: [name]', 'keys: [parent, name]')
      .replace('{ name: {} }', '{ name: {}, parent: { in: path, required: true } }')
    const lists: Readonly<Record<string, Json>> = {
      'http://api.test/in/a/things': [{ id: '1', name: 'one' }],
      'http://api.test/in/b/things': [
        { id: '1', name: 'two' },
        { id: '2', name: 'three' },
      ],
    }
    const text = `workspace: acme
providers: { api: { source: rest, definition: ./api.yaml } }
unmanaged: report
resources:
  - { type: api_thing, name: one, spec: { parent: a, name: one } }
  - { type: api_thing, name: three, spec: { parent: b, name: three } }
`
    const send = async ({ url }: Request) => answer(lists[url] ?? null)
    const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': nested }), transport: () => ({ send }) })
    const { plan } = await checkWorkspace({ workspace: 'acme', trigger: 'cli', actor }, deps)
    expect(plan).toMatchObject({ inSync: true, unmanaged: [{ identity: { parent: 'b', name: 'two' } }] })
  })
  it('is not looked for unless the configuration asks for it', async () => {
    expect(await planWith('', answer(null, 500))).toEqual({ status: 'in_sync', unmanaged: [], unchecked: [] })
  })
  it.each([
    ['a server error', answer({ error: 'down' }, 500), 'server_error'],
    ['no list', answer({ items: 'none' }), 'bad_body'],
    ['a refusal', answer(null, 403), 'forbidden'],
  ])('is not reported as missing after %s', async (_, list, reason) => {
    expect(await planWith('unmanaged: report', list)).toMatchObject({
      status: 'incomplete',
      unmanaged: [],
      unchecked: [{ address: 'api_thing.*', reason }],
    })
  })
})
