import pLimit from 'p-limit'
import { AppError, asAppError, isAppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import { findApply, getApply } from '../../state/applies/applies.ts'
import { getLock } from '../../state/applies/lock.ts'
import {
  dropUnfinished,
  listUnfinished,
  moveUnfinished,
  namesIn,
  type Unfinished,
} from '../../state/applies/unfinished-applies.ts'
import type { Deps } from '../deps.ts'
import { endApply } from './close-apply.ts'
import { withLockSoon } from './lock/hold-lock.ts'

export interface ResendReport {
  readonly resent: readonly Unfinished[]
  /** Applies that were ended, because they were queued again too often and no worker finished them. */
  readonly stranded: readonly Unfinished[]
  /** Failures with single applies; the next tick tries again. */
  readonly failures: readonly { readonly workspace: string; readonly applyId: string; readonly error: AppError }[]
  /** Applies that were not processed before the deadline. */
  readonly left: number
}

/** After this number of attempts without a result, the apply is ended and reported. */
const mostResends = 5
const minuteMs = 60_000
/** Milliseconds between two looks at an apply whose workspace is locked by a worker. */
const restMs = 2 * minuteMs

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

/** Grows, because the queue itself delivers a message several times: 4, 8, 16, 32 and 64 minutes. */
const pauseMs = (resent: number): number => minuteMs * 2 ** (resent + 1)

type ResendOutcome = 'resent' | 'stranded' | 'nothing'

/** Ends the apply under the lock, so that no worker is processing it. Throws LOCKED. */
const strand = ({ workspace, id }: Apply, isOver: () => boolean, deps: Deps): Promise<void> =>
  withLockSoon({ workspace, holder: id, shouldStop: isOver }, deps, async (lock) => {
    const current = await getApply(deps.store, workspace, id)
    if (hasEnded(current)) return
    await endApply(current, new AppError('APPLY_STRANDED', { apply: id, resent: mostResends }), lock, deps)
  })

const look = async (one: Unfinished, isOver: () => boolean, deps: Deps): Promise<ResendOutcome> => {
  const { store, clock, queue } = deps
  const now = clock.now()
  const apply = await findApply(store, one.workspace, one.applyId)
  if (apply === undefined || hasEnded(apply)) {
    await dropUnfinished(store, one)
    return 'nothing'
  }
  const lock = await getLock(store, one.workspace, now)
  if (lock !== undefined) {
    // An apply that dies at the same point again and again is processed each time, but makes no progress.
    const seen = digest(apply)
    const isFurther = lock.holder === one.applyId && seen !== one.seen
    await moveUnfinished(store, one, { resent: isFurther ? 0 : one.resent, seen, lookAt: after(now, restMs) })
    return 'nothing'
  }
  if (one.resent >= mostResends) {
    await strand(apply, isOver, deps)
    return 'stranded'
  }
  const resent = one.resent + 1
  const next = { resent, lookAt: after(now, pauseMs(resent)) }
  if (!(await moveUnfinished(store, one, next))) return 'nothing'
  try {
    await queue.apply({ workspace: one.workspace, applyId: one.applyId })
  } catch (error) {
    // A message that was not sent does not count.
    await moveUnfinished(store, { ...one, ...next }, { resent: one.resent, lookAt: after(now, minuteMs) })
    throw error
  }
  return 'resent'
}

/** Workspaces that are processed at the same time. The number is low, because the checks of the tick have priority. */
const atOnce = 4

/** Grouped by workspace, in order within a workspace. The workspace that has waited longest comes first. */
const inTurns = (all: readonly Unfinished[]): readonly (readonly Unfinished[])[] => {
  const since = (some: readonly Unfinished[]): string => some.map(({ lookAt }) => lookAt).sort()[0] ?? ''
  return [...Map.groupBy(all, ({ workspace }) => workspace).values()].toSorted((left, right) =>
    since(left) < since(right) ? -1 : 1,
  )
}

/**
 * Queues applies again that were requested, have not ended, and are not processed by any worker: their message was
 * refused, lost or given up. If two callers do this at the same time, one of them sends. An apply that never makes
 * progress is ended with its reason. Starts nothing after `deadline`.
 */
export const resendApplies = async (
  deps: Deps,
  { deadline }: { readonly deadline?: Date } = {},
): Promise<ResendReport> => {
  const found: Record<ResendOutcome, Unfinished[]> = { resent: [], stranded: [], nothing: [] }
  const failures: ResendReport['failures'][number][] = []
  let left = 0
  const isOver = (): boolean => deadline !== undefined && deps.clock.now() >= deadline
  const lookAt = async (one: Unfinished): Promise<void> => {
    try {
      found[await look(one, isOver, deps)].push(one)
    } catch (cause) {
      if (isAppError(cause, 'LOCKED')) return
      failures.push({ workspace: one.workspace, applyId: one.applyId, error: asAppError(cause) })
    }
  }
  const ofWorkspace = async (some: readonly Unfinished[]): Promise<void> => {
    for (const one of some) {
      if (isOver()) left += 1
      else await lookAt(one)
    }
  }
  const now = deps.clock.now().toISOString()
  const { items, damaged } = await listUnfinished(deps.store)
  for (const { key, error } of damaged) failures.push({ ...namesIn(key), error })
  const due = items.filter((one) => one.lookAt <= now)
  const limit = pLimit(atOnce)
  await Promise.all(inTurns(due).map((some) => limit(() => ofWorkspace(some))))
  return { resent: found.resent, stranded: found.stranded, failures, left }
}
