import { asAppError, failureOf } from '../../errors/errors.ts'
import type { Failure, Workspace } from '../../schema/stored/records.ts'
import { oldestUndelivered } from '../../state/outbox.ts'
import { eachOf } from '../../state/store/commit.ts'
import { listWorkspaces } from '../../state/workspaces/list-workspaces.ts'
import type { Deps } from '../deps.ts'
import { undoneSince } from './due-since.ts'
import { firstPermitted } from './next-check.ts'

/** A workspace that was not checked in time. */
export interface Overdue {
  readonly workspace: string
  /** ISO time by which its check was due. */
  readonly due: string
  /** How many seconds ago that is. */
  readonly seconds: number
  /** Why its due time is unknown. */
  readonly error?: Failure
}

const secondsSince = (due: Date, now: Date): number => Math.max(0, Math.round((now.getTime() - due.getTime()) / 1_000))

/**
 * The earlier of two times: that of a check that was not queued, and that of a check without a stored run. A paused
 * workspace is never due.
 */
const dueSince = async (workspace: Workspace): Promise<Date | undefined> => {
  const unqueued = workspace.paused === undefined ? firstPermitted(workspace, workspace.nextCheckAt) : undefined
  const times = (await Promise.all([unqueued, undoneSince(workspace)])).filter((time) => time !== undefined)
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())))
}

const overdueOf = async (workspace: Workspace, now: Date, marginMs: number): Promise<readonly Overdue[]> => {
  const { id, lastRun, updatedAt } = workspace
  try {
    const since = await dueSince(workspace)
    if (since === undefined || now.getTime() - since.getTime() <= marginMs) return []
    return [{ workspace: id, due: since.toISOString(), seconds: secondsSince(since, now) }]
  } catch (error) {
    const known = new Date(lastRun?.finishedAt ?? updatedAt)
    const failure = failureOf(asAppError(error))
    return [{ workspace: id, due: known.toISOString(), seconds: secondsSince(known, now), error: failure }]
  }
}

const pageSize = 500

/** Overdue workspaces, read from the store alone, without schedule or queue. A workspace with an invalid schedule counts. */
export const findOverdue = async (
  { marginMs }: { readonly marginMs: number },
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<readonly Overdue[]> => {
  const now = clock.now()
  const all = eachOf((from) => listWorkspaces(store, { limit: pageSize, ...from }))
  return (await Array.fromAsync(all, (workspace) => overdueOf(workspace, now, marginMs))).flat()
}

/** How many seconds the oldest undelivered alert has waited; 0 if there is none. Rejects as `findOverdue` does. */
export const oldestWaitSeconds = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number> => {
  const at = await oldestUndelivered(store)
  return at === undefined ? 0 : secondsSince(new Date(at), clock.now())
}
