import { isEqual } from '../../../diff/matching/canonical.ts'
import { readdress } from '../../../plan/record/readdress.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { successorTo } from '../../../values/addresses/successor.ts'

/**
 * The records as they are after a replacement that stopped between the create and the delete: the resource has the
 * record of its successor, and the old object is left to be deleted, under the address of the successor. Without this,
 * the next check would replace the object once more. `isProof`: whether the ids of a record prove which object it is.
 */
export const followSuccessors = (
  recorded: readonly RecordedResource[],
  desired: ReadonlyMap<Address, DesiredResource>,
  isProof: (record: RecordedResource) => boolean,
): readonly RecordedResource[] => {
  const successors = new Map(
    recorded
      .filter((each) => successorTo(each.address) !== each.address && isAnswered(each) && isProof(each))
      .map((each) => [successorTo(each.address), each]),
  )
  if (successors.size === 0) return recorded
  const own = new Map(recorded.map((each) => [each.address, each]))
  const changed = new Map<Address, RecordedResource>()
  for (const [address, successor] of successors) {
    const [old, desiredThere] = [own.get(address), desired.get(address)]
    if (old === undefined || desiredThere === undefined || desiredThere.absent || old.type !== successor.type) continue
    if (old.doubted === 'sent' || isEqual(old.ids, successor.ids)) continue
    changed.set(address, readdress(successor, desiredThere))
    changed.set(successor.address, { ...old, address: successor.address })
  }
  return recorded.map((each) => changed.get(each.address) ?? each)
}

/** The answer to its create was recorded, so the object exists or existed. */
const isAnswered = ({ doubted, ids, lastApplied }: RecordedResource): boolean =>
  doubted === 'sent' && ids !== undefined && lastApplied !== undefined
