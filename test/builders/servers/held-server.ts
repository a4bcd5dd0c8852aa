import { startServer } from './loopback.ts'

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
  const server = await startServer(async ({ method, url, body: text }, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (method === 'GET') {
      const name = decodeURIComponent(url.split('/').at(-1) ?? '')
      return things.has(name) ? answer(200, { name }) : answer(404, {})
    }
    const { name } = JSON.parse(text) as { name: string }
    writes.push(name)
    things.add(name)
    if (writes.length === nth) {
      held.resolve()
      await letGo.promise
    }
    answer(201, { name })
  })
  const base = server.url
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
      await server[Symbol.asyncDispose]()
    },
  }
}
