import { type ReadHistory, saveReadHistory } from '../../state/runs/reads.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { foreseeRequests } from '../session/read/foresee-requests.ts'

/**
 * Stores what the check read and what that cost, for the forecast of the next check. A failure of the store is
 * reported, and costs only the forecast.
 */
export const rememberReads = async (workspace: string, session: Session, ms: number, deps: Deps): Promise<void> => {
  try {
    await saveReadHistory(deps.store, workspace, historyOf(session, ms, deps))
  } catch (error) {
    deps.warn({ kind: 'answers_lost', workspace, error })
  }
}

/** For a check that continues: stores only what it spent, so that the next part keeps the limits. */
export const rememberLimits = (
  workspace: string,
  { transports, reads }: Pick<Session, 'reads' | 'transports'>,
  { store }: Deps,
): Promise<void> => saveReadHistory(store, workspace, { ...reads.history, ...limitsOf(reads.history, transports) })

const limitsOf = (
  { limits }: ReadHistory,
  transports: Session['transports'],
): Pick<ReadHistory, 'limits' | 'spent'> => ({
  limits: { ...limits, ...Object.fromEntries(transports.limits()) },
  spent: Object.fromEntries([...transports.spent()].map(([alias, gauge]) => [alias, gauge.spent()])),
})

type Remembered = ReadHistory['resources'][string]

const historyOf = (
  {
    resources,
    transports,
    loaded,
    recorded,
    reads: { history },
  }: Pick<Session, 'loaded' | 'reads' | 'recorded' | 'resources' | 'transports'>,
  ms: number,
  { clock }: Deps,
): ReadHistory => {
  const costs = transports.costs()
  const now = clock.now().getTime()
  const { costs: foreseen } = foreseeRequests(loaded, recorded.resources)
  const all = [...resources].flatMap(
    ([
      address,
      {
        observed: { result },
      },
    ]): [string, Remembered][] => {
      const { counted = 0, free = 0, kept = 0 } = costs.get(address) ?? {}
      const isUnsent = result.kind === 'unknown' && (result.reason === 'budget' || result.reason === 'deadline')
      // A resource that was never requested keeps its place in the queue.
      if (!isUnsent || counted + free > 0) {
        const expected = foreseen.get(address)
        return [[address, expected === undefined ? [now, counted, free, kept] : [now, counted, free, kept, expected]]]
      }
      const before = history.resources[address]
      return before === undefined ? [] : [[address, before]]
    },
  )
  const waited = Math.max(0, ...[...transports.spent().values()].map((gauge) => gauge.waitedMs()))
  const sent = [...costs.values()].reduce((sum, { counted, free }) => sum + counted + free, 0)
  const left = [...resources.values()].filter(({ isLeftOut }) => isLeftOut === true).map(({ address }) => address)
  return {
    resources: Object.fromEntries(all),
    left,
    ...limitsOf(history, transports),
    ms: Math.max(0, ms - waited),
    sent,
  }
}
