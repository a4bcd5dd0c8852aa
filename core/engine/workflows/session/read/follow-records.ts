import { hasSameKeys } from '../../../binding/sight.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import type { Move } from '../../../schema/rules.ts'
import { isMark } from '../../../schema/value.ts'
import { mapMembers } from '../../../values/members.ts'
import { followMoves, type MovedRecord } from '../plan/follow-moves.ts'
import { followSuccessor, type TwoObjects, twoObjectsIn } from '../plan/follow-successors.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { type LoadedWorkspace, typeOf } from '../shared/loaded-workspace.ts'
import { findSuccessor, unansweredIn } from './find-successor.ts'
import { importedAs } from './imported-as.ts'

/**
 * The records by address as a check follows them: where they moved to, and then with the newer objects of replacements that stopped.
 * `renamed`: moves that were found and that no entry names.
 */
export const followRecords = (
  loaded: LoadedWorkspace,
  recorded: readonly RecordedResource[],
  renamed: readonly Move[] = [],
) => {
  const { resources, moved } = loaded.configuration
  const desired: ReadonlyMap<Address, DesiredResource> = new Map(resources.map((each) => [each.address, each]))
  const isProof = ({ provider, type }: RecordedResource): boolean =>
    typeOf(loaded, provider, type)?.identity?.ids === 'stable'
  // What the configuration refers to is not known yet, and contradicts nothing.
  const isNamedAs = ({ attributes }: RecordedResource, one: DesiredResource | undefined): boolean => {
    const { schema } = (one && typeOf(loaded, one.provider, one.type)) ?? {}
    const said = mapMembers(one?.attributes ?? {}, (value) => (isMark(value) ? undefined : value))
    return schema !== undefined && hasSameKeys(schema, attributes, said)
  }
  const records = new Map<Address, MovedRecord>(followMoves(recorded, [...renamed, ...moved], desired, isNamedAs))
  const there = [...records.values()].map((each) => each.recorded)
  const twoObjects = new Map<Address, TwoObjects>(twoObjectsIn(there, desired, isProof))
  for (const [address, two] of twoObjects) followSuccessor(records, address, two)
  const unanswered = unansweredIn(there)
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
      followSuccessor(records, address, found)
    },
  }
}
