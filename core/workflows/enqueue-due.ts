import { inBlackout, nextTime, parseSchedule } from '../config/schedule.ts'
import { AppError } from '../errors.ts'
import type { Workspace } from '../schema/records.ts'
import { claimDue, getWorkspace, listDue } from '../state/workspaces.ts'
import type { Deps } from './deps.ts'

const atOnce = 1_000

/** When a workspace is checked next; `undefined`: never. */
export const nextCheck = (workspace: Pick<Workspace, 'schedule' | 'timezone'>, after: Date): Date | undefined => {
  if (workspace.schedule === undefined) return undefined
  const parsed = parseSchedule(workspace.schedule)
  if (!parsed.ok) throw new AppError('INTERNAL', { detail: `a stored schedule is not valid: ${parsed.detail}` })
  return nextTime(parsed.schedule, after, workspace.timezone ?? 'UTC')
}

/**
 * Queues a check for each workspace whose time has come, and moves it on. Queued first, so that a crash in between loses
 * nothing: a scheduled time that is queued twice is checked once. In a blackout the time passes without a check.
 */
export const enqueueDue = async (deps: Deps): Promise<readonly string[]> => {
  const now = deps.clock.now()
  const enqueued: string[] = []
  for (const due of await listDue(deps.store, { now, limit: atOnce })) {
    const workspace = await getWorkspace(deps.store, due.workspace)
    const silent = inBlackout(workspace.blackout ?? [], now, workspace.timezone ?? 'UTC')
    if (!silent) {
      await deps.queue.check({ workspace: due.workspace, scheduledFor: due.nextCheckAt })
      enqueued.push(due.workspace)
    }
    await claimDue(deps.store, due, following(workspace, new Date(due.nextCheckAt), now)?.toISOString())
  }
  return enqueued
}

/** The next time after the due one, or after now where times were missed: they are not made up for. */
const following = (workspace: Workspace, due: Date, now: Date): Date | undefined => {
  const next = nextCheck(workspace, due)
  return next !== undefined && next <= now ? nextCheck(workspace, now) : next
}
