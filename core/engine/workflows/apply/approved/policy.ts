import { AppError, failureOf } from '../../../errors/errors.ts'
import { pathText } from '../../../json/pointer.ts'
import type { Command } from '../../../schema/command.ts'
import type { Policy } from '../../../schema/rules.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import { type Change, type Selection, widenedPaths, widens } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { covering } from './selection.ts'
import { policyWords } from './words.ts'

/** Why the policy refuses these commands; `undefined` if it allows them. Policies use facts, never resource types. */
export const refusal = (
  commands: readonly Command[],
  changes: readonly Change[],
  policy: Policy,
): string | undefined => {
  const { maxChanges, allowGrades, allowWidening } = policy
  if (maxChanges !== undefined && commands.length > maxChanges) {
    return policyWords.tooMany(commands.length, maxChanges)
  }
  const graded = allowGrades && commands.find((command) => !allowGrades.includes(command.grade))
  if (graded) return policyWords.grade(graded.id, graded.grade, allowGrades)
  const sent = new Set(commands.map(({ address }) => address))
  const widening = allowWidening === false ? changes.find((each) => sent.has(each.address) && widens(each)) : undefined
  return widening && policyWords.widens(widening.address, widenedPaths(widening).map(pathText))
}

/** The blocked changes that a selection covers. An apply of the selection leaves them out. */
export const blockedIn = (changes: readonly Change[], selection: Selection) => {
  const isCovered = covering(selection)
  return changes.flatMap(({ address, blocked }) =>
    blocked === undefined || !isCovered(address) ? [] : [{ address, ...blocked }],
  )
}

/** The reason to refuse the apply: a resource with `onImmutable: error` must not be skipped silently. */
export const refuseImmutable = (changes: readonly Change[], selection: Selection): string | undefined => {
  const found = blockedIn(changes, selection).find(({ refuse }) => refuse)
  return found && `${found.address}: ${found.detail}`
}

/**
 * Outcomes for the changes that an apply leaves out because they are blocked. They have the address as their id,
 * because there is no command.
 */
export const blockedOutcomes = (changes: readonly Change[], selection: Selection): readonly CommandOutcome[] =>
  blockedIn(changes, selection).map(({ address, reason, detail }) => ({
    command: address,
    status: 'blocked',
    detail: `${reason}: ${detail}`,
  }))

/** Adds what the apply left out. An apply that left out everything has not succeeded: it is refused. */
export const withBlocked = (apply: Apply, blocked: readonly CommandOutcome[]): Apply => {
  const isNothing = apply.outcomes.length === 0 && blocked.length > 0 && apply.error === undefined
  const refused = { status: 'refused', error: failureOf(new AppError('ALL_BLOCKED', { blocked })) } as const
  return { ...apply, outcomes: [...apply.outcomes, ...blocked], ...(isNothing ? refused : {}) }
}
