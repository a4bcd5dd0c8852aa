import { digestOfText } from '../../json/digest.ts'
import type { Address } from '../../schema/resource.ts'
import type { Holdings } from '../../schema/stored/holdings.ts'
import { loadHoldings } from '../../state/workspaces/holdings.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers } from '../../values/members.ts'
import { loopbackAsOne } from '../../values/url.ts'
import type { Deps } from '../deps.ts'
import type { ManagedElsewhere } from './plan/keep-managed.ts'
import type { BoundResource, ResourcePlan } from './plan/observation.ts'
import { facesIn } from './preview/faces.ts'
import { homeOf, type LoadedWorkspace } from './shared/loaded-workspace.ts'

/** Of one workspace, by target. */
type ByHome = ReadonlyMap<string, Holdings>

/** Enough of a digest that two objects of one target never share it by chance. */
const digestLength = 16
const shortened = (text: string): string => digestOfText(text).slice('sha256:'.length).slice(0, digestLength)

/** The objects that a workspace declares, those that it lets go of, and those that it declares absent. */
export const holdingsOf = (loaded: LoadedWorkspace, resources: Iterable<BoundResource>): ByHome => {
  const { workspace, preview } = loaded.configuration
  const managed = Map.groupBy([...resources].filter(isReached), ({ provider }) => sharedHomeOf(loaded, provider))
  const homes = [...managed.keys()].filter((home) => home !== undefined).sort()
  return new Map(
    homes.map((home) => {
      const faces = facesIn(loaded, managed.get(home) ?? [])
      const objects = Object.fromEntries(faces.map(({ address, texts }) => [address, texts.map(shortened).sort()]))
      return [home, { workspace, ...defined({ base: preview?.base }), homes, objects }]
    }),
  )
}

const sharedHomeOf = (loaded: LoadedWorkspace, alias: string): string | undefined => {
  const home = homeOf(loaded, alias)
  return home === undefined ? undefined : loopbackAsOne(home)
}

/** Whether this workspace may write or delete its object. */
const isReached = ({ recorded, desired, observed, movedTo }: BoundResource): boolean => {
  if (movedTo !== undefined || desired?.lifecycle.readOnly) return false
  return recorded !== undefined || (desired !== undefined && observed.result.kind === 'present')
}

/** Those that it declares to exist: of two workspaces that let go of one object, either may delete it. */
export const keptHoldings = (holdings: ByHome, resources: ReadonlyMap<Address, ResourcePlan>): ByHome => {
  const isKept = (address: Address): boolean => {
    const { planned, desired } = resources.get(address) ?? {}
    return desired !== undefined && desired.absent !== true && planned?.forgotten !== true
  }
  const kept = [...holdings].flatMap(([home, { objects, ...own }]) => {
    const left = mapMembers(objects, (texts, address) => (isKept(address) ? texts : undefined))
    return Object.keys(left).length === 0 ? [] : [[home, { ...own, objects: left }] as const]
  })
  const homes = kept.map(([home]) => home)
  return new Map(kept.map(([home, own]) => [home, { ...own, homes }]))
}

/**
 * Finds resources whose objects other workspaces of the store manage, and what was stored of this one. A preview and its
 * base keep apart by stricter rules.
 */
export const findManagedElsewhere = async (
  holdings: ByHome,
  { store }: Pick<Deps, 'store'>,
): Promise<{ readonly elsewhere: ManagedElsewhere; readonly before: ByHome }> => {
  const elsewhere = new Map<Address, { readonly workspace: string; readonly address: Address }>()
  const before = new Map<string, Holdings>()
  for (const [home, own] of holdings) {
    const all = await loadHoldings(store, home)
    const stored = all.find(({ workspace }) => workspace === own.workspace)
    if (stored !== undefined) before.set(home, stored)
    const owners = ownersIn(all, own)
    for (const [address, texts] of Object.entries(own.objects)) {
      const owner = texts.map((text) => owners.get(text)).find((each) => each !== undefined)
      if (owner !== undefined) elsewhere.set(address, owner)
    }
  }
  return { elsewhere, before }
}

const ownersIn = (all: readonly Holdings[], { workspace, base }: Holdings) =>
  new Map(
    all
      .filter((each) => each.workspace !== workspace && each.workspace !== base && each.base !== workspace)
      .flatMap((each) =>
        Object.entries(each.objects).flatMap(([address, texts]) =>
          texts.map((text) => [text, { workspace: each.workspace, address }] as const),
        ),
      ),
  )
