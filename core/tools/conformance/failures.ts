import { AppError } from '../../engine/errors/errors.ts'
import type { Response } from '../../engine/schema/command.ts'
import type { UnknownReason } from '../../engine/schema/resource.ts'
import type { Transport } from '../../engine/transport/transport.ts'
import { defined } from '../../engine/values/defined.ts'
import { failureNames } from './words.ts'

/** An answer, or an error of the transport, that proves nothing about an object. */
export interface Failure {
  readonly name: string
  readonly happens: Response | AppError
  readonly reason: UnknownReason
}

const noAnswer = (code: 'REQUEST_FAILED' | 'RESPONSE_INVALID', reason?: 'network' | 'timeout') =>
  new AppError(code, {
    method: 'GET',
    url: 'http://suite.test/',
    detail: failureNames.words,
    ...defined({ reason }),
  })

const statuses: readonly (readonly [number, UnknownReason])[] = [
  [302, 'unexpected_status'],
  [401, 'unauthorised'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
  [500, 'server_error'],
  [503, 'server_error'],
]

export const failures: readonly Failure[] = [
  ...statuses.map(([status, reason]) => ({
    name: failureNames.status(status),
    happens: { status, headers: {}, body: null },
    reason,
  })),
  { name: failureNames.reset, happens: noAnswer('REQUEST_FAILED', 'network'), reason: 'network' },
  { name: failureNames.timeout, happens: noAnswer('REQUEST_FAILED', 'timeout'), reason: 'timeout' },
  { name: failureNames.truncated, happens: noAnswer('RESPONSE_INVALID'), reason: 'bad_body' },
  {
    name: failureNames.html,
    happens: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' },
    reason: 'bad_body',
  },
]

/** Makes the nth request (from 0) fail. */
export const failingAt = (inner: Transport, nth: number, { happens }: Failure): Transport => {
  let sent = 0
  return {
    send: async (request, signal) => {
      if (sent++ !== nth) return inner.send(request, signal)
      if (happens instanceof AppError) throw happens
      return happens
    },
  }
}
