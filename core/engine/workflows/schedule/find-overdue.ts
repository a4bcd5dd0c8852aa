import { asAppError, failureOf } from '../../errors/errors.ts'
import type { Failure, Workspace } from '../../schema/stored/records.ts'
import { listUnanchored } from '../../state/anchors.ts'
import { oldestUndelivered } from '../../state/outbox.ts'
import { soundOf } from '../../state/store/commit.ts'
import { listWorkspaces } from '../../state/workspaces/list-workspaces.ts'
import type { Deps } from '../deps.ts'
import { undoneSince } from './due-since.ts'
import { firstPermitted } from './next-check.ts'

export interface Overdue {
  readonly workspace: string
  /**
   * ISO time at which its check was due; with `error`, when its last run ended, or it was stored if there is no run.
   */
  readonly due: string
  /** Seconds since `due`. */
  readonly seconds: number
  /** Why its due time is unknown. */
  readonly error?: Failure
}

const secondsSince = (due: Date, now: Date): number => Math.max(0, Math.round((now.getTime() - due.getTime()) / 1_000))

/**
 * The earlier of two times: that of a check that was not queued, and that of a check without a stored run. `undefined`
 * for a paused workspace.
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

/**
 * Overdue workspaces, found with the store alone. A workspace with an invalid schedule counts as overdue; a damaged one
 * is told to `report` of the store.
 */
export const findOverdue = async (
  { marginMs }: { readonly marginMs: number },
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<readonly Overdue[]> => {
  const now = clock.now()
  const all = soundOf((from) => listWorkspaces(store, { limit: pageSize, ...from }))
  return (await Array.fromAsync(all, (workspace) => overdueOf(workspace, now, marginMs))).flat()
}

/** How many seconds the oldest undelivered alert has waited; 0 if there is none. */
export const oldestWaitSeconds = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number> => {
  const at = await oldestUndelivered(store)
  return at === undefined ? 0 : secondsSince(new Date(at), clock.now())
}

/** How many seconds the oldest ledger has waited for its anchor; 0 if none waits. */
export const oldestUnanchoredSeconds = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<number> => {
  const [oldest] = await listUnanchored(store)
  return oldest === undefined ? 0 : secondsSince(new Date(oldest.at), clock.now())
}
