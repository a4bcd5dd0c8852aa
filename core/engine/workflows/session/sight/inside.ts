import type { Address } from '../../../schema/resource.ts'
import type { ObservedResource } from '../plan/observation.ts'
import { isMissing } from './missing.ts'
import { isOwner, leadsOf } from './scopes.ts'
import { sightFaults } from './words.ts'

export const needsOf = ({ desired, recorded }: ObservedResource): readonly Address[] => [
  ...(desired?.dependsOn ?? []),
  ...(recorded?.dependsOn ?? []),
]

/**
 * Missing objects that are in one that is not seen, at any depth, with the reason: an answer that does not show the outer object says
 * nothing of the inner one. Of an outer object that could not be read, nothing is said of what was recorded in it.
 */
export const insideUnseen = (
  all: readonly ObservedResource[],
  unseen: ReadonlyMap<Address, string>,
): ReadonlyMap<Address, string> => {
  const known = new Map(all.map((one) => [one.address, one]))
  const parents = new Map<Address, Address | undefined>()
  const isHidden = (parent: ObservedResource, child: ObservedResource): boolean =>
    unseen.has(parent.address) ||
    (child.recorded !== undefined && isUnread(parent)) ||
    hiddenParentOf(parent) !== undefined
  const hiddenParentOf = (one: ObservedResource): Address | undefined => {
    const { address } = one
    if (parents.has(address) || unseen.has(address) || !isMissing(one)) return parents.get(address)
    // Two objects may name each other.
    parents.set(address, undefined)
    const found = needsOf(one).find((each) => {
      const parent = known.get(each)
      return parent !== undefined && contains(parent, one) && isHidden(parent, one)
    })
    parents.set(address, found)
    return found
  }
  return new Map(
    all.flatMap((one) => {
      const parent = hiddenParentOf(one)
      return parent === undefined ? [] : [[one.address, sightFaults.inside(parent)] as const]
    }),
  )
}

const contains = (parent: ObservedResource, child: ObservedResource): boolean =>
  leadsOf(child).some((lead) => isOwner(parent, lead, [child]))

/** A busy object was seen. */
const isUnread = ({ observed: { result } }: ObservedResource): boolean =>
  result.kind === 'unknown' && result.reason !== 'busy'
