import { AppError } from '../../../errors/errors.ts'
import { digest } from '../../../json/digest.ts'
import { withPolicy } from '../../../plan/policy.ts'
import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import { countActions, type LeftOut, type Plan, type Selection } from '../../../schema/stored/plan.ts'
import { isAddressPattern } from '../../../values/addresses/address.ts'
import { defined } from '../../../values/defined.ts'
import { unlessEmpty } from '../../../values/members.ts'
import { suggest } from '../../../values/texts/nearest-word.ts'
import { commandsOf, isWhole, meaning, takenBy } from './selection.ts'
import { policyWords } from './words.ts'

type SelectedPlan = Pick<Plan, 'commands' | 'changes' | 'unchecked'>

/**
 * The commands of a selection. Throws TARGET_UNKNOWN with the reason if a target has no commands, or an exclusion
 * matches nothing in the plan, because a misspelled one would be skipped silently. Throws TARGET_EXCLUDED.
 */
export const selectTargets = (plan: SelectedPlan, selection: Selection): readonly Command[] => {
  const { commands } = plan
  if (isWhole(selection)) return commands
  const { targets = [], exclude = [] } = selection
  const sent = [...new Set(commands.map(({ address }) => address))]
  const known = [...sent, ...[...plan.changes, ...plan.unchecked].map(({ address }) => address)]
  requireMeant(targets, sent, plan)
  requireMeant(exclude, known, plan)
  refuseExcluded(targets, takenBy(commands, exclude))
  const selected = commandsOf(commands, selection)
  if (selected.length > 0 || commands.length === 0) return selected
  throw new AppError('TARGET_EXCLUDED', { exclude })
}

const requireMeant = (patterns: readonly string[], addresses: readonly Address[], plan: SelectedPlan): void => {
  const exact = new Set(addresses)
  const missing = patterns.find((each) => !exact.has(each) && !addresses.some(meaning([each])))
  if (missing === undefined) return
  throw new AppError('TARGET_UNKNOWN', { target: missing, ...defined({ why: whyNone(plan, missing) }) })
}

const whyNone = ({ changes, unchecked, commands }: SelectedPlan, target: string): string | undefined => {
  const isMeant = meaning([target])
  const blocked = changes.find(({ address }) => isMeant(address))?.blocked
  if (blocked !== undefined) return policyWords.blocked(blocked.reason, blocked.detail)
  const unread = unchecked.find(({ address }) => isMeant(address))
  if (unread !== undefined) return policyWords.unchecked(unread.reason, unread.detail)
  const names = new Set([...changes, ...unchecked, ...commands].map(({ address }) => address))
  const families = isAddressPattern(target)
    ? [...names].map((address) => `${address.slice(0, address.lastIndexOf('.'))}.*`)
    : []
  return names.size === 0 ? undefined : suggest(target, new Set([...families, ...names]))
}

/**
 * A pattern may lose some of its matches, because the plan names them; an address that is written out may not be lost.
 */
const refuseExcluded = (targets: readonly string[], taken: ReadonlyMap<Address, Address>): void => {
  for (const target of targets) {
    const by = isAddressPattern(target) ? undefined : taken.get(target)
    if (by !== undefined) throw new AppError('TARGET_EXCLUDED', { target, exclude: [by] })
  }
}

/**
 * Reduces a plan to what an approval of a selection covers: commands, changes, digest. Nothing else decides that.
 * Throws as `selectTargets`.
 */
export const narrowPlan = (plan: Plan, selection: Selection = {}): Plan => {
  if (isWhole(selection)) return plan
  const { targets = [], exclude = [] } = selection
  const commands = selectTargets(plan, selection)
  const addresses = new Set(commands.map(({ address }) => address))
  const changes = plan.changes.filter(({ address }) => addresses.has(address))
  return withPolicy({
    ...plan,
    ...defined({ targets: unlessEmpty([...targets]), exclude: unlessEmpty([...exclude]) }),
    commands,
    changes,
    ...defined({ leftOut: unlessEmpty(leftOutOf(plan, addresses, takenBy(plan.commands, exclude))) }),
    counts: { ...plan.counts, ...countActions(changes), blocked: 0, commands: commands.length },
    digests: { ...plan.digests, commands: digest(commands) },
  })
}

const leftOutOf = (
  { changes }: Plan,
  selected: ReadonlySet<Address>,
  taken: ReadonlyMap<Address, Address>,
): readonly LeftOut[] =>
  changes
    .filter(({ address }) => !selected.has(address))
    .map(({ address, blocked }): LeftOut => {
      const by = taken.get(address)
      if (blocked !== undefined) return { address, why: 'blocked' }
      if (by === undefined) return { address, why: 'no_target' }
      return by === address ? { address, why: 'excluded' } : { address, why: 'waits', on: by }
    })
