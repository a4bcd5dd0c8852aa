import { unclear } from '../../../binding/words.ts'
import type { Address } from '../../../schema/resource.ts'
import type { BoundResource } from '../plan/observation.ts'
import { meets } from '../shared/leads.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Base } from './base.ts'
import { placeIn } from './faces.ts'

/**
 * Resources of a preview that would be in an object of its base, or be identified by one, with the reason. What they refer to
 * decides, and not the URL: a parent may be in the body alone.
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
      const found = (type?.leads?.(desiredAttributes) ?? []).flatMap((lead) =>
        (lead.type === undefined ? [] : (owners.get(placeIn(loaded, provider, lead.type)) ?? [])).map(
          (owner) => [owner.address, meets(lead, owner)] as const,
        ),
      )
      const [held] = found.find(([, how]) => how === 'yes') ?? []
      const [vague] = found.find(([, how]) => how === 'perhaps') ?? []
      if (held !== undefined) return [[address, unclear.heldIn(base.name, held)] as const]
      return vague === undefined ? [] : [[address, unclear.mayBeHeldIn(base.name, vague)] as const]
    }),
  )
}
