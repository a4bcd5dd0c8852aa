import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, objectOf, ok, type Routes } from '../servers/json-routes.ts'
import { found, within } from './waldur-rights.ts'
import { add, change, filtered, inPages, notFound, shown, type WaldurState, wrong } from './waldur-state.ts'

/* The roles of users in organisations and projects. */

const given = (asked: Asked) => {
  const { user, role, expiration_time = null } = objectOf(asked.body)
  return { user: String(user).replaceAll('-', ''), role, expiration_time }
}

export const memberRoutes = (state: WaldurState, kind: 'customers' | 'projects'): Routes => {
  const all = (scope: JsonObject) =>
    [...state.objects['user-roles'].values()].filter((each) => each['scope'] === scope['uuid'])
  const has = (scope: JsonObject, asked: Asked) => {
    const { user, role } = given(asked)
    return all(scope).find(({ user_uuid, role_name }) => user_uuid === user && role_name === role)
  }
  const call = (name: string, act: (scope: JsonObject, asked: Asked) => Answered): Routes => ({
    [`POST /${kind}/:uuid/${name}/`]: within(state, kind, act),
  })
  /** A role that the user has there already. */
  const held = (act: (role: JsonObject, asked: Asked) => Answered) => (scope: JsonObject, asked: Asked) => {
    const role = has(scope, asked)
    return role === undefined ? wrong(404, 'The user has no such role here.') : act(role, asked)
  }
  return {
    [`GET /${kind}/:uuid/list_users/`]: (asked) => {
      const scope = found(state, asked, kind)
      if (scope === undefined) return notFound
      const items = filtered(all(scope), { user: 'user_uuid', role: 'role_name' }, asked)
      return inPages(
        items.map((each) => shown(state, 'user-roles', each)),
        asked,
        state.base,
      )
    },
    ...call('add_user', (scope, asked) => {
      const { user, role, expiration_time } = given(asked)
      const known = state.objects.users.get(user)
      const [wanted] = [...state.objects.roles.values()].filter(({ name }) => name === role)
      if (known === undefined || wanted === undefined) return wrong(400, { role: ['There is no such user or role.'] })
      if (has(scope, asked) !== undefined) return wrong(400, 'The user has this role here already.')
      add(state, 'user-roles', {
        scope: scope['uuid'] ?? '',
        user_uuid: user,
        user_username: known['username'] ?? '',
        role_name: wanted['name'] ?? '',
        role_uuid: wanted['uuid'] ?? '',
        expiration_time,
      })
      return ok({ expiration_time }, 201)
    }),
    ...call(
      'update_user',
      held((role, asked) => {
        const { expiration_time } = given(asked)
        change(state, 'user-roles', String(role['uuid']), { expiration_time })
        return ok({ expiration_time })
      }),
    ),
    ...call(
      'delete_user',
      held((role) => {
        state.objects['user-roles'].delete(String(role['uuid']))
        return { status: 200 }
      }),
    ),
  }
}
