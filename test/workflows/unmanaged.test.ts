import { describe, expect, it } from 'vitest'
import type { Request, Response } from '../../core/schema/command.ts'
import type { Json } from '../../core/schema/json.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import { actor, testDeps, yaml } from '../builders/workspace.ts'

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

const workspace = (unmanaged: string) =>
  yaml(
    `workspace: acme
providers: { api: { source: rest, definition: ./api.yaml } }
${unmanaged}
resources: [{ type: api_thing, name: one, spec: { name: One } }]
`,
    { 'api.yaml': document },
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

describe('what exists beside the declared resources', () => {
  it('is reported by its identity, as the server spells it, without what the document ignores', async () => {
    expect(await planWith('unmanaged: report', things)).toEqual({
      status: 'in_sync',
      unmanaged: [{ type: 'api_thing', provider: 'api', identity: { name: 'TWO' } }],
      unchecked: [],
    })
  })
  it('is not asked for unless the configuration wants to know', async () => {
    expect(await planWith('', answer(null, 500))).toEqual({ status: 'in_sync', unmanaged: [], unchecked: [] })
  })
  it.each([
    ['a server error', answer({ error: 'down' }, 500)],
    ['no list', answer({ items: 'none' })],
    ['a refusal', answer(null, 403)],
  ])('cannot be said to be nothing after %s', async (_, list) => {
    expect(await planWith('unmanaged: report', list)).toMatchObject({
      status: 'incomplete',
      unmanaged: [],
      unchecked: [{ address: 'api_thing.*' }],
    })
  })
})
