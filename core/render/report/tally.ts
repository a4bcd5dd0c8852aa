import type { Change, Plan } from '../../schema/plan.ts'
import { visible } from '../characters/visible.ts'
import { actionNames, actions, symbolOf } from '../words.ts'

export interface Tally {
  readonly symbol: string
  readonly n: number
  readonly words: string
  /** Safe to print. */
  readonly addresses: readonly string[]
}

const addressesOf = (rows: readonly { readonly address: string }[]): readonly string[] =>
  rows.map((row) => visible(row.address))

const tally = (symbol: string, words: string, rows: readonly { readonly address: string }[]): Tally => ({
  symbol,
  n: rows.length,
  words,
  addresses: addressesOf(rows),
})

const symbolFor = (changes: readonly Change[]): string => {
  const symbols = new Set(changes.map(symbolOf))
  return symbols.size === 1 ? ([...symbols][0] ?? '') : '-/+'
}

/** The counts of a page, what destroys first; kinds with nothing in them are left out. That all is unchanged is
 * no count: the headline says it. */
export const talliesOf = (plan: Plan): readonly Tally[] => {
  const free = plan.changes.filter((change) => change.blocked === undefined)
  const byAction = actions.map((action) => {
    const changes = free.filter((change) => change.action === action)
    return tally(symbolFor(changes), `to ${actionNames[action]}`, changes)
  })
  const rows = [
    ...byAction,
    tally(
      '!',
      'blocked, not sent',
      plan.changes.filter((change) => change.blocked !== undefined),
    ),
    tally('?', 'could not be checked', plan.unchecked),
    { symbol: '', n: plan.counts.unchanged, words: 'unchanged', addresses: [] },
  ].filter((row) => row.n > 0)
  return rows.every((row) => row.symbol === '') ? [] : rows
}
