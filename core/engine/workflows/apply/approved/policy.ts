import { AppError, failureOf } from '../../../errors/errors.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Change, Selection } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { covering } from './selection.ts'

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
