import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CountingProxy {
  readonly baseUrl: string
  /** `METHOD path` of every request that came over the socket since the last reset, reads apart from the rest. */
  readonly reads: string[]
  readonly writes: string[]
  reset(): void
  /** Runs once, when the request with this number (1 is the next) arrives, before it goes on. */
  interrupt(kind: 'read' | 'write', number: number, act: () => Promise<unknown>): void
  /** From now on the answer to everything: a status, or the end of the connection. */
  answerWith(fault: number | 'reset' | undefined): void
  stop(): Promise<void>
}

/** Stands before a server and writes down what really arrives, whatever the client believes that it sent. */
export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const reads: string[] = []
  const writes: string[] = []
  const { hostname, port, host: own, pathname } = new URL(target)
  let interruption: { readonly list: readonly string[]; readonly length: number; act(): Promise<unknown> } | undefined
  let fault: number | 'reset' | undefined
  const mayInterrupt = async (): Promise<void> => {
    if (interruption === undefined || interruption.list.length !== interruption.length) return
    const { act } = interruption
    interruption = undefined
    await act()
  }
  const server = createServer(async (incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    const isRead = method === 'GET' || method === 'HEAD'
    ;(isRead ? reads : writes).push(`${method} ${url}`)
    if (fault === 'reset') return void incoming.destroy()
    if (typeof fault === 'number') return void answer.writeHead(fault, { 'content-type': 'application/json' }).end('{}')
    await mayInterrupt()
    // Some servers answer only to their own name.
    const outgoing = forward({ hostname, port, method, path: url, headers: { ...headers, host: own } }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.on('end', () => answer.addTrailers(response.trailers as Record<string, string>))
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: local } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${local}${pathname === '/' ? '' : pathname}`,
    reads,
    writes,
    reset: () => {
      reads.length = 0
      writes.length = 0
    },
    interrupt: (kind, number, act) => {
      const list = kind === 'read' ? reads : writes
      interruption = { list, length: list.length + number, act }
    },
    answerWith: (given) => {
      fault = given
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
