import { AppError, isAppError } from '../../errors/errors.ts'
import type { Response } from '../../schema/command.ts'
import { isRead } from '../read-only.ts'
import type { Transport, WireRequest } from '../transport.ts'
import { fenceFaults } from '../words.ts'
import type { Deadline } from './deadline.ts'

/** The permission for one attempt of one write. */
export interface Passage {
  /** Called right before the bytes are sent, synchronously: false if too little of the lease is left. */
  readonly mayLeave: () => boolean
  /** Aborted when the lease ends or is lost while the write is under way. */
  readonly signal: AbortSignal
  /** The write has ended. Throws LOCK_LOST where the lock was lost meanwhile. */
  end(how?: 'answered'): void
}

/** The last check before every write is sent. */
export interface Fence {
  /**
   * Verifies in the store that the lock is still ours, renews it for as long as the write may take and writes the ledger
   * entry of this attempt, all or nothing. Throws LOCK_LOST, and errors of the store: then nothing may be sent.
   */
  enter(attempt: { readonly command: string | undefined; readonly timeoutMs: number }): Promise<Passage>
}

/**
 * If the store is so slow that the permission has expired when it arrives, it is requested again, up to this many times in
 * total.
 */
const tries = 3

/**
 * The last step before the wire: below retries, pacing, queues and sign-in, so that each attempt of a write needs a
 * permission. Without a fence only reads and sign-ins are sent.
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
    // A file of this machine is written by this process, and ends with it. A program goes on without it.
    const inFlightMs = /^file:/i.test(url) ? 0 : timeoutMs
    if (deadline !== undefined && inFlightMs > deadline.wholeMs) throw tooLong(plain, inFlightMs, deadline)
    for (let n = 1; n <= tries; n += 1) {
      // A write that is cut before its time is over has an unknown outcome.
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

/** `undefined`: it did not leave, because its leave had ended. */
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
