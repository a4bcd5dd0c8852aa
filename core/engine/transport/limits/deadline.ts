import { AppError } from '../../errors/errors.ts'
import type { Clock } from '../../schema/ports.ts'
import type { Transport } from '../transport.ts'

/** The time at which work must end. No step begins after it, and running steps are aborted. */
export interface Deadline {
  /** Milliseconds from the opening to the deadline. */
  readonly wholeMs: number
  /** Milliseconds that are left; 0 after the deadline and after `end`. */
  left(): number
  /** Aborted with the AppError that is the reason. */
  readonly signal: AbortSignal
  /**
   * Runs `work` until the deadline at the latest, and then aborts it. Rejects with DEADLINE_REACHED, with the reason of
   * `end`, and with errors of `work`.
   */
  hold<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>
  /** Throws DEADLINE_REACHED, or the reason of `end`, if less than `ms` is left. */
  require(ms: number): void
  end(reason: AppError): void
}

/** `of`: the display name of the work. The deadline is `ms` from now, but not later than `outer`. */
export const openDeadline = (of: string, ms: number, clock: Clock, outer?: Deadline): Deadline => {
  const wholeMs = Math.max(0, Math.min(ms, outer?.left() ?? Number.POSITIVE_INFINITY))
  const moment = afterNow(wholeMs, clock)
  const own = new AbortController()
  const signal = outer === undefined ? own.signal : AbortSignal.any([own.signal, outer.signal])
  const left = (): number => (signal.aborted ? 0 : Math.max(0, leftUntil(moment, clock)))
  const reached = (): AppError => new AppError('DEADLINE_REACHED', { of, seconds: seconds(wholeMs) })
  /** Timers may fire late or early, so the clocks decide. */
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
      // Without a limit there is no timer, and only `end` aborts the work.
      if (Number.isFinite(wholeMs)) stop = clock.after(Math.max(1, left()), ring)
      Promise.resolve()
        .then(() => work(signal))
        .then(resolve, reject)
        .finally(done)
    })
  return { wholeMs, left, signal, hold, require, end: (reason) => own.abort(reason) }
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10

export const until = (inner: Transport, { hold }: Pick<Deadline, 'hold'>): Transport => ({
  ...inner,
  send: (request, given) =>
    hold((signal) => inner.send(request, given === undefined ? signal : AbortSignal.any([given, signal]))),
})

/**
 * A time by both clocks of this machine; the earlier one counts. A monotonic clock may stop in a suspended machine, a
 * wall clock may be set back, and an end that comes too early does no harm.
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

/** Milliseconds; negative if the time is over. */
export const leftUntil = (
  { wall, steady }: TwoClockTime,
  { now, monotonic }: Pick<Clock, 'now' | 'monotonic'>,
): number => Math.min(wall - now().getTime(), steady - monotonic())
