import { defined } from '../schema/defined.ts'
import { ranAhead } from '../schema/ran-ahead.ts'
import type { Run, Workspace } from '../schema/records.ts'
import type { Store } from './store.ts'
import { editWorkspace } from './workspaces.ts'

/** How long a check that was queued is waited for: it may stand in a queue, and take a quarter of an hour. */
const lostMs = 30 * 60_000

type Pending = NonNullable<Workspace['pendingCheck']>

/** How long ago it was queued; one of a clock that ran ahead was queued at no known time. */
const ageOf = ({ at }: Pending, now: Date): number =>
  ranAhead(at, now.toISOString()) ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(at)

/** Whether a check is queued or under way at `now`. One whose message was lost blocks no other one for ever. */
export const isPending = ({ pendingCheck: pending }: Workspace, now: Date): boolean =>
  pending !== undefined && ageOf(pending, now) < lostMs

/** Whether somebody who marked it as pending may still be about to queue it. */
export const isClaimed = ({ pendingCheck: pending }: Workspace, now: Date, claimMs: number): boolean =>
  pending !== undefined && ageOf(pending, now) < claimMs

export const withPending = (workspace: Workspace, pending: Pending): Workspace => ({
  ...workspace,
  pendingCheck: pending,
})

/** Without the mark of the check for this time; another one's stays. */
export const withoutPending = (workspace: Workspace, scheduledFor: string | undefined): Workspace => {
  const { pendingCheck: pending, ...rest } = workspace
  return pending === undefined || pending.scheduledFor !== scheduledFor ? workspace : rest
}

/** Takes the mark away that somebody set after the check for this time was done. */
export const endPending = async (store: Store, workspace: string, scheduledFor: string): Promise<void> => {
  await editWorkspace(store, workspace, (current) => {
    const ended = withoutPending(current, scheduledFor)
    return ended === current ? undefined : ended
  })
}

/** A configuration that was stored while a check ran may not be what it read: it is checked at once. */
const dueAfter = (workspace: Workspace, run: Run): Workspace => {
  const isCovered = workspace.updatedAt <= run.startedAt || workspace.pendingCheck?.scheduledFor !== run.scheduledFor
  const { nextCheckAt } = workspace
  return isCovered || nextCheckAt === undefined || nextCheckAt <= run.finishedAt
    ? workspace
    : { ...workspace, nextCheckAt: run.finishedAt }
}

/** What a stored run makes of its workspace. One that comes in after a later one says nothing about now. */
export const afterRun = (workspace: Workspace, run: Run, isNewest: boolean): Workspace => {
  const { id, status, finishedAt, counts, digests } = run
  const lastRun = {
    id,
    status,
    finishedAt,
    ...defined({ counts: counts ? counts : undefined, digests: digests ? digests : undefined }),
  }
  const due = run.scheduledFor === undefined ? workspace : dueAfter(workspace, run)
  return { ...withoutPending(due, run.scheduledFor), ...defined({ lastRun: isNewest ? lastRun : undefined }) }
}
