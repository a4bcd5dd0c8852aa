import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { renderProbe } from '../../../../core/pages/render/plain/authoring/render-probe.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { operationsAt, probing } from '../../../builders/workspaces/probing.ts'

const documentOf = (url: string, lock: string): string => `provider: { id: api, baseUrl: "${url}" }
resources:
  api_box:
    operations: ${operationsAt('/boxes/{name}')}
    identity: { keys: [name] }
    lookup: { retrieve: true }
    ${lock}
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes: { name: { in: path }, note: {}, rev: { type: number, computed: true } }
`

/** Each write has a revision, told as an ETag and as a member; `honours` says whether a stale one is refused. */
const startBoxes = async (honours: boolean) => {
  const boxes = new Map<string, JsonObject>()
  const act = (method: string, path: string, body: JsonObject, match: string | undefined): [number, Json?] => {
    const box = boxes.get(path)
    if (method === 'GET') return box === undefined ? [404, {}] : [200, box]
    if (method === 'DELETE') return [boxes.delete(path) ? 204 : 404]
    const { rev, ...own } = body
    const given = match ?? (rev === undefined ? undefined : `"${Number(rev)}"`)
    if (honours && box !== undefined && given !== undefined && given !== `"${Number(box['rev'])}"`) return [412, {}]
    boxes.set(path, { ...box, ...own, rev: Number(box?.['rev'] ?? 0) + 1 })
    return [200, {}]
  }
  const server = await aLoopback((request, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    const [status, answer] = act(method, url, body === '' ? {} : JSON.parse(body), request.headers['if-match'])
    const rev = (answer as JsonObject | undefined)?.['rev']
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(rev === undefined ? {} : { etag: `"${Number(rev)}"` }),
    })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  return { ...server, boxes }
}

describe.each(['lock: { etag: true }', 'lock: { field: rev, send: rev }'])('a probe of %s', (lock) => {
  eachOf(it, 1)([true, false])('tries a stale version (the server honours it: %s), and says so', async (honours) => {
    await using api = await startBoxes(honours)
    const report = await probing(documentOf(api.url, lock))
    expect(report.locks).toMatchObject([{ type: 'api_box', refused: honours, status: honours ? 412 : 200 }])
    const told = report.findings.map(({ message }) => message).filter((message) => message.includes('lock'))
    expect(told).toEqual(honours ? [] : ['its lock is ignored: the server accepts a write with a stale version'])
    expect(renderProbe(report)).toContain(honours ? 'lock holds' : 'lock ignored')
    expect(api.boxes.size).toBe(0)
  })
})

it('a document without a lock gives the probe no version to try', long, async () => {
  await using api = await startBoxes(true)
  expect((await probing(documentOf(api.url, ''))).locks).toEqual([])
})
