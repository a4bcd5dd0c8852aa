import type { Json, JsonObject } from '../../../core/schema/json.ts'

/* Every type of the document: what is made of it, and what somebody else then does to it. */

/** What somebody else does to the object: a PATCH of it, a POST to one of its actions, or a statement in the data base. */
export type Outside =
  | { readonly patch: JsonObject }
  | { readonly post: string; readonly body: Json }
  | { readonly sql: string }
  | { readonly remove: true }

export interface Kind {
  readonly type: string
  /** Where the API has its objects, and the member that shows which one it is. */
  readonly collection: string
  readonly found: Readonly<Record<string, string>>
  readonly spec: JsonObject
  /** Tables of the data base where its create leaves something. */
  readonly leaves: readonly string[]
  /** The path where the plan shows it, nothing for the object itself. */
  readonly drifts: readonly Drift[]
  /** Attributes that nobody can set again: what somebody else does to them is reported, and nothing is sent. */
  readonly fixed?: readonly (Drift & { readonly back: string })[]
  /** It cannot be changed: a new one takes its place. */
  readonly isReplaced?: true
}

interface Drift {
  readonly at: string
  readonly by: Outside
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICDhN2SQDhzEJuFUg/wmxwbXjMT6H29ov3UAbOwnfvI/ ada@laptop'

/** A volume that is attached does not grow while its machine runs: the attachment has one of its own. */
export const spare = {
  type: 'waldur_volume',
  name: 'spare',
  spec: { project: 'Infrastructure', name: 'spare', offering: 'Volumes in cloud', size: 1 },
}

const asAdmin = "role_id = (select id from permissions_role where name = 'PROJECT.ADMIN')"

export const kinds: readonly Kind[] = [
  {
    type: 'waldur_customer',
    collection: 'customers',
    found: { name: 'Lab' },
    spec: { name: 'Lab', abbreviation: 'L', nativeName: 'Labor', email: 'lab@example.com', domain: 'example.com' },
    leaves: ['billing_priceestimate', 'structure_customer'],
    drifts: [
      { at: 'abbreviation', by: { patch: { abbreviation: 'X' } } },
      { at: 'nativeName', by: { patch: { native_name: 'X' } } },
      { at: 'email', by: { patch: { email: 'x@example.com' } } },
      { at: 'domain', by: { patch: { domain: 'x.example.com' } } },
      { at: 'name', by: { patch: { name: 'Laboratory' } } },
      { at: '', by: { remove: true } },
    ],
  },
  {
    type: 'waldur_project',
    collection: 'projects',
    found: { name: 'Trials' },
    spec: {
      name: 'Trials',
      customer: 'ACME',
      description: 'Where things are tried',
      startDate: '2028-01-01',
      endDate: '2030-12-31',
      backendId: 'b-1',
    },
    leaves: ['billing_priceestimate', 'structure_project'],
    drifts: [
      { at: 'description', by: { patch: { description: 'x' } } },
      { at: 'endDate', by: { patch: { end_date: null } } },
      { at: 'startDate', by: { patch: { start_date: '2028-02-02' } } },
      { at: 'backendId', by: { patch: { backend_id: 'x' } } },
      { at: 'name', by: { patch: { name: 'Tries' } } },
      { at: '', by: { remove: true } },
    ],
  },
  {
    type: 'waldur_ssh_key',
    collection: 'keys',
    found: { name: 'ada' },
    spec: { name: 'ada', publicKey: key },
    leaves: ['core_sshpublickey'],
    isReplaced: true,
    drifts: [
      { at: 'publicKey', by: { sql: "update core_sshpublickey set public_key = replace(public_key, 'ada@', 'eve@')" } },
      { at: '', by: { remove: true } },
    ],
  },
  {
    type: 'waldur_security_group',
    collection: 'openstack-security-groups',
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
    leaves: ['openstack_securitygroup', 'openstack_securitygrouprule'],
    drifts: [
      { at: 'description', by: { patch: { name: 'web', description: 'x' } } },
      { at: 'name', by: { patch: { name: 'www' } } },
      {
        at: 'rules / ingress IPv4 icmp -1 -1 10.0.0.0/8 null, rules / ingress IPv4 tcp 22 22 null *, rules / ingress IPv4 tcp 443 443 0.0.0.0/0 null, rules / ingress IPv4 tcp 80 80 0.0.0.0/0 null',
        by: {
          post: 'set_rules',
          body: [{ protocol: 'tcp', from_port: 80, to_port: 80, cidr: '0.0.0.0/0', direction: 'ingress' }],
        },
      },
    ],
  },
  {
    type: 'waldur_instance',
    collection: 'openstack-instances',
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
    leaves: [
      'marketplace_order',
      'marketplace_resource',
      'openstack_instance',
      'openstack_instance_security_groups',
      'openstack_port',
      'openstack_volume',
    ],
    drifts: [
      { at: 'description', by: { patch: { description: 'x' } } },
      { at: 'name', by: { patch: { name: 'vm-2' } } },
      { at: 'power', by: { post: 'stop', body: null } },
      { at: 'securityGroups / *', by: { post: 'update_security_groups', body: { security_groups: [] } } },
      {
        at: 'flavor, power',
        by: { sql: "update openstack_instance set flavor_name = 'm1.large', runtime_state = 'SHUTOFF'" },
      },
    ],
    fixed: [
      {
        at: 'systemVolumeSize',
        by: { sql: 'update openstack_volume set size = 20480 where bootable' },
        back: 'update openstack_volume set size = 10240 where bootable',
      },
    ],
  },
  {
    type: 'waldur_network',
    collection: 'openstack-networks',
    found: { name: 'back' },
    spec: { tenant: 'cloud', name: 'back', description: 'Behind', mtu: 1400 },
    leaves: ['openstack_network'],
    drifts: [
      { at: 'description', by: { patch: { name: 'back', description: 'x' } } },
      { at: 'mtu', by: { post: 'set_mtu', body: { mtu: 1500 } } },
      { at: 'name', by: { patch: { name: 'bak' } } },
    ],
  },
  {
    type: 'waldur_subnet',
    collection: 'openstack-subnets',
    found: { name: 'back-1' },
    spec: {
      tenant: 'cloud',
      network: 'back',
      name: 'back-1',
      description: 'Of it',
      cidr: '192.168.77.0/24',
      gatewayIp: '192.168.77.1',
      dnsNameservers: ['192.0.2.53', '192.0.2.54'],
      hostRoutes: [{ destination: '10.1.0.0/16', nexthop: '192.168.77.9' }],
    },
    leaves: ['openstack_subnet'],
    drifts: [
      { at: 'description', by: { sql: "update openstack_subnet set description = 'x' where name = 'back-1'" } },
      { at: 'hostRoutes', by: { patch: { name: 'back-1' } } },
      { at: 'dnsNameservers', by: { sql: "update openstack_subnet set dns_nameservers = '[]' where name = 'back-1'" } },
      { at: 'gatewayIp', by: { sql: "update openstack_subnet set gateway_ip = '192.168.77.2' where name = 'back-1'" } },
      { at: '', by: { remove: true } },
    ],
    fixed: [
      {
        at: 'cidr',
        by: { sql: "update openstack_subnet set cidr = '192.168.78.0/24' where name = 'back-1'" },
        back: "update openstack_subnet set cidr = '192.168.77.0/24' where name = 'back-1'",
      },
    ],
  },
  {
    type: 'waldur_floating_ip',
    collection: 'openstack-floating-ips',
    found: {},
    spec: { tenant: 'cloud', description: 'Of the door' },
    leaves: ['openstack_floatingip'],
    drifts: [{ at: 'description', by: { post: 'update_description', body: { description: 'x' } } }],
  },
  {
    type: 'waldur_server_group',
    collection: 'openstack-server-groups',
    found: { name: 'apart' },
    spec: { tenant: 'cloud', name: 'apart', policy: 'affinity' },
    leaves: ['openstack_servergroup'],
    drifts: [{ at: '', by: { remove: true } }],
    fixed: [
      {
        at: 'policy',
        by: { sql: "update openstack_servergroup set policy = 'x'" },
        back: "update openstack_servergroup set policy = 'affinity'",
      },
    ],
  },
  {
    type: 'waldur_volume',
    collection: 'openstack-volumes',
    found: { name: 'disk' },
    spec: { project: 'Infrastructure', name: 'disk', description: 'More', offering: 'Volumes in cloud', size: 2 },
    leaves: ['marketplace_order', 'marketplace_resource', 'openstack_volume'],
    drifts: [
      { at: 'description', by: { patch: { description: 'x' } } },
      { at: 'size', by: { sql: "update openstack_volume set size = 1024 where name = 'disk'" } },
      { at: 'name', by: { patch: { name: 'disc' } } },
    ],
  },
  {
    type: 'waldur_volume_attachment',
    collection: 'openstack-volumes',
    found: { name: 'spare' },
    spec: { project: 'Infrastructure', volume: 'spare', instance: 'vm-1' },
    leaves: ['openstack_volume: device, instance_id, runtime_state'],
    drifts: [{ at: '', by: { post: 'detach', body: null } }],
  },
  {
    type: 'waldur_project_member',
    collection: 'projects',
    found: { name: 'Infrastructure' },
    spec: { project: 'Infrastructure', user: 'nobody', role: 'PROJECT.ADMIN', expirationTime: '2031-01-01T00:00:00Z' },
    leaves: ['permissions_userrole'],
    drifts: [
      { at: 'expirationTime', by: { sql: `update permissions_userrole set expiration_time = null where ${asAdmin}` } },
      { at: '', by: { sql: `update permissions_userrole set is_active = false where ${asAdmin}` } },
    ],
  },
  {
    type: 'waldur_customer_member',
    collection: 'customers',
    found: { name: 'ACME' },
    spec: { customer: 'ACME', user: 'nobody', role: 'CUSTOMER.SUPPORT' },
    leaves: ['permissions_userrole'],
    drifts: [
      {
        at: '',
        by: {
          sql: "update permissions_userrole set is_active = false where role_id = (select id from permissions_role where name = 'CUSTOMER.SUPPORT')",
        },
      },
    ],
  },
  {
    type: 'waldur_role',
    collection: 'roles',
    found: { name: 'Gardener' },
    spec: {
      name: 'Gardener',
      description: 'Waters',
      contentType: 'project',
      permissions: ['PROJECT.UPDATE', 'ORDER.APPROVE'],
    },
    leaves: ['permissions_role', 'permissions_rolepermission'],
    drifts: [
      {
        at: 'description',
        by: { sql: "update permissions_role set description = 'x', description_en = 'x' where name = 'Gardener'" },
      },
      {
        at: 'permissions',
        by: {
          sql: "delete from permissions_rolepermission where role_id = (select id from permissions_role where name = 'Gardener') and permission = 'ORDER.APPROVE'",
        },
      },
      { at: '', by: { remove: true } },
    ],
  },
]
