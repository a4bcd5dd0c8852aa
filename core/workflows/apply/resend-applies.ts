import pLimit from 'p-limit'
import { digest } from '../../digest.ts'
import { AppError, asAppError, isAppError } from '../../errors.ts'
import { type Apply, hasEnded } from '../../schema/records.ts'
import { findApply, getApply } from '../../state/applies/applies.ts'
import { getLock } from '../../state/applies/lock.ts'
import {
  dropUnfinished,
  listUnfinished,
  moveUnfinished,
  type Unfinished,
} from '../../state/applies/unfinished-applies.ts'
import type { Deps } from '../deps.ts'
import { endApply } from './close-apply.ts'
import { withLockSoon } from './lock/hold-lock.ts'

export interface ResendReport {
  /** Queued again. */
  readonly resent: readonly Unfinished[]
  /** Ended, because they were queued again so often and no worker got anywhere. */
  readonly stranded: readonly Unfinished[]
  /** What could not be done for one of them; the next tick tries again. */
  readonly failures: readonly { readonly workspace: string; readonly applyId: string; readonly error: AppError }[]
  /** To be looked at, and not begun before the deadline. */
  readonly left: number
}

/** After so many that led nowhere, somebody is told instead. */
const mostResends = 5
const minuteMs = 60_000
/** Between two looks at an apply whose workspace somebody is at work on. */
const restMs = 2 * minuteMs

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

/** Ever longer, because the queue delivers a message several times by itself: 4, 8, 16, 32 and 64 minutes. */
const pauseMs = (resent: number): number => minuteMs * 2 ** (resent + 1)

type Looked = 'resent' | 'stranded' | 'nothing'

/** Ends it under the lock, so that no worker is at it. Throws LOCKED. */
const strand = ({ workspace, id }: Apply, isOver: () => boolean, deps: Deps): Promise<void> =>
  withLockSoon({ workspace, holder: id, shouldStop: isOver }, deps, async (lock) => {
    const current = await getApply(deps.store, workspace, id)
    if (hasEnded(current)) return
    await endApply(current, new AppError('APPLY_STRANDED', { apply: id, resent: mostResends }), lock, deps)
  })

const look = async (one: Unfinished, isOver: () => boolean, deps: Deps): Promise<Looked> => {
  const { store, clock, queue } = deps
  const now = clock.now()
  const apply = await findApply(store, one.workspace, one.applyId)
  if (apply === undefined || hasEnded(apply)) {
    await dropUnfinished(store, one)
    return 'nothing'
  }
  const lock = await getLock(store, one.workspace, now)
  if (lock !== undefined) {
    // One that dies at the same place again and again is at work, and gets nowhere.
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
    // It was not sent: that counts for nothing.
    await moveUnfinished(store, { ...one, ...next }, { resent: one.resent, lookAt: after(now, minuteMs) })
    throw error
  }
  return 'resent'
}

/** Workspaces looked at at once: few, the checks of the tick come first. */
const atOnce = 4

/** By workspace, those of one in their order; the workspace that waits longest first. */
const inTurns = (all: readonly Unfinished[]): readonly (readonly Unfinished[])[] => {
  const since = (some: readonly Unfinished[]): string => some.map(({ lookAt }) => lookAt).sort()[0] ?? ''
  return [...Map.groupBy(all, ({ workspace }) => workspace).values()].toSorted((left, right) =>
    since(left) < since(right) ? -1 : 1,
  )
}

/**
 * Queues those applies again that were asked for and have not ended, and that no worker is at: their message was refused,
 * lost, or given up. Of two who do this at once, one sends. What leads nowhere again and again is ended with its reason.
 * Begins nothing after `deadline`.
 */
export const resendApplies = async (
  deps: Deps,
  { deadline }: { readonly deadline?: Date } = {},
): Promise<ResendReport> => {
  const found: Record<Looked, Unfinished[]> = { resent: [], stranded: [], nothing: [] }
  const failures: ResendReport['failures'][number][] = []
  let left = 0
  const isOver = (): boolean => deadline !== undefined && deps.clock.now() >= deadline
  const lookAt = async (one: Unfinished): Promise<void> => {
    try {
      found[await look(one, isOver, deps)].push(one)
    } catch (cause) {
      // Another tick watches on.
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
  const due = (await listUnfinished(deps.store)).filter((one) => one.lookAt <= now)
  const limit = pLimit(atOnce)
  await Promise.all(inTurns(due).map((some) => limit(() => ofWorkspace(some))))
  return { resent: found.resent, stranded: found.stranded, failures, left }
}
