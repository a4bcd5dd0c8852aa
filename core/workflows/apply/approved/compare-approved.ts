import { canonicalJson, digest } from '../../../digest.ts'
import { type Command, isIdempotent } from '../../../schema/command.ts'
import type { CommandOutcome, Waiting } from '../../../schema/records.ts'
import { urlWords } from '../../../values/url.ts'
import { comparable, fillKnown, type KnownValue } from './fill-known.ts'
import { differences } from './words.ts'

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

/** How far an apply has come, by its own entries: what a worker that died knew, and what it could not know any more. */
export interface ApplyProgress {
  readonly outcomes: readonly CommandOutcome[]
  readonly done: ReadonlySet<string>
  /** Answered, and then failed or never seen done, or left out because of one: an apply does not try these again. */
  readonly failed: ReadonlySet<string>
  /** May have been sent: an intent without a result, or a result without an answer. */
  readonly uncertain: ReadonlySet<string>
  /** Attempts that may have left: those after an intent that says anew that it is still to be sent are none. */
  readonly sent: ReadonlySet<string>
  /** Intents that have no result yet. */
  readonly open: readonly Command[]
  /** How often each command was about to leave, by its id. */
  readonly attempts: ReadonlyMap<string, number>
  /** Of the open ones, by the command's id: accepted, and waited for. */
  readonly waiting: ReadonlyMap<string, Waiting>
}

type Compared = Pick<ApplyProgress, 'done' | 'failed' | 'uncertain' | 'sent'>

export interface Remaining {
  readonly left: readonly { readonly approved: Command; readonly current: Command }[]
  readonly foundDone: readonly string[]
  /** May have been done although nothing shows it, and would do it twice: never sent again by this apply. */
  readonly inDoubt: readonly string[]
}

/**
 * For an apply that was interrupted: what is left of the approved list. Only the requests count, because ids and
 * preconditions move when the first half is done, and an approved mark stands for what is `known` of its
 * resource by now. A current command that was never approved is a difference; so is an approved one that is neither
 * done nor needed, unless it may have been sent: then it has been found done.
 */
export const remainingCommands = (
  approved: readonly Command[],
  { done, failed, uncertain, sent }: Compared,
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
 * Whether a command that may have been done may be sent again where its object looks as if it was not. Reading cannot prove
 * that: what a target accepted may show only when it is done, or never under this name. So it must be one that does the same
 * twice as once: by its method, or because it sets attributes to values. A create, a call or a new element is none.
 */
const mayRepeat = ({ action, request, footprint }: Command): boolean =>
  isIdempotent(request) || (action === 'update' && footprint?.elements === undefined)
