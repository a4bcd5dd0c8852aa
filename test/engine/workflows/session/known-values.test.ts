import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { actor, handingOverIn, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/*
 * Boxes, and items that are known by their box and a name: what an apply reads of an item of a box of the same plan it can
 * only find with the id that the box turned out to have.
 */

interface Options {
  /** Whether creates answer the id; else only reading tells it. */
  readonly answersId?: boolean
  /** Runs right after a write was done, and may end the connection without an answer. */
  readonly after?: (line: string, rows: Map<string, JsonObject>) => 'hang up' | undefined
}

const startBoxes = async ({ answersId = true, after }: Options = {}) => {
  const rows = new Map<string, JsonObject>()
  const writes: string[] = []
  let last = 40
  const act = (method: string, url: URL, body: JsonObject): [number, Json?] => {
    const [, kind = '', id] = url.pathname.split('/')
    const all = [...rows].filter(([key]) => key.startsWith(`${kind}/`)).map(([, row]) => row)
    if (id === undefined && method === 'GET') {
      return [200, all.filter((row) => [...url.searchParams].every(([name, value]) => String(row[name]) === value))]
    }
    if (id === undefined) {
      last += 1
      const { secret: _, ...shown } = body
      const row = { ...shown, id: String(last), code: `c-${last}` }
      rows.set(`${kind}/${last}`, row)
      return [201, answersId ? row : {}]
    }
    const row = rows.get(`${kind}/${id}`)
    if (row === undefined) return [404, {}]
    if (method === 'GET') return [200, row]
    if (method === 'DELETE') return [rows.delete(`${kind}/${id}`) ? 204 : 404]
    const { secret: _, ...shown } = body
    rows.set(`${kind}/${id}`, { ...row, ...shown })
    return [200, {}]
  }
  const server = await aLoopback((request, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    const [status, answer] = act(method, new URL(url, 'http://h'), body === '' ? {} : JSON.parse(body))
    if (method !== 'GET') {
      writes.push(`${method} ${url} ${body}`)
      if (after?.(`${method} ${url}`, rows) === 'hang up') return void request.socket.destroy()
    }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  return { ...server, rows, writes }
}

const provider = `
provider: { id: boxes, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  box_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{id}" }
      create: { method: POST, path: /boxes, produces: { id: id } }
      delete: { method: DELETE, path: "/boxes/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  box_item:
    operations:
      list: { method: GET, path: /items }
      retrieve: { method: GET, path: "/items/{id}" }
      create: { method: POST, path: /items, produces: { id: id } }
      update: { method: PATCH, path: "/items/{id}" }
      delete: { method: DELETE, path: "/items/{id}" }
    identity: { keys: [box, name] }
    lookup: { list: {}, match: [box, name] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { box: { immutable: true }, name: { immutable: true }, secret: { sensitive: true, writeOnly: true } }
      - { name: notes, read: retrieve, onCreate: after, write: { op: update }, attributes: { note: {} } }
`

const drive = (url: string) => {
  const given = testDeps({
    bundle: yaml(
      `
workspace: boxes
providers: { box: { source: rest, definition: ./box.yaml, with: { baseUrl: "${url}" } } }
resources:
  - { type: box_box, name: b, spec: { name: b } }
  - type: box_item
    name: i
    spec: { box: "\${resource.box_box.b.id}", name: i, note: n, secret: { secret: "env:S" } }
`,
      { 'box.yaml': provider },
    ),
  })
  given.secrets['env:S'] = 'long-enough-a-secret'
  const check = () => checkWorkspace({ workspace: 'boxes', trigger: 'cli', actor }, given.deps)
  const request = async () => {
    const digest = (await check()).run.digests?.commands ?? ''
    const { id } = await requestApply(
      { workspace: 'boxes', mode: 'execute', digest, reason: 'test', actor },
      given.deps,
    )
    return id
  }
  const go = (apply: string, deps = given.deps) => runApply({ workspace: 'boxes', applyId: apply }, deps)
  return { ...given, check, request, go }
}

describe.each([true, false])('a resource in a box that the same plan creates (creates answer ids: %s)', (answersId) => {
  it('is read by the real identity of the box', async () => {
    await using api = await startBoxes({ answersId })
    const { check, request, go } = drive(api.url)
    expect(await go(await request())).toMatchObject({ status: 'succeeded' })
    expect(api.writes.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'POST /boxes',
      'POST /items',
      'PATCH /items/42',
    ])
    const again = await check()
    expect(again.run.status).toBe('in_sync')
    // The secret was sent, and is known to have been: it is not sent again.
    expect(again.plan?.commands).toEqual([])
  })

  it('is not made again where somebody made it in the meantime', async () => {
    const theirs = { id: '7', name: 'i', box: '41', note: 'theirs', code: 'x' }
    await using api = await startBoxes({
      answersId,
      after: (line, rows) => void (line === 'POST /boxes' && rows.set('items/7', theirs)),
    })
    const { request, go } = drive(api.url)
    expect(await go(await request())).toMatchObject({ status: 'failed' })
    expect(api.writes.filter((line) => line.startsWith('POST /items'))).toEqual([])
    expect(api.rows.get('items/7')).toEqual(theirs)
  })

  it('is not made again by the next worker of the same apply', async () => {
    await using api = await startBoxes({
      answersId,
      after: (line) => (line === 'POST /items' ? 'hang up' : undefined),
    })
    const { request, go, deps } = drive(api.url)
    const id = await request()
    const first = await go(id, handingOverIn(60_000, deps))
    expect(first.status).not.toBe('succeeded')
    await go(id)
    await go(await request())
    expect(api.writes.filter((line) => line.startsWith('POST /items'))).toHaveLength(1)
  })
})
