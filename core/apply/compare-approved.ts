import { canonicalJson, digest } from '../digest.ts'
import type { Command } from '../schema/command.ts'

/** The first command in which what would be sent now departs from what was approved. */
export interface Difference {
  readonly command: string
  /** For people, follows the command's id: `is new`. */
  readonly detail: string
}

/** Compares the whole commands, preconditions included. `undefined`: the same list, byte for byte. */
export const findDifference = (approved: readonly Command[], current: readonly Command[]): Difference | undefined => {
  const now = new Map(current.map((command) => [command.id, command]))
  const then = new Set(approved.map((command) => command.id))
  for (const command of approved) {
    const other = now.get(command.id)
    if (other === undefined) return { command: command.id, detail: 'would not be sent any more' }
    const part = changedPart(command, other)
    if (part !== undefined) return { command: command.id, detail: part }
  }
  const added = current.find((command) => !then.has(command.id))
  if (added !== undefined) return { command: added.id, detail: 'is new' }
  const moved = approved.find((command, index) => command.id !== current[index]?.id)
  return moved === undefined ? undefined : { command: moved.id, detail: 'would be sent at another place' }
}

const same = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right)

const changedPart = (approved: Command, current: Command): string | undefined => {
  if (same(approved, current)) return undefined
  if (!same(approved.request, current.request)) {
    const { method, url } = current.request
    return same({ ...approved.request, body: null }, { ...current.request, body: null })
      ? 'would have another body'
      : `would be ${method} ${url}`
  }
  if (!same(approved.precondition, current.precondition)) return 'would meet an object that has changed since'
  return 'has other properties'
}

/**
 * For an apply that was interrupted: what is left of the approved list. Only the requests count, because ids and
 * preconditions move when the first half is done. A current command that was never approved is a difference; so is an
 * approved one that is neither done nor needed, unless it may have been sent (`uncertain`): then it has been found done.
 */
export const remainingCommands = (
  approved: readonly Command[],
  progress: { readonly done: ReadonlySet<string>; readonly uncertain: ReadonlySet<string> },
  current: readonly Command[],
):
  | {
      readonly left: readonly { readonly approved: Command; readonly current: Command }[]
      readonly foundDone: readonly string[]
    }
  | Difference => {
  const wanted = new Map(current.map((command) => [digest(command.request), command]))
  const open = approved.filter((command) => !progress.done.has(command.id))
  const left = open.flatMap((command) => {
    const match = wanted.get(digest(command.request))
    return match === undefined ? [] : [{ approved: command, current: match }]
  })
  const covered = new Set(left.map(({ current: { id } }) => id))
  const added = current.find((command) => !covered.has(command.id))
  if (added !== undefined) return { command: added.id, detail: 'is new since the apply was interrupted' }
  const matched = new Set(left.map(({ approved: { id } }) => id))
  const gone = open.filter((command) => !matched.has(command.id))
  const unexplained = gone.find((command) => !progress.uncertain.has(command.id))
  if (unexplained !== undefined) return { command: unexplained.id, detail: 'would not be sent any more' }
  return { left, foundDone: gone.map((command) => command.id) }
}
