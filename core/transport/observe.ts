import type { Request } from '../schema/command.ts'
import type { Transport } from './transport.ts'

/** Tells of each request before it is sent on: for counts and progress. */
export const observe = (inner: Transport, onRequest: (request: Request) => void): Transport => ({
  send: (request, signal) => {
    onRequest(request)
    return inner.send(request, signal)
  },
})
