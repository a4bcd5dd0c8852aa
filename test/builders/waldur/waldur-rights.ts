import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, ok, type Routes } from '../servers/json-routes.ts'
import { add, filtered, inPages, type Kind, look, notFound, shown, type WaldurState, wrong } from './waldur-state.ts'

/*
 * Who may see and change what: members of staff everything; anybody else the objects of the organisations and projects in
 * which he has a role, and may change them if one of these roles has a permission. What he does not see is not there.
 */

export const waldurToken = 'waldur-token-0123'
export const nobodysToken = 'nobodys-token-0123'

const [staff, nobody] = ['b0'.repeat(12), 'b1'.repeat(12)].map((start) => `${start}00000001`)
const tokens = new Map([
  [waldurToken, staff],
  [nobodysToken, nobody],
])

/** The users and the roles that every site has. */
export const addPeople = (state: WaldurState): void => {
  add(state, 'users', { uuid: staff ?? '', username: 'staff', email: 'staff@example.com', is_staff: true })
  add(state, 'users', { uuid: nobody ?? '', username: 'nobody', email: 'nobody@example.com', is_staff: false })
  const all = ['CUSTOMER.OWNER', 'CUSTOMER.SUPPORT', 'PROJECT.ADMIN', 'PROJECT.MEMBER']
  for (const [place, name] of all.entries())
    add(state, 'roles', {
      uuid: `${'c0'.repeat(12)}0000000${place}`,
      name,
      description: '',
      content_type: name.startsWith('CUSTOMER') ? 'customer' : 'project',
      permissions: /OWNER|ADMIN/.test(name) ? ['PROJECT.CREATE', 'PROJECT.UPDATE', 'ORDER.CREATE'] : [],
      is_system_role: true,
      is_active: true,
    })
}

export const userOf = (state: WaldurState, { headers }: Asked): JsonObject | undefined => {
  const [, token = ''] = /^token (.*)$/i.exec(headers.authorization ?? '') ?? []
  return state.objects.users.get(tokens.get(token) ?? '')
}

/** The organisation and the project that an object belongs to. */
const placesOf = (state: WaldurState, kind: Kind, object: JsonObject): readonly Json[] => {
  const { projects } = state.objects
  if (kind === 'customers') return [object['uuid'] ?? null]
  if (kind === 'projects') return [object['uuid'] ?? null, object['customer_uuid'] ?? null]
  const tenant = state.objects['openstack-tenants'].get(String(object['tenant_uuid'] ?? object['scope_uuid']))
  const project = projects.get(String(object['project_uuid'] ?? tenant?.['project_uuid']))
  return project === undefined ? [] : placesOf(state, 'projects', project)
}

const rolesAt = (state: WaldurState, user: JsonObject, places: readonly Json[]): readonly JsonObject[] =>
  [...state.objects['user-roles'].values()].filter(
    ({ user_uuid, scope = null }) => user_uuid === user['uuid'] && places.includes(scope),
  )

const isOwn = (kind: Kind, object: JsonObject, user: JsonObject): boolean =>
  (kind === 'users' && object['uuid'] === user['uuid']) || (kind === 'keys' && object['user_uuid'] === user['uuid'])

const sees = (state: WaldurState, user: JsonObject, kind: Kind, object: JsonObject): boolean => {
  if (state.references === 'object' && object['is_removed'] === true) return false
  if (user['is_staff'] === true || kind === 'roles' || isOwn(kind, object, user)) return true
  const projects = [...state.objects.projects.values()].filter(({ customer }) => customer === object['url'])
  const inside = kind === 'customers' ? projects.map(({ uuid = null }) => uuid) : []
  return rolesAt(state, user, [...placesOf(state, kind, object), ...inside]).length > 0
}

export const mayChange = (state: WaldurState, user: JsonObject, kind: Kind, object: JsonObject): boolean =>
  user['is_staff'] === true ||
  isOwn(kind, object, user) ||
  rolesAt(state, user, placesOf(state, kind, object)).some(({ role_uuid }) => {
    const { permissions = [] } = state.objects.roles.get(String(role_uuid)) ?? {}
    return (permissions as readonly Json[]).length > 0
  })

export const forbidden = wrong(403, 'You do not have permission to perform this action.')

/** What the caller sees of a kind. */
export const seen = (state: WaldurState, asked: Asked, kind: Kind): readonly JsonObject[] => {
  const user = userOf(state, asked) ?? {}
  return [...state.objects[kind].values()].filter((object) => sees(state, user, kind, object))
}

/** The object that a path names, if the caller sees it. */
export const found = (state: WaldurState, asked: Asked, kind: Kind): JsonObject | undefined =>
  seen(state, asked, kind).find(({ uuid }) => uuid === asked.params['uuid'])

/** List and retrieve. */
export const readable = (state: WaldurState, kind: Kind, filters: Readonly<Record<string, string>>): Routes => ({
  [`GET /${kind}/`]: (asked) =>
    inPages(
      filtered(seen(state, asked, kind), filters, asked).map((object) => shown(state, kind, object)),
      asked,
      state.base,
    ),
  [`GET /${kind}/:uuid/`]: (asked) => {
    const object = found(state, asked, kind)
    if (object === undefined) return notFound
    look(state, kind, String(object['uuid']))
    return ok(shown(state, kind, object))
  },
})

/** A write of an object: it must be there for the caller, and his to change. A deleted project can only be read. */
export const within =
  (state: WaldurState, kind: Kind, act: (object: JsonObject, asked: Asked, uuid: string) => Answered) =>
  (asked: Asked): Answered => {
    const object = found(state, asked, kind)
    if (object === undefined || object['is_removed'] === true) return notFound
    if (!mayChange(state, userOf(state, asked) ?? {}, kind, object)) return forbidden
    return act(object, asked, String(object['uuid']))
  }
