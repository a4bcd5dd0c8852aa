import { isAppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Run, Workspace } from '../../schema/stored/records.ts'
import { getLock } from '../../state/applies/lock.ts'
import { findRemoval } from '../../state/workspaces/lineage.ts'
import { dueAgain, endPending, isReplaced, withoutPending } from '../../state/workspaces/pending-check.ts'
import { editWorkspace, findStored } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { CheckMessage, Deps } from '../deps.ts'
import { type CheckInput, checkPart, checkRecorded, type Pull } from './check-workspace.ts'

export type TakenCheck =
  | { readonly kind: 'checked'; readonly run: Run }
  /** There was no time to read everything; another invocation continues. */
  | { readonly kind: 'goes_on'; readonly part: number }
  /** An apply holds the lock; the check waits until it has ended. */
  | { readonly kind: 'postponed'; readonly holder: string }
  /** The workspace was removed or paused after the check was queued, or another check has taken its place. */
  | { readonly kind: 'dropped'; readonly why: 'removed' | 'paused' | 'superseded' }

/** The resources of the last run; `undefined` if there is none, or it has no plan. */
export const resourcesIn = ({ lastRun }: Pick<Workspace, 'lastRun'>): number | undefined => {
  if (lastRun?.counts === undefined) return undefined
  const { create, update, replace, delete: gone, blocked, unchanged, unchecked, orphaned = 0 } = lastRun.counts
  return create + update + replace + gone + blocked + unchanged + unchecked + orphaned
}

const scheduler: Actor = { subject: 'schedule', via: 'schedule' }

/** Milliseconds after which a check is due again if an apply held the lock. */
const againMs = 60_000

const take = async (message: CheckMessage, deps: Deps, pull: Pull | undefined): Promise<TakenCheck> => {
  const { workspace, scheduledFor, actor } = message
  const due = defined({ scheduledFor })
  const stored = await findStored(deps.store, workspace)
  const found = stored?.workspace
  const isGone = stored === undefined && (await findRemoval(deps.store, workspace)) !== undefined
  if (isGone || stored?.lineage !== message.lineage) return { kind: 'dropped', why: 'removed' }
  if (actor !== undefined) {
    const input = { workspace, trigger: 'api', actor, pull, ...due } as const
    if (message.refresh !== false) return partOf(message, input, deps)
    return { kind: 'checked', run: (await checkRecorded(input, deps)).run }
  }
  if (found?.paused !== undefined) {
    if (scheduledFor !== undefined) await endPending(deps.store, workspace, scheduledFor)
    return { kind: 'dropped', why: 'paused' }
  }
  if (isSuperseded(message, found)) return { kind: 'dropped', why: 'superseded' }
  const lock = await getLock(deps.store, workspace, deps.clock.now())
  if (lock !== undefined) {
    await postpone(message, deps)
    return { kind: 'postponed', holder: lock.holder }
  }
  return partOf(message, { workspace, trigger: 'schedule', actor: scheduler, pull, ...due }, deps)
}

/** A check that has begun is never superseded. */
const isSuperseded = ({ scheduledFor, part }: CheckMessage, found: Workspace | undefined): boolean =>
  scheduledFor !== undefined && part === undefined && found !== undefined && isReplaced(found, scheduledFor)

const partOf = async (message: CheckMessage, input: CheckInput, deps: Deps): Promise<TakenCheck> => {
  const { part = { since: deps.clock.now().toISOString(), number: 1 }, ...same } = message
  const ended = await checkPart(input, same, { ...deps, part })
  return 'goesOn' in ended ? { kind: 'goes_on', part: ended.goesOn.number } : { kind: 'checked', run: ended.run }
}

/**
 * Does a queued check. If an apply holds the lock, a scheduled check is due again soon. Throws as `checkPart`: then the
 * message must be delivered again, and until then it prevents no other check.
 */
export const takeCheck = async (message: CheckMessage, deps: Deps, pull?: Pull): Promise<TakenCheck> => {
  try {
    return await take(message, deps, pull)
  } catch (error) {
    if (isAppError(error, 'WORKSPACE_REMOVED')) return { kind: 'dropped', why: 'removed' }
    await release(message, deps)
    throw error
  }
}

const release = async ({ workspace, scheduledFor }: CheckMessage, { store }: Deps): Promise<void> => {
  if (scheduledFor === undefined) return
  // A store that fails here has probably failed the check too, and its error is thrown; the mark ends by itself.
  await endPending(store, workspace, scheduledFor).catch(() => {})
}

const postpone = async ({ workspace, scheduledFor }: CheckMessage, { store, clock }: Deps): Promise<void> => {
  const now = clock.now()
  const again = new Date(now.getTime() + againMs).toISOString()
  await editWorkspace(store, workspace, (marked) => {
    const current = withoutPending(marked, scheduledFor)
    const { nextCheckAt = again, schedule, paused } = current
    // A time in the past is the time of this check: the tick that queued the check would have changed another one.
    const isSooner = nextCheckAt > now.toISOString() && nextCheckAt < again
    const next = schedule === undefined || paused !== undefined || isSooner ? current.nextCheckAt : again
    return dueAgain(current, next)
  })
}
