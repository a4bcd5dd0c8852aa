import type { Address, RecordedResource } from '../schema/resource.ts'
import type { Gone, Move, PlaceMove, Removed } from '../schema/rules.ts'
import type { IdleEntry } from '../schema/stored/plan.ts'
import { addressPattern, isWithin } from '../values/addresses/address.ts'
import { isModuleAddress } from '../values/addresses/moves.ts'
import { successorTo } from '../values/addresses/successor.ts'
import { defined, present } from '../values/defined.ts'
import { nearestWord } from '../values/texts/nearest-word.ts'

/** What a check found at the addresses that entries of the configuration name. */
export interface EntryFacts {
  /** As recorded before this check. */
  readonly recorded: readonly Address[]
  /** By their former addresses. */
  readonly moved: ReadonlyMap<Address, Address>
  /** Recorded, and no longer declared. */
  readonly left: readonly Address[]
  /** Recorded, and the object of the record is there. */
  readonly present: ReadonlySet<Address>
}

type RecordedPlace = Pick<RecordedResource, 'provider' | 'place'>

/** A long type makes two names alike that are not, so the parts before and after the last dot are compared by themselves. */
const nearestAddress = (address: Address, known: readonly Address[]): Address | undefined => {
  const [before, after] = partsOf(address)
  const parts = known.map((each) => [each, ...partsOf(each)] as const)
  const names = parts.flatMap(([, type, name]) => (type === before ? [name] : []))
  const types = parts.flatMap(([, type, name]) => (name === after ? [type] : []))
  const [name, type] = [nearestWord(after, names), nearestWord(before, types)]
  return parts.find((part) => (part[1] === before && part[2] === name) || (part[2] === after && part[1] === type))?.[0]
}

const partsOf = (address: Address): readonly [string, string] => {
  const end = address.lastIndexOf('.')
  return [address.slice(0, Math.max(end, 0)), address.slice(end + 1)]
}

export const findIdleRemoved = (
  entries: readonly Removed[],
  { recorded, left }: Pick<EntryFacts, 'recorded' | 'left'>,
): readonly IdleEntry[] => {
  const known = recorded.map(successorTo)
  return entries.flatMap(({ address, reason }): readonly IdleEntry[] => {
    if (known.some((each) => isWithin(each, address))) return []
    return [{ kind: 'removed', address, why: 'no_record', reason, ...defined({ near: nearestAddress(address, left) }) }]
  })
}

/** A move that was done by an earlier check has had its effect, and is not told. */
export const findIdleMoves = (entries: readonly Move[], facts: EntryFacts): readonly IdleEntry[] => {
  const [recorded, goals, left] = [new Set(facts.recorded), new Set(facts.moved.values()), new Set(facts.left)]
  const within = (addresses: Iterable<Address>, named: Address): boolean =>
    [...addresses].some((address) => isWithin(address, named))
  const isIn = (addresses: ReadonlySet<Address> | ReadonlyMap<Address, unknown>, named: Address): boolean =>
    addresses.has(named) || (isModuleAddress(named) && within(addresses.keys(), named))
  return entries.flatMap(({ from, to }): readonly IdleEntry[] => {
    if (isIn(facts.moved, from)) return []
    const entry = { kind: 'moved', address: from, to } as const
    // What is still declared exchanges its object with another one, once.
    if (isIn(recorded, from)) return isIn(left, from) ? [{ ...entry, why: 'taken' }] : []
    if (isIn(recorded, to) || isIn(goals, to)) return []
    return [{ ...entry, why: 'no_record', ...defined({ near: nearestAddress(from, facts.left) }) }]
  })
}

/** The same for the places of providers: a place that nothing was seen at, and that the records do not have from an earlier check. */
export const findIdlePlaces = (
  entries: readonly PlaceMove[],
  recorded: readonly RecordedPlace[],
): readonly IdleEntry[] =>
  entries.flatMap(({ provider, from, to }): readonly IdleEntry[] => {
    const places = new Set(recorded.flatMap((each) => (each.provider === provider ? present(each.place) : [])))
    if (places.has(from) || places.has(to)) return []
    const near = defined({ near: nearestWord(from, places) })
    return [{ kind: 'moved', provider, address: from, to, why: 'no_record', ...near }]
  })

export const findIdleGone = (entries: readonly Gone[], { recorded, present }: EntryFacts): readonly IdleEntry[] =>
  entries.flatMap(({ address, reason }): readonly IdleEntry[] => {
    const meant = recorded.filter(addressPattern(address))
    const entry = { kind: 'gone', address, reason } as const
    if (meant.length === 0)
      return [{ ...entry, why: 'no_record', ...defined({ near: nearestAddress(address, recorded) }) }]
    return meant.every((each) => present.has(each)) ? [{ ...entry, why: 'present' }] : []
  })
