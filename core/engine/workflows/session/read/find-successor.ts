import { sight } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import type { MovedRecord } from '../plan/follow-moves.ts'
import { succeededBy, type TwoObjects, undoubted } from '../plan/follow-successors.ts'
import { type ObservedResource, rulesOf } from '../plan/observation.ts'

type ServerIds = Readonly<Record<string, string>>

/** The creates of replacements that were sent and got no answer, by the resource. */
export const unansweredIn = (
  recorded: readonly RecordedResource[],
): ReadonlyMap<Address, readonly RecordedResource[]> =>
  Map.groupBy(
    recorded.filter(
      (each) => each.doubted === 'sent' && each.ids === undefined && successorTo(each.address) !== each.address,
    ),
    ({ address }) => successorTo(address),
  )

/**
 * The two objects of a resource whose replacement sent a create without an answer, once a person has named the newer one (`named`):
 * whatever has its name and what was sent may be of others, and the former object would be deleted for it.
 */
export const findSuccessor = async (
  own: DesiredResource | undefined,
  [second, ...others]: readonly RecordedResource[],
  named: ServerIds,
  records: ReadonlyMap<Address, MovedRecord>,
  read: (recorded: RecordedResource) => Promise<ObservedResource>,
): Promise<TwoObjects | undefined> => {
  const former = own && records.get(own.address)?.recorded
  if (own === undefined || own.absent || second === undefined || others.length > 0) return undefined
  if (former?.ids === undefined || former.type !== second.type || former.doubted === 'sent') return undefined
  const known = [...records.values()].filter(({ recorded }) => recorded.type === second.type)
  if (Object.keys(named).length === 0 || known.some(({ recorded }) => isWithin(named, recorded.ids ?? {})))
    return undefined
  const found = await read({ ...undoubted(second), ids: named })
  const ids = found.type?.identity?.ids === 'stable' ? madeAs(second, found) : undefined
  return ids === undefined ? undefined : succeededBy({ ...second, ids }, former, own)
}

const isWithin = (ids: ServerIds, known: ServerIds): boolean =>
  Object.entries(ids).every(([name, id]) => known[name] === id)

/** The ids of an object that has its keys, and whatever else was sent that never changes. */
const madeAs = (
  { attributes, refersBy = [] }: RecordedResource,
  { observed: { result }, place, type }: ObservedResource,
): ServerIds | undefined => {
  if (type === undefined || result.kind !== 'present') return undefined
  const recorded = { attributes: normalise(type.schema, attributes, 'recorded'), refersBy }
  const seen = sight({ schema: type.schema, rules: rulesOf(type), place, recorded }, result)
  return seen.kind === 'present' && seen.recorded === 'same' && seen.differs === undefined ? result.ids : undefined
}
