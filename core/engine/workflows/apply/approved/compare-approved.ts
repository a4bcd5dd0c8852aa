import { canonicalJson } from '../../../json/canonical.ts'
import { digest } from '../../../json/digest.ts'
import { type Command, isIdempotent } from '../../../schema/command.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import { urlWords } from '../../../values/url.ts'
import { comparable, fillKnown, type KnownValue } from './fill-known.ts'
import { differences } from './words.ts'

export interface Difference {
  readonly command: string
  /** Follows the id of the command in a message: `is new`. */
  readonly detail: string
}

/** Compares whole commands, including preconditions. `undefined`: the lists are equal. */
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

/**
 * How far an apply has come, by its ledger entries: what a dead worker recorded, and what it could not record any more.
 */
export interface ApplyProgress {
  readonly outcomes: readonly CommandOutcome[]
  readonly done: ReadonlySet<string>
  /**
   * Commands that failed or were not confirmed, or were skipped because of such a command. The apply does not try them
   * again.
   */
  readonly failed: ReadonlySet<string>
  /** Commands that may have been sent: with an intent without a result, or with a result without an answer. */
  readonly uncertain: ReadonlySet<string>
  /**
   * Commands with an attempt that may have been sent. An attempt before a new intent does not count, because such an
   * intent says that the command is still to be sent.
   */
  readonly sent: ReadonlySet<string>
  /** Commands whose intents have no result yet. */
  readonly open: readonly Command[]
  /** The number of attempts, by the id of the command. */
  readonly attempts: ReadonlyMap<string, number>
  /** The open commands that the target accepted and that are waited for, by id. */
  readonly waiting: ReadonlyMap<string, Waiting>
}

type ProgressParts = Pick<ApplyProgress, 'done' | 'failed' | 'uncertain' | 'sent'>

export interface Remaining {
  readonly left: readonly { readonly approved: Command; readonly current: Command }[]
  readonly foundDone: readonly string[]
  /**
   * Commands that may be done although no effect is visible, and must not be done twice: this apply never sends them
   * again.
   */
  readonly inDoubt: readonly string[]
}

/**
 * For an apply that was interrupted: the rest of the approved list. Only requests are compared, because ids and
 * preconditions change when the first half is done; in approved requests, marks are replaced by the values that `known`
 * gives now. A current command that was never approved is a difference. An approved command that is neither done nor
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

const finderOf = (current: readonly Command[], known: KnownValue) => {
  const exact = new Map(current.map((command) => [digest(command.request), command]))
  const filled = new Map(current.map((command) => [comparable(command.request), command]))
  return ({ request }: Command): Command | undefined => {
    const now = fillKnown(request, known)
    return exact.get(digest(request)) ?? (same(request, now) ? undefined : filled.get(comparable(now)))
  }
}

/**
 * Whether a command that may have been done may be sent again if its object looks unchanged. A read cannot prove that
 * it was not done: an accepted change may be visible only when it is complete, or never under this name. So doing it
 * twice must have the same effect as doing it once: by its method, or because it sets attributes to values. This does
 * not hold for a create, a call or a new element.
 */
const mayRepeat = ({ action, request, footprint }: Command): boolean =>
  isIdempotent(request) || (action === 'update' && footprint?.elements === undefined)
