import { AppError } from '../errors.ts'
import type { Command } from '../schema/command.ts'

/** The commands of the named addresses and all they depend on, in their order. All commands when nothing is named. */
export const selectTargets = (commands: readonly Command[], targets: readonly string[] = []): readonly Command[] => {
  if (targets.length === 0) return commands
  const byId = new Map(commands.map((command) => [command.id, command]))
  const addresses = new Set(commands.map((command) => command.address))
  const missing = targets.find((target) => !addresses.has(target))
  if (missing !== undefined) throw new AppError('TARGET_UNKNOWN', { target: missing })
  const wanted = new Set<string>()
  const pending = commands.filter((command) => targets.includes(command.address)).map((command) => command.id)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (wanted.has(id)) continue
    wanted.add(id)
    pending.push(...(byId.get(id)?.dependsOn ?? []))
  }
  return commands.filter((command) => wanted.has(command.id))
}
