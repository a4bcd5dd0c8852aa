import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray } from '../../../core/engine/schema/json.ts'
import { objectOf } from '../servers/json-routes.ts'
import type { Action, KindEntry } from './waldur-entry.ts'
import { isCidr, refusedRules, rulesOf } from './waldur-rules.ts'
import { byUrl, type Kind, named, wrong } from './waldur-state.ts'

/* What is in a tenant of the cloud, and what is ordered: whatever is asked of it happens later. */

const noObject = ['Invalid hyperlink - Object does not exist.']

/** The groups of a machine, in the order of what named them. */
export const groupsOf = (groups: readonly (JsonObject | undefined)[]): JsonObject[] =>
  groups.flatMap((group) => {
    if (group === undefined) return []
    const { url = '', name = '', rules = [] } = group
    // Inside of a machine they name the other group by its id alone.
    const nested = (isArray(rules) ? rules : []).map((each) => {
      const { remote_group: _, ...rule } = objectOf(each)
      return rule
    })
    return [{ url, name, rules: nested, state: 'OK', description: '' }]
  })

const projectFilters = { name_exact: 'name', project_uuid: 'project_uuid', uuid: 'uuid' }
const tenantFilters = { name_exact: 'name', tenant_uuid: 'tenant_uuid', tenant: 'tenant', uuid: 'uuid' }

const fromTo = (name: string, from: string, to: string): Readonly<Record<string, Action>> => ({
  [name]: {
    refuses: (_, { runtime_state }) =>
      runtime_state === from ? undefined : wrong(409, `Not while it is ${runtime_state}.`),
    sets: () => ({ runtime_state: to }),
  },
})
const listOf = (body: Json, name: string): readonly Json[] => {
  const list = objectOf(body)[name]
  return isArray(list) ? list : []
}
const word = { description: '' }

export const cloudKinds: Partial<Record<Kind, KindEntry>> = {
  'openstack-tenants': { filters: projectFilters },
  'openstack-flavors': { filters: tenantFilters },
  'openstack-images': { filters: tenantFilters },
  'openstack-volume-types': { filters: tenantFilters },
  'openstack-security-groups': {
    filters: tenantFilters,
    made: { in: 'openstack-tenants', by: 'create_security_group' },
    starts: { ...word, name: null, rules: null },
    requires: ['name', 'rules'],
    changes: { takes: ['name', 'description'], says: ['name', 'description'] },
    refuses: ({ name, rules }, object) => {
      if ((object?.['name'] ?? name) === 'default')
        return { name: ['Default security group is managed by OpenStack itself.'] }
      const refused = refusedRules(rules)
      return refused === undefined ? undefined : { rules: refused }
    },
    follows: (state, { rules }) => (rules === undefined ? {} : { rules: rulesOf(state, rules) }),
    ends: {},
    actions: {
      set_rules: {
        refuses: (_, __, body) => {
          // A bare list, and no object around it.
          if (!isArray(body)) return wrong(400, { non_field_errors: ['Expected a list of items but got type "dict".'] })
          const refused = refusedRules(body)
          return refused === undefined ? undefined : wrong(400, refused)
        },
        sets: (state, body) => ({ rules: rulesOf(state, body) }),
      },
    },
  },
  'openstack-networks': {
    filters: tenantFilters,
    made: { in: 'openstack-tenants', by: 'create_network' },
    starts: { ...word, name: null },
    requires: ['name'],
    changes: { takes: ['name', 'description'] },
    has: { mtu: 1450 },
    ends: {},
    actions: { set_mtu: { sets: (_, body) => ({ mtu: objectOf(body)['mtu'] ?? null }), says: (body) => body } },
  },
  'openstack-subnets': {
    filters: { ...tenantFilters, network_uuid: 'network_uuid' },
    made: { in: 'openstack-networks', by: 'create_subnet' },
    starts: {
      ...{ ...word, name: null, cidr: '192.168.42.0/24', gateway_ip: null, disable_gateway: false },
      ...{ dns_nameservers: [], host_routes: [] },
    },
    requires: ['name'],
    changes: {
      takes: ['name', 'description', 'gateway_ip', 'disable_gateway', 'dns_nameservers', 'host_routes'],
      lost: { host_routes: [] },
    },
    refuses: ({ cidr }) =>
      cidr === undefined || isCidr(String(cidr)) ? undefined : { cidr: ['Expected CIDR format.'] },
    has: { allocation_pools: [] },
    ends: {},
  },
  'openstack-floating-ips': {
    filters: { address: 'address', tenant_uuid: 'tenant_uuid' },
    made: { in: 'openstack-tenants', by: 'create_floating_ip' },
    has: { ...word, address: null },
    ends: {},
    arrives: (state) => ({ address: `203.0.113.${state.counters.made}` }),
    actions: { update_description: { sets: (_, body) => ({ description: objectOf(body)['description'] ?? '' }) } },
  },
  'openstack-server-groups': {
    filters: tenantFilters,
    made: { in: 'openstack-tenants', by: 'create_server_group' },
    starts: { ...word, name: null, policy: 'affinity' },
    requires: ['name'],
    ends: {},
  },
  'openstack-volumes': {
    filters: { ...projectFilters, instance_uuid: 'instance_uuid' },
    changes: { takes: ['name', 'description'] },
    actions: {
      extend: {
        refuses: (state, volume, body) => {
          const machine = byUrl(state, 'openstack-instances', volume['instance'])
          if (machine?.['runtime_state'] === 'ACTIVE') return wrong(409, 'Its instance must be SHUTOFF.')
          const grows = Number(objectOf(body)['disk_size']) > Number(volume['size'])
          return grows ? undefined : wrong(400, { disk_size: ['It must be larger than the size of the volume.'] })
        },
        sets: (_, body) => ({ size: objectOf(body)['disk_size'] ?? null }),
      },
      retype: {
        refuses: (state, _, body) =>
          byUrl(state, 'openstack-volume-types', objectOf(body)['type']) === undefined
            ? wrong(400, { type: noObject })
            : undefined,
        sets: (_, body) => ({ type: objectOf(body)['type'] ?? null }),
      },
      attach: {
        refuses: (state, { instance }, body) => {
          if (instance !== null) return wrong(409, 'It is attached.')
          const machine = byUrl(state, 'openstack-instances', objectOf(body)['instance'])
          return machine === undefined ? wrong(400, { instance: noObject }) : undefined
        },
        sets: (state, body) => {
          const { url: instance = null, uuid: instance_uuid = null } =
            byUrl(state, 'openstack-instances', objectOf(body)['instance']) ?? {}
          return { instance, instance_uuid, device: '/dev/vdb', runtime_state: 'in-use' }
        },
      },
      detach: {
        refuses: (_, { instance }) => (instance === null ? wrong(409, 'It is not attached.') : undefined),
        sets: () => ({ instance: null, instance_uuid: null, device: '', runtime_state: 'available' }),
      },
    },
  },
  'openstack-instances': {
    filters: { ...projectFilters, tenant_uuid: 'tenant_uuid' },
    changes: { takes: ['name', 'description'] },
    actions: {
      ...fromTo('start', 'SHUTOFF', 'ACTIVE'),
      ...fromTo('stop', 'ACTIVE', 'SHUTOFF'),
      change_flavor: {
        refuses: (state, { runtime_state }, body) => {
          if (runtime_state !== 'SHUTOFF') return wrong(409, `Not while it is ${runtime_state}.`)
          const flavor = byUrl(state, 'openstack-flavors', objectOf(body)['flavor'])
          return flavor === undefined ? wrong(400, { flavor: noObject }) : undefined
        },
        sets: (state, body) => ({
          flavor_name: byUrl(state, 'openstack-flavors', objectOf(body)['flavor'])?.['name'] ?? '',
        }),
      },
      update_security_groups: {
        refuses: (state, _, body) => {
          const groups = listOf(body, 'security_groups')
          const isWrong = groups.some((each) => named(state, 'openstack-security-groups', each) === undefined)
          return isWrong ? wrong(400, { security_groups: ['Invalid hyperlink - No URL match.'] }) : undefined
        },
        sets: (state, body) => {
          const given = listOf(body, 'security_groups')
          const groups = given.map((each) => named(state, 'openstack-security-groups', each))
          return { security_groups: groupsOf(groups) }
        },
      },
    },
  },
  'marketplace-public-offerings': { filters: projectFilters },
  'marketplace-orders': { filters: { state: 'state', offering_uuid: 'offering_uuid' } },
  'marketplace-resources': { filters: { ...projectFilters, offering_uuid: 'offering_uuid', state: 'state' } },
}
