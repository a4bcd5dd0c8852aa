import { visible } from '../../render/characters/visible.ts'
import type { Tally } from '../../render/report/tally.ts'
import type { PlanView, ViewChange } from '../view/plan-view.ts'
import { actionFacts } from './actions.ts'
import { objectName } from './words.ts'

/**
 * The counts of a page, the gravest first; kinds with nothing in them are left out. What is imported or moved is counted
 * as such besides, whatever else is done to it.
 */
export const tallyView = (view: PlanView): readonly Tally[] => {
  const { changes, deferred, unchanged } = view
  const done = changes.filter(({ action }) => action !== 'no-op')
  const byAction = [...Map.groupBy(done, ({ action }) => actionFacts[action].tally)].map(([words, group]) =>
    tally(symbolOf(group), words, group),
  )
  const risk = new Map(done.map(({ action }) => [actionFacts[action].tally, actionFacts[action].risk]))
  const rows = [
    ...byAction.toSorted((left, right) => (risk.get(left.words) ?? 0) - (risk.get(right.words) ?? 0)),
    tally(
      '*',
      'to import',
      changes.filter(({ importing }) => importing !== undefined),
    ),
    tally(
      '*',
      'to move',
      changes.filter(({ previousAddress }) => previousAddress !== undefined),
    ),
    tally(
      '!',
      'put off',
      deferred.map(({ change }) => change),
    ),
    { symbol: '', n: unchanged, words: 'unchanged', addresses: [] },
  ].filter(({ n }) => n > 0)
  return rows.every(({ symbol }) => symbol === '') ? [] : rows
}

const symbolOf = ([first]: readonly ViewChange[]): string =>
  first === undefined ? '' : actionFacts[first.action].symbol

const tally = (symbol: string, words: string, changes: readonly ViewChange[]): Tally => ({
  symbol,
  n: changes.length,
  words,
  addresses: changes.map((change) => visible(objectName(change))),
})
