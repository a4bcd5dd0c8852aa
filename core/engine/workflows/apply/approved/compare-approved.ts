import { canonicalJson, digest } from '../../../json/digest.ts'
import { type Command, isIdempotent } from '../../../schema/command.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import { urlWords } from '../../../values/url.ts'
import { comparable, fillKnown, type KnownValue } from './fill-known.ts'
import { differences } from './words.ts'

/** The first command that would be sent differently now than it was approved. */
export interface Difference {
  readonly command: string
  /** For people; it follows the id of the command: `is new`. */
  readonly detail: string
}

/** Compares whole commands, including preconditions. `undefined`: the same list, byte for byte. */
export const findDifference = (approved: readonly Command[], current: readonly Command[]): Difference | undefined => {
  const now = new Map(current.map((command) => [command.id, command]))
  const then = new Set(approved.map((command) => command.id))
  for (const command of approved) {
    const other = now.get(command.id)
    if (other === undefined) return { command: command.id, detail: differences.gone }
    const part = changedPart(command, other)
    if (part !== undefined) return { command: command.id, detail: part }
  }
  const added = current.find((command) => !then.has(command.id))
  if (added !== undefined) return { command: added.id, detail: differences.added }
  const moved = approved.find((command, index) => command.id !== current[index]?.id)
  return moved === undefined ? undefined : { command: moved.id, detail: differences.moved }
}

const same = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right)

const changedPart = (approved: Command, current: Command): string | undefined => {
  if (same(approved, current)) return undefined
  if (!same(approved.request, current.request)) {
    const { method, url, as: caller } = current.request
    if (!same(approved.request.as, caller)) return differences.caller(caller, approved.request.as)
    return same({ ...approved.request, body: null }, { ...current.request, body: null })
      ? differences.body
      : differences.request(method, urlWords(url))
  }
  if (sentBy(approved) !== sentBy(current)) return differences.sentBy
  if (!same(approved.precondition, current.precondition)) return differences.object
  return differences.other
}

const sentBy = ({ precondition }: Command): string | undefined =>
  precondition?.kind === 'absent' ? precondition.sentBy : undefined

/** How far an apply has come, by its own entries: what a dead worker recorded, and what it could not record any more. */
export interface ApplyProgress {
  readonly outcomes: readonly CommandOutcome[]
  readonly done: ReadonlySet<string>
  /** Answered, and failed or not confirmed; or skipped because of such a command. An apply does not try these again. */
  readonly failed: ReadonlySet<string>
  /** May have been sent: an intent without a result, or a result without an answer. */
  readonly uncertain: ReadonlySet<string>
  /**
   * Attempts that may have been sent. An attempt before a new intent, which says that the command is still to be sent,
   * does not count.
   */
  readonly sent: ReadonlySet<string>
  /** Intents that have no result yet. */
  readonly open: readonly Command[]
  /** The number of attempts of each command, by its id. */
  readonly attempts: ReadonlyMap<string, number>
  /** Of the open commands, those that were accepted and are waited for, by id. */
  readonly waiting: ReadonlyMap<string, Waiting>
}

type ProgressParts = Pick<ApplyProgress, 'done' | 'failed' | 'uncertain' | 'sent'>

export interface Remaining {
  readonly left: readonly { readonly approved: Command; readonly current: Command }[]
  readonly foundDone: readonly string[]
  /** May have been done although nothing shows it, and would be done twice: this apply never sends it again. */
  readonly inDoubt: readonly string[]
}

/**
 * For an apply that was interrupted: the rest of the approved list. Only requests are compared, because ids and
 * preconditions change when the first half is done, and because an approved mark stands for what is `known` of its
 * resource now. A current command that was never approved is a difference. An approved command that is neither done nor
 * needed is a difference too, unless it may have been sent: then it counts as done.
 */
export const remainingCommands = (
  approved: readonly Command[],
  { done, failed, uncertain, sent }: ProgressParts,
  current: readonly Command[],
  known: KnownValue,
): Remaining | Difference => {
  const find = finderOf(current, known)
  const open = approved.filter((command) => !done.has(command.id))
  const matches = open.flatMap((command) => {
    const match = find(command)
    return match === undefined ? [] : [{ approved: command, current: match }]
  })
  const covered = new Set(matches.map(({ current: { id } }) => id))
  const added = current.find((command) => !covered.has(command.id))
  if (added !== undefined) return { command: added.id, detail: differences.addedSince }
  const matched = new Set(matches.map(({ approved: { id } }) => id))
  const gone = open.filter(({ id }) => !matched.has(id) && !failed.has(id))
  const unexplained = gone.find(({ id }) => !uncertain.has(id))
  if (unexplained !== undefined) return { command: unexplained.id, detail: differences.gone }
  const isInDoubt = (command: Command): boolean =>
    uncertain.has(command.id) && sent.has(command.id) && !mayRepeat(command)
  const remaining = matches.filter((each) => !failed.has(each.approved.id))
  return {
    left: remaining.filter((each) => !isInDoubt(each.approved)),
    foundDone: gone.map(({ id }) => id),
    inDoubt: remaining.flatMap((each) => (isInDoubt(each.approved) ? [each.approved.id] : [])),
  }
}

/** Finds the command that would be sent now for an approved one. */
const finderOf = (current: readonly Command[], known: KnownValue) => {
  const exact = new Map(current.map((command) => [digest(command.request), command]))
  const filled = new Map(current.map((command) => [comparable(command.request), command]))
  return ({ request }: Command): Command | undefined => {
    const now = fillKnown(request, known)
    return exact.get(digest(request)) ?? (same(request, now) ? undefined : filled.get(comparable(now)))
  }
}

/**
 * Whether a command that may have been done may be sent again if its object looks as if it was not. A read cannot prove
 * that: an accepted change may be visible only when it is complete, or never under this name. So doing it twice must
 * have the same effect as once: by its method, or because it sets attributes to values. This is not so for a create, a
 * call or a new element.
 */
const mayRepeat = ({ action, request, footprint }: Command): boolean =>
  isIdempotent(request) || (action === 'update' && footprint?.elements === undefined)
