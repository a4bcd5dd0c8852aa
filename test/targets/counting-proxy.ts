import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingProxy {
  readonly baseUrl: string
  /** `METHOD path` of every request that came over the socket since the last reset, reads apart from the rest. */
  readonly reads: string[]
  readonly writes: string[]
  reset(): void
  stop(): Promise<void>
}

/** Stands before a server and writes down what really arrives, whatever the client believes that it sent. */
export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const reads: string[] = []
  const writes: string[] = []
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    ;(isRead ? reads : writes).push(`${method} ${url}`)
    const outgoing = forward({ hostname, port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname === '/' ? '' : pathname}`,
    reads,
    writes,
    reset: () => {
      reads.length = 0
      writes.length = 0
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
