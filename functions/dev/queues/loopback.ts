import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ListenOptions, Server } from 'node:net'
import { dropBody } from '../http/own-request.ts'

type MayPass = (request: IncomingMessage) => boolean

const answered = new Set(['request', 'checkContinue', 'checkExpectation'])
const taken = new Set(['upgrade', 'connect'])

const refuse = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end('forbidden\n')
  dropBody(request)
}

/** Runs before every listener of the server: a refused request is answered 403 and reaches none of them. */
const guard = (server: Server, mayPass: MayPass): void => {
  const emit = server.emit.bind(server)
  server.emit = (event: string | symbol, ...given: unknown[]): boolean => {
    const [request, response] = given
    const name = String(event)
    if (!answered.has(name) && !taken.has(name)) return emit(event, ...given)
    if (mayPass(request as IncomingMessage)) return emit(event, ...given)
    if (answered.has(name)) refuse(request as IncomingMessage, response as ServerResponse)
    else (response as { destroy(): void }).destroy()
    return true
  }
}

/**
 * Runs `start` so that its servers listen only on the loopback address and receive only permitted requests: fauxqs 2.4.1
 * listens on 0.0.0.0 always, and authenticates no caller.
 */
export const onLoopback = async <Result>(mayPass: MayPass, start: () => Promise<Result>): Promise<Result> => {
  const listen = Server.prototype.listen as (this: Server, ...given: unknown[]) => Server
  const confined = function (this: Server, ...given: unknown[]): Server {
    const [first, ...rest] = given
    const options =
      typeof first === 'object' && first !== null ? { ...(first as ListenOptions), host: '127.0.0.1' } : first
    guard(this, mayPass)
    return listen.call(this, options, ...rest)
  }
  Object.assign(Server.prototype, { listen: confined })
  try {
    return await start()
  } finally {
    Object.assign(Server.prototype, { listen })
  }
}
