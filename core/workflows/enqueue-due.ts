import { AppError } from '../errors.ts'
import type { Workspace } from '../schema/records.ts'
import { claimDue, getWorkspace, listDue } from '../state/workspaces.ts'
import type { Deps } from './deps.ts'

const atOnce = 1_000

type Times = Pick<Workspace, 'schedule' | 'timezone' | 'blackout'>

/** The calendar is loaded when somebody asks for a time: most functions never do. */
const calendar = () => import('../config/schedule.ts')

/** When a workspace is checked next; `undefined`: never. */
export const nextCheck = async ({ schedule, timezone = 'UTC' }: Times, after: Date): Promise<Date | undefined> => {
  if (schedule === undefined) return undefined
  const { nextTime, parseSchedule } = await calendar()
  const parsed = parseSchedule(schedule)
  if (!parsed.ok) throw new AppError('INTERNAL', { detail: `a stored schedule is not valid: ${parsed.detail}` })
  return nextTime(parsed.schedule, after, timezone)
}

const isSilent = async ({ blackout = [], timezone = 'UTC' }: Times, now: Date): Promise<boolean> =>
  blackout.length > 0 && (await calendar()).inBlackout(blackout, now, timezone)

/**
 * Queues a check for each workspace whose time has come, and moves it on. Queued first, so that a crash in between loses
 * nothing: a scheduled time that is queued twice is checked once. In a blackout the time passes without a check.
 */
export const enqueueDue = async (deps: Deps): Promise<readonly string[]> => {
  const now = deps.clock.now()
  const enqueued: string[] = []
  for (const due of await listDue(deps.store, { now, limit: atOnce })) {
    const workspace = await getWorkspace(deps.store, due.workspace)
    if (!(await isSilent(workspace, now))) {
      await deps.queue.check({ workspace: due.workspace, scheduledFor: due.nextCheckAt })
      enqueued.push(due.workspace)
    }
    const next = await following(workspace, new Date(due.nextCheckAt), now)
    await claimDue(deps.store, due, next?.toISOString())
  }
  return enqueued
}

/** The next time after the due one, or after now where times were missed: they are not made up for. */
const following = async (workspace: Workspace, due: Date, now: Date): Promise<Date | undefined> => {
  const next = await nextCheck(workspace, due)
  return next !== undefined && next <= now ? nextCheck(workspace, now) : next
}
