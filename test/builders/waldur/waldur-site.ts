import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Deps } from '../../../core/engine/workflows/deps.ts'
import { driveExample, type Wanted } from '../workspaces/example-workspace.ts'
import { waldurToken } from './waldur-rights.ts'
import { startWaldur, type WaldurOptions } from './waldur-server.ts'
import { add, change, type Kind, type WaldurState } from './waldur-state.ts'

const of = (object: JsonObject, name: string): JsonObject => ({
  [name]: object['url'] ?? '',
  [`${name}_uuid`]: object['uuid'] ?? '',
})

/** What is in a tenant before anything is ordered in it. */
const addTenant = (state: WaldurState, name: string, project: JsonObject): JsonObject => {
  const tenant = add(state, 'openstack-tenants', { name, ...of(project, 'project') })
  const inside = { tenant_uuid: tenant['uuid'] ?? '' }
  const settings = `${state.base}/service-settings/${'d0'.repeat(16)}/`
  const template = { ...inside, settings }
  add(state, 'openstack-flavors', { name: 'm1.small', cores: 1, ram: 1024, ...template })
  add(state, 'openstack-flavors', { name: 'm1.large', cores: 4, ram: 8192, ...template })
  add(state, 'openstack-images', { name: 'cirros', backend_id: 'i', is_rescue_image: false, ...template })
  for (const type of ['slow', 'fast']) add(state, 'openstack-volume-types', { name: type, ...template })
  add(state, 'openstack-subnets', { name: 'net', ...inside })
  add(state, 'openstack-security-groups', {
    ...{ name: 'default', description: 'Default security group', rules: [], state: 'OK' },
    ...{ ...of(tenant, 'tenant'), ...of(project, 'project') },
  })
  const scope = { scope: tenant['url'] ?? '', scope_uuid: tenant['uuid'] ?? '' }
  add(state, 'marketplace-public-offerings', { name: `Machines in ${name}`, type: 'OpenStack.Instance', ...scope })
  add(state, 'marketplace-public-offerings', { name: `Volumes in ${name}`, type: 'OpenStack.Volume', ...scope })
  return tenant
}

/** A project with a tenant, and what may be ordered in it; and another tenant with things of the same names. */
export const openWaldurSite = async (options: WaldurOptions & { readonly project?: string } = {}) => {
  const waldur = await startWaldur(options)
  const { state } = waldur
  const customer = waldur.add('customers', { name: 'ACME', abbreviation: '', native_name: '', email: '', domain: '' })
  const project = waldur.add('projects', {
    ...{ name: options.project ?? 'Infrastructure', is_removed: false, description: '' },
    ...of(customer, 'customer'),
  })
  waldur.add('customers', { name: 'Other', abbreviation: '', native_name: '', email: '', domain: '' })
  addTenant(state, 'other', project)
  const tenant = addTenant(state, 'cloud', project)
  waldur.add('openstack-volumes', {
    ...{ name: 'spare', description: '', size: 1024, type: null, bootable: false, device: '' },
    ...{ instance: null, instance_uuid: null },
    ...{
      state: 'OK',
      error_message: '',
      runtime_state: 'available',
      ...of(tenant, 'tenant'),
      ...of(project, 'project'),
    },
  })

  const all = (kind: Kind): readonly JsonObject[] => [...state.objects[kind].values()]
  /** The only object of a kind with these members. */
  const one = (kind: Kind, members: JsonObject): JsonObject => {
    const [found, ...more] = all(kind).filter((each) =>
      Object.entries(members).every(([name, value]) => each[name] === value),
    )
    if (found === undefined || more.length > 0)
      throw new Error(`${found === undefined ? 'no' : more.length + 1} ${kind} with ${JSON.stringify(members)}`)
    return found
  }
  /** The workflows with the document of the example; everything about the site by its real paths. */
  const drive = (wanted: readonly Wanted[], token = waldurToken, changes: Partial<Deps> = {}, more: JsonObject = {}) =>
    driveExample(
      {
        example: 'waldur',
        with: { site: waldur.url, token: { secret: 'env:TOKEN' }, references: state.references, ...more },
        secrets: { 'env:TOKEN': token, 'env:USER_DATA': '#cloud-config never shown' },
        base: state.base,
        changes,
      },
      wanted,
    )
  return {
    ...waldur,
    tenant,
    all,
    one,
    drive,
    /** What somebody else makes of an object, past the API. */
    set: (kind: Kind, object: JsonObject, members: JsonObject) => change(state, kind, String(object['uuid']), members),
    remove: (kind: Kind, object: JsonObject) => void state.objects[kind].delete(String(object['uuid'])),
  }
}

export type WaldurSite = Awaited<ReturnType<typeof openWaldurSite>>
