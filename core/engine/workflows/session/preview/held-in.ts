import { unclear } from '../../../binding/words.ts'
import type { Lead } from '../../../provider/references.ts'
import type { Address } from '../../../schema/resource.ts'
import { meets } from '../plan/leads.ts'
import type { BoundResource } from '../plan/observation.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Base } from './base.ts'
import { placeIn } from './faces.ts'

/**
 * Resources of a preview that would be in an object of its base, be identified by one, or refer to one in another way, with the
 * reason. What they refer to decides, and not the URL: a parent may be in the body alone, at any depth, and it may be one that a
 * later write can change. By its address such an object of the base is not to be had either.
 */
export const heldIn = (
  base: Base,
  read: readonly BoundResource[],
  loaded: LoadedWorkspace,
  all: readonly BoundResource[],
): ReadonlyMap<Address, string> => {
  const owners = Map.groupBy(
    read.filter(({ type }) => type?.identity?.isShared !== true),
    ({ provider, type, desired, recorded }) =>
      placeIn(base.loaded, provider, type?.name ?? (desired ?? recorded)?.type ?? ''),
  )
  return new Map(
    all.flatMap(({ address, type, provider, desired, desiredAttributes = {} }) => {
      if (desired === undefined || desired.absent || type?.identity?.isShared) return []
      const ownersOf = (leads: readonly Lead[]) =>
        leads.flatMap((lead) =>
          (lead.type === undefined ? [] : (owners.get(placeIn(loaded, provider, lead.type)) ?? [])).map(
            (owner) => [owner.address, meets(lead, owner)] as const,
          ),
        )
      const around = ownersOf(type?.leads?.(desiredAttributes) ?? [])
      const used = ownersOf(type?.uses?.(desiredAttributes) ?? [])
      const isHeld = ([, how]: (typeof used)[number]): boolean => how === 'yes'
      const [held] = around.find(isHeld) ?? []
      if (held !== undefined) return [[address, unclear.heldIn(base.name, held)] as const]
      const [named] = used.find(isHeld) ?? []
      if (named !== undefined) return [[address, unclear.refersToHeld(base.name, named)] as const]
      const [vague] = [...around, ...used].find(([, how]) => how === 'perhaps') ?? []
      return vague === undefined ? [] : [[address, unclear.mayBeHeldIn(base.name, vague)] as const]
    }),
  )
}
