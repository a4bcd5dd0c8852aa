import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/** An API whose create answers nothing: the id of a new object is known by reading alone. */
const startSilentApi = async () => {
  const things = new Map<string, JsonObject>([
    ['1', { id: '1', name: 'one', kind: 'a', note: 'n' }],
    ['2', { id: '2', name: 'two', kind: 'a', note: 'n', parent: '1' }],
  ])
  let last = 100
  const act = (method: string, id: string | undefined, body: JsonObject): [number, Json?] => {
    if (id === undefined && method === 'GET') return [200, [...things.values()]]
    if (id === undefined) {
      last += 1
      things.set(String(last), { id: String(last), ...body })
      return [201]
    }
    const found = things.get(id)
    if (found === undefined) return [404, {}]
    if (method === 'GET') return [200, found]
    if (method === 'DELETE') return [things.delete(id) ? 204 : 404]
    things.set(id, { ...found, ...body })
    return [200, {}]
  }
  const server = await aLoopback((_, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    const [status, answer] = act(method, url.split('/')[2], body === '' ? {} : JSON.parse(body))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  return { ...server, things }
}

const provider = (order: string): string => `
provider:
  id: silent
  with: { baseUrl: {} }
  baseUrl: "{with.baseUrl}"
resources:
  silent_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace, replace: { order: ${order} } }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: {}, kind: { immutable: true }, parent: {} } }
      - { name: notes, read: retrieve, onCreate: after, write: { op: update }, attributes: { note: {} } }
`

const drive = (url: string, order: string) => {
  const { deps } = testDeps({
    bundle: yaml(
      `
workspace: silent
providers: { silent: { source: rest, definition: ./silent.yaml, with: { baseUrl: "${url}" } } }
resources:
  - { type: silent_thing, name: one, spec: { name: one, kind: b, note: n } }
  - { type: silent_thing, name: two, spec: { name: two, kind: a, note: n, parent: "\${resource.silent_thing.one.id}" } }
`,
      { 'silent.yaml': provider(order) },
    ),
  })
  const check = () => checkWorkspace({ workspace: 'silent', trigger: 'cli', actor }, deps)
  const apply = async () => {
    const digest = (await check()).run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace: 'silent', mode: 'execute', digest, reason: 'new kind', actor }, deps)
    return runApply({ workspace: 'silent', applyId: id }, deps)
  }
  return { check, apply }
}

describe('a replacement whose create answers no id', () => {
  it('continues with the new object', async () => {
    await using api = await startSilentApi()
    const { check, apply } = drive(api.url, 'deleteFirst')
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect([...api.things.values()]).toEqual([
      { id: '2', name: 'two', kind: 'a', note: 'n', parent: '101' },
      { id: '101', name: 'one', kind: 'b', note: 'n' },
    ])
    expect((await check()).run.status).toBe('in_sync')
  })

  it('stops where the old and the new object cannot be told apart', async () => {
    await using api = await startSilentApi()
    const { apply } = drive(api.url, 'createFirst')
    expect(await apply()).toMatchObject({ status: 'failed' })
    const writes = api.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
    expect(writes).toEqual(['POST /things'])
  })
})
