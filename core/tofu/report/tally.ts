import { counted, type Tally, tally, unchangedTally } from '../../render/report/tally.ts'
import type { PlanView, ViewChange } from '../view/plan-view.ts'
import { factsOf } from './actions.ts'
import { objectName } from './words.ts'

/** The counts of a page, the gravest first. What is imported or moved is counted as such besides, whatever else is done to it. */
export const tallyView = ({ changes, deferred, unchanged }: PlanView): readonly Tally[] => {
  const done = changes
    .filter(({ action }) => action !== 'no-op')
    .toSorted((left, right) => riskOf(left) - riskOf(right))
  const byWords = Map.groupBy(done, ({ action }) => factsOf(action).tally)
  return counted([
    ...[...byWords].map(([words, group]) => tally(symbolOf(group), words, group.map(named))),
    tally('*', 'to import', changes.filter(({ importing }) => importing !== undefined).map(named)),
    tally('*', 'to move', changes.filter(({ previousAddress }) => previousAddress !== undefined).map(named)),
    tally(
      '!',
      'deferred',
      deferred.map(({ change }) => named(change)),
    ),
    unchangedTally(unchanged),
  ])
}

const riskOf = ({ action }: ViewChange): number => factsOf(action).risk

const symbolOf = ([first]: readonly ViewChange[]): string => (first === undefined ? '' : factsOf(first.action).symbol)

const named = (change: ViewChange) => ({ address: objectName(change) })
