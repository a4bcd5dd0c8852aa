import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { objectOf } from '../servers/json-routes.ts'
import type { KindEntry } from './waldur-entry.ts'
import { byUrl, type Kind, named, type WaldurState, wrong } from './waldur-state.ts'

/* Users, roles, organisations, projects and keys: what is asked of them happens at once. */

const today = '2026-11-21'
/** Scripts and their like are taken out of a description. */
const cleaned = (html: Json): string => String(html).replaceAll(/<script.*?<\/script>/gs, '')

const customerOf = (customer: JsonObject | undefined): JsonObject => ({
  customer: customer?.['url'] ?? '',
  customer_uuid: customer?.['uuid'] ?? '',
  customer_name: customer?.['name'] ?? '',
})

const isHeld = (state: WaldurState, project: JsonObject): boolean =>
  (['openstack-tenants', 'openstack-instances', 'openstack-volumes'] as const).some((kind) =>
    [...state.objects[kind].values()].some(({ project_uuid }) => project_uuid === project['uuid']),
  )

const word = { description: '' }

export const peoplesKinds: Partial<Record<Kind, KindEntry>> = {
  users: { filters: { username: 'username', uuid: 'uuid' } },
  roles: {
    filters: { name: 'name' },
    made: 'by staff',
    starts: { ...word, name: null, content_type: null, permissions: [] },
    requires: ['name', 'content_type'],
    changes: { by: 'PUT', takes: ['name', 'description', 'permissions'], lost: word },
    has: { is_system_role: false, is_active: true },
    ends: {
      refuses: (state, { uuid }) =>
        [...state.objects['user-roles'].values()].some(({ role_uuid }) => role_uuid === uuid)
          ? wrong(400, 'Somebody has this role.')
          : undefined,
    },
  },
  customers: {
    filters: { name_exact: 'name', abbreviation: 'abbreviation' },
    made: 'by staff',
    starts: { name: null, abbreviation: '', native_name: '', email: '', domain: '' },
    requires: ['name'],
    changes: { takes: ['name', 'abbreviation', 'native_name', 'email', 'domain'] },
    ends: {
      refuses: (state, { url }) =>
        [...state.objects.projects.values()].some(({ customer, is_removed }) => customer === url && is_removed !== true)
          ? wrong(409, 'Cannot delete organization with existing projects.')
          : undefined,
    },
  },
  projects: {
    filters: { name_exact: 'name', customer: 'customer_uuid', uuid: 'uuid' },
    made: { under: 'customers', member: 'customer' },
    starts: { ...word, name: null, backend_id: '', start_date: null, end_date: null, type: null, kind: 'default' },
    requires: ['name'],
    // It takes a customer too, and does nothing with it.
    changes: { takes: ['name', 'description', 'backend_id', 'start_date', 'end_date', 'type'] },
    refuses: ({ end_date }) =>
      typeof end_date === 'string' && end_date < today
        ? { end_date: ['Cannot be earlier than the current date.'] }
        : undefined,
    follows: (state, { customer, description }) => ({
      ...(customer === undefined ? {} : customerOf(byUrl(state, 'customers', customer))),
      ...(description === undefined ? {} : { description: cleaned(description) }),
    }),
    has: { slug: 'p', is_removed: false },
    ends: {
      refuses: (state, project) =>
        isHeld(state, project) ? wrong(409, 'Project contains active resources.') : undefined,
      marked: { is_removed: true },
    },
    actions: {
      move_project: {
        refuses: (state, _, body) => {
          const { customer, preserve_permissions: keeps } = objectOf(body)
          if (named(state, 'customers', customer) === undefined) return wrong(400, { customer: ['Invalid hyperlink.'] })
          return typeof keeps === 'boolean' ? undefined : wrong(400, { preserve_permissions: ['Required.'] })
        },
        sets: (state, body) => customerOf(named(state, 'customers', objectOf(body)['customer'])),
      },
    },
  },
  keys: {
    filters: { name_exact: 'name', uuid: 'uuid', user_uuid: 'user_uuid' },
    made: 'by anybody',
    starts: { name: '', public_key: null },
    requires: ['public_key'],
    refuses: ({ public_key }) =>
      /^\s*ssh-\w+\s+AAAA[\w+/]*=*(\s|$)/.test(String(public_key))
        ? undefined
        : { public_key: ['Invalid SSH public key.'] },
    follows: (_, { public_key = '' }) => {
      const [type = '', key = ''] = String(public_key).trim().split(/\s+/)
      const digest = createHash('md5').update(Buffer.from(key, 'base64')).digest('hex')
      const fingerprint = digest.match(/../g)?.join(':') ?? ''
      return { public_key: String(public_key).trim(), type, fingerprint_md5: fingerprint, is_shared: false }
    },
    ends: {},
  },
}
