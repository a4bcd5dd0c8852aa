import type { Command } from '../../../core/index.ts'
import type { Row } from '../../../core/pages/render/draw.ts'

interface Pair {
  readonly id: string
  /** Absent: it was not approved. */
  readonly approved: Command | undefined
  /** Absent: it is not needed any more. */
  readonly current: Command | undefined
  /** The requests are equal, and something else of the command differs. */
  readonly isAlike: boolean
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The commands that are not the same on both sides, those of the approval first. */
export const differingOf = (approved: readonly Command[], current: readonly Command[]): readonly Pair[] => {
  const before = new Map(approved.map((command) => [command.id, command]))
  const after = new Map(current.map((command) => [command.id, command]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const pair = { approved: before.get(id), current: after.get(id) }
    if (isSame(pair.approved, pair.current)) return []
    return [{ id, ...pair, isAlike: isSame(pair.approved?.request, pair.current?.request) }]
  })
}

/** A value of the target, as each of two checks has read it; absent: there was none. */
export interface ReadValue {
  readonly path: string
  readonly before: string | undefined
  readonly now: string | undefined
}

interface SeenRow {
  readonly observed: string | undefined
  /** As it is configured: what a check that shows no row of it has read. */
  readonly desired: string | undefined
}

const linesOf = (rows: readonly Row[], other: Row['action']): string =>
  rows.flatMap(({ kind, action, label }) => (kind === 'line' && action !== other ? [label] : [])).join('\n')

const seenIn = (rows: readonly Row[], above: readonly string[] = []): ReadonlyMap<string, SeenRow> =>
  new Map(
    rows.flatMap((row, n): [string, SeenRow][] => {
      if (row.kind !== 'attribute') return []
      // Elements of a list may have no names.
      const path = [...above, row.label || String(n + 1)]
      const key = path.join(' ')
      if (row.rows.some(({ kind }) => kind === 'line'))
        return [[key, { observed: linesOf(row.rows, 'create'), desired: linesOf(row.rows, 'delete') }]]
      const own: [string, SeenRow][] =
        row.before === undefined && row.after === undefined
          ? []
          : [[key, { observed: row.action === 'same' ? (row.before ?? row.after) : row.before, desired: row.after }]]
      return [...own, ...seenIn(row.rows, path)]
    }),
  )

/** What the target showed when commands were approved and shows otherwise now, by the changes that both checks plan. Secrets are sealed in both. */
export const readOtherwise = (approved: readonly Row[], current: readonly Row[]): readonly ReadValue[] => {
  const [before, now] = [seenIn(approved), seenIn(current)]
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((path) => {
    const [one, other] = [before.get(path), now.get(path)]
    const value = {
      path,
      before: one === undefined ? other?.desired : one.observed,
      now: other === undefined ? one?.desired : other.observed,
    }
    return value.before === value.now ? [] : [value]
  })
}
