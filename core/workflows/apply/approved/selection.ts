import type { Command } from '../../../schema/command.ts'
import type { Selection } from '../../../schema/plan.ts'
import type { Address } from '../../../schema/resource.ts'
import { addressPattern } from '../../../values/address.ts'

type Ordered = Pick<Command, 'id' | 'address' | 'dependsOn'>

export const isWhole = ({ targets = [], exclude = [] }: Selection): boolean => targets.length + exclude.length === 0

/** Whether one of the addresses or patterns means an address. */
export const meaning = (patterns: readonly string[]): ((address: Address) => boolean) => {
  const exact = new Set(patterns)
  const matchers = patterns.map(addressPattern)
  return (address) => exact.has(address) || matchers.some((means) => means(address))
}

/** Whether an address is selected for its own sake, and not as a dependency. */
export const covering = ({ targets = [], exclude = [] }: Selection): ((address: Address) => boolean) => {
  const [isTarget, isExcluded] = [meaning(targets), meaning(exclude)]
  return (address) => (targets.length === 0 || isTarget(address)) && !isExcluded(address)
}

/** The addresses that an exclusion takes away, each with the excluded address that it waits for. Commands are in order. */
export const takenBy = (
  commands: readonly Ordered[],
  exclude: readonly string[] = [],
): ReadonlyMap<Address, Address> => {
  const taken = new Map<Address, Address>()
  if (exclude.length === 0) return taken
  const isExcluded = meaning(exclude)
  const addresses = new Map(commands.map(({ id, address }) => [id, address]))
  for (const { address, dependsOn } of commands) {
    const cause = dependsOn.map((id) => taken.get(addresses.get(id) ?? '')).find((each) => each !== undefined)
    const by = isExcluded(address) ? address : cause
    if (by !== undefined && !taken.has(address)) taken.set(address, by)
  }
  return taken
}

/**
 * The commands of a selection, in order: those of its targets and of everything that these wait for, or all; without the
 * excluded ones and everything that waits for these.
 */
export const commandsOf = <Given extends Ordered>(
  commands: readonly Given[],
  selection: Selection,
): readonly Given[] => {
  if (isWhole(selection)) return commands
  const taken = takenBy(commands, selection.exclude)
  const isCovered = covering(selection)
  const byId = new Map(commands.map((command) => [command.id, command]))
  const wanted = new Set<string>()
  const pending = commands.filter(({ address }) => isCovered(address) && !taken.has(address)).map(({ id }) => id)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (wanted.has(id)) continue
    wanted.add(id)
    pending.push(...(byId.get(id)?.dependsOn ?? []))
  }
  return commands.filter(({ id }) => wanted.has(id))
}
