import { type FoundResource, findStrayed, type Strayed } from '../../../binding/find-strayed.ts'
import { type Sharing, shareObjects } from '../../../binding/share-objects.ts'
import { unclear } from '../../../binding/words.ts'
import { readdress } from '../../../plan/record/readdress.ts'
import type { Address } from '../../../schema/resource.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import { defined } from '../../../values/defined.ts'
import { claimsOf, wantsOf } from './claims.ts'
import { ambiguous, type BoundResource } from './observation.ts'

/**
 * Binds all resources together, so that no object belongs to two of them, and an object whose parent is another object
 * now is not certain.
 */
export const bindResources = (
  given: ReadonlyMap<Address, BoundResource>,
  held: Held = () => new Map(),
): ReadonlyMap<Address, BoundResource> => {
  const succeeded = succeededIn([...given.values()])
  const resources = mapValues(withStrayedIn(given), (each, address) => withSuccessor(each, succeeded.has(address)))
  const all = [...resources.values()]
  const shared = shareObjects(all.flatMap(claimsOf), all.flatMap(wantsOf))
  const foreign = held(all)
  const bound = mapValues(resources, (each, address) =>
    withHeld(withSharing(each, shared.get(address), resources), foreign.get(address)),
  )
  // A parent may have become unclear only now.
  return withUnknownParents(withStrayedIn(bound))
}

const mapValues = <Value>(
  all: ReadonlyMap<Address, Value>,
  change: (value: Value, address: Address) => Value,
): ReadonlyMap<Address, Value> => new Map([...all].map(([address, each]) => [address, change(each, address)]))

/** Resources whose objects belong or may belong to another workspace, with the reason. */
export type Held = (all: readonly BoundResource[]) => ReadonlyMap<Address, string>

const withHeld = (bound: BoundResource, why: string | undefined): BoundResource => {
  if (why === undefined) return bound
  const { movedTo: _, ...rest } = bound
  return { ...rest, observed: ambiguous(why), isOwn: false }
}

/**
 * An object counts as absent if its parent will be created. If it is unknown which object the parent is, the object may
 * exist after all.
 */
const withUnknownParents = (all: ReadonlyMap<Address, BoundResource>): ReadonlyMap<Address, BoundResource> => {
  const parents = new Map<Address, Address | undefined>()
  const unknownParentOf = (address: Address): Address | undefined => {
    if (parents.has(address)) return parents.get(address)
    const { isAssumed, desired } = all.get(address) ?? {}
    const parent = isAssumed ? desired?.dependsOn.find(isUnknown) : undefined
    parents.set(address, parent)
    return parent
  }
  const isUnknown = (address: Address): boolean =>
    all.get(address)?.observed.result.kind === 'unknown' || unknownParentOf(address) !== undefined
  return new Map(
    [...all].map(([address, each]) => {
      const parent = unknownParentOf(address)
      if (parent === undefined) return [address, each]
      const result = { kind: 'unknown' as const, reason: 'dependency' as const, detail: unclear.unclearParent(parent) }
      return [address, { ...each, observed: { result } }]
    }),
  )
}

const foundResourceOf = ({
  address,
  desired,
  recorded,
  observed,
  isOwn,
  isInstead,
  isProven,
}: BoundResource): FoundResource => ({
  address,
  ...defined({ recorded }),
  found: observed.result.kind,
  isOwn: isOwn && isInstead !== true,
  isBelieved: (desired === undefined || desired.absent) && isProven !== true,
})

const withStrayedIn = (all: ReadonlyMap<Address, BoundResource>): ReadonlyMap<Address, BoundResource> => {
  const strayed = findStrayed([...all.values()].map(foundResourceOf))
  return mapValues(all, (each, address) => withStrayed(each, strayed.get(address)))
}

const withStrayed = (bound: BoundResource, strayed: Strayed | undefined): BoundResource => {
  if (strayed === undefined) return bound
  const { parent, isLasting } = strayed
  return {
    ...bound,
    observed: ambiguous(unclear.strayed(parent)),
    isOwn: false,
    ...defined({ doubt: isLasting ? ('strayed' as const) : undefined }),
  }
}

/** Resources whose successor or new name was sent and may exist, because the result was never recorded. */
const succeededIn = (all: readonly BoundResource[]): ReadonlySet<Address> =>
  new Set(
    all
      .filter(({ recorded, observed }) => recorded?.doubted === 'sent' && observed.result.kind !== 'absent')
      .map(({ address }) => successorTo(address)),
  )

/**
 * The object of a resource that left the configuration may have been renamed, so its name alone does not prove that it
 * is still the same object.
 */
const withSuccessor = (bound: BoundResource, isSucceeded: boolean): BoundResource => {
  const { desired, recorded, observed, isProven } = bound
  const isTold = desired !== undefined || isProven === true || recorded?.doubted === 'sent'
  if (!isSucceeded || isTold || observed.result.kind !== 'present') return bound
  return { ...bound, observed: ambiguous(unclear.succeeded), isOwn: false }
}

const withSharing = (
  bound: BoundResource,
  sharing: Sharing | undefined,
  all: ReadonlyMap<Address, BoundResource>,
): BoundResource => {
  switch (sharing?.kind) {
    case undefined:
      return bound
    case 'moved':
      return { ...bound, movedTo: sharing.to }
    case 'renamed': {
      const recorded = all.get(sharing.from)?.recorded
      if (recorded === undefined || bound.desired === undefined) return bound
      const isOwn = recorded.doubted !== 'sent'
      return { ...bound, recorded: readdress(recorded, bound.desired), isOwn, previousAddress: sharing.from }
    }
    case 'alsoDeclared':
      return { ...bound, observed: ambiguous(unclear.alsoDeclared(sharing.others)) }
    case 'contested': {
      const { result } = bound.observed
      const own = bound.candidates !== undefined && result.kind === 'unknown' ? `${result.detail}; ` : ''
      return { ...bound, observed: ambiguous(`${own}${unclear.contested([...new Set(sharing.others)])}`) }
    }
  }
}
