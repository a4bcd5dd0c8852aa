import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { TypeCase } from './every-type.ts'
import type { WaldurSite } from './waldur-site.ts'
import type { Kind } from './waldur-state.ts'

/** What attributes name. */
const namedBy: Readonly<Record<string, Kind>> = {
  project: 'projects',
  customer: 'customers',
  tenant: 'openstack-tenants',
  network: 'openstack-networks',
  subnet: 'openstack-subnets',
  flavor: 'openstack-flavors',
  image: 'openstack-images',
  type: 'openstack-volume-types',
  volume: 'openstack-volumes',
  instance: 'openstack-instances',
  group: 'openstack-security-groups',
  remoteGroup: 'openstack-security-groups',
  sshKey: 'keys',
  offering: 'marketplace-public-offerings',
  user: 'users',
}

const inCloud = (site: WaldurSite, kind: Kind, name: string): JsonObject =>
  site
    .all(kind)
    .filter((each) => [each['name'], each['username']].includes(name))
    .find(({ tenant_uuid }) => tenant_uuid === undefined || tenant_uuid === site.tenant['uuid']) ?? {}

/** A specification with the ids of the objects that it names. */
export const byIds = (spec: JsonObject, site: WaldurSite): JsonObject =>
  JSON.parse(JSON.stringify(spec), (attribute, value: Json) => {
    const kind = namedBy[attribute]
    return kind !== undefined && typeof value === 'string' ? (inCloud(site, kind, value)['uuid'] ?? '') : value
  })

/** What somebody else does to the object of a case. */
export const outside = ({ kind, found }: TypeCase, by: TypeCase['drifts'][number]['by'], site: WaldurSite): void => {
  const object = site.one(kind, found)
  if (by === 'gone') site.remove(kind, object)
  else site.set(kind, object, typeof by === 'function' ? by(site.one) : by)
}
