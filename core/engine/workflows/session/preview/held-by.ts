import { heldElsewhere } from '../../../binding/other-workspace.ts'
import { keysOf } from '../../../binding/sight.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Held } from '../plan/bind-resources.ts'
import type { BoundResource } from '../plan/observation.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Base } from './base.ts'
import { facesIn } from './faces.ts'
import { heldIn } from './held-in.ts'

/** Finds resources of a preview whose objects are declared or recorded in its base, or are in such an object. */
export const heldBy =
  (base: Base, read: readonly BoundResource[], loaded: LoadedWorkspace): Held =>
  (all) => {
    const own = all.filter(isWritten)
    return new Map([
      ...heldIn(base, read, loaded, own),
      ...heldElsewhere(base.name, facesIn(base.loaded, read), facesIn(loaded, own)),
    ])
  }

/** What is only read belongs neither to a preview nor to its base. */
export const isWritten = ({ desired }: BoundResource): boolean => desired?.lifecycle.readOnly !== true

/**
 * Settings exist with the object that they are in, so nobody creates them. They belong to a preview if their keys refer
 * to an object that the preview created or will create.
 */
export const withOwnSettings = (all: ReadonlyMap<Address, BoundResource>): ReadonlyMap<Address, BoundResource> => {
  const isMade = (address: Address): boolean => {
    const { type, isOwn, observed, desired } = all.get(address) ?? {}
    if (type === undefined || type.identity?.followsKeys || type.identity?.isShared) return false
    return isOwn === true || (observed?.result.kind === 'absent' && desired?.absent === false)
  }
  const isOwnSetting = ({ type, desired, observed }: BoundResource): boolean => {
    if (type?.identity?.followsKeys !== true || observed.result.kind !== 'present') return false
    const keys = keysOf(type.schema)
    return desired?.refersBy?.some((name) => keys.includes(name)) === true && desired.dependsOn.some(isMade)
  }
  return new Map([...all].map(([address, each]) => [address, isOwnSetting(each) ? { ...each, isOwn: true } : each]))
}
