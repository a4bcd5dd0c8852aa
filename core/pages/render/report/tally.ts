import { type Change, isReported, type Plan } from '../../../engine/schema/stored/plan.ts'
import { visible } from '../characters/visible.ts'
import { actionNames, actions, symbolOf } from '../shared/words.ts'

export interface Tally {
  readonly symbol: string
  readonly n: number
  readonly words: string
  /** Safe to print. */
  readonly addresses: readonly string[]
}

export const tally = (symbol: string, words: string, rows: readonly { readonly address: string }[]): Tally => ({
  symbol,
  n: rows.length,
  words,
  addresses: rows.map(({ address }) => visible(address)),
})

const symbolFor = (changes: readonly Change[]): string => {
  const symbols = new Set(changes.map(symbolOf))
  return symbols.size === 1 ? ([...symbols][0] ?? '') : '-/+'
}

/** The counts of a page, what destroys first. There is no count for "unchanged": the headline has it. */
export const talliesOf = (plan: Plan): readonly Tally[] => {
  const { blocked = [], free = [] } = Object.groupBy(plan.changes, (change) => (change.blocked ? 'blocked' : 'free'))
  return counted([
    ...actions.map((action) => {
      const changes = free.filter((change) => change.action === action)
      return tally(symbolFor(changes), `to ${actionNames[action]}`, changes)
    }),
    tally('!', 'blocked, not sent', blocked),
    tally('!', 'orphaned, only reported', plan.orphans?.filter(isReported) ?? []),
    tally('?', 'could not be checked', plan.unchecked),
    unchangedTally(plan.counts.unchanged),
  ])
}

export const unchangedTally = (n: number): Tally => ({ symbol: '', n, words: 'unchanged', addresses: [] })

/** Without empty kinds; empty if nothing changes. */
export const counted = (tallies: readonly Tally[]): readonly Tally[] => {
  const rows = tallies.filter(({ n }) => n > 0)
  return rows.every(({ symbol }) => symbol === '') ? [] : rows
}
