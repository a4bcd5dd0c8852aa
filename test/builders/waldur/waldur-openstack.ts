import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { isArray } from '../../../core/schema/json.ts'
import { type Answered, type Asked, objectOf, ok, type Routes } from '../servers/json-routes.ts'
import { add, byUrl, change, notFound, readable, type WaldurState, within, wrong } from './waldur-state.ts'

/* Security groups and instances of the Waldur stand-in: whatever is asked of them happens later. */

/** What another state than OK answers to whoever wants something. */
const busy = wrong(409, 'Valid states for operation: OK.')
/** What it runs as is in the way of. */
const notWhile = (state: string): Answered => wrong(409, `Not while it is ${state}.`)

interface Rule {
  readonly remote_group?: Json
}

/** Rules come back with what they left out, and with ids of the server. */
const ruleOf = (state: WaldurState, given: Json): JsonObject => {
  state.counters.rule += 1
  const { remote_group = null } = objectOf(given) as Rule
  const other = byUrl(state, 'openstack-security-groups', remote_group)
  return {
    ethertype: 'IPv4',
    direction: 'ingress',
    protocol: '',
    from_port: -1,
    to_port: -1,
    cidr: null,
    description: '',
    ...objectOf(given),
    remote_group,
    ...(other === undefined ? {} : { remote_group_name: other['name'] ?? '', remote_group_uuid: other['uuid'] ?? '' }),
    id: 85_616 + state.counters.rule,
  }
}

const rulesOf = (state: WaldurState, given: Json | undefined): Json[] =>
  (isArray(given) ? given : []).map((rule) => ruleOf(state, rule))

/** Rules must say their ports, -1 for all of them: what the server says where one does not. */
const withoutPorts = (rules: readonly Json[]): Json[] | undefined => {
  const lacking = rules.map((rule) => ['to_port', 'from_port'].find((name) => (objectOf(rule)[name] ?? null) === null))
  return lacking.every((name) => name === undefined)
    ? undefined
    : lacking.map((name) => (name === undefined ? {} : { [name]: ['Empty value is not allowed.'] }))
}

const groups = 'openstack-security-groups'

export const groupRoutes = (state: WaldurState): Routes => {
  const moves = (uuid: string, first: string, then: string): void => {
    change(state, groups, uuid, { state: first })
    state.journeys.set(uuid, { steps: [{ state: then }, { state: 'OK' }] })
  }
  return {
    ...readable(state, groups, { name_exact: 'name', tenant_uuid: 'tenant_uuid', tenant: 'tenant', uuid: 'uuid' }),
    'POST /openstack-tenants/:uuid/create_security_group/': within(state, 'openstack-tenants', (tenant, body) => {
      const { name, rules } = body
      if (typeof name !== 'string' || name === '') return wrong(400, { name: ['This field is required.'] })
      if (name === 'default') return wrong(400, { name: ['Default security group is managed by OpenStack itself.'] })
      if (isArray(rules) && rules.some((rule) => objectOf(rule)['cidr'] === 'nonsense'))
        return wrong(400, { rules: [{ cidr: ['Enter a valid CIDR value.'] }] })
      const refused = withoutPorts(isArray(rules) ? rules : [])
      if (refused !== undefined) return wrong(400, { rules: refused })
      const made = add(state, groups, {
        name,
        description: '',
        ...body,
        rules: rulesOf(state, rules),
        tenant: tenant['url'] ?? '',
        tenant_uuid: tenant['uuid'] ?? '',
        tenant_name: tenant['name'] ?? '',
        project: tenant['project'] ?? '',
        resource_type: 'OpenStack.SecurityGroup',
        error_message: '',
        state: 'CREATION_SCHEDULED',
      })
      state.journeys.set(String(made['uuid']), { steps: [{ state: 'CREATING' }, { state: 'OK', backend_id: 'b1' }] })
      return ok(made, 201)
    }),
    [`PATCH /${groups}/:uuid/`]: within(state, groups, (group, { name, description }, uuid) => {
      if (group['state'] !== 'OK') return busy
      const given = { ...(name ? { name } : {}), ...(description === undefined ? {} : { description }) }
      // The answer was made before anything was scheduled.
      const answer = change(state, groups, uuid, given)
      moves(uuid, 'UPDATE_SCHEDULED', 'UPDATING')
      return ok(answer)
    }),
    [`POST /${groups}/:uuid/set_rules/`]: (asked: Asked) => {
      const uuid = asked.params['uuid'] ?? ''
      const group = state.objects[groups].get(uuid)
      if (group === undefined) return notFound
      if (group['state'] !== 'OK') return busy
      // A bare list, and no object around it.
      if (!isArray(asked.body))
        return wrong(400, { non_field_errors: ['Expected a list of items but got type "dict".'] })
      const refused = withoutPorts(asked.body)
      if (refused !== undefined) return wrong(400, refused)
      change(state, groups, uuid, { rules: rulesOf(state, asked.body) })
      moves(uuid, 'UPDATE_SCHEDULED', 'UPDATING')
      return ok({ status: 'Rules update was successfully scheduled.' }, 202)
    },
    [`DELETE /${groups}/:uuid/`]: within(state, groups, (group, _, uuid) => {
      if (group['state'] !== 'OK' && group['state'] !== 'ERRED') return busy
      change(state, groups, uuid, { state: 'DELETION_SCHEDULED' })
      state.journeys.set(uuid, {
        steps: [{ state: 'DELETING' }, { state: 'DELETING' }],
        done: () => void state.objects[groups].delete(uuid),
      })
      return { status: 202, body: { status: 'Deletion was successfully scheduled.' } }
    }),
  }
}

const instances = 'openstack-instances'

const named = (state: WaldurState, list: Json | undefined): Json[] =>
  (isArray(list) ? list : []).flatMap((each) => {
    const url = typeof each === 'string' ? each : objectOf(each)['url']
    const { name = '', uuid = '', rules = [] } = byUrl(state, groups, url) ?? {}
    return url === undefined ? [] : [{ url, name, uuid, rules, state: 'OK', description: '' }]
  })

export interface OrderOptions {
  /** What an order says instead of being carried out. */
  readonly orderError?: string
}

/** The instance that an order's resource becomes. */
const buildInstance = (state: WaldurState, order: JsonObject, resource: JsonObject): void => {
  const wanted = objectOf(order['attributes'])
  const flavor = byUrl(state, 'openstack-flavors', wanted['flavor']) ?? {}
  const offering = byUrl(state, 'marketplace-public-offerings', order['offering']) ?? {}
  const tenant = byUrl(state, 'openstack-tenants', offering['scope']) ?? {}
  const made = add(state, instances, {
    name: wanted['name'] ?? '',
    description: wanted['description'] ?? '',
    project: order['project'] ?? '',
    project_uuid: order['project_uuid'] ?? '',
    tenant: tenant['url'] ?? '',
    tenant_uuid: tenant['uuid'] ?? '',
    flavor_name: flavor['name'] ?? '',
    cores: flavor['cores'] ?? 0,
    ram: flavor['ram'] ?? 0,
    image_name: byUrl(state, 'openstack-images', wanted['image'])?.['name'] ?? '',
    security_groups: named(state, wanted['security_groups']),
    ports: (isArray(wanted['ports']) ? wanted['ports'] : []).map((port) => ({
      ...objectOf(port),
      fixed_ips: [{ ip_address: '192.168.42.70', subnet_id: 'b5' }],
      mac_address: 'fa:16:3e:77:e5:5c',
    })),
    volumes: [{ size: wanted['system_volume_size'] ?? 0, bootable: true, device: '/dev/sda', state: 'OK' }],
    user_data: wanted['user_data'] ?? '',
    key_fingerprint: byUrl(state, 'keys', wanted['ssh_public_key'])?.['fingerprint_md5'] ?? '',
    marketplace_resource_uuid: resource['uuid'] ?? '',
    marketplace_offering_uuid: offering['uuid'] ?? '',
    resource_type: 'OpenStack.Instance',
    runtime_state: '',
    error_message: '',
    state: 'CREATING',
  })
  state.journeys.set(String(made['uuid']), {
    steps: [{ state: 'CREATING' }, { state: 'OK', runtime_state: 'ACTIVE', backend_id: 'i1' }],
  })
  change(state, 'marketplace-resources', String(resource['uuid']), {
    state: 'OK',
    scope: made['url'] ?? null,
    resource_uuid: made['uuid'] ?? null,
    resource_type: 'OpenStack.Instance',
  })
  change(state, 'marketplace-orders', String(order['uuid']), { resource_uuid: made['uuid'] ?? null })
}

const orderOf = (state: WaldurState, type: string, resource: JsonObject, members: JsonObject): JsonObject =>
  add(state, 'marketplace-orders', {
    type,
    state: 'executing',
    output: '',
    error_message: '',
    resource_uuid: null,
    marketplace_resource_uuid: resource['uuid'] ?? '',
    ...members,
  })

export const orderRoutes = (state: WaldurState, options: OrderOptions): Routes => ({
  ...readable(state, 'marketplace-orders', { state: 'state', offering_uuid: 'offering_uuid' }),
  ...readable(state, 'marketplace-resources', {
    name_exact: 'name',
    offering_uuid: 'offering_uuid',
    project_uuid: 'project_uuid',
    state: 'state',
  }),
  'POST /marketplace-orders/': ({ body }) => {
    const given = objectOf(body)
    const offering = byUrl(state, 'marketplace-public-offerings', given['offering'])
    const project = byUrl(state, 'projects', given['project'])
    if (offering === undefined) return wrong(400, { offering: ['Invalid hyperlink - Object does not exist.'] })
    if (project === undefined) return wrong(400, { project: ['Invalid hyperlink - Object does not exist.'] })
    if (given['accepting_terms_of_service'] !== true) return wrong(400, 'Terms of service have not been accepted.')
    const { name = '', flavor } = objectOf(given['attributes'])
    if (byUrl(state, 'openstack-flavors', flavor) === undefined)
      return wrong(400, { attributes: { flavor: ['Invalid hyperlink - Object does not exist.'] } })
    const common = { offering_uuid: offering['uuid'] ?? '', project_uuid: project['uuid'] ?? '' }
    const resource = add(state, 'marketplace-resources', {
      offering_type: 'OpenStack.Instance',
      project: project['url'] ?? '',
      ...common,
      name,
      state: 'Creating',
      scope: null,
      resource_uuid: null,
    })
    const order = orderOf(state, 'Create', resource, { ...common, ...given })
    const { orderError } = options
    const failed = orderError === undefined ? undefined : { state: 'erred', error_message: orderError }
    state.journeys.set(String(order['uuid']), {
      steps: [{ state: 'executing' }, failed ?? { state: 'done' }],
      done: () => {
        if (failed === undefined) buildInstance(state, order, resource)
        else change(state, 'marketplace-resources', String(resource['uuid']), { state: 'Erred' })
      },
    })
    return { ...ok(order, 201), headers: { location: String(order['url']) } }
  },
  'POST /marketplace-resources/:uuid/terminate/': within(
    state,
    'marketplace-resources',
    (resource, { attributes }, uuid) => {
      const instance = String(resource['resource_uuid'])
      const { runtime_state: runs } = state.objects[instances].get(instance) ?? {}
      if (runs === 'ACTIVE') return notWhile(runs)
      if (resource['state'] !== 'OK' && resource['state'] !== 'Erred') return busy
      change(state, 'marketplace-resources', uuid, { state: 'Terminating' })
      if (state.objects[instances].has(instance)) change(state, instances, instance, { state: 'DELETING' })
      const order = orderOf(state, 'Terminate', resource, { attributes: attributes ?? {} })
      state.journeys.set(String(order['uuid']), {
        steps: [{ state: 'executing' }, { state: 'done' }],
        done: () => {
          state.objects[instances].delete(instance)
          change(state, 'marketplace-resources', uuid, { state: 'Terminated', scope: null, resource_uuid: null })
        },
      })
      return ok({ order_uuid: order['uuid'] ?? '' })
    },
  ),
})

/** Start, stop, and another flavor while it is off. */
const powerRoutes = (state: WaldurState): Routes => {
  const call = (name: string, from: string, members: (body: JsonObject) => JsonObject): Routes => ({
    [`POST /${instances}/:uuid/${name}/`]: within(state, instances, (instance, body, uuid) => {
      if (instance['state'] !== 'OK') return busy
      if (instance['runtime_state'] !== from) return notWhile(String(instance['runtime_state']))
      change(state, instances, uuid, { state: 'UPDATE_SCHEDULED' })
      state.journeys.set(uuid, { steps: [{ state: 'UPDATING' }, { state: 'OK', ...members(body) }] })
      return ok({ status: `${name} was scheduled` }, 202)
    }),
  })
  return {
    ...call('start', 'SHUTOFF', () => ({ runtime_state: 'ACTIVE' })),
    ...call('stop', 'ACTIVE', () => ({ runtime_state: 'SHUTOFF' })),
    ...call('change_flavor', 'SHUTOFF', ({ flavor }) => ({
      flavor_name: byUrl(state, 'openstack-flavors', flavor)?.['name'] ?? '',
    })),
  }
}

export const instanceRoutes = (state: WaldurState): Routes => ({
  ...readable(state, instances, { name_exact: 'name', project_uuid: 'project_uuid', tenant_uuid: 'tenant_uuid' }),
  [`PATCH /${instances}/:uuid/`]: within(state, instances, (instance, { name, description }, uuid) => {
    if (instance['state'] !== 'OK') return busy
    change(state, instances, uuid, { ...(name ? { name } : {}), ...(description === undefined ? {} : { description }) })
    return ok(change(state, instances, uuid, { state: 'OK' }))
  }),
  ...powerRoutes(state),
  [`POST /${instances}/:uuid/update_security_groups/`]: within(
    state,
    instances,
    (instance, { security_groups }, uuid) => {
      if (instance['state'] !== 'OK') return busy
      // A list of URLs, and nothing but.
      if (!isArray(security_groups) || security_groups.some((url) => byUrl(state, groups, url) === undefined))
        return wrong(400, { security_groups: ['Invalid hyperlink - No URL match.'] })
      change(state, instances, uuid, { security_groups: named(state, security_groups), state: 'UPDATE_SCHEDULED' })
      state.journeys.set(uuid, { steps: [{ state: 'UPDATING' }, { state: 'OK' }] })
      return ok({ status: 'Security groups update was scheduled.' }, 202)
    },
  ),
})
