import type { Workspace } from '../schema/stored/records.ts'
import { ranAhead } from './clock-skew.ts'

/** How long a queued check counts as pending. It may wait in a queue and runs for up to a quarter of an hour. */
export const lostMs = 30 * 60_000

export type PendingCheck = NonNullable<Workspace['pendingCheck']>

/** Milliseconds since the check was queued; unknown if the clock that queued it was fast. */
export const ageOf = ({ at }: PendingCheck, now: Date): number =>
  ranAhead(at, now.toISOString()) ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(at)

/** True if a check is queued or running. A check whose message was lost blocks others only for a limited time. */
export const isPending = ({ pendingCheck: pending }: Pick<Workspace, 'pendingCheck'>, now: Date): boolean =>
  pending !== undefined && ageOf(pending, now) < lostMs
