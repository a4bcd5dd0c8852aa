import { once } from 'node:events'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { json } from 'node:stream/consumers'

/** A target: objects by name, for whoever has the token. */
export interface Things {
  readonly url: string
  readonly held: Map<string, Readonly<Record<string, unknown>>>
  /** Method and path of each write. */
  readonly writes: string[]
  /** Called when the next write has arrived, which then gets no answer. */
  hold(arrived: () => void): void
  close(): Promise<void>
}

/** A function refuses loopback, where Lambda's own services would be: so the target stands at another address of this machine. */
const address = (): string => {
  const found = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  if (found === undefined)
    throw new Error('this machine has no address but loopback, and the functions refuse that as a target')
  return found.address
}

export const startThings = async (token: string): Promise<Things> => {
  const held: Things['held'] = new Map()
  const writes: string[] = []
  let holding: (() => void) | undefined
  const host = address()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const answer = (status: number, body?: unknown): void => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? '' : JSON.stringify(body))
    }
    if (headers.authorization !== `Bearer ${token}`) return answer(401, { message: 'who are you?' })
    const name = url.split('/').at(2) ?? ''
    if (method === 'GET') return held.has(name) ? answer(200, held.get(name)) : answer(404, {})
    writes.push(`${method} ${url}`)
    if (holding !== undefined) {
      const arrived = holding
      holding = undefined
      return arrived()
    }
    if (method === 'DELETE') return answer(held.delete(name) ? 204 : 404)
    const given = (await json(request)) as Readonly<Record<string, unknown>>
    const next = { ...held.get(name), ...given }
    held.set(String(next['name'] ?? name), next)
    return answer(method === 'POST' ? 201 : 200, next)
  }).listen(0, host)
  await once(server, 'listening')
  const place = server.address()
  return {
    url: `http://${host}:${typeof place === 'object' && place !== null ? place.port : 0}`,
    held,
    writes,
    hold: (arrived) => {
      holding = arrived
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
