import { textsOf } from '../../../binding/other-workspace.ts'
import { normalise } from '../../../diff/normalise.ts'
import { orphanOf } from '../../../plan/orphans.ts'
import { readdress } from '../../../plan/record/readdress.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { Move } from '../../../schema/rules.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { defined } from '../../../values/defined.ts'
import type { MovedRecord } from '../plan/follow-moves.ts'
import { type BoundResource, type ObservedResource, rulesOf } from '../plan/observation.ts'
import { type LoadedWorkspace, movedAway } from '../shared/loaded-workspace.ts'

/** A declared resource as it was read, and the record of another address by which that was done. */
export interface ReadByKeys {
  readonly one: ObservedResource
  readonly recorded?: RecordedResource
  /** The address that this record had; nothing is declared under it any more. */
  readonly previousAddress?: Address
}

/** The former address of a record that another one has now is no object of its own any more. */
export const withMoved = (all: ReadonlyMap<Address, BoundResource>): ReadonlyMap<Address, BoundResource> => {
  const moved = new Map(
    [...all.values()].flatMap((each) =>
      each.previousAddress === undefined ? [] : [[each.previousAddress, each.address] as const],
    ),
  )
  const movedTo = ({ address, desired }: BoundResource) => (desired === undefined ? moved.get(address) : undefined)
  return new Map([...all].map(([address, each]) => [address, { ...each, ...defined({ movedTo: movedTo(each) }) }]))
}

/**
 * The moves to the new addresses of resources whose replacement is under way, if one was not known: what is recorded of that follows
 * them, as if an entry of `moved` said so, and then everything is decided anew. Equal reads are answered from the cache.
 */
export const renamedBeside = (
  all: ReadonlyMap<Address, BoundResource>,
  known: readonly Move[] = [],
): readonly Move[] | undefined => {
  const replaced = new Set([...all.keys()].filter((each) => successorTo(each) !== each).map(successorTo))
  const found = [...all.values()].flatMap(({ address, previousAddress: from }) => {
    const isNew = from !== undefined && replaced.has(from) && known.every((each) => each.from !== from)
    return isNew ? [{ from, to: address }] : []
  })
  return found.length === 0 ? undefined : [...found, ...known]
}

interface RecordsAround {
  readonly loaded: LoadedWorkspace
  readonly desired: ReadonlyMap<Address, DesiredResource>
  readonly records: ReadonlyMap<Address, MovedRecord>
}

/**
 * A declared resource without a record whose keys are recorded under another address. If nothing is declared there any more, only
 * the address has changed, and the record says which object it is. If something is, the record can only contradict: the object
 * under its keys is another one, which others made.
 */
export const followKeys = async (
  first: ObservedResource,
  known: RecordsAround,
  readWith: (recorded: RecordedResource) => Promise<ObservedResource>,
): Promise<ReadByKeys> => {
  const own = known.desired.get(first.address)
  if (own === undefined) return { one: first }
  const found: Required<ReadByKeys>[] = []
  for (const record of recordsLike(first, own, known)) {
    const recorded = readdress(record, own)
    const one = await readWith(recorded)
    found.push({ one, recorded, previousAddress: record.address })
  }
  const left = found.filter(({ previousAddress }) => !known.desired.has(previousAddress))
  const taken = left.find(({ one }) => one.isOwn) ?? left[0]
  if (taken !== undefined) return taken
  const contradicting = found.find(({ one }) => one.isRemade)
  return contradicting === undefined ? { one: first } : { one: contradicting.one, recorded: contradicting.recorded }
}

const recordsLike = (
  first: ObservedResource,
  own: DesiredResource,
  { loaded, records }: RecordsAround,
): readonly RecordedResource[] => {
  const { type, place, desiredAttributes, recorded } = first
  const isDecided = recorded !== undefined || loaded.imports.has(first.address) || own.lifecycle.readOnly === true
  if (isDecided || type === undefined || desiredAttributes === undefined) return []
  if (type.identity?.isShared || type.identity?.followsKeys) return []
  const textOf = keyTextBy(type, place)
  const text = textOf(desiredAttributes)
  if (text === undefined) return []
  return [...records.values()]
    .map((each) => each.recorded)
    .filter((each) => isOfSameTarget(each, own, loaded) && !isReleased(each, loaded))
    .filter(({ attributes }) => textOf(normalise(type.schema, attributes, 'recorded')) === text)
}

/** `undefined` where a key is not known. */
const keyTextBy = (type: ResourceType, place: string) => {
  const rules = { schema: type.schema, identity: rulesOf(type), place, urlOf: type.urlOf?.bind(type) }
  return (attributes: RecordedResource['attributes']): string | undefined => textsOf(rules, { attributes })[0]
}

const isOfSameTarget = (record: RecordedResource, own: DesiredResource, loaded: LoadedWorkspace): boolean =>
  record.type === own.type &&
  (record.provider === own.provider || record.place !== undefined) &&
  movedAway(loaded, own.provider, record) === undefined

/** Somebody said that the object of the record is gone, or is left alone; a second object of a replacement is no record of its own. */
const isReleased = (record: RecordedResource, { configuration, isGone }: LoadedWorkspace): boolean =>
  successorTo(record.address) !== record.address ||
  isGone(record.address) ||
  orphanOf(record, configuration).by === 'removed'
