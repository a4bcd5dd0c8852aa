import { AppError } from '../../errors/errors.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { findScheduledRun } from '../../state/runs/runs.ts'
import { keys, sortable } from '../../state/store/keys.ts'
import type { Write } from '../../state/store/store.ts'
import { type DueEntry, dropDue } from '../../state/workspaces/due-list.ts'
import { findRemoval } from '../../state/workspaces/lineage.ts'
import {
  dueAgain,
  isClaimed,
  isDueAsLost,
  withClaim,
  withoutLost,
  withoutPending,
} from '../../state/workspaces/pending-check.ts'
import {
  editWorkspace,
  findStored,
  isAsRead,
  replaceStored,
  type StoredWorkspace,
} from '../../state/workspaces/workspaces.ts'
import { isPending } from '../../values/pending.ts'
import type { Deps } from '../deps.ts'
import { followingCheck, isSilent } from './next-check.ts'

/** How long a tick may take to queue a check that it marked as pending: longer than any tick lives. */
const claimMs = 90_000

/** A due check that only this tick queues. */
export interface ClaimedChecks {
  readonly entry: DueEntry
  readonly stored: StoredWorkspace
  /** When the workspace is due after this check; `undefined`: never. */
  readonly next: string | undefined
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claimed: ClaimedChecks }
  /**
   * Nothing is queued, because another check is pending or a blackout covers the time. The workspace was moved to its
   * next time.
   */
  | { readonly kind: 'covered' | 'silent' }
  /** Another tick is queuing the check, or the entry was invalid. */
  | { readonly kind: 'none' }

/** A workspace leaves quarantine with its first success. */
const leaveQuarantine = ({ key, workspace }: DueEntry): readonly Write[] =>
  key.pk === keys.quarantine(workspace).pk ? [{ kind: 'delete', key }] : []

const decide = async (
  { workspace }: StoredWorkspace,
  { time }: DueEntry,
  next: string | undefined,
  deps: Deps,
): Promise<{ readonly kind: 'claimed' | 'covered' | 'silent' | 'none'; readonly written: typeof workspace }> => {
  const now = deps.clock.now()
  const moved = (to: string | undefined) => dueAgain(withoutPending(withoutLost(workspace, now), time), to)
  const isOurs = workspace.pendingCheck?.scheduledFor === time
  if (isOurs && isClaimed(workspace, now, claimMs)) return { kind: 'none', written: workspace }
  if (!isOurs && isPending(workspace, now)) return { kind: 'covered', written: moved(next) }
  // A tick may have queued the check and died before it could record that.
  const mayHaveRun = isOurs || (workspace.lastRun !== undefined && workspace.lastRun.finishedAt >= time)
  if (mayHaveRun && (await findScheduledRun(deps.store, workspace.id, time)) !== undefined) {
    return { kind: 'covered', written: moved(next) }
  }
  if (await isSilent(workspace, now)) return { kind: 'silent', written: moved(next) }
  return { kind: 'claimed', written: withClaim(workspace, { scheduledFor: time, at: now.toISOString() }, next) }
}

/**
 * When the workspace is due after `time`. A mark or a lost check already has the next time, which is kept: with a rate,
 * it would change if it was calculated again.
 */
const nextTimeOf = async (workspace: Workspace, time: string, now: Date): Promise<string | undefined> => {
  const { pendingCheck: pending } = workspace
  const known = isDueAsLost(workspace, time) || pending?.scheduledFor === time ? pending?.next : undefined
  if (known !== undefined && known > now.toISOString()) return known
  return (await followingCheck(workspace, known ?? time, now))?.toISOString()
}

const tries = 20

/**
 * Marks a due check as pending before it is queued, for only one caller. Throws WORKSPACE_NOT_FOUND, SCHEDULE_INVALID.
 */
export const claimDue = async (entry: DueEntry, deps: Deps): Promise<ClaimResult> => {
  const { workspace: id, time } = entry
  for (let left = tries; left > 0; left -= 1) {
    const stored = await findStored(deps.store, id)
    if (stored === undefined) {
      if ((await findRemoval(deps.store, id)) === undefined)
        throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
      await dropDue(deps.store, [entry.key])
      return { kind: 'none' }
    }
    const { nextCheckAt } = stored.workspace
    if (nextCheckAt === undefined || sortable(nextCheckAt) !== time) {
      await dropDue(deps.store, [entry.key], [{ kind: 'check', key: keys.workspace(id), if: [isAsRead(stored)] }])
      return { kind: 'none' }
    }
    // Calculated before anything is queued: a check with an invalid schedule must not be queued again and again.
    const next = await nextTimeOf(stored.workspace, time, deps.clock.now())
    const { kind, written } = await decide(stored, entry, next, deps)
    if (kind === 'none') return { kind }
    const further = kind === 'claimed' ? [] : leaveQuarantine(entry)
    const result = await replaceStored(deps.store, stored, written, further)
    if (result !== undefined) return kind === 'claimed' ? { kind, claimed: { entry, stored: result, next } } : { kind }
  }
  throw new AppError('STORE_CONFLICT', { what: `workspace ${id}` })
}

/** For a check that was queued: moves the workspace to its next time. */
export const moveOn = async ({ entry, stored, next }: ClaimedChecks, { store }: Deps): Promise<void> => {
  const edit = (workspace: typeof stored.workspace) =>
    workspace.nextCheckAt === stored.workspace.nextCheckAt ? dueAgain(workspace, next) : undefined
  await editWorkspace(store, entry.workspace, edit, { known: stored, further: leaveQuarantine(entry) })
}

/** For a check that was not queued: removes the mark, so that the next tick need not wait until it expires. */
export const release = async ({ entry, stored }: ClaimedChecks, { store }: Deps): Promise<void> => {
  const edit = (workspace: typeof stored.workspace) =>
    workspace.pendingCheck?.at === stored.workspace.pendingCheck?.at ? withoutPending(workspace, entry.time) : undefined
  await editWorkspace(store, entry.workspace, edit, { known: stored })
}
