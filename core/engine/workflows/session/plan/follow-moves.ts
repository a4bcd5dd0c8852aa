import { readdress } from '../../../plan/record/readdress.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { Move } from '../../../schema/rules.ts'
import { isExchanged, nextAddressBy } from '../../../values/addresses/moves.ts'
import { movedWith, successorOf, successorTo } from '../../../values/addresses/successor.ts'

export interface MovedRecord {
  readonly recorded: RecordedResource
  readonly previousAddress?: Address
}

/**
 * The records by address after the moves of the configuration, with their former addresses. A record moves only to a
 * declared resource of its type that has no record, or that exchanges it, and what is recorded of its replacement goes with it. The
 * entries of an exchange stay in the configuration, so they have effect only while each record is named (`isNamedAs`) as its new
 * address is declared, and not as its own.
 */
export const followMoves = (
  recorded: readonly RecordedResource[],
  moves: readonly Move[],
  desired: ReadonlyMap<Address, DesiredResource>,
  isNamedAs: (record: RecordedResource, resource: DesiredResource | undefined) => boolean,
): ReadonlyMap<Address, MovedRecord> => {
  const all = new Map<Address, MovedRecord>(recorded.map((each) => [each.address, { recorded: each }]))
  if (moves.length === 0) return all
  const moved = new Map<Address, Address>()
  const next = nextAddressBy(moves)
  const byOwner = Map.groupBy(recorded, ({ address }) => successorTo(address))
  const hasSecond = (owner: Address): boolean => byOwner.get(owner)?.some(({ address }) => address !== owner) === true
  const isReady = (from: Address): boolean => {
    const [own, there] = [all.get(from)?.recorded, desired.get(next(from) ?? '')]
    if (own === undefined || own.type !== there?.type || hasSecond(from)) return false
    return isNamedAs(own, there) && !isNamedAs(own, desired.get(from))
  }
  for (const [from, { recorded: own }] of [...all].filter(([address]) => isExchanged(address, next, isReady))) {
    const there = desired.get(next(from) ?? '')
    if (there === undefined) continue
    moved.set(from, there.address)
    all.set(there.address, { recorded: readdress(own, there), previousAddress: from })
  }
  // If two lead to one address, the first gets it: what is moved by itself, before what is moved with its module.
  for (const from of new Set([...moves.map((move) => move.from), ...byOwner.keys()])) {
    const to = endOf(from, next, desired)
    const [own = [], there] = [byOwner.get(from), desired.get(to)]
    if (own.length === 0 || to === from || there === undefined || all.has(to)) continue
    if (own.some(({ type }) => type !== there.type)) continue
    moved.set(from, to)
    for (const { address: before } of own) {
      const [found, under = to] = [all.get(before), movedWith(before, () => to)]
      if (found === undefined) continue
      const address = all.has(under) ? successorOf(to, (each) => all.has(each)) : under
      all.delete(before)
      all.set(address, { recorded: readdress(found.recorded, { ...there, address }), previousAddress: before })
    }
  }
  return new Map([...all].map(([address, each]) => [address, { ...each, recorded: withParents(each.recorded, moved) }]))
}

/** A record must name the resources that it depends on also after these moved. */
const withParents = (record: RecordedResource, moved: ReadonlyMap<Address, Address>): RecordedResource =>
  record.dependsOn.some((each) => moved.has(each))
    ? { ...record, dependsOn: record.dependsOn.map((each) => moved.get(each) ?? each) }
    : record

const endOf = (
  from: Address,
  next: (address: Address) => Address | undefined,
  desired: ReadonlyMap<Address, unknown>,
): Address => {
  if (desired.has(from)) return from
  const passed = new Set([from])
  let at = next(from) ?? from
  while (!desired.has(at) && !passed.has(at)) {
    passed.add(at)
    at = next(at) ?? at
  }
  return at
}
