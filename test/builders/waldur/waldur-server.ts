import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { type Answered, dumpOf, objectOf, ok, type Routes, startRoutes } from '../servers/json-routes.ts'
import { groupRoutes, instanceRoutes, type OrderOptions, orderRoutes } from './waldur-openstack.ts'
import { add, byUrl, change, emptyState, notFound, readable, type WaldurState, within, wrong } from './waldur-state.ts'

/*
 * A stand-in of Waldur's API, with the forms of its published OpenAPI description (8.0.5) and of recorded answers: objects
 * name each other by URL, lists come in pages of ten with a Link header, filters that a list does not know are ignored,
 * a deleted project stays readable, a PATCH takes the customer of a project and does nothing with it, whatever happens in
 * the cloud is scheduled and goes through states, machines are ordered at a marketplace.
 *
 * A real one of October 2024 differs: it takes objects where
 * 8.0.5 takes URLs, hides a deleted project, has no kinds of projects, writes states as `Update Scheduled`; here everybody
 * with the token may do everything, and names may be given twice.
 */

export const waldurToken = 'waldur-token-0123'

/** Scripts and their like are taken out of a description. */
const cleaned = (html: Json | undefined): string => String(html ?? '').replaceAll(/<script.*?<\/script>/gs, '')

const projectMembers = (state: WaldurState, body: JsonObject): JsonObject => {
  const customer = byUrl(state, 'customers', body['customer'])
  return {
    customer: customer?.['url'] ?? '',
    customer_uuid: customer?.['uuid'] ?? '',
    customer_name: customer?.['name'] ?? '',
  }
}

const writable = ['name', 'description', 'backend_id', 'start_date', 'end_date', 'type'] as const

const taken = (body: JsonObject): JsonObject => ({
  ...Object.fromEntries(writable.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name] ?? null]]))),
  ...(body['description'] === undefined ? {} : { description: cleaned(body['description']) }),
})

const projectRoutes = (state: WaldurState): Routes => ({
  ...readable(state, 'projects', { name_exact: 'name', customer: 'customer_uuid', uuid: 'uuid' }),
  'POST /projects/': ({ body }) => {
    const given = objectOf(body)
    if (typeof given['name'] !== 'string') return wrong(400, { name: ['This field is required.'] })
    if (byUrl(state, 'customers', given['customer']) === undefined)
      return wrong(400, { customer: ['Invalid hyperlink - Object does not exist.'] })
    const made = add(state, 'projects', {
      slug: 'p',
      description: '',
      backend_id: '',
      start_date: null,
      end_date: null,
      type: null,
      kind: given['kind'] ?? 'default',
      is_removed: false,
      ...projectMembers(state, given),
      ...taken(given),
    })
    return ok(made, 201)
  },
  'PATCH /projects/:uuid/': within(state, 'projects', (project, body, uuid): Answered => {
    if (project['is_removed'] === true) return notFound
    return ok(change(state, 'projects', uuid, taken(body)))
  }),
  'POST /projects/:uuid/move_project/': within(state, 'projects', (_, body, uuid) => {
    if (byUrl(state, 'customers', body['customer']) === undefined)
      return wrong(400, { customer: ['Invalid hyperlink.'] })
    if (typeof body['preserve_permissions'] !== 'boolean') return wrong(400, { preserve_permissions: ['Required.'] })
    return ok(change(state, 'projects', uuid, projectMembers(state, body)))
  }),
  'DELETE /projects/:uuid/': within(state, 'projects', (_, __, uuid) => {
    change(state, 'projects', uuid, { is_removed: true })
    return { status: 204 }
  }),
})

const customerRoutes = (state: WaldurState): Routes => ({
  ...readable(state, 'customers', { name_exact: 'name', abbreviation: 'abbreviation' }),
  'POST /customers/': ({ body }) => {
    const given = objectOf(body)
    if (typeof given['name'] !== 'string') return wrong(400, { name: ['This field is required.'] })
    return ok(add(state, 'customers', { abbreviation: '', native_name: '', email: '', domain: '', ...given }), 201)
  },
  'PATCH /customers/:uuid/': within(state, 'customers', (_, body, uuid) => ok(change(state, 'customers', uuid, body))),
  'DELETE /customers/:uuid/': within(state, 'customers', (customer, _, uuid) => {
    const isUsed = [...state.objects.projects.values()].some(
      (project) => project['customer'] === customer['url'] && project['is_removed'] === false,
    )
    if (isUsed) return wrong(409, 'Cannot delete organization with existing projects.')
    state.objects.customers.delete(uuid)
    return { status: 204 }
  }),
})

const keyRoutes = (state: WaldurState): Routes => ({
  'GET /users/me/': () => ok({ uuid: 'u1', is_staff: true }),
  ...readable(state, 'keys', { name_exact: 'name', uuid: 'uuid', user_uuid: 'user_uuid' }),
  'POST /keys/': ({ body }) => {
    const { name, public_key } = objectOf(body)
    if (typeof public_key !== 'string' || !public_key.startsWith('ssh-'))
      return wrong(400, { public_key: ['Invalid SSH public key.'] })
    const [type = ''] = public_key.split(' ')
    const made = { name: name ?? '', public_key: public_key.trim(), type, fingerprint_md5: '3d:13', is_shared: false }
    return ok(add(state, 'keys', { ...made, user_uuid: 'u1' }), 201)
  },
  'DELETE /keys/:uuid/': within(state, 'keys', (_, __, uuid) => {
    state.objects.keys.delete(uuid)
    return { status: 204 }
  }),
})

export const startWaldur = async (options: OrderOptions = {}) => {
  const state = emptyState()
  const tenantFilters = { name_exact: 'name', tenant_uuid: 'tenant_uuid', uuid: 'uuid' }
  const routes: Routes = {
    ...customerRoutes(state),
    ...projectRoutes(state),
    ...keyRoutes(state),
    ...readable(state, 'openstack-tenants', { name_exact: 'name', project_uuid: 'project_uuid' }),
    ...readable(state, 'openstack-flavors', tenantFilters),
    ...readable(state, 'openstack-images', tenantFilters),
    ...readable(state, 'openstack-subnets', tenantFilters),
    ...readable(state, 'marketplace-public-offerings', { name_exact: 'name', project_uuid: 'project_uuid' }),
    ...groupRoutes(state),
    ...instanceRoutes(state),
    ...orderRoutes(state, options),
  }
  const server = await startRoutes(routes, {
    prefix: '/api',
    notFound,
    guard: ({ headers, path }) => {
      if (headers.authorization?.toLowerCase() !== `token ${waldurToken}`) return wrong(401, 'Invalid token.')
      // Django wants the slash, and what it was sent is lost on the way.
      return path.endsWith('/') ? undefined : { status: 301, headers: { location: `${path}/` } }
    },
  })
  state.base = `${server.url}/api`
  return {
    ...server,
    state,
    dump: () => dumpOf(state.objects),
    add: (...given: Parameters<typeof add> extends [unknown, ...infer Rest] ? Rest : never) => add(state, ...given),
  }
}

export type Waldur = Awaited<ReturnType<typeof startWaldur>>
