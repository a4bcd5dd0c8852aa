import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, objectOf } from '../servers/json-routes.ts'

/* What the Waldur stand-in holds: objects that name each other by URL, lists in pages, states that move by themselves. */

const kinds = [
  'users',
  'roles',
  'user-roles',
  'customers',
  'projects',
  'keys',
  'openstack-tenants',
  'openstack-flavors',
  'openstack-images',
  'openstack-volume-types',
  'openstack-security-groups',
  'openstack-networks',
  'openstack-subnets',
  'openstack-floating-ips',
  'openstack-server-groups',
  'openstack-volumes',
  'openstack-instances',
  'marketplace-public-offerings',
  'marketplace-orders',
  'marketplace-resources',
] as const
export type Kind = (typeof kinds)[number]

/** What comes next for an object that is on its way, seen one step further at each read of it. */
interface Journey {
  readonly steps: JsonObject[]
  /** Once it has come to the end. */
  readonly done?: () => void
}

/** How the next order ends, and after how many reads of it; `never`: whoever carried it out is gone. */
export interface Orders {
  readonly reads: number
  readonly end: JsonObject | 'never'
  /** What an order is refused with, instead of being taken. */
  readonly refusal?: Json
}

/** `url`: today's form. `object`: that of 2024, which also spells states in another way and hides deleted projects. */
export type References = 'url' | 'object'

export interface WaldurState {
  readonly objects: Record<Kind, Map<string, JsonObject>>
  readonly journeys: Map<string, Journey>
  readonly counters: { made: number; rule: number }
  readonly references: References
  orders: Orders
  /** `http://127.0.0.1:1/api`, once it is known. */
  base: string
}

export const ordersEndWell: Orders = { reads: 2, end: { state: 'done' } }

export const emptyState = (references: References): WaldurState => ({
  objects: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as WaldurState['objects'],
  journeys: new Map(),
  counters: { made: 0, rule: 0 },
  references,
  orders: ordersEndWell,
  base: '',
})

export const wrong = (status: number, detail: Json): Answered => ({
  status,
  body: typeof detail === 'string' ? { detail } : detail,
})
export const notFound = wrong(404, 'Not found.')

/** 32 hexadecimal digits, the same in every run. */
const nextUuid = (state: WaldurState): string => {
  state.counters.made += 1
  return `${'a0'.repeat(12)}${state.counters.made.toString(16).padStart(8, '0')}`
}

/** An object with its names. */
export const add = (state: WaldurState, kind: Kind, members: JsonObject): JsonObject => {
  const uuid = String(members['uuid'] ?? nextUuid(state))
  const made: JsonObject = { url: `${state.base}/${kind}/${uuid}/`, uuid, ...members }
  state.objects[kind].set(uuid, made)
  return made
}

export const change = (state: WaldurState, kind: Kind, uuid: string, members: JsonObject): JsonObject => {
  const next: JsonObject = { ...state.objects[kind].get(uuid), ...members }
  state.objects[kind].set(uuid, next)
  // A contract is called like what it is about.
  const contract = String(next['marketplace_resource_uuid'])
  const isNamed = kind !== 'marketplace-orders' && members['name'] !== undefined
  if (isNamed && state.objects['marketplace-resources'].has(contract))
    change(state, 'marketplace-resources', contract, { name: members['name'] ?? '' })
  return next
}

export const travel = (state: WaldurState, uuid: string, steps: readonly JsonObject[], done?: () => void): void =>
  void state.journeys.set(uuid, { steps: [...steps], ...(done === undefined ? {} : { done }) })

/** An object by the URL under which others name it; none for anything else. */
export const byUrl = (state: WaldurState, kind: Kind, url: Json | undefined): JsonObject | undefined =>
  [...state.objects[kind].values()].find((each) => each['url'] === url)

/** What a body names, in the form of this server: a URL, or an object with it. The other form names nothing. */
export const named = (state: WaldurState, kind: Kind, given: Json | undefined): JsonObject | undefined =>
  byUrl(state, kind, state.references === 'url' ? given : objectOf(given)['url'])

/** A read sees the object as it is and moves it on. */
export const look = (state: WaldurState, kind: Kind, uuid: string): JsonObject | undefined => {
  const seen = state.objects[kind].get(uuid)
  const journey = state.journeys.get(uuid)
  const step = journey?.steps.shift()
  if (step !== undefined) change(state, kind, uuid, step)
  if (journey !== undefined && journey.steps.length === 0) {
    state.journeys.delete(uuid)
    journey.done?.()
  }
  return seen
}

const inTenant = ['tenant_uuid']
/** Members that filters and rights go by, and that no answer has. */
const hidden: Partial<Record<Kind, readonly string[]>> = {
  'openstack-flavors': inTenant,
  'openstack-images': inTenant,
  'openstack-volume-types': inTenant,
  'openstack-subnets': [...inTenant, 'network_uuid'],
  roles: ['url'],
  'openstack-volumes': ['tenant', ...inTenant, 'instance_uuid'],
  'user-roles': ['url', 'scope'],
}

/** `Update Scheduled`, where it is UPDATE_SCHEDULED today. */
const spelled = (value: string): string =>
  value === 'OK'
    ? value
    : value
        .toLowerCase()
        .replaceAll('_', ' ')
        .replaceAll(/\b./g, (first) => first.toUpperCase())

/** An object as an answer has it. */
export const shown = (state: WaldurState, kind: Kind, object: JsonObject): JsonObject => {
  const { references } = state
  const left = [...(hidden[kind] ?? []), ...(references === 'object' && kind === 'projects' ? ['kind'] : [])]
  const members = Object.entries(object).filter(([name]) => !left.includes(name))
  const isOld = references === 'object' && kind.startsWith('openstack-') && typeof object['state'] === 'string'
  return { ...Object.fromEntries(members), ...(isOld ? { state: spelled(String(object['state'])) } : {}) }
}

/** Filters of a list: the name in the query and the member that it is compared with. What is not here is ignored. */
export type Filters = Readonly<Record<string, string>>

/** Ids come with hyphens from some clients. */
const plainId = (text: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text.replaceAll('-', '') : text

export const filtered = (items: readonly JsonObject[], filters: Filters, { query }: Asked): readonly JsonObject[] => {
  // An empty filter is none.
  const known = Object.entries(filters).filter(([name]) => (query.get(name) ?? '') !== '')
  return items.filter((item) =>
    known.every(([name, member]) =>
      query
        .getAll(name)
        .map(plainId)
        .includes(String(item[member] ?? '')),
    ),
  )
}

export const inPages = (items: readonly JsonObject[], { query, path }: Asked, base: string): Answered => {
  const size = Math.min(Number(query.get('page_size') ?? 10), 200)
  const page = Number(query.get('page') ?? 1)
  const pages = Math.max(1, Math.ceil(items.length / size))
  if (page > pages) return wrong(404, 'Invalid page.')
  const at = (number: number): string => {
    const next = new URLSearchParams(query)
    next.set('page', String(number))
    return `<${base.replace(/\/api$/, '')}${path}?${next}>`
  }
  const links = [`${at(1)}; rel="first"`, `${at(pages)}; rel="last"`]
  if (page < pages) links.push(`${at(page + 1)}; rel="next"`)
  if (page > 1) links.push(`${at(page - 1)}; rel="prev"`)
  return {
    status: 200,
    headers: { link: links.join(', '), 'x-result-count': String(items.length) },
    body: items.slice((page - 1) * size, page * size),
  }
}
