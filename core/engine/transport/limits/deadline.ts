import { AppError } from '../../errors/errors.ts'
import type { Clock } from '../../schema/ports.ts'
import type { Transport } from '../transport.ts'

/** The time at which work must end: no step begins after it, and running steps are aborted. */
export interface Deadline {
  /** All milliseconds that it gave when it was opened. */
  readonly wholeMs: number
  /** Milliseconds that are left; 0 from the deadline on, and once it was ended. */
  left(): number
  /** Aborted with the AppError that says why. */
  readonly signal: AbortSignal
  /**
   * Waits for `work` until the deadline at most, and aborts it by the signal. Rejects with DEADLINE_REACHED, with the error
   * that ended it, and with errors of `work`.
   */
  hold<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  /** Throws DEADLINE_REACHED, or the error that ended it, if less than `ms` is left. */
  require(ms: number): void
  /** Ends it now: no step begins any more, and running steps are aborted. */
  end(reason: AppError): void
}

/** `of`: the name of the work, for people. It lasts for `ms` from now, and not longer than the enclosing deadline. */
export const openDeadline = (of: string, ms: number, clock: Clock, outer?: Deadline): Deadline => {
  const wholeMs = Math.max(0, Math.min(ms, outer?.left() ?? Number.POSITIVE_INFINITY))
  const moment = afterNow(wholeMs, clock)
  const own = new AbortController()
  const signal = outer === undefined ? own.signal : AbortSignal.any([own.signal, outer.signal])
  const left = (): number => (signal.aborted ? 0 : Math.max(0, leftUntil(moment, clock)))
  const reached = (): AppError => new AppError('DEADLINE_REACHED', { of, seconds: seconds(wholeMs) })
  /** Timers may be late or early; the clocks decide. */
  const look = (): void => {
    if (left() === 0 && !signal.aborted) own.abort(reached())
  }
  const require = (needed: number): void => {
    signal.throwIfAborted()
    if (left() < needed) throw reached()
  }
  const hold: Deadline['hold'] = (work) =>
    new Promise((resolve, reject) => {
      look()
      if (signal.aborted) return reject(signal.reason)
      let stop = (): void => {}
      const ring = (): void => {
        look()
        if (!signal.aborted) stop = clock.after(Math.max(1, left()), ring)
      }
      const cut = (): void => reject(signal.reason)
      const done = (): void => {
        stop()
        signal.removeEventListener('abort', cut)
      }
      signal.addEventListener('abort', cut, { once: true })
      // Without a limit there is no timer: only `end` ends it.
      if (Number.isFinite(wholeMs)) stop = clock.after(Math.max(1, left()), ring)
      Promise.resolve()
        .then(() => work(signal))
        .then(resolve, reject)
        .finally(done)
    })
  return { wholeMs, left, signal, hold, require, end: (reason) => own.abort(reason) }
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10

/** Requests that begin before a deadline and are cut at it. */
export const until = (inner: Transport, { hold }: Pick<Deadline, 'hold'>): Transport => ({
  ...inner,
  send: (request, given) =>
    hold((signal) => inner.send(request, given === undefined ? signal : AbortSignal.any([given, signal]))),
})

/**
 * A moment by both clocks of this machine. What comes first counts: a monotonic clock may stand still in a suspended
 * machine, a wall clock may be set back, and an end that comes too early does no harm.
 */
export interface TwoClockTime {
  readonly wall: number
  readonly steady: number
}

export const afterNow = (ms: number, { now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): TwoClockTime => ({
  wall: now().getTime() + ms,
  steady: monotonic() + ms,
})

export const earlier = (one: TwoClockTime, other: TwoClockTime): TwoClockTime => ({
  wall: Math.min(one.wall, other.wall),
  steady: Math.min(one.steady, other.steady),
})

/** Milliseconds; less than 0 where it is over. */
export const leftUntil = (
  { wall, steady }: TwoClockTime,
  { now, monotonic }: Pick<Clock, 'now' | 'monotonic'>,
): number => Math.min(wall - now().getTime(), steady - monotonic())
