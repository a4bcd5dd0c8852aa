import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Selection } from '../../../schema/stored/plan.ts'
import { addressPattern } from '../../../values/addresses/address.ts'

type SelectedCommand = Pick<Command, 'id' | 'address' | 'dependsOn'>

export const isWhole = ({ targets = [], exclude = [] }: Selection): boolean => targets.length + exclude.length === 0

/** Whether an address equals or matches one of the patterns. */
export const meaning = (patterns: readonly string[]): ((address: Address) => boolean) => {
  const exact = new Set(patterns)
  const matchers = patterns.map(addressPattern)
  return (address) => exact.has(address) || matchers.some((means) => means(address))
}

/** Whether an address is selected itself, and not only as a dependency. */
export const covering = ({ targets = [], exclude = [] }: Selection): ((address: Address) => boolean) => {
  const [isTarget, isExcluded] = [meaning(targets), meaning(exclude)]
  return (address) => (targets.length === 0 || isTarget(address)) && !isExcluded(address)
}

/** The addresses that an exclusion removes, each with the excluded address that it waits for. */
export const takenBy = (
  commands: readonly SelectedCommand[],
  exclude: readonly string[] = [],
): ReadonlyMap<Address, Address> => {
  const taken = new Map<Address, Address>()
  if (exclude.length === 0) return taken
  const isExcluded = meaning(exclude)
  const waiting = new Map<Address, Set<Address>>()
  for (const [address, needs] of needsOf(commands)) {
    if (isExcluded(address)) taken.set(address, address)
    for (const needed of needs) waiting.set(needed, (waiting.get(needed) ?? new Set()).add(address))
  }
  // The iteration also visits entries that are added meanwhile.
  for (const [address, by] of taken) {
    for (const each of waiting.get(address) ?? []) if (!taken.has(each)) taken.set(each, by)
  }
  return taken
}

/**
 * The commands of a selection, in order: those of its targets and of everything that these wait for, or all commands;
 * without the excluded resources and everything that waits for these. A resource is selected as a whole, so that the
 * old object of a replacement is not removed before its dependents are changed, and does not stay beside its successor.
 */
export const commandsOf = <Given extends SelectedCommand>(
  commands: readonly Given[],
  selection: Selection,
): readonly Given[] => {
  if (isWhole(selection)) return commands
  const taken = takenBy(commands, selection.exclude)
  const isCovered = covering(selection)
  const needs = needsOf(commands)
  const covered = new Set([...needs.keys()].filter((address) => isCovered(address) && !taken.has(address)))
  // The iteration also visits entries that are added meanwhile.
  for (const address of covered) for (const needed of needs.get(address) ?? []) covered.add(needed)
  return commands.filter(({ address }) => covered.has(address))
}

const needsOf = (commands: readonly SelectedCommand[]): ReadonlyMap<Address, ReadonlySet<Address>> => {
  const addresses = new Map(commands.map(({ id, address }) => [id, address]))
  const needs = new Map<Address, Set<Address>>()
  for (const { address, dependsOn } of commands) {
    const needed = needs.get(address) ?? new Set()
    for (const id of dependsOn) {
      const other = addresses.get(id)
      if (other !== undefined && other !== address) needed.add(other)
    }
    needs.set(address, needed)
  }
  return needs
}
