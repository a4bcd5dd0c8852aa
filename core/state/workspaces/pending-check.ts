import type { Run, Workspace } from '../../schema/records.ts'
import { ranAhead } from '../../values/clock-skew.ts'
import { defined } from '../../values/defined.ts'
import type { Store } from '../store/store.ts'
import { editWorkspace } from './workspaces.ts'

/** How long a check that was queued is waited for: it may stand in a queue, and take a quarter of an hour. */
const lostMs = 30 * 60_000

type Pending = NonNullable<Workspace['pendingCheck']>
type Mark = Omit<Pending, 'next'>

/** How long ago it was queued; one of a clock that ran ahead was queued at no known time. */
const ageOf = ({ at }: Pending, now: Date): number =>
  ranAhead(at, now.toISOString()) ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(at)

/** Whether a check is queued or under way at `now`. One whose message was lost blocks no other one for ever. */
export const isPending = ({ pendingCheck: pending }: Workspace, now: Date): boolean =>
  pending !== undefined && ageOf(pending, now) < lostMs

/** Whether somebody who marked it as pending may still be about to queue it. */
export const isClaimed = ({ pendingCheck: pending }: Workspace, now: Date, claimMs: number): boolean =>
  pending !== undefined && ageOf(pending, now) < claimMs

/** When a check that is pending counts as lost, an ISO time. */
const lostAt = ({ at }: Pending): string => new Date(Date.parse(at) + lostMs).toISOString()

/** Whether what is due then is due only because the pending check was lost by then. */
export const isDueAsLost = ({ pendingCheck: pending }: Workspace, time: string | undefined): boolean =>
  pending !== undefined && time === lostAt(pending)

/** When it is due by its schedule. */
const regularTime = (workspace: Workspace): string | undefined =>
  isDueAsLost(workspace, workspace.nextCheckAt) ? workspace.pendingCheck?.next : workspace.nextCheckAt

/** The workspace with another time for its next check; `undefined`: never. */
export const withNextCheck = ({ nextCheckAt: _, ...rest }: Workspace, next: string | undefined): Workspace => ({
  ...rest,
  ...defined({ nextCheckAt: next }),
})

/** Due at `next`, or sooner when a pending check counts as lost. The end of the pending check restores `next`. */
export const dueAgain = (workspace: Workspace, next: string | undefined): Workspace => {
  const { pendingCheck: pending } = workspace
  if (pending === undefined) return withNextCheck(workspace, next)
  const lost = lostAt(pending)
  const { next: _, ...mark } = pending
  return {
    ...withNextCheck(workspace, next === undefined || lost < next ? lost : next),
    pendingCheck: { ...mark, ...defined({ next }) },
  }
}

/** Marked as pending by the schedule: it stays due until it is queued. `next`: when it is due after this. */
export const withClaim = (workspace: Workspace, pending: Mark, next: string | undefined): Workspace => ({
  ...workspace,
  pendingCheck: { ...pending, ...defined({ next }) },
})

/** Marked as pending for somebody who asked for it. What is due at no time stays so. */
export const withAsked = (workspace: Workspace, pending: Mark): Workspace => {
  const marked = { ...workspace, pendingCheck: pending }
  return workspace.nextCheckAt === undefined ? marked : dueAgain(marked, regularTime(workspace))
}

/** Without its mark, due by its schedule. */
const withoutMark = (workspace: Workspace): Workspace => {
  const { pendingCheck: _, ...rest } = withNextCheck(workspace, regularTime(workspace))
  return rest
}

/** Without the mark of the check for this time; another one's stays. */
export const withoutPending = (workspace: Workspace, scheduledFor: string | undefined): Workspace => {
  const { pendingCheck: pending } = workspace
  return pending === undefined || pending.scheduledFor !== scheduledFor ? workspace : withoutMark(workspace)
}

/** Without the mark of a check that counts as lost. */
export const withoutLost = (workspace: Workspace, now: Date): Workspace =>
  workspace.pendingCheck === undefined || isPending(workspace, now) ? workspace : withoutMark(workspace)

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
  const lastRun = defined({ id, status, finishedAt, counts, digests })
  const due = run.scheduledFor === undefined ? workspace : dueAfter(workspace, run)
  return { ...withoutPending(due, run.scheduledFor), ...defined({ lastRun: isNewest ? lastRun : undefined }) }
}
