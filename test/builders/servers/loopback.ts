import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, ListenOptions } from 'node:net'

/** A request as it came in on the socket. */
export interface Heard {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const urlOf = ({ address, port }: AddressInfo): string => `http://${address}:${port}`

/** A real server on this machine, on a port of its own; `await using` ends it. */
export const startServer = async (
  answer: (heard: Heard, response: ServerResponse, incoming: IncomingMessage) => unknown,
  where: ListenOptions = { port: 0, host: '127.0.0.1' },
) => {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = incoming
    await answer({ method, url, headers, body: Buffer.concat(chunks).toString() }, response, incoming)
  })
  await new Promise<void>((resolve) => server.listen(where, resolve))
  return {
    url: where.path === undefined ? urlOf(server.address() as AddressInfo) : 'http://localhost',
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The same for an answer that needs no body, with all that it has heard. */
export const aLoopback = async (listener: RequestListener) => {
  const seen: Heard[] = []
  const server = await startServer((heard, response, incoming) => {
    seen.push(heard)
    listener(incoming, response)
  })
  return { ...server, seen }
}
