import { AppError, isAppError } from '../../errors/errors.ts'
import type { Response } from '../../schema/command.ts'
import { isRead } from '../read-only.ts'
import type { Transport, WireRequest } from '../transport.ts'
import { fenceFaults } from '../words.ts'
import type { Deadline } from './deadline.ts'

export interface Passage {
  /** Called synchronously right before the bytes are sent. False if too little of the lease is left. */
  readonly mayLeave: () => boolean
  /** Aborted if the lease ends or is lost during the write. */
  readonly signal: AbortSignal
  /** Called when the write has ended. Throws LOCK_LOST if the lock was lost meanwhile. */
  end(how?: 'answered'): void
}

export interface Fence {
  /**
   * Verifies in the store that the lock is still held, renews it for as long as the write may take, and writes the
   * ledger entry of this attempt, all in one transaction. Throws LOCK_LOST and errors of the store; the write must then
   * not be sent.
   */
  enter(attempt: { readonly command: string | undefined; readonly timeoutMs: number }): Promise<Passage>
}

/**
 * Number of times that permission is requested in total, if the store is so slow that it has expired when it arrives.
 */
const tries = 3

/**
 * The last step before a request is sent: below retries, pacing, queues and sign-in, so that each attempt of a write
 * needs a permission. Without a fence only reads and sign-ins are sent.
 */
export const fenced = (
  inner: Transport,
  fence: Fence | undefined,
  { timeoutMs, deadline }: { readonly timeoutMs: number; readonly deadline?: Deadline | undefined },
): Transport => ({
  send: async (request: WireRequest, signal) => {
    const { command, ...plain } = request
    const { effect, method, url } = plain
    if (command === undefined && (effect === 'signIn' || isRead(plain))) return inner.send(plain, signal)
    if (fence === undefined) throw new AppError('WRITE_IN_CHECK', { method, url })
    // A write to a file of this machine ends with this process. A program continues without this process.
    const inFlightMs = /^file:/i.test(url) ? 0 : timeoutMs
    if (deadline !== undefined && inFlightMs > deadline.wholeMs) throw tooLong(plain, inFlightMs, deadline)
    for (let n = 1; n <= tries; n += 1) {
      // A write that is aborted at the deadline would have an unknown outcome.
      deadline?.require(inFlightMs)
      const passage = await fence.enter({ command, timeoutMs: inFlightMs })
      const fits = (): boolean => passage.mayLeave() && (deadline === undefined || deadline.left() >= inFlightMs)
      const answer = await pass(inner, plain, { ...passage, mayLeave: fits }, signal)
      if (answer !== undefined) return answer
    }
    throw new AppError('STORE_UNAVAILABLE', { detail: fenceFaults.slowStore })
  },
})

/** A later apply would fail in the same way. */
const tooLong = ({ method, url }: WireRequest, ms: number, { wholeMs }: Deadline): AppError =>
  new AppError('REQUEST_INCOMPLETE', { method, url, detail: fenceFaults.tooLong(ms, wholeMs) })

/** `undefined` if nothing was sent because the permission had expired. */
const pass = async (
  inner: Transport,
  request: WireRequest,
  { mayLeave, signal: lease, end }: Passage,
  signal?: AbortSignal,
): Promise<Response | undefined> => {
  let how: 'answered' | undefined
  try {
    if (!mayLeave()) return undefined
    const either = signal === undefined ? lease : AbortSignal.any([signal, lease])
    const leaving: WireRequest = { ...request, mayLeave }
    const answer = await inner.send(leaving, either)
    how = 'answered'
    return answer
  } catch (error) {
    if (!isAppError(error, 'REQUEST_FAILED')) throw error
    const { reason, ...payload } = error.payload
    if (reason === 'unsent') return undefined
    if (!lease.aborted) throw error
    const failure = { ...payload, detail: fenceFaults.lockNotRenewed, reason: 'cancelled' } as const
    throw new AppError('REQUEST_FAILED', failure, { cause: error })
  } finally {
    end(how)
  }
}
