import { sight } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { present } from '../../../values/defined.ts'
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
 * The two objects of a resource whose replacement sent a create without an answer. As where any answer is lost, the object that has
 * its name and what was sent is the one that was made; here it is so if it is the only one besides the former object, which its id
 * tells apart.
 */
export const findSuccessor = async (
  own: DesiredResource | undefined,
  [second, ...others]: readonly RecordedResource[],
  records: ReadonlyMap<Address, MovedRecord>,
  read: (recorded: RecordedResource) => Promise<ObservedResource>,
): Promise<TwoObjects | undefined> => {
  const former = own && records.get(own.address)?.recorded
  if (own === undefined || own.absent || second === undefined || others.length > 0) return undefined
  if (former?.ids === undefined || former.type !== second.type || former.doubted === 'sent') return undefined
  const byName = await read(undoubted(second))
  if (byName.type?.identity?.ids !== 'stable') return undefined
  const known = [...records.values()].filter(({ recorded }) => recorded.type === second.type)
  const isRecorded = (ids: ServerIds): boolean => known.some(({ recorded }) => isWithin(ids, recorded.ids ?? {}))
  const free = namedIn(byName).filter((ids) => !isRecorded(ids))
  const found = await Promise.all(free.map((ids) => read({ ...undoubted(second), ids })))
  if (found.some(({ observed }) => observed.result.kind === 'unknown')) return undefined
  const [ids, another] = present(...found.map((each) => madeAs(second, each)))
  return ids === undefined || another !== undefined ? undefined : succeededBy({ ...second, ids }, former, own)
}

const namedIn = ({ observed: { result } }: ObservedResource): readonly ServerIds[] => {
  if (result.kind === 'present') return result.ids === undefined ? [] : [result.ids]
  return result.kind === 'unknown' ? (result.among ?? []) : []
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
