import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What `plumbline.json` and `things.provider.yaml` declare of it. */
const definition = `
provider: { id: things, with: { base: {} }, baseUrl: "{with.base}" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`

/**
 * A server that keeps things, and holds back the answer to its `nth` write until it is let go: whoever waits for `held`
 * knows that the command is under way at this very moment, however slow the machine is.
 */
export const aHeldServer = async (nth: number) => {
  const things = new Set<string>()
  const writes: string[] = []
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method === 'GET') {
      const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
      return things.has(name) ? answer(200, { name }) : answer(404, {})
    }
    const { name } = JSON.parse(Buffer.concat(chunks).toString()) as { name: string }
    writes.push(name)
    things.add(name)
    if (writes.length === nth) {
      held.resolve()
      await letGo.promise
    }
    answer(201, { name })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const configuration = (count: number): Readonly<Record<string, string>> => ({
    'things.provider.yaml': definition,
    'plumbline.json': JSON.stringify({
      workspace: 'many',
      providers: { things: { source: 'rest', definition: './things.provider.yaml', with: { base } } },
      resources: Array.from({ length: count }, (_, n) => ({
        type: 'api_thing',
        name: `t${n}`,
        spec: { name: `t${n}` },
      })),
    }),
  })
  return {
    configuration,
    /** Names in the order of their writes, each time that one came. */
    writes,
    held: held.promise,
    letGo: letGo.resolve,
    [Symbol.asyncDispose]: async () => {
      letGo.resolve()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
