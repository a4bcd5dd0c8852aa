import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { WaldurSite } from './waldur-site.ts'
import type { Kind } from './waldur-state.ts'

/* Every type of the document of the example: what is made of it, and what somebody else then does to it. */

interface Drift {
  /** The path where the plan shows it, nothing for the object itself. */
  readonly at: string
  /** The members that somebody else sets; `gone`: the object is removed. */
  readonly by: JsonObject | 'gone' | ((one: WaldurSite['one']) => JsonObject)
}

export interface TypeCase {
  readonly type: string
  /** The kind of object that somebody else changes, and the members that show which one it is. */
  readonly kind: Kind
  readonly found: JsonObject
  readonly spec: JsonObject
  /** Kinds of which its create leaves something. */
  readonly leaves: readonly Kind[]
  readonly drifts: readonly Drift[]
  /** Attributes that nobody can set again: what somebody else does to them is reported, and nothing is sent. */
  readonly fixed?: readonly Drift[]
  /** It cannot be changed: a new one takes its place. */
  readonly isReplaced?: true
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICDhN2SQDhzEJuFUg/wmxwbXjMT6H29ov3UAbOwnfvI/ ada@laptop'

const rule = { ethertype: 'IPv4', direction: 'ingress', description: '', remote_group: null }

export const everyType: readonly TypeCase[] = [
  {
    type: 'waldur_customer',
    kind: 'customers',
    found: { name: 'Lab' },
    spec: { name: 'Lab', abbreviation: 'L', nativeName: 'Labor', email: 'lab@example.com', domain: 'example.com' },
    leaves: ['customers'],
    drifts: [
      { at: 'abbreviation', by: { abbreviation: 'X' } },
      { at: 'nativeName', by: { native_name: 'X' } },
      { at: 'email', by: { email: 'x@example.com' } },
      { at: 'domain', by: { domain: 'x.example.com' } },
      { at: 'name', by: { name: 'Laboratory' } },
      { at: '', by: 'gone' },
    ],
  },
  {
    type: 'waldur_project',
    kind: 'projects',
    found: { name: 'Trials', is_removed: false },
    spec: {
      name: 'Trials',
      customer: 'ACME',
      description: 'Where things are tried',
      startDate: '2028-01-01',
      endDate: '2030-12-31',
      backendId: 'b-1',
    },
    leaves: ['projects'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'endDate', by: { end_date: null } },
      { at: 'startDate', by: { start_date: '2028-02-02' } },
      { at: 'backendId', by: { backend_id: 'x' } },
      { at: 'name', by: { name: 'Tries' } },
      {
        at: 'customer',
        by: (one) => {
          const { url = '', uuid = '', name = '' } = one('customers', { name: 'Other' })
          return { customer: url, customer_uuid: uuid, customer_name: name }
        },
      },
      { at: '', by: { is_removed: true } },
    ],
  },
  {
    type: 'waldur_ssh_key',
    kind: 'keys',
    found: { name: 'ada' },
    spec: { name: 'ada', publicKey: key },
    leaves: ['keys'],
    isReplaced: true,
    drifts: [
      { at: 'publicKey', by: { public_key: key.replace('ada@', 'eve@') } },
      { at: '', by: 'gone' },
    ],
  },
  {
    type: 'waldur_security_group',
    kind: 'openstack-security-groups',
    found: { name: 'web' },
    spec: {
      tenant: 'cloud',
      name: 'web',
      description: 'What the world may reach',
      rules: [
        { protocol: 'tcp', fromPort: 443, toPort: 443, cidr: '0.0.0.0/0' },
        { protocol: 'icmp', cidr: '10.0.0.0/8', description: 'All types of ICMP' },
        { protocol: 'tcp', fromPort: 22, toPort: 22, remoteGroup: 'default' },
      ],
    },
    leaves: ['openstack-security-groups'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'name', by: { name: 'www' } },
      {
        at: 'rules / ingress IPv4 icmp -1 -1 10.0.0.0/8 null, rules / ingress IPv4 tcp 22 22 null *, rules / ingress IPv4 tcp 443 443 0.0.0.0/0 null, rules / ingress IPv4 tcp 80 80 0.0.0.0/0 null',
        by: { rules: [{ ...rule, protocol: 'tcp', from_port: 80, to_port: 80, cidr: '0.0.0.0/0' }] },
      },
    ],
  },
  {
    type: 'waldur_network',
    kind: 'openstack-networks',
    found: { name: 'back' },
    spec: { tenant: 'cloud', name: 'back', description: 'Behind', mtu: 1400 },
    leaves: ['openstack-networks'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'mtu', by: { mtu: 1500 } },
      { at: 'name', by: { name: 'bak' } },
    ],
  },
  {
    type: 'waldur_subnet',
    kind: 'openstack-subnets',
    found: { name: 'back-1' },
    spec: {
      tenant: 'cloud',
      network: 'back',
      name: 'back-1',
      description: 'Of it',
      cidr: '192.168.77.0/24',
      gatewayIp: '192.168.77.1',
      disableGateway: false,
      dnsNameservers: ['192.0.2.53', '192.0.2.54'],
      hostRoutes: [{ destination: '10.1.0.0/16', nexthop: '192.168.77.9' }],
    },
    leaves: ['openstack-subnets'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'hostRoutes', by: { host_routes: [] } },
      { at: 'dnsNameservers', by: { dns_nameservers: [] } },
      { at: 'gatewayIp', by: { gateway_ip: '192.168.77.2' } },
      { at: 'disableGateway', by: { disable_gateway: true } },
      { at: 'name', by: { name: 'back-2' } },
      { at: '', by: 'gone' },
    ],
    fixed: [{ at: 'cidr', by: { cidr: '192.168.78.0/24' } }],
  },
  {
    type: 'waldur_floating_ip',
    kind: 'openstack-floating-ips',
    found: {},
    spec: { tenant: 'cloud', description: 'Of the door' },
    leaves: ['openstack-floating-ips'],
    drifts: [{ at: 'description', by: { description: 'x' } }],
  },
  {
    type: 'waldur_server_group',
    kind: 'openstack-server-groups',
    found: { name: 'apart' },
    spec: { tenant: 'cloud', name: 'apart', policy: 'affinity' },
    leaves: ['openstack-server-groups'],
    drifts: [{ at: '', by: 'gone' }],
    fixed: [{ at: 'policy', by: { policy: 'anti-affinity' } }],
  },
  {
    type: 'waldur_instance',
    kind: 'openstack-instances',
    found: { name: 'vm-1' },
    spec: {
      project: 'Infrastructure',
      name: 'vm-1',
      description: 'The first',
      offering: 'Machines in cloud',
      flavor: 'm1.small',
      image: 'cirros',
      systemVolumeSize: 10,
      sshKey: 'ada',
      ports: [{ subnet: 'net' }],
      securityGroups: [{ group: 'web' }],
      power: 'ACTIVE',
    },
    leaves: ['openstack-instances', 'marketplace-orders', 'marketplace-resources'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'name', by: { name: 'vm-2' } },
      { at: 'power', by: { runtime_state: 'SHUTOFF' } },
      { at: 'securityGroups / *', by: { security_groups: [] } },
      { at: 'flavor, power', by: { flavor_name: 'm1.large', runtime_state: 'SHUTOFF' } },
    ],
    fixed: [
      { at: 'systemVolumeSize', by: { volumes: [{ size: 20_480, bootable: true }] } },
      { at: 'image', by: { image_name: 'debian' } },
      { at: 'sshKey', by: { key_fingerprint: '3d:13' } },
    ],
  },
  {
    type: 'waldur_volume',
    kind: 'openstack-volumes',
    found: { name: 'disk' },
    spec: {
      project: 'Infrastructure',
      name: 'disk',
      description: 'More',
      offering: 'Volumes in cloud',
      size: 2,
      type: 'slow',
    },
    leaves: ['openstack-volumes', 'marketplace-orders', 'marketplace-resources'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      { at: 'size', by: { size: 1024 } },
      { at: 'type', by: { type: null } },
      { at: 'name', by: { name: 'disc' } },
    ],
  },
  {
    type: 'waldur_volume_attachment',
    kind: 'openstack-volumes',
    found: { name: 'spare' },
    spec: { project: 'Infrastructure', volume: 'spare', instance: 'vm-1' },
    leaves: ['openstack-volumes'],
    drifts: [{ at: '', by: { instance: null, instance_uuid: null, device: '', runtime_state: 'available' } }],
  },
  {
    type: 'waldur_project_member',
    kind: 'user-roles',
    found: { role_name: 'PROJECT.ADMIN' },
    spec: { project: 'Infrastructure', user: 'nobody', role: 'PROJECT.ADMIN', expirationTime: '2031-01-01T00:00:00Z' },
    leaves: ['user-roles'],
    drifts: [
      { at: 'expirationTime', by: { expiration_time: null } },
      { at: '', by: 'gone' },
    ],
  },
  {
    type: 'waldur_customer_member',
    kind: 'user-roles',
    found: { role_name: 'CUSTOMER.SUPPORT' },
    spec: { customer: 'ACME', user: 'nobody', role: 'CUSTOMER.SUPPORT', expirationTime: '2031-01-01T00:00:00Z' },
    leaves: ['user-roles'],
    drifts: [
      { at: 'expirationTime', by: { expiration_time: null } },
      { at: '', by: 'gone' },
    ],
  },
  {
    type: 'waldur_role',
    kind: 'roles',
    found: { name: 'Gardener' },
    spec: {
      name: 'Gardener',
      description: 'Waters',
      contentType: 'project',
      permissions: ['PROJECT.UPDATE', 'ORDER.APPROVE'],
    },
    leaves: ['roles'],
    drifts: [
      { at: 'description', by: { description: 'x' } },
      // The one that stays is the first: an element that comes back is added at the end, which a set does not mind.
      { at: 'permissions', by: { permissions: ['ORDER.APPROVE'] } },
      { at: '', by: 'gone' },
    ],
    fixed: [{ at: 'contentType', by: { content_type: 'customer' } }],
  },
]
