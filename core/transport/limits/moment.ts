import type { Clock } from '../../schema/ports.ts'

/**
 * A moment by both clocks of this machine. What comes first counts: a monotonic clock may stand still in a suspended
 * machine, a wall clock may be set back, and whatever seems to end early does no harm.
 */
export interface Moment {
  readonly wall: number
  readonly steady: number
}

export const afterNow = (ms: number, { now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): Moment => ({
  wall: now().getTime() + ms,
  steady: monotonic() + ms,
})

export const earlier = (one: Moment, other: Moment): Moment => ({
  wall: Math.min(one.wall, other.wall),
  steady: Math.min(one.steady, other.steady),
})

/** Milliseconds; less than 0 where it is over. */
export const leftUntil = ({ wall, steady }: Moment, { now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): number =>
  Math.min(wall - now().getTime(), steady - monotonic())
