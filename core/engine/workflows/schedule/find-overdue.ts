import { asAppError, failureOf } from '../../errors/errors.ts'
import { digestOfText } from '../../json/digest.ts'
import type { Failure, Workspace } from '../../schema/stored/records.ts'
import { listUnanchored } from '../../state/anchors.ts'
import { oldestUndelivered } from '../../state/outbox.ts'
import { soundOf } from '../../state/store/commit.ts'
import { compareKeys } from '../../state/store/limits.ts'
import type { Damaged, Store } from '../../state/store/store.ts'
import { listAwaited, listQuarantined } from '../../state/workspaces/due-list.ts'
import { listNames, listWorkspaces, readWorkspaces } from '../../state/workspaces/list-workspaces.ts'
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
  { marginMs, tell }: { readonly marginMs: number; readonly tell?: (damaged: Damaged) => void },
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<readonly Overdue[]> => {
  const now = clock.now()
  const all = soundOf((from) => listWorkspaces(store, { limit: pageSize, ...from }), tell)
  return (await Array.fromAsync(all, (workspace) => overdueOf(workspace, now, marginMs))).flat()
}

/** So many calls read every workspace once. */
const parts = 12

const partOf = (id: string): number => Number.parseInt(digestOfText(id).slice('sha256:'.length).slice(0, 8), 16) % parts

const namesOfPart = async (store: Store, part: number): Promise<readonly string[]> => {
  const list = async (from: { readonly after?: string }) => {
    const { names, ...page } = await listNames(store, { limit: pageSize, sees: (id) => partOf(id) === part, ...from })
    return { items: names, ...page }
  }
  return Array.fromAsync(soundOf(list))
}

type Looked = Pick<Deps, 'store' | 'clock'>

/**
 * Like `findOverdue`, for a caller that calls again and again. The first call reads every workspace. Each later one reads
 * those whose check may be overdue as the due list and the quarantine tell it, those that the call before found, and
 * the next one of twelve parts of all: what is in no list is found by twelve calls at most, and found by each call from
 * then on. A call that fails is as none.
 */
export const createOverdueWatch = (): ((
  margin: { readonly marginMs: number },
  deps: Looked,
) => Promise<readonly Overdue[]>) => {
  let suspects: readonly string[] | undefined
  let part = 0
  return async ({ marginMs }, { store, clock }) => {
    const damaged: string[] = []
    const tell = ({ workspace }: Damaged): void => void damaged.push(workspace)
    const look = async (known: readonly string[]): Promise<readonly Overdue[]> => {
      const now = clock.now()
      const aside = (await listQuarantined(store)).map(({ workspace }) => workspace)
      const waiting = await listAwaited(store, { now, marginMs })
      const names = new Set([...known, ...aside, ...waiting, ...(await namesOfPart(store, part))])
      const read = await readWorkspaces(store, [...names].toSorted(compareKeys))
      for (const one of read) if ('key' in one) tell(one)
      const sound = read.filter((one): one is Workspace => !('key' in one))
      return (await Promise.all(sound.map((workspace) => overdueOf(workspace, now, marginMs)))).flat()
    }
    const overdue =
      suspects === undefined ? await findOverdue({ marginMs, tell }, { store, clock }) : await look(suspects)
    part = (part + 1) % parts
    suspects = [...overdue.map(({ workspace }) => workspace), ...damaged]
    return overdue
  }
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
