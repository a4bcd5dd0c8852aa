import type { Episode } from '../../schema/stored/findings.ts'
import type { OpenEpisodes, Run, Workspace } from '../../schema/stored/records.ts'
import { defined } from '../../values/defined.ts'
import { ageOf, isPending, lostMs, type PendingCheck } from '../../values/pending.ts'
import { highest } from '../../values/severity.ts'
import type { Store } from '../store/store.ts'
import { withRun } from './days.ts'
import { editWorkspace } from './workspaces.ts'

type Mark = Omit<PendingCheck, 'next'>

/**
 * True if another check replaced the check for this time: a queue may deliver a message long after its check counted as
 * lost. A message that is delivered twice soon is not detected here, because its run is known.
 */
export const isReplaced = ({ pendingCheck: pending, lastRun }: Workspace, scheduledFor: string): boolean =>
  pending === undefined
    ? Date.parse(lastRun?.finishedAt ?? '') >= Date.parse(scheduledFor) + lostMs
    : pending.scheduledFor !== scheduledFor

/** True while the process that marked the check as pending may still be queuing it. */
export const isClaimed = ({ pendingCheck: pending }: Workspace, now: Date, claimMs: number): boolean =>
  pending !== undefined && ageOf(pending, now) < claimMs

const lostAt = ({ at }: PendingCheck): string => new Date(Date.parse(at) + lostMs).toISOString()

/** True if the workspace is due at that time only because the pending check then counts as lost. */
export const isDueAsLost = ({ pendingCheck: pending }: Workspace, time: string | undefined): boolean =>
  pending !== undefined && time === lostAt(pending)

const regularTime = (workspace: Workspace): string | undefined =>
  isDueAsLost(workspace, workspace.nextCheckAt) ? workspace.pendingCheck?.next : workspace.nextCheckAt

/** `undefined`: no check is due. */
export const withNextCheck = ({ nextCheckAt: _, ...rest }: Workspace, next: string | undefined): Workspace => ({
  ...rest,
  ...defined({ nextCheckAt: next }),
})

/** Due at `next`, or earlier when a pending check counts as lost. The end of the pending check restores `next`. */
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

/**
 * Marks a scheduled check as pending. The workspace stays due until the check is queued; `next` is the due time after
 * that.
 */
export const withClaim = (workspace: Workspace, pending: Mark, next: string | undefined): Workspace => ({
  ...workspace,
  pendingCheck: { ...pending, ...defined({ next }) },
})

/** Marks a requested check as pending. A workspace without a due time gets none. */
export const withAsked = (workspace: Workspace, pending: Mark): Workspace => {
  const marked = { ...workspace, pendingCheck: pending }
  return workspace.nextCheckAt === undefined ? marked : dueAgain(marked, regularTime(workspace))
}

const withoutMark = (workspace: Workspace): Workspace => {
  const { pendingCheck: _, ...rest } = withNextCheck(workspace, regularTime(workspace))
  return rest
}

/** Removes the mark of the check for this time; the mark of another check stays. */
export const withoutPending = (workspace: Workspace, scheduledFor: string | undefined): Workspace => {
  const { pendingCheck: pending } = workspace
  return pending === undefined || pending.scheduledFor !== scheduledFor ? workspace : withoutMark(workspace)
}

export const withoutLost = (workspace: Workspace, now: Date): Workspace =>
  workspace.pendingCheck === undefined || isPending(workspace, now) ? workspace : withoutMark(workspace)

/** Keeps the running check for this time from being counted as lost. */
export const renewPending = async (store: Store, workspace: string, scheduledFor: string, now: Date): Promise<void> => {
  await editWorkspace(store, workspace, (current) => {
    const { pendingCheck: pending } = current
    if (pending?.scheduledFor !== scheduledFor) return undefined
    const next = regularTime(current)
    const renewed = { ...current, pendingCheck: { ...pending, at: now.toISOString() } }
    return current.nextCheckAt === undefined ? renewed : dueAgain(renewed, next)
  })
}

/** Removes a mark that was set after the check for this time had ended. */
export const endPending = async (store: Store, workspace: string, scheduledFor: string): Promise<void> => {
  await editWorkspace(store, workspace, (current) => {
    const ended = withoutPending(current, scheduledFor)
    return ended === current ? undefined : ended
  })
}

/** The pending check may have begun before the change that this request is about. If it has, another check follows. */
export const withFollowing = (workspace: Workspace, at: string): Workspace => {
  const { pendingCheck: pending } = workspace
  return pending === undefined ? workspace : { ...workspace, pendingCheck: { ...pending, followAt: at } }
}

/**
 * A check may have missed a configuration that was stored or announced while it ran, so another check is due at once.
 */
const dueAfter = (workspace: Workspace, run: Run, askedAt: string): Workspace => {
  const { nextCheckAt, pendingCheck: pending } = workspace
  if (pending === undefined || pending.scheduledFor !== run.scheduledFor) return workspace
  if (workspace.paused === undefined && (pending.followAt ?? '') > askedAt) {
    const isSooner = nextCheckAt !== undefined && nextCheckAt <= run.finishedAt
    return isSooner ? workspace : { ...workspace, nextCheckAt: run.finishedAt }
  }
  const isCovered = workspace.updatedAt <= run.startedAt
  return isCovered || nextCheckAt === undefined || nextCheckAt <= run.finishedAt
    ? workspace
    : { ...workspace, nextCheckAt: run.finishedAt }
}

interface StoredRun {
  /** False: a later run is stored, so this one does not change what is shown of the present. */
  readonly isNewest: boolean
  /** When the check began, before the source was read; absent: when the run started. */
  readonly askedAt?: string | undefined
  /** Absent if the run does not change it. */
  readonly episodes?: readonly Episode[] | undefined
}

/** Absent if none is open. */
export const openIn = (episodes: readonly Episode[]): OpenEpisodes | undefined => {
  const open = episodes.filter(({ status }) => status === 'open')
  if (open.length === 0) return undefined
  const some = (found: readonly unknown[]): number | undefined => found.length || undefined
  return {
    count: open.length,
    severity: highest(open.flatMap(({ findings }) => findings)),
    ...defined({
      differ: some(open.flatMap(({ key, findings }) => (key === 'drift' ? findings : []))),
      acknowledged: some(open.filter(({ acknowledged }) => acknowledged !== undefined)),
      snoozed: some(open.filter(({ snoozed }) => snoozed !== undefined)),
    }),
  }
}

const latest = (workspace: Workspace, run: Run, episodes: readonly Episode[]): Workspace => {
  const { id, status, finishedAt, counts, digests, error } = run
  const { openEpisodes: _, ...rest } = workspace
  const lastRun = defined({ id, status, finishedAt, counts, digests, code: error?.code })
  return { ...rest, lastRun, ...defined({ openEpisodes: openIn(episodes) }) }
}

/** The workspace after a run is stored. */
export const afterRun = (
  workspace: Workspace,
  run: Run,
  { isNewest, askedAt = run.startedAt, episodes = [] }: StoredRun,
): Workspace => {
  const due = run.scheduledFor === undefined ? workspace : dueAfter(workspace, run, askedAt)
  const ended = { ...withoutPending(due, run.scheduledFor), days: withRun(workspace.days, run, isNewest) }
  return isNewest ? latest(ended, run, episodes) : ended
}
