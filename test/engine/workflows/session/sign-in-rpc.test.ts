import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { driveBundle } from '../../../builders/workspaces/example-workspace.ts'

const document = `
provider:
  id: rpc
  with: { baseUrl: {}, password: { secret: true } }
  baseUrl: "{with.baseUrl}"
  auth: { login: { url: /jsonrpc, body: { jsonrpc: "2.0", id: 1, method: session.open, params: { user: me, password: "{with.password}" } }, token: result } }
  errors: { when: [{ place: error.code, is: [404], means: 404 }, { place: error, exists: true, means: 400 }] }
resources:
  rpc_user:
    operations:
      retrieve: { method: POST, path: /jsonrpc, effect: read, body: { jsonrpc: "2.0", id: 1, method: user.get, params: { name: "{name}" } }, answer: result }
      create: { method: POST, path: /jsonrpc, body: { jsonrpc: "2.0", id: 1, method: user.create, params: "{fields}" } }
      update: { method: POST, path: /jsonrpc, body: { jsonrpc: "2.0", id: 1, method: user.update, params: { name: "{name}", set: "{fields}" } } }
      delete: { method: POST, path: /jsonrpc, body: { jsonrpc: "2.0", id: 1, method: user.delete, params: { name: "{name}" } } }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true, immutable: true }, mail: {} } }]
`
const password = 'correct horse battery staple'

/** One address; everything that is called, in order. */
const startRpc = async () => {
  const users = new Map<string, JsonObject>()
  const called: string[] = []
  const answerTo = (method: string, params: JsonObject): JsonObject => {
    const name = String(params['name'])
    if (method === 'session.open')
      return params['password'] === password ? { result: 'token-1' } : { error: { code: 401 } }
    if (method === 'user.create') users.set(name, params)
    if (method === 'user.update') users.set(name, { ...users.get(name), ...(params['set'] as JsonObject) })
    if (method === 'user.delete') users.delete(name)
    const found: Json | undefined = users.get(name)
    return method === 'user.get' && found === undefined ? { error: { code: 404 } } : { result: found ?? {} }
  }
  const server = await aLoopback((request, response) => {
    const { method, params } = JSON.parse(server.seen.at(-1)?.body ?? '{}') as { method: string; params: JsonObject }
    called.push(method)
    const isOpen = method === 'session.open' || request.headers.authorization === 'Bearer token-1'
    response.writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isOpen ? answerTo(method, params) : {}))
  })
  return { ...server, users, called }
}

it('an API with one address is signed in at, checked and written', async () => {
  await using rpc = await startRpc()
  const entry = JSON.stringify({
    workspace: 'rpc',
    providers: {
      rpc: {
        source: 'rest',
        definition: './rpc.provider.yaml',
        with: { baseUrl: rpc.url, password: { secret: 'env:P' } },
      },
    },
    resources: [{ type: 'rpc_user', name: 'ann', spec: { name: 'ann', mail: 'ann@example.org' } }],
  })
  const bundle = { entry: 'plumbline.yaml', files: { 'plumbline.yaml': entry, 'rpc.provider.yaml': document } }
  const { check, apply } = driveBundle({ secrets: { 'env:P': password }, base: rpc.url }, bundle, 'rpc')
  const { plan, digest } = await check()
  expect(plan.changes.map(({ action }) => action)).toEqual(['create'])
  expect([...new Set(rpc.called)]).toEqual(['session.open', 'user.get'])
  expect((await apply(digest)).status).toBe('succeeded')
  expect([...rpc.users.keys()]).toEqual(['ann'])
  expect((await check()).run.status).toBe('in_sync')
})
