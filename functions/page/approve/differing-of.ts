import type { Command } from '../../../core/index.ts'

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
