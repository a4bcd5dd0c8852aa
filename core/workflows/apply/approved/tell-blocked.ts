import { AppError, failureOf } from '../../../errors.ts'
import type { Change } from '../../../schema/plan.ts'
import type { Apply, CommandOutcome } from '../../../schema/records.ts'

/** What an apply leaves out because its change is blocked: under the address, as it has no command. */
export const blockedOutcomes = (
  changes: readonly Change[],
  targets: readonly string[] = [],
): readonly CommandOutcome[] =>
  changes.flatMap(({ address, blocked }) =>
    blocked === undefined || (targets.length > 0 && !targets.includes(address))
      ? []
      : [{ command: address, status: 'blocked' as const, detail: `${blocked.reason}: ${blocked.detail}` }],
  )

/** An apply at its end, with what was left out. One that left out everything has not succeeded: it is refused. */
export const withBlocked = (apply: Apply, blocked: readonly CommandOutcome[]): Apply => {
  const isNothing = apply.outcomes.length === 0 && blocked.length > 0 && apply.error === undefined
  const refused = { status: 'refused', error: failureOf(new AppError('ALL_BLOCKED', { blocked })) } as const
  return { ...apply, outcomes: [...apply.outcomes, ...blocked], ...(isNothing ? refused : {}) }
}
