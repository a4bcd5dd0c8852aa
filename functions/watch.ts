import { createOverdueWatch, type Deps, type Overdue, oldestUnanchoredSeconds, oldestWaitSeconds } from '#core'
import { containerDeps } from './deps.ts'
import { environment } from './env.ts'
import { emit, logger } from './middleware/observe.ts'
import { doParts, invoked } from './middleware/stack.ts'

export interface WatchDeps {
  readonly compose: () => Promise<Deps>
  /** The delay after which a check counts as missing. */
  readonly marginMs: () => number
}

/** The number of names in one entry of the log. */
const shown = 50

const logOverdue = (overdue: readonly Overdue[]): void => {
  emit('WorkspacesOverdue', overdue.length)
  emit(
    'MostOverdueSeconds',
    overdue.reduce((most, { seconds }) => Math.max(most, seconds), 0),
  )
  if (overdue.length === 0) return
  const longest = overdue.toSorted((left, right) => right.seconds - left.seconds).slice(0, shown)
  logger.error('workspaces were not checked in time', { count: overdue.length, workspaces: longest })
}

/**
 * Reports how old the stored data is. Its own rule calls it, and it depends only on the store: if it cannot report, the
 * missing metric raises the alarm. What it found is kept from call to call; a new container begins with everything.
 */
export const watchHandler = ({ compose, marginMs }: WatchDeps) => {
  const findOverdue = createOverdueWatch()
  return invoked<unknown, void>(compose, (_event, deps) =>
    doParts([
      () => findOverdue({ marginMs: marginMs() }, deps).then(logOverdue),
      () => oldestUnanchoredSeconds(deps).then((seconds) => emit('OldestWaitingAnchorSeconds', seconds)),
      () => oldestWaitSeconds(deps).then((seconds) => emit('OldestWaitingAlertSeconds', seconds)),
    ]),
  )
}

export const handler = watchHandler({
  compose: containerDeps,
  marginMs: () => environment().OVERDUE_AFTER_MINUTES * 60_000,
})
