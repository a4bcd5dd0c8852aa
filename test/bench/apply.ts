import { memoryStore } from '../../core/engine/state/store/memory.ts'
import { startServer } from '../builders/servers/loopback.ts'
import { driveDocument } from '../builders/servers/things-api.ts'
import { movableClock } from '../builders/workspaces/workspace.ts'

/*
 * `npm run bench:apply [resources] [latency in ms]`: the time of an apply of independent resources, by `writeConcurrency`.
 * Each command costs a read, a write and a read.
 */

const [count = 200, latencyMs = 20] = process.argv.slice(2).map(Number)

const things = new Set<string>()
await using server = await startServer(async ({ method, url }, response) => {
  await new Promise((go) => setTimeout(go, latencyMs))
  const name = url.split('/').at(-1) ?? ''
  if (method === 'PUT') things.add(name)
  response.writeHead(things.has(name) ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
})

const documentOf = (writeConcurrency: number): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, concurrency: 16, writeConcurrency: ${writeConcurrency} }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: error, preventDelete: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`

for (const writeConcurrency of [1, 4, 16]) {
  things.clear()
  const resources = Array.from({ length: count }, (_, n) => ({
    type: 'api_thing',
    name: `n${n}`,
    spec: { name: `n${n}` },
  }))
  const clock = movableClock()
  const drive = driveDocument(server, documentOf(writeConcurrency), resources, {
    clock,
    store: memoryStore(clock),
    limits: { concurrency: 16, leaseMs: 60_000 },
  })
  const { digest } = await drive.check()
  const begun = performance.now()
  const { status } = await drive.apply(digest)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `writeConcurrency ${writeConcurrency}: ${count} resources, ${latencyMs} ms a request: ${seconds} s (${status})`,
  )
}
