import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, objectOf, ok, type Routes } from '../servers/json-routes.ts'
import type { Action, KindEntry } from './waldur-entry.ts'
import { forbidden, mayChange, readable, seen, userOf, within } from './waldur-rights.ts'
import { add, change, type Kind, shown, travel, type WaldurState, wrong } from './waldur-state.ts'

/* The routes of a kind, from its entry in the table. What is in the cloud goes through states; all else happens at once. */

const picked = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name] ?? null]])))

/** What another state than OK answers to whoever wants something. */
export const busy = wrong(409, 'Valid states for operation: OK.')

const isCloud = (kind: Kind): boolean => kind.startsWith('openstack-')

const lacks = (body: JsonObject, requires: readonly string[] = []): Answered | undefined => {
  const lacking = requires.find((name) => (body[name] ?? '') === '')
  return lacking === undefined ? undefined : wrong(400, { [lacking]: ['This field is required.'] })
}

const refusal = ({ refuses }: KindEntry, body: JsonObject, object?: JsonObject): Answered | undefined => {
  const words = refuses?.(body, object)
  return words === undefined ? undefined : wrong(400, words)
}

/** What the object is in, as its members name it. */
const placeOf = (parent: JsonObject, kind: Kind): JsonObject => {
  const tenant =
    kind === 'openstack-tenants' ? parent : { url: parent['tenant'] ?? '', uuid: parent['tenant_uuid'] ?? '' }
  return {
    tenant: tenant['url'] ?? '',
    tenant_uuid: tenant['uuid'] ?? '',
    project: parent['project'] ?? '',
    project_uuid: parent['project_uuid'] ?? '',
    ...(kind === 'openstack-networks' ? { network: parent['url'] ?? '', network_uuid: parent['uuid'] ?? '' } : {}),
  }
}

export const routesOf = (state: WaldurState, kind: Kind, entry: KindEntry): Routes => {
  const { made, starts = {}, requires, changes, follows, has = {}, arrives, ends, actions = {} } = entry

  const create = (body: JsonObject, more: JsonObject): Answered => {
    const refused = lacks(body, requires) ?? refusal(entry, body)
    if (refused !== undefined) return refused
    const given = { ...starts, ...picked(body, Object.keys(starts)), ...has, ...follows?.(state, body), ...more }
    if (!isCloud(kind)) return ok(shown(state, kind, add(state, kind, given)), 201)
    const object = add(state, kind, { ...given, error_message: '', state: 'CREATION_SCHEDULED' })
    const there = { state: 'OK', backend_id: `b${state.counters.made}`, ...arrives?.(state) }
    travel(state, String(object['uuid']), [{ state: 'CREATING' }, there])
    // Today's description has no 201 for an address.
    return ok(shown(state, kind, object), kind === 'openstack-floating-ips' && state.references === 'url' ? 200 : 201)
  }

  const inCollection = (asked: Asked): Answered => {
    const [user, body] = [userOf(state, asked) ?? {}, objectOf(asked.body)]
    if (made === 'by anybody') return create(body, { user_uuid: user['uuid'] ?? '' })
    if (made === 'by staff') return user['is_staff'] === true ? create(body, {}) : forbidden
    if (made === undefined || 'in' in made) return wrong(405, 'Method "POST" not allowed.')
    const under = seen(state, asked, made.under).find(({ url }) => url === body[made.member])
    if (under === undefined) return wrong(400, { [made.member]: ['Invalid hyperlink - Object does not exist.'] })
    return mayChange(state, user, made.under, under) ? create(body, {}) : forbidden
  }

  const updated = within(state, kind, (object, { body }, uuid) => {
    const given = objectOf(body)
    if (isCloud(kind) && object['state'] !== 'OK') return busy
    const refused = refusal(entry, given, object)
    if (refused !== undefined) return refused
    const { takes = [], lost = {}, says } = changes ?? {}
    const taken = { ...lost, ...picked(given, takes), ...picked(follows?.(state, given) ?? {}, takes) }
    // The answer was made before anything was scheduled.
    const now = shown(state, kind, change(state, kind, uuid, taken))
    const answer = ok(says === undefined ? now : picked(now, says))
    if (!isCloud(kind)) return answer
    change(state, kind, uuid, { state: 'UPDATE_SCHEDULED' })
    travel(state, uuid, [{ state: 'UPDATING' }, { state: 'OK' }])
    return answer
  })

  const deleted = within(state, kind, (object, _, uuid) => {
    const refused = ends?.refuses?.(state, object)
    if (refused !== undefined) return refused
    if (ends?.marked !== undefined) change(state, kind, uuid, ends.marked)
    else if (!isCloud(kind)) state.objects[kind].delete(uuid)
    else if (object['state'] !== 'OK' && object['state'] !== 'ERRED') return busy
    else {
      change(state, kind, uuid, { state: 'DELETION_SCHEDULED' })
      travel(state, uuid, [{ state: 'DELETING' }, { state: 'DELETING' }], () => state.objects[kind].delete(uuid))
      // Today's description knows the first alone, the release of 2024 answered the second.
      if (state.references === 'object') return ok({ status: 'Deletion was successfully scheduled.' }, 202)
    }
    return { status: 204 }
  })

  const told = (name: string, { refuses, sets, says }: Action): Routes => ({
    [`POST /${kind}/:uuid/${name}/`]: within(state, kind, (object, asked, uuid) => {
      const body: Json = asked.body ?? null
      if (isCloud(kind) && object['state'] !== 'OK') return busy
      const refused = refuses?.(state, object, body)
      if (refused !== undefined) return refused
      if (!isCloud(kind)) return ok(shown(state, kind, change(state, kind, uuid, sets(state, body))))
      change(state, kind, uuid, { state: 'UPDATE_SCHEDULED' })
      travel(state, uuid, [{ state: 'UPDATING' }, { state: 'OK', ...sets(state, body) }])
      return ok(says?.(body) ?? { status: `${name} was scheduled` }, 202)
    }),
  })

  const isCalled = typeof made === 'object' && 'in' in made
  return {
    ...readable(state, kind, entry.filters),
    ...(isCalled
      ? {
          [`POST /${made.in}/:uuid/${made.by}/`]: within(state, made.in, (parent, { body }) =>
            create(objectOf(body), placeOf(parent, made.in)),
          ),
        }
      : { [`POST /${kind}/`]: inCollection }),
    ...(changes === undefined ? {} : { [`${changes.by ?? 'PATCH'} /${kind}/:uuid/`]: updated }),
    ...(ends === undefined ? {} : { [`DELETE /${kind}/:uuid/`]: deleted }),
    ...Object.assign({}, ...Object.entries(actions).map(([name, action]) => told(name, action))),
  }
}
