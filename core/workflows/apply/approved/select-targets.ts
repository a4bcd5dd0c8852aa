import { digest } from '../../../digest.ts'
import { AppError } from '../../../errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { Plan } from '../../../schema/plan.ts'
import { countActions } from '../../../schema/plan.ts'
import { defined } from '../../../values/defined.ts'
import { policyWords } from './words.ts'

/** The commands of the named addresses and of everything they depend on, in order. All commands if no address is named. */
export const commandsOf = (commands: readonly Command[], targets: readonly string[] = []): readonly Command[] => {
  if (targets.length === 0) return commands
  const byId = new Map(commands.map((command) => [command.id, command]))
  const wanted = new Set<string>()
  const pending = commands.filter((command) => targets.includes(command.address)).map((command) => command.id)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (wanted.has(id)) continue
    wanted.add(id)
    pending.push(...(byId.get(id)?.dependsOn ?? []))
  }
  return commands.filter((command) => wanted.has(command.id))
}

type Selected = Pick<Plan, 'commands' | 'changes' | 'unchecked'>

/**
 * The same, but every address must have commands: otherwise it would be skipped silently. Throws TARGET_UNKNOWN with
 * the reason.
 */
export const selectTargets = (plan: Selected, targets: readonly string[] = []): readonly Command[] => {
  const { commands } = plan
  const addresses = new Set(commands.map((command) => command.address))
  const missing = targets.find((target) => !addresses.has(target))
  if (missing !== undefined) {
    throw new AppError('TARGET_UNKNOWN', { target: missing, ...defined({ why: whyNone(plan, missing) }) })
  }
  return commandsOf(commands, targets)
}

/** What the plan says about an address without commands. */
const whyNone = ({ changes, unchecked }: Selected, target: string): string | undefined => {
  const blocked = changes.find(({ address }) => address === target)?.blocked
  if (blocked !== undefined) return policyWords.blocked(blocked.reason, blocked.detail)
  const unread = unchecked.find(({ address }) => address === target)
  return unread === undefined ? undefined : policyWords.unchecked(unread.reason, unread.detail)
}

/** The only place that decides what an approval with targets covers: commands, changes, digest. Throws TARGET_UNKNOWN. */
export const narrowPlan = (plan: Plan, targets: readonly string[] = []): Plan => {
  if (targets.length === 0) return plan
  const commands = selectTargets(plan, targets)
  const addresses = new Set(commands.map(({ address }) => address))
  const changes = plan.changes.filter(({ address }) => addresses.has(address))
  return {
    ...plan,
    targets: [...targets],
    commands,
    changes,
    counts: { ...plan.counts, ...countActions(changes), blocked: 0, commands: commands.length },
    digests: { ...plan.digests, commands: digest(commands) },
  }
}
