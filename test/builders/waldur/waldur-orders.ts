import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, objectOf, ok, type Routes } from '../servers/json-routes.ts'
import { groupsOf } from './waldur-cloud.ts'
import { forbidden, mayChange, seen, userOf, within } from './waldur-rights.ts'
import { busy } from './waldur-routes.ts'
import { add, byUrl, change, type Kind, shown, travel, type WaldurState, wrong } from './waldur-state.ts'

/* Orders at the marketplace: machines and volumes come from them, and go by them. */

const kindOf = (resource: JsonObject): Kind =>
  resource['offering_type'] === 'OpenStack.Volume' ? 'openstack-volumes' : 'openstack-instances'

const listOf = (given: Json | undefined): readonly Json[] => (isArray(given) ? given : [])

const aMachine = (state: WaldurState, wanted: JsonObject): JsonObject => {
  const flavor = byUrl(state, 'openstack-flavors', wanted['flavor']) ?? {}
  return {
    flavor_name: flavor['name'] ?? '',
    cores: flavor['cores'] ?? 0,
    ram: flavor['ram'] ?? 0,
    image_name: byUrl(state, 'openstack-images', wanted['image'])?.['name'] ?? '',
    security_groups: groupsOf(
      listOf(wanted['security_groups']).map((each) => byUrl(state, 'openstack-security-groups', objectOf(each)['url'])),
    ),
    ports: listOf(wanted['ports']).map((port) => ({
      ...objectOf(port),
      fixed_ips: [{ ip_address: '192.168.42.70', subnet_id: 'b5' }],
      mac_address: 'fa:16:3e:77:e5:5c',
    })),
    volumes: [{ size: wanted['system_volume_size'] ?? 0, bootable: true, device: '/dev/sda', state: 'OK' }],
    internal_ips: ['192.168.42.70'],
    user_data: wanted['user_data'] ?? '',
    key_fingerprint: byUrl(state, 'keys', wanted['ssh_public_key'])?.['fingerprint_md5'] ?? '',
    runtime_state: '',
  }
}

const aVolume = (wanted: JsonObject): JsonObject => ({
  size: wanted['size'] ?? 0,
  type: wanted['type'] ?? null,
  bootable: false,
  instance: null,
  instance_uuid: null,
  device: '',
  runtime_state: '',
})

/** What an order's resource becomes. */
const build = (state: WaldurState, order: JsonObject, resource: JsonObject): void => {
  const kind = kindOf(resource)
  const wanted = objectOf(order['attributes'])
  const offering = state.objects['marketplace-public-offerings'].get(String(order['offering_uuid'])) ?? {}
  const tenant = state.objects['openstack-tenants'].get(String(offering['scope_uuid'])) ?? {}
  const type = resource['offering_type'] ?? ''
  const object = add(state, kind, {
    name: wanted['name'] ?? '',
    description: wanted['description'] ?? '',
    project: resource['project'] ?? '',
    project_uuid: order['project_uuid'] ?? '',
    tenant: tenant['url'] ?? '',
    tenant_uuid: tenant['uuid'] ?? '',
    ...(kind === 'openstack-volumes' ? aVolume(wanted) : aMachine(state, wanted)),
    marketplace_resource_uuid: resource['uuid'] ?? '',
    marketplace_offering_uuid: offering['uuid'] ?? '',
    resource_type: type,
    error_message: '',
    state: 'CREATING',
  })
  const runs = kind === 'openstack-volumes' ? 'available' : 'ACTIVE'
  travel(state, String(object['uuid']), [{ state: 'CREATING' }, { state: 'OK', runtime_state: runs, backend_id: 'i1' }])
  const what = { resource_uuid: object['uuid'] ?? null, resource_type: type }
  change(state, 'marketplace-resources', String(resource['uuid']), {
    state: 'OK',
    scope: object['url'] ?? null,
    ...what,
  })
  change(state, 'marketplace-orders', String(order['uuid']), what)
}

const anOrder = (state: WaldurState, resource: JsonObject, members: JsonObject, done: () => void): JsonObject => {
  const order = add(state, 'marketplace-orders', {
    state: 'executing',
    output: '',
    error_message: '',
    resource_uuid: null,
    marketplace_resource_uuid: resource['uuid'] ?? '',
    offering_uuid: resource['offering_uuid'] ?? '',
    project_uuid: resource['project_uuid'] ?? '',
    ...members,
  })
  const { reads, end } = state.orders
  if (end === 'never') return order
  const under = Array.from({ length: reads - 1 }, () => ({ state: 'executing' }))
  travel(state, String(order['uuid']), [...under, end], () => {
    if (end['state'] === 'done') done()
    else change(state, 'marketplace-resources', String(resource['uuid']), { state: 'Erred' })
  })
  return order
}

const noObject = (name: string): Answered => wrong(400, { [name]: ['Invalid hyperlink - Object does not exist.'] })

const take = (state: WaldurState, asked: Asked): Answered => {
  const given = objectOf(asked.body)
  const [offering] = seen(state, asked, 'marketplace-public-offerings').filter(({ url }) => url === given['offering'])
  const [project] = seen(state, asked, 'projects').filter(({ url }) => url === given['project'])
  if (offering === undefined) return noObject('offering')
  if (project === undefined) return noObject('project')
  if (!mayChange(state, userOf(state, asked) ?? {}, 'projects', project)) return forbidden
  if (given['accepting_terms_of_service'] !== true) return wrong(400, 'Terms of service have not been accepted.')
  const type = offering['type'] ?? 'OpenStack.Instance'
  const { name = '', flavor } = objectOf(given['attributes'])
  if (type === 'OpenStack.Instance' && byUrl(state, 'openstack-flavors', flavor) === undefined)
    return wrong(400, { attributes: { flavor: ['Invalid hyperlink - Object does not exist.'] } })
  if (state.orders.refusal !== undefined) return wrong(400, state.orders.refusal)
  const resource = add(state, 'marketplace-resources', {
    offering_type: type,
    offering_uuid: offering['uuid'] ?? '',
    project: project['url'] ?? '',
    project_uuid: project['uuid'] ?? '',
    name,
    state: 'Creating',
    scope: null,
    resource_uuid: null,
  })
  const wanted = { type: 'Create', offering: given['offering'] ?? '', attributes: given['attributes'] ?? {} }
  const order: JsonObject = anOrder(state, resource, wanted, () => build(state, order, resource))
  return { ...ok(shown(state, 'marketplace-orders', order), 201), headers: { location: String(order['url']) } }
}

export const orderRoutes = (state: WaldurState): Routes => ({
  'POST /marketplace-orders/': (asked) => take(state, asked),
  'POST /marketplace-resources/:uuid/terminate/': within(
    state,
    'marketplace-resources',
    (resource, { body }, uuid): Answered => {
      const kind = kindOf(resource)
      const at = String(resource['resource_uuid'])
      const { runtime_state: runs } = state.objects[kind].get(at) ?? {}
      if (runs === 'ACTIVE' || runs === 'in-use') return wrong(409, `Not while it is ${runs}.`)
      if (resource['state'] !== 'OK' && resource['state'] !== 'Erred') return busy
      change(state, 'marketplace-resources', uuid, { state: 'Terminating' })
      if (state.objects[kind].has(at)) change(state, kind, at, { state: 'DELETING' })
      const attributes = objectOf(body)['attributes'] ?? {}
      const order = anOrder(state, resource, { type: 'Terminate', attributes }, () => {
        state.objects[kind].delete(at)
        change(state, 'marketplace-resources', uuid, { state: 'Terminated', scope: null, resource_uuid: null })
      })
      return ok({ order_uuid: order['uuid'] ?? '' })
    },
  ),
})
