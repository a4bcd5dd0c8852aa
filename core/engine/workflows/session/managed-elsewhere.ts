import type { Address } from '../../schema/resource.ts'
import type { Alike, Holdings, Tenant, TenantHoldings } from '../../schema/stored/holdings.ts'
import { loadHoldings } from '../../state/workspaces/holdings.ts'
import type { Deps } from '../deps.ts'
import { type ByHome, type HeldObject, pathsOf } from './held-objects.ts'
import type { ManagedElsewhere, OtherManager } from './plan/keep-managed.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'

/** Finds resources whose objects, or something in them, other workspaces of the store manage, and what was stored of this one. */
export const findManagedElsewhere = async (
  { configuration: { workspace, preview } }: LoadedWorkspace,
  held: readonly HeldObject[],
  { store }: Pick<Deps, 'store'>,
): Promise<{ readonly elsewhere: ManagedElsewhere; readonly before: ByHome }> => {
  const stored = (
    await Promise.all([...pathsOf(held)].map(([server, paths]) => loadHoldings(store, server, paths)))
  ).flat()
  const isOwn = ({ holdings }: (typeof stored)[number]): boolean => holdings.workspace === workspace
  const others = stored.filter((each) => !isOwn(each)).map(({ holdings }) => holdings)
  // Whose a shared object is, is decided between a preview and its base by stricter rules; what is in another object is not.
  const strangers = others.filter((each) => each.workspace !== preview?.base && each.base !== workspace)
  const owners = ownersIn(strangers, ({ objects }) =>
    Object.entries(objects).flatMap(([address, texts]) => texts.map((text) => ({ digest: text, address }))),
  )
  const rivals = ownersIn(strangers, rivalsIn)
  const inner = ownersIn(others, ({ around }) =>
    Object.entries(around).map(([digest, address]) => ({ digest, address })),
  )
  const elsewhere = held.flatMap(({ address, tenant, texts, urls, alike }): (readonly [Address, OtherManager])[] => {
    const owner = owners(texts, tenant)
    if (owner !== undefined) return [[address, owner]]
    const rival = alike && rivals([...alike.texts, ...texts], tenant, alike.ids)
    if (rival !== undefined) return [[address, { ...rival, isLikely: true }]]
    const inside = inner(urls, tenant)
    return inside === undefined ? [] : [[address, { ...inside, isInside: true }]]
  })
  const before = new Map(stored.filter(isOwn).map(({ home, holdings }) => [home, holdings]))
  return { elsewhere: new Map(elsewhere), before }
}

/** Objects that documents lead to in different ways may be one. */
const rivalsIn = ({ objects, alike = {} }: TenantHoldings): readonly HeldUnder[] =>
  Object.entries(alike).flatMap(([address, { texts, ids }]) =>
    [...texts, ...(objects[address] ?? [])].map((digest) => ({ digest, address, ids })),
  )

interface HeldUnder {
  readonly digest: string
  readonly address: Address
  readonly ids?: Alike['ids']
}

type OwnerElsewhere = Pick<OtherManager, 'workspace' | 'address'>

/** Finds by digests who has them, of the tenants that may be the same. */
const ownersIn = (
  all: readonly Holdings[],
  entriesOf: (own: TenantHoldings) => readonly HeldUnder[],
): ((digests: readonly string[], tenant: Tenant, ids?: Alike['ids']) => OwnerElsewhere | undefined) => {
  const found = Map.groupBy(
    all.flatMap(({ workspace, tenants }) =>
      tenants.flatMap((own) =>
        entriesOf(own).map(({ digest, address, ids }) => ({
          digest,
          tenant: own.tenant,
          ids: ids ?? {},
          owner: { workspace, address },
        })),
      ),
    ),
    ({ digest }) => digest,
  )
  return (digests, tenant, ids = {}) =>
    digests
      .flatMap((digest) => found.get(digest) ?? [])
      .find((each) => !areApart(each.tenant, tenant) && !areApart(each.ids, ids))?.owner
}

/**
 * Whether both say, at the same place of their requests, that they are two tenants, or have two values of one id. Where only one of
 * them says anything, they may be one: a delete that waits for somebody costs less than what it destroys.
 */
const areApart = (one: Tenant, other: Tenant): boolean =>
  Object.entries(one).some(([place, values]) => {
    const theirs = Object.hasOwn(other, place) ? other[place] : undefined
    return theirs !== undefined && !values.some((value) => theirs.includes(value))
  })
