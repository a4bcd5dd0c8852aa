import { hasSameKeys } from '../../../binding/sight.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { isMark } from '../../../schema/value.ts'
import { mapMembers } from '../../../values/members.ts'
import { followMoves, type MovedRecord } from '../plan/follow-moves.ts'
import { followSuccessors, type TwoObjects, twoObjectsIn } from '../plan/follow-successors.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { type LoadedWorkspace, typeOf } from '../shared/loaded-workspace.ts'
import { findSuccessor, unansweredIn } from './find-successor.ts'
import { importedAs } from './imported-as.ts'

/** The records by address as a check follows them: where they moved to, and with the newer objects of replacements that stopped. */
export const followRecords = (loaded: LoadedWorkspace, recorded: readonly RecordedResource[]) => {
  const { resources, moved } = loaded.configuration
  const desired: ReadonlyMap<Address, DesiredResource> = new Map(resources.map((each) => [each.address, each]))
  const isProof = ({ provider, type }: RecordedResource): boolean =>
    typeOf(loaded, provider, type)?.identity?.ids === 'stable'
  const twoObjects = new Map<Address, TwoObjects>(twoObjectsIn(recorded, desired, isProof))
  // What the configuration refers to is not known yet, and contradicts nothing.
  const isNamedAs = ({ attributes }: RecordedResource, one: DesiredResource | undefined): boolean => {
    const { schema } = (one && typeOf(loaded, one.provider, one.type)) ?? {}
    const said = mapMembers(one?.attributes ?? {}, (value) => (isMark(value) ? undefined : value))
    return schema !== undefined && hasSameKeys(schema, attributes, said)
  }
  const now = followSuccessors(recorded, twoObjects)
  const records = new Map<Address, MovedRecord>(followMoves(now, moved, desired, isNamedAs))
  const unanswered = unansweredIn(recorded)
  return {
    desired,
    records,
    twoObjects,
    /** Before a resource is read: what it depends on was read, and so its container is known. */
    followUnanswered: async (
      address: Address,
      read: (recorded: RecordedResource) => Promise<ObservedResource>,
    ): Promise<void> => {
      const own = desired.get(address)
      const type = own && typeOf(loaded, own.provider, own.type)
      const { ids: named = {} } = (type && importedAs(loaded.imports.get(address), type)) ?? {}
      const found = await findSuccessor(own, unanswered.get(address) ?? [], named, records, read)
      if (found === undefined) return
      twoObjects.set(address, found)
      records.set(address, { recorded: found.now })
      records.set(found.beside, { recorded: { ...found.former, address: found.beside } })
    },
  }
}
