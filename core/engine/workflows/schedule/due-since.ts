import { isAppError } from '../../errors/errors.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { firstPermitted, nextPermitted } from './next-check.ts'

type Calendar = Pick<Workspace, 'schedule' | 'timezone' | 'blackout'>
export type Promised = Calendar & Pick<Workspace, 'scheduledSince' | 'lastRun' | 'paused'>

/**
 * When the check became due that has not ended in a stored run, or when the next one will be due. A new schedule makes
 * a check due at once, as for a new workspace; a workspace that was checked since then is due at its next time.
 * `undefined`: never, or the workspace is paused. Throws SCHEDULE_INVALID.
 */
export const undoneSince = async (workspace: Promised): Promise<Date | undefined> => {
  const { schedule, lastRun, paused, scheduledSince } = workspace
  if (schedule === undefined || paused !== undefined) return undefined
  if (lastRun === undefined || (scheduledSince !== undefined && lastRun.finishedAt < scheduledSince))
    return firstPermitted(workspace, scheduledSince)
  return nextPermitted(workspace, new Date(lastRun.finishedAt))
}

const timesOf = ({ schedule, timezone = 'UTC', blackout = [] }: Calendar): string =>
  JSON.stringify([schedule, timezone, blackout.map(({ cron, durationMs }) => [cron, durationMs])])

/** An invalid schedule makes no check due. */
const noneIfInvalid = (error: unknown): undefined => {
  if (!isAppError(error, 'SCHEDULE_INVALID')) throw error
}

/**
 * A check that is overdue when its schedule changes stays overdue: otherwise frequent changes would hide that it is
 * never checked.
 */
const overdueOr = async (current: Promised, now: string): Promise<string> => {
  const due = (await undoneSince(current).catch(noneIfInvalid))?.toISOString()
  return due !== undefined && due < now ? due : now
}

/** When the checks by the stored schedule started. An unchanged schedule keeps its start. */
export const scheduledSince = async (
  current: Promised | undefined,
  next: Calendar,
  now: string,
): Promise<string | undefined> => {
  if (next.schedule === undefined) return undefined
  if (current === undefined) return now
  if (timesOf(current) !== timesOf(next)) return overdueOr(current, now)
  return current.scheduledSince
}
