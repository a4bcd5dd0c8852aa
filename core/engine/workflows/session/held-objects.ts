import { type Form, textsOf } from '../../binding/other-workspace.ts'
import type { ResourceType } from '../../provider/provider.ts'
import type { Address } from '../../schema/resource.ts'
import type { Alike, Holdings, Tenant, TenantHoldings } from '../../schema/stored/holdings.ts'
import { anywhere, homeAt, partsOf } from '../../state/workspaces/holdings.ts'
import { defined, present, presentIn } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import { loopbackAsOne, siteAt, type UrlSite } from '../../values/url.ts'
import { alikeIn, allShortened, placesOf, urlAt } from './alike.ts'
import { type BoundResource, type ResourcePlan, rulesOf } from './plan/observation.ts'
import { facesIn, formsOf } from './preview/faces.ts'
import { homeOf, type LoadedWorkspace, typeOf } from './shared/loaded-workspace.ts'

/** An object of a workspace, as other workspaces may know it. The digests are short. */
export interface HeldObject {
  readonly address: Address
  /** Where it is, and where what it is in is. */
  readonly sites: readonly UrlSite[]
  readonly tenant: Tenant
  /** Two objects with an equal digest are one object. */
  readonly texts: readonly string[]
  readonly alike?: Alike
  /** Of the URLs under which it is known itself. */
  readonly urls: readonly string[]
  /** Of the URLs of what may contain it, and of those from which it is read. */
  readonly around: readonly string[]
}

/** By place. */
export type ByHome = ReadonlyMap<string, Holdings>

/** The objects that a workspace declares, those that it lets go of, and those that it declares absent. */
export const heldIn = (loaded: LoadedWorkspace, resources: Iterable<BoundResource>): readonly HeldObject[] =>
  [...resources].flatMap((bound) => {
    const { type } = bound
    if (!isReached(bound) || type === undefined || type.identity?.isShared) return []
    const held = type.siteOf && heldByUrls(loaded, bound, type)
    return present(held !== undefined && held.sites.length > 0 ? held : heldByFaces(loaded, bound))
  })

/** Whether this workspace may write or delete its object. */
const isReached = ({ recorded, desired, observed, movedTo }: BoundResource): boolean => {
  if (movedTo !== undefined || desired?.lifecycle.readOnly) return false
  return recorded !== undefined || (desired !== undefined && observed.result.kind === 'present')
}

/** Whether it is declared to exist: of two workspaces that let go of one object, either may delete it. */
export const isKept = ({ planned, desired }: Partial<ResourcePlan> = {}): boolean =>
  desired !== undefined && desired.absent !== true && planned?.forgotten !== true

const heldByFaces = (loaded: LoadedWorkspace, bound: BoundResource): HeldObject | undefined => {
  const home = homeOf(loaded, bound.provider)
  const [faces] = facesIn(loaded, [bound])
  if (home === undefined || faces === undefined) return undefined
  const sites = [{ server: loopbackAsOne(home), path: '' }]
  return { address: bound.address, sites, tenant: {}, texts: allShortened(faces.texts), urls: [], around: [] }
}

/**
 * Documents describe one server in many ways: with another base URL, with a tenant in it or in the paths, with other types. What they
 * have in common are the URLs of the requests.
 */
const heldByUrls = (loaded: LoadedWorkspace, bound: BoundResource, type: ResourceType): HeldObject => {
  const { address, refs, recorded, observed } = bound
  const { result } = observed
  const forms: readonly Form[] = present<Form>(recorded, result.kind === 'present' && result)
  const found = forms.map(({ attributes, ids }) => type.siteOf?.({ attributes, ...defined({ ids, refs }) }))
  const deleted = sitesAt(found.map((each) => each?.deleted))
  const urls = sitesAt(found.flatMap((each) => each?.urls))
  const asked = sitesAt(found.map((each) => each?.asked))
  const leads = forms.flatMap((form) => leadsFrom(loaded, bound.provider, type, form))
  // An object is known by where a delete would go. A position is that of another object tomorrow.
  const isPlaced = type.identity?.ids !== 'position' && urls.length > 0
  const own = deleted.length > 0 ? deleted.map(urlAt) : urls.map((site) => `${urlAt(site)} ${type.name}`)
  const rules = { schema: type.schema, identity: rulesOf(type) }
  const named = asked.flatMap((site) => {
    const place = JSON.stringify([urlAt(site), type.name])
    return formsOf(bound).flatMap((form) => textsOf({ ...rules, place }, form))
  })
  const places = placesOf(bound, type, forms)
  return {
    address,
    sites: [...(isPlaced ? urls : asked), ...leads, ...places.map(({ site }) => site)],
    alike: alikeIn(places),
    tenant: type.tenant?.() ?? {},
    texts: allShortened(isPlaced ? own : named),
    urls: isPlaced ? allShortened((deleted.length > 0 ? deleted : urls).map(urlAt)) : [],
    around: allShortened([...urls, ...(isPlaced ? [] : asked), ...leads].flatMap(withOuter)),
  }
}

const sitesAt = (texts: readonly (string | undefined)[]): readonly UrlSite[] =>
  presentIn([...new Set(present(...texts))].map(siteAt))

/** What an object is in, or needs for ever, as its attributes tell it: its URL need not tell it. */
const leadsFrom = (
  loaded: LoadedWorkspace,
  provider: string,
  type: ResourceType,
  { attributes }: Form,
): readonly UrlSite[] =>
  (type.leads?.(attributes) ?? []).flatMap(({ type: name, value, at, within = {} }) => {
    const other = name === undefined ? undefined : typeOf(loaded, provider, name)
    if (other?.siteOf === undefined || other.identity?.isShared) return []
    const [attribute = ''] = 'attribute' in at ? [at.attribute] : at.pointer.split('/').slice(-1)
    const ids = Object.fromEntries((other.idNames ?? []).map((id) => [id, String(value)]))
    const { deleted, urls } = other.siteOf({ attributes: { ...within, [attribute]: value }, ids })
    return sitesAt(deleted === undefined ? urls : [deleted])
  })

const withOuter = ({ server, path }: UrlSite): readonly string[] => {
  const steps = path.split('/').slice(1)
  return steps.map((_, index) => [server, ...steps.slice(0, index + 1)].join('/'))
}

/** As they are stored. */
export const holdingsOf = ({ configuration }: LoadedWorkspace, held: readonly HeldObject[]): ByHome => {
  const { workspace, preview } = configuration
  const homes = homesOf(held)
  const byHome = Map.groupBy(
    held.flatMap((each) => [...new Set(each.sites.map(homes))].map((home) => ({ home, each }))),
    ({ home }) => home,
  )
  const all = [...byHome.keys()].sort()
  return new Map(
    all.map((home) => {
      const own = (byHome.get(home) ?? []).map(({ each }) => each)
      const byTenant = Map.groupBy(own, ({ tenant }) => JSON.stringify(tenant))
      const tenants = [...byTenant].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => ofTenant(each))
      return [home, { workspace, ...defined({ base: preview?.base }), homes: all, tenants }]
    }),
  )
}

const ofTenant = (held: readonly HeldObject[]): TenantHoldings => {
  const around = new Map(held.flatMap(({ address, around }) => around.map((url) => [url, address] as const)))
  return {
    tenant: held[0]?.tenant ?? {},
    objects: Object.fromEntries(held.map(({ address, texts }) => [address, texts])),
    ...defined({
      alike: unlessEmpty(
        Object.fromEntries(
          held.flatMap(({ address, texts, alike }) => (alike?.texts.length ? [[address, besides(alike, texts)]] : [])),
        ),
      ),
    }),
    around: Object.fromEntries(around),
  }
}

/** What an object is certainly known by is with the objects. */
const besides = ({ texts, ids }: Alike, own: readonly string[]): Alike => ({
  texts: texts.filter((text) => !own.includes(text)),
  ids,
})

/** The place in which something is stored: at a server with very many places all of it is stored in one. */
const homesOf = (held: readonly HeldObject[]): ((site: UrlSite) => string) => {
  const parts = new Map([...pathsOf(held)].map(([server, paths]) => [server, partsOf(paths)] as const))
  return ({ server, path }) => {
    const known = parts.get(server) ?? []
    return homeAt(server, known.includes(anywhere) ? anywhere : (partsOf([path])[0] ?? anywhere))
  }
}

/** The paths of all sites, by server. */
export const pathsOf = (held: readonly HeldObject[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [
      ...Map.groupBy(
        held.flatMap(({ sites }) => sites),
        ({ server }) => server,
      ),
    ].map(([server, sites]) => [server, sites.map(({ path }) => path)]),
  )
