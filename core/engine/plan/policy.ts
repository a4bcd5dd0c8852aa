import { pathText } from '../json/pointer.ts'
import type { Command } from '../schema/command.ts'
import type { Policy } from '../schema/rules.ts'
import { type Change, type Plan, widenedPaths, widens } from '../schema/stored/plan.ts'
import { defined } from '../values/defined.ts'
import { unlessEmpty } from '../values/members.ts'
import { policyRefusals } from './words.ts'

/** Why the policy refuses these commands; `undefined` if it allows them. Policies use facts, never resource types. */
export const refusal = (
  commands: readonly Command[],
  changes: readonly Change[],
  policy: Policy,
): string | undefined => {
  const { maxChanges, allowGrades, allowWidening } = policy
  if (maxChanges !== undefined && commands.length > maxChanges) {
    return policyRefusals.tooMany(commands.length, maxChanges)
  }
  const graded = allowGrades && commands.find((command) => !allowGrades.includes(command.grade))
  if (graded) return policyRefusals.grade(graded.id, graded.grade, allowGrades)
  const sent = new Set(commands.map(({ address }) => address))
  const widening = allowWidening === false ? changes.find((each) => sent.has(each.address) && widens(each)) : undefined
  return widening && policyRefusals.widens(widening.address, widenedPaths(widening).map(pathText))
}

/** Says in a plan, or in a part of it, that an apply of all its commands would be refused. */
export const withPolicy = (plan: Plan, policy: Policy | undefined = plan.policy): Plan => {
  const { refused: _, ...rest } = plan
  const { changes, commands } = rest
  const stopped = changes.find(({ blocked }) => blocked?.refuse)
  const refused =
    (policy && refusal(commands, changes, policy)) ?? (stopped && `${stopped.address}: ${stopped.blocked?.detail}`)
  return { ...rest, ...defined({ policy: unlessEmpty(policy), refused }) }
}
