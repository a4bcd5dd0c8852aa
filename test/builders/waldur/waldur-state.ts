import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { type Answered, type Asked, type Handler, objectOf, ok, type Routes } from '../servers/json-routes.ts'

/* What the Waldur stand-in holds: objects that name each other by URL, lists in pages, states that move by themselves. */

export type Kind =
  | 'customers'
  | 'projects'
  | 'keys'
  | 'openstack-tenants'
  | 'openstack-security-groups'
  | 'openstack-instances'
  | 'openstack-flavors'
  | 'openstack-images'
  | 'openstack-subnets'
  | 'marketplace-public-offerings'
  | 'marketplace-orders'
  | 'marketplace-resources'

/** What comes next for an object that is on its way, seen one step further at each read of it. */
interface Journey {
  readonly steps: JsonObject[]
  /** Once it has come to the end. */
  readonly done?: () => void
}

export interface WaldurState {
  readonly objects: Record<Kind, Map<string, JsonObject>>
  readonly journeys: Map<string, Journey>
  readonly counters: { made: number; rule: number }
  /** `http://127.0.0.1:1/api`, once it is known. */
  base: string
}

const kinds: readonly Kind[] = [
  'customers',
  'projects',
  'keys',
  'openstack-tenants',
  'openstack-security-groups',
  'openstack-instances',
  'openstack-flavors',
  'openstack-images',
  'openstack-subnets',
  'marketplace-public-offerings',
  'marketplace-orders',
  'marketplace-resources',
]

export const emptyState = (): WaldurState => ({
  objects: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as unknown as WaldurState['objects'],
  journeys: new Map(),
  counters: { made: 0, rule: 0 },
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
  const uuid = nextUuid(state)
  const made: JsonObject = { url: `${state.base}/${kind}/${uuid}/`, uuid, created: '2026-01-01T00:00:00Z', ...members }
  state.objects[kind].set(uuid, made)
  return made
}

export const change = (state: WaldurState, kind: Kind, uuid: string, members: JsonObject): JsonObject => {
  const next = { ...state.objects[kind].get(uuid), ...members }
  state.objects[kind].set(uuid, next)
  return next
}

/** An object by the URL under which others name it; none for anything else. */
export const byUrl = (state: WaldurState, kind: Kind, url: Json | undefined): JsonObject | undefined =>
  [...state.objects[kind].values()].find((each) => each['url'] === url)

/** A read sees the object as it is and moves it on. */
const look = (state: WaldurState, kind: Kind, uuid: string): JsonObject | undefined => {
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

/** Filters of a list: the name in the query and the member that it is compared with. What is not here is ignored. */
export type Filters = Readonly<Record<string, string>>

const inPages = (items: readonly JsonObject[], { query, path }: Asked, base: string): Answered => {
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

const listOf =
  (state: WaldurState, kind: Kind, filters: Filters): Handler =>
  (asked) => {
    // An empty filter is none.
    const known = Object.entries(filters).filter(([name]) => (asked.query.get(name) ?? '') !== '')
    const items = [...state.objects[kind].values()].filter((item) =>
      known.every(([name, member]) => asked.query.getAll(name).includes(String(item[member] ?? ''))),
    )
    return inPages(items, asked, state.base)
  }

/** List and retrieve. */
export const readable = (state: WaldurState, kind: Kind, filters: Filters = { name_exact: 'name' }): Routes => ({
  [`GET /${kind}/`]: listOf(state, kind, filters),
  [`GET /${kind}/:uuid/`]: ({ params }) => {
    const seen = look(state, kind, params['uuid'] ?? '')
    return seen === undefined ? notFound : ok(seen)
  },
})

/** A handler for an object that must be there. */
export const within =
  (state: WaldurState, kind: Kind, act: (object: JsonObject, body: JsonObject, uuid: string) => Answered): Handler =>
  ({ params, body }) => {
    const uuid = params['uuid'] ?? ''
    const object = state.objects[kind].get(uuid)
    return object === undefined ? notFound : act(object, objectOf(body), uuid)
  }
