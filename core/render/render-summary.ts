import type { Cause, Change, Plan } from '../schema/plan.ts'
import { byRisk, contextOf, driftToShow } from './lay-out-change.ts'
import { uncheckedEntry } from './lists.ts'
import { padEnd, widest } from './measure.ts'
import type { RenderOptions } from './options.ts'
import type { Palette } from './palette.ts'
import { palette } from './palette.ts'
import { plain } from './prose.ts'
import { visible } from './visible.ts'
import { changeWords, count, headline, symbolOf } from './words.ts'

/** One line a resource, the gravest first. Nothing is cut: it is meant for grep as well. */
export const renderSummary = (plan: Plan, options: RenderOptions = {}): string => {
  const paint = palette(options.color)
  const { vanished } = contextOf(plan)
  const changed = new Set(plan.changes.map((change) => change.address))
  const rows: readonly (readonly [symbol: string, address: string, words: string])[] = [
    ...byRisk(plan.changes).map(
      (change) =>
        [
          symbolOf(change),
          change.address,
          `${plain(changeWords(change, vanished.has(change.address)))}${causeWords(change)}`,
        ] as const,
    ),
    ...driftToShow(plan)
      .filter((drift) => !changed.has(drift.address))
      .map((drift) => ['*', drift.address, `was ${drift.kind} outside; nothing follows from it`] as const),
    ...plan.unchecked.map(
      (row) => ['?', row.address, `could not be checked: ${plain(uncheckedEntry(row).words)}`] as const,
    ),
  ]
  const room = Math.min(48, widest(rows.map(([, address]) => visible(address))))
  const lines = rows.map(
    ([symbol, address, words]) =>
      `${bySymbol(symbol, paint)(padEnd(symbol, 3))} ${padEnd(visible(address), room)}  ${words}`,
  )
  return `${[...lines, `${visible(plan.workspace)}: ${headline(plan)}`].join('\n')}\n`
}

const bySymbol = (symbol: string, paint: Palette): Palette['red'] =>
  symbol.includes('-') ? paint.red : symbol === '+' ? paint.green : paint.yellow

const told: readonly Cause[] = ['conflict', 'drift', 'pending']

/** ` (1 drift, 2 pending)`. */
const causeWords = ({ action, causes }: Change): string => {
  if (action !== 'update' && action !== 'replace') return ''
  const parts = told.flatMap((cause) => {
    const n = causes.filter((entry) => entry.cause === cause).length
    return n === 0 ? [] : [count(n, cause, cause)]
  })
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
