import type { Address } from '../../schema/resource.ts'
import type { Holdings, Tenant } from '../../schema/stored/holdings.ts'
import { loadHoldings } from '../../state/workspaces/holdings.ts'
import type { Deps } from '../deps.ts'
import { type ByHome, type HeldObject, pathsOf } from './held-objects.ts'
import type { ManagedElsewhere } from './plan/keep-managed.ts'
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
    Object.entries(objects).flatMap(([address, texts]) => texts.map((text) => [text, address] as const)),
  )
  const inner = ownersIn(others, ({ around }) => Object.entries(around))
  const elsewhere = held.flatMap(({ address, tenant, texts, urls }) => {
    const owner = owners(texts, tenant)
    const inside = owner === undefined ? inner(urls, tenant) : undefined
    if (inside !== undefined) return [[address, { ...inside, isInside: true as const }] as const]
    return owner === undefined ? [] : [[address, owner] as const]
  })
  const before = new Map(stored.filter(isOwn).map(({ home, holdings }) => [home, holdings]))
  return { elsewhere: new Map(elsewhere), before }
}

interface OwnerElsewhere {
  readonly workspace: string
  readonly address: Address
}

/** Finds by digests who has them, of the tenants that may be the same. */
const ownersIn = (
  all: readonly Holdings[],
  entriesOf: (own: Holdings['tenants'][number]) => readonly (readonly [string, Address])[],
): ((digests: readonly string[], tenant: Tenant) => OwnerElsewhere | undefined) => {
  const found = Map.groupBy(
    all.flatMap(({ workspace, tenants }) =>
      tenants.flatMap((own) =>
        entriesOf(own).map(([digest, address]) => ({ digest, tenant: own.tenant, owner: { workspace, address } })),
      ),
    ),
    ({ digest }) => digest,
  )
  return (digests, tenant) =>
    digests.flatMap((digest) => found.get(digest) ?? []).find((each) => !areApart(each.tenant, tenant))?.owner
}

/**
 * Whether both say, at the same place of their requests, that they are two tenants. Where only one of them says anything, they may
 * be one: a delete that waits for somebody costs less than what it destroys.
 */
const areApart = (one: Tenant, other: Tenant): boolean =>
  Object.entries(one).some(([place, values]) => {
    const theirs = Object.hasOwn(other, place) ? other[place] : undefined
    return theirs !== undefined && !values.some((value) => theirs.includes(value))
  })
