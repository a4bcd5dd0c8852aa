import type { Command } from '../../../core/index.ts'

/** A part of a plan, as the API takes it. */
export interface PlanPart {
  readonly targets?: readonly string[]
  readonly exclude?: readonly string[]
}

/** The API takes so many addresses of a part, and an address line has an end. */
const mostAddresses = 500
const mostCharacters = 6_000

const fits = (addresses: readonly string[]): boolean =>
  addresses.length <= mostAddresses && encodeURIComponent(addresses.join(',')).length <= mostCharacters

/** An address with a comma or a star would be taken for several. */
const isPlain = (address: string): boolean => !/[,*]/.test(address)

/** All addresses of commands, in the order in which they are sent. */
export const addressesOf = (commands: readonly Command[]): readonly string[] => [
  ...new Set(commands.map(({ address }) => address)),
]

/**
 * How to ask for the commands of the chosen addresses; `undefined` if the API cannot be asked for so many. Empty: for all.
 */
export const partOf = (all: readonly string[], left: ReadonlySet<string>): PlanPart | undefined => {
  if (left.size === 0) return {}
  const chosen = all.filter((address) => !left.has(address))
  if (fits(chosen) && chosen.every(isPlain)) return { targets: chosen }
  const others = all.filter((address) => left.has(address))
  return fits(others) && others.every(isPlain) ? { exclude: others } : undefined
}

export const queryOf = ({ targets, exclude }: PlanPart): Readonly<Record<string, string>> => ({
  ...(targets && { targets: targets.join(',') }),
  ...(exclude && { exclude: exclude.join(',') }),
})
