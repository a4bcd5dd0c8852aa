import { readdress } from '../../../plan/record/readdress.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { Move } from '../../../schema/rules.ts'
import { isExchanged, nextAddressBy } from '../../../values/addresses/moves.ts'
import { successorTo } from '../../../values/addresses/successor.ts'

export interface MovedRecord {
  readonly recorded: RecordedResource
  readonly previousAddress?: Address
}

/**
 * The records by address after the moves of the configuration, with their former addresses. A record moves only to a
 * declared resource of its type that has no record, or that exchanges it. The entries of an exchange stay in the configuration, so they
 * have effect only while each record is named (`isNamedAs`) as its new address is declared, and not as its own.
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
  const hasSecond = new Set(
    recorded.map(({ address }) => successorTo(address)).filter((owner, n) => owner !== recorded[n]?.address),
  )
  const isReady = (from: Address): boolean => {
    const [own, there] = [all.get(from)?.recorded, desired.get(next(from) ?? '')]
    if (own === undefined || own.type !== there?.type || hasSecond.has(from)) return false
    return isNamedAs(own, there) && !isNamedAs(own, desired.get(from))
  }
  for (const [from, { recorded: own }] of [...all].filter(([address]) => isExchanged(address, next, isReady))) {
    const there = desired.get(next(from) ?? '')
    if (there === undefined) continue
    moved.set(from, there.address)
    all.set(there.address, { recorded: readdress(own, there), previousAddress: from })
  }
  for (const from of inOrder(recorded, moves)) {
    const to = endOf(from, next, desired)
    const [found, desiredThere] = [all.get(from), desired.get(to)]
    if (found === undefined || desiredThere === undefined || all.has(to) || found.recorded.type !== desiredThere.type)
      continue
    moved.set(from, to)
    all.delete(from)
    all.set(to, { recorded: readdress(found.recorded, desiredThere), previousAddress: from })
  }
  return new Map([...all].map(([address, each]) => [address, { ...each, recorded: withParents(each.recorded, moved) }]))
}

/**
 * Resources that are moved one by one come before those that are moved with their module: if two lead to one address,
 * the first gets it.
 */
const inOrder = (recorded: readonly RecordedResource[], moves: readonly Move[]): ReadonlySet<Address> =>
  new Set([...moves.map(({ from }) => from), ...recorded.map(({ address }) => address)])

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
