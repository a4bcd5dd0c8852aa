import { pathText } from '../json/pointer.ts'
import type { Command } from '../schema/command.ts'
import type { Policy } from '../schema/rules.ts'
import { type Change, type Plan, widenedPaths, widens } from '../schema/stored/plan.ts'
import { defined } from '../values/defined.ts'
import { unlessEmpty } from '../values/members.ts'
import { type Reduction, removalsOf } from '../values/removals.ts'
import { policyRefusals } from './words.ts'

/** Why the policy refuses these commands; `undefined` if it allows them. Policies use facts, never resource types. */
export const refusal = (
  commands: readonly Command[],
  changes: readonly Change[],
  policy: Policy,
  existing?: Plan['existing'],
): string | undefined => {
  const { maxChanges, allowGrades, allowWidening, maxRemovals } = policy
  if (maxChanges !== undefined && commands.length > maxChanges) {
    return policyRefusals.tooMany(commands.length, maxChanges)
  }
  const graded = allowGrades && commands.find((command) => !allowGrades.includes(command.grade))
  if (graded) return policyRefusals.grade(graded.id, graded.grade, allowGrades)
  const addresses = new Set(commands.map(({ address }) => address))
  const sent = changes.filter(({ address }) => addresses.has(address))
  const widening = allowWidening === false ? sent.find(widens) : undefined
  if (widening) return policyRefusals.widens(widening.address, widenedPaths(widening).map(pathText))
  return maxRemovals === undefined ? undefined : tooMuchGoes(removalsOf(sent, existing), maxRemovals)
}

const tooMuchGoes = (removals: readonly Reduction[], limit: NonNullable<Policy['maxRemovals']>): string | undefined => {
  const groups: ReadonlyMap<string, readonly Reduction[]> =
    typeof limit === 'object' ? Map.groupBy(removals, ({ type }) => type) : new Map([['*', removals]])
  for (const [type, group] of groups) {
    const most = typeof limit === 'object' ? (Object.hasOwn(limit, type) ? limit[type] : limit['*']) : limit
    const all = group.reduce((sum, { removed }) => sum + removed, 0)
    if (typeof most === 'number' && all > most) return policyRefusals.tooManyRemoved(all, most, type)
    const share = typeof most === 'string' ? Number.parseInt(most, 10) : 100
    const over = group.find(({ removed, of }) => removed * 100 > of * share)
    if (over) return policyRefusals.tooLargeShare(over, `${share}%`)
  }
  return undefined
}

/** Says in a plan, or in a part of it, that an apply of all its commands would be refused. */
export const withPolicy = (plan: Plan, policy: Policy | undefined = plan.policy): Plan => {
  const { refused: _, ...rest } = plan
  const { changes, commands, existing } = rest
  const stopped = changes.find(({ blocked }) => blocked?.refuse)
  const refused =
    (policy && refusal(commands, changes, policy, existing)) ??
    (stopped && `${stopped.address}: ${stopped.blocked?.detail}`)
  return { ...rest, ...defined({ policy: unlessEmpty(policy), refused }) }
}
