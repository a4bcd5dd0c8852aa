import { isEqual } from '../../../diff/matching/canonical.ts'
import { readdress } from '../../../plan/record/readdress.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import type { MovedRecord } from './follow-moves.ts'

/** The two objects of a resource whose replacement stopped between its create and its delete. */
export interface TwoObjects {
  /** The record of the newer one, which is the resource's object from now on. */
  readonly now: RecordedResource
  readonly former: RecordedResource
  /** The address under which the one that is left is recorded, to be deleted. */
  readonly beside: Address
}

/** By the address of the resource. `isProof`: whether the ids of a record prove which object it is. */
export const twoObjectsIn = (
  recorded: readonly RecordedResource[],
  desired: ReadonlyMap<Address, DesiredResource>,
  isProof: (record: RecordedResource) => boolean,
): ReadonlyMap<Address, TwoObjects> => {
  const all = new Map(recorded.map((each) => [each.address, each]))
  return new Map(
    recorded.flatMap((second) => {
      const address = successorTo(second.address)
      const [own, there] = [all.get(address), desired.get(address)]
      if (own === undefined || own === second || there === undefined || there.absent || !isProof(second)) return []
      if (own.type !== second.type || own.doubted === 'sent' || isEqual(own.ids, second.ids)) return []
      const beside = second.address
      if (isAnswered(second)) return [[address, succeededBy(second, own, there)] as const]
      // A check has exchanged the two records already.
      return second.doubted === undefined ? [[address, { now: own, former: second, beside }] as const] : []
    }),
  )
}

/** `second`: the record of its create, with the ids of what that made. */
export const succeededBy = (second: RecordedResource, former: RecordedResource, own: DesiredResource): TwoObjects => ({
  now: readdress(undoubted(second), own),
  former,
  beside: second.address,
})

/**
 * The two records after such a replacement: the resource has the newer object, and the former one is left. Without this, the next
 * check would replace the object once more.
 */
export const followSuccessor = (
  records: Map<Address, MovedRecord>,
  address: Address,
  { now, former, beside }: TwoObjects,
): void => {
  records.set(address, { ...records.get(address), recorded: now })
  records.set(beside, { ...records.get(beside), recorded: { ...former, address: beside } })
}

/** The answer to its create was recorded, so the object exists or existed. */
const isAnswered = ({ doubted, ids, lastApplied }: RecordedResource): boolean =>
  doubted === 'sent' && ids !== undefined && lastApplied !== undefined

export const undoubted = ({ doubted: _, sentBy: __, ...record }: RecordedResource): RecordedResource => record
