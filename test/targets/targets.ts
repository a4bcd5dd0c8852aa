import { startCaddy } from './servers/caddy.ts'
import { startPowerdns } from './servers/powerdns.ts'
import { startRabbitmq } from './servers/rabbitmq.ts'
import type { TargetServer } from './servers/run-server.ts'
import { startSyncthing } from './servers/syncthing.ts'
import { startWiremock } from './servers/wiremock.ts'

/* The systems that the examples are for, and what somebody else does to them. */

export interface Target {
  readonly name: string
  readonly workspace: string
  readonly address: RegExp
  readonly start: () => Promise<TargetServer>
  readonly secrets: (server: TargetServer) => Record<string, string>
  /** Texts of the example, besides the address, that each server has of its own, and their values. */
  readonly fitting?: (server: TargetServer) => Readonly<Record<string, string>>
  /** Objects beside the workspace's own, which nobody may touch. */
  readonly neighbours: readonly (readonly string[])[]
  /** Changes made by the system's own command, and the one path where the plan must show each. */
  readonly drifts: readonly { readonly by: readonly string[]; readonly at: readonly (readonly [string, string])[] }[]
  /** A further change to the object of the first drift. */
  readonly again: readonly string[]
  /**
   * Whether the system itself refuses a write over a change that came since the read (`etag`), or only our reading again
   * right before the write finds one (`reread`).
   */
  readonly guard: 'etag' | 'reread'
  /** A text of the example, in its place one that the system refuses, and a word of what it says then. */
  readonly refused: { readonly from: string; readonly to: string; readonly says: RegExp }
  /** A secret of the example that is managed, and where its change shows. */
  readonly secret?: { readonly source: string; readonly next: string; readonly at: readonly [string, string] }
  /** What the target counts up by itself with each write. */
  readonly volatile: RegExp
}

/** A mapping without an id of its own gets another one whenever it is loaded. */
const other = JSON.stringify({
  id: '7b1f3d52-0f43-4a2e-9f59-1c2d3e4f5a6b',
  name: 'other',
  request: { url: '/other' },
  response: { status: 204 },
})

/** Has the form of one; nobody signs in. */
const passwordHash = (letter: string): string => Buffer.from(`$2a$14$${letter.repeat(53)}`).toString('base64')

const laptop = 'XT3DQAH-G7XZ6ZB-TPXTRXU-4KE3HIB-LJYHTRW-NZV37AZ-DQMLHND-FE4RJQ4'

export const targets: readonly Target[] = [
  {
    name: 'powerdns',
    workspace: 'powerdns-example',
    address: /http:\/\/127\.0\.0\.1:8081/,
    start: startPowerdns,
    secrets: ({ credentials }) => ({ 'env:PDNS_API_KEY': credentials['apiKey'] ?? '' }),
    neighbours: [
      ['create-zone', 'other.example', 'ns1.other.example'],
      ['add-record', 'other.example', 'www', 'A', '300', '192.0.2.77'],
    ],
    drifts: [
      {
        by: ['replace-rrset', 'example.org', 'www', 'A', '60', '192.0.2.1', '192.0.2.2'],
        at: [['pdns_zone.main', 'rrsets / www.example.org. A / ttl']],
      },
      {
        by: ['replace-rrset', 'example.org', 'www', 'A', '300', '192.0.2.1', '203.0.113.9'],
        at: [
          [
            'pdns_zone.main',
            'rrsets / www.example.org. A / records / 192.0.2.2, rrsets / www.example.org. A / records / 203.0.113.9',
          ],
        ],
      },
      {
        by: ['add-record', 'example.org', 'rogue', 'A', '300', '203.0.113.66'],
        at: [['pdns_zone.main', 'rrsets / rogue.example.org. A']],
      },
      { by: ['delete-rrset', 'example.org', '@', 'MX'], at: [['pdns_zone.main', 'rrsets / example.org. MX']] },
      { by: ['set-kind', 'example.org', 'primary'], at: [['pdns_zone.main', 'kind']] },
    ],
    again: ['replace-rrset', 'example.org', 'www', 'A', '61', '192.0.2.1', '192.0.2.2'],
    guard: 'reread',
    refused: { from: 'content: 192.0.2.2', to: 'content: 192.0.2.999', says: /192\.0\.2\.999/ },
    volatile: /"(serial|edited_serial|notified_serial|last_check)":\d+|(?<=hostmaster\.\S+) \d+/g,
  },
  {
    name: 'rabbitmq',
    workspace: 'rabbitmq-example',
    address: /http:\/\/127\.0\.0\.1:15672\/api/,
    start: startRabbitmq,
    secrets: ({ credentials }) => ({
      'env:RABBITMQ_PASSWORD': credentials['password'] ?? '',
      'env:RABBITMQ_APP_PASSWORD': 'app-password-1',
    }),
    neighbours: [
      ['add_vhost', 'lab'],
      ['add_user', 'neighbour', 'neighbour-password'],
      ['set_permissions', '-p', 'lab', 'neighbour', '.*', '.*', '.*'],
    ],
    drifts: [
      {
        by: ['set_policy', '-p', 'shop', 'limits', '^billing', '{"max-length":1}', '--apply-to', 'queues'],
        at: [['rabbitmq_policy.limits', 'definition / max-length']],
      },
      { by: ['set_user_tags', 'app', 'monitoring', 'management'], at: [['rabbitmq_user.app', 'tags']] },
      { by: ['change_password', 'app', 'somebody-elses'], at: [['rabbitmq_user.app', 'password']] },
      {
        by: ['set_permissions', '-p', 'shop', 'app', '^$', '.*', '.*'],
        at: [['rabbitmq_permission.app_shop', 'write']],
      },
      {
        by: ['delete_queue', '-p', 'shop', 'billing'],
        at: [
          ['rabbitmq_queue.billing', ''],
          // Its bindings go with a queue.
          ['rabbitmq_binding.orders_billing', ''],
        ],
      },
    ],
    again: ['set_policy', '-p', 'shop', 'limits', '^billing', '{"max-length":2}', '--apply-to', 'queues'],
    guard: 'reread',
    refused: { from: 'max-length: 5000', to: 'max-length: -5', says: /-5 is not a valid maximum length/ },
    secret: { source: 'env:RABBITMQ_APP_PASSWORD', next: 'app-password-2', at: ['rabbitmq_user.app', 'password'] },
    volatile: /"(password_hash)":"[^"]*"/g,
  },
  {
    name: 'wiremock',
    workspace: 'wiremock-example',
    address: /http:\/\/127\.0\.0\.1:8080/,
    start: startWiremock,
    secrets: () => ({ 'env:WIREMOCK_ADMIN_PASSWORD': 'wiremock-password-1' }),
    neighbours: [['add', 'other', other]],
    drifts: [
      {
        by: ['edit', 'refuse a payment', '"status" : 422', '"status" : 402'],
        at: [['wiremock_mapping.refuse', 'response / status']],
      },
      {
        by: ['edit', 'list payments', '12.5', '13'],
        at: [['wiremock_mapping.list', 'response / jsonBody / payments']],
      },
      {
        by: ['edit', 'list payments', '[0-9]+', '.*'],
        at: [['wiremock_mapping.list', 'request / queryParameters / page / matches']],
      },
      {
        by: ['edit', 'admin page', 'wiremock-password-1', 'somebody-elses'],
        at: [['wiremock_mapping.admin', 'request / basicAuthCredentials / password']],
      },
      { by: ['remove', 'refuse a payment'], at: [['wiremock_mapping.refuse', '']] },
    ],
    again: ['edit', 'refuse a payment', '"priority" : 1', '"priority" : 2'],
    guard: 'reread',
    refused: {
      from: 'urlPathPattern: "/payments"',
      to: 'urlPathPattern: "/payments["',
      says: /Unclosed character class/,
    },
    secret: {
      source: 'env:WIREMOCK_ADMIN_PASSWORD',
      next: 'wiremock-password-2',
      at: ['wiremock_mapping.admin', 'request / basicAuthCredentials / password'],
    },
    // A mapping that is made again has another id.
    volatile: /"(id|uuid)":"[^"]*"/g,
  },
  {
    name: 'caddy',
    workspace: 'caddy-example',
    address: /http:\/\/127\.0\.0\.1:2019/,
    start: startCaddy,
    secrets: () => ({ 'env:CADDY_ADMIN_HASH': passwordHash('a') }),
    neighbours: [
      [
        '/apps/http/servers/other',
        JSON.stringify({ listen: ['127.0.0.1:18443'], routes: [{ '@id': 'theirs', handle: [] }] }),
      ],
    ],
    drifts: [
      { by: ['/apps/http/servers/site/max_header_bytes', '1024'], at: [['caddy_server.site', 'max_header_bytes']] },
      {
        by: ['/apps/http/servers/site/listen', '["127.0.0.1:18444"]'],
        at: [['caddy_server.site', 'listen']],
      },
      {
        by: ['/apps/http/servers/site/routes/@hello/handle/0/body', '"bye"'],
        at: [['caddy_route.hello', 'handle']],
      },
      {
        by: [
          '/apps/http/servers/site/routes/@admin/handle/0/providers/http_basic/accounts/0/password',
          JSON.stringify(passwordHash('b')),
        ],
        at: [['caddy_route.admin', 'handle']],
      },
      { by: ['/logging/logs/default/level', '"DEBUG"'], at: [['caddy_log.quiet', 'level']] },
      { by: ['/apps/http/servers/site/routes/@hello'], at: [['caddy_route.hello', '']] },
    ],
    again: ['/apps/http/servers/site/max_header_bytes', '2048'],
    guard: 'etag',
    refused: { from: 'handler: static_response', to: 'handler: statik_response', says: /statik_response/ },
    secret: {
      source: 'env:CADDY_ADMIN_HASH',
      next: passwordHash('c'),
      at: ['caddy_route.admin', 'handle'],
    },
    volatile: /$^/g,
  },
  {
    name: 'syncthing',
    workspace: 'syncthing-example',
    address: /http:\/\/127\.0\.0\.1:8384/,
    start: startSyncthing,
    secrets: ({ credentials }) => ({ 'env:SYNCTHING_API_KEY': credentials['apiKey'] ?? '' }),
    fitting: ({ credentials }) => ({
      '5HZZM7S-AJNKWMG-NGCM3OS-WYPA6AE-P5JXPX6-FBFVHAK-LZCL3EE-YM37CQ4': credentials['device'] ?? '',
      '/srv/docs': `${credentials['folder']}/docs`,
    }),
    neighbours: [
      ['config', 'devices', 'add', '--device-id', '5HZZM7S-AJNKWMG-NGCM3OS-WYPA6AE-P5JXPX6-FBFVHAK-LZCL3EE-YM37CQ4'],
    ],
    drifts: [
      { by: ['config', 'folders', 'docs', 'label', 'set', 'Other'], at: [['syncthing_folder.docs', 'label']] },
      {
        by: ['config', 'folders', 'docs', 'versioning', 'params', 'set', 'extra', '7'],
        at: [['syncthing_folder.docs', 'versioning / params / extra']],
      },
      { by: ['config', 'options', 'max-send-kbps', 'set', '0'], at: [['syncthing_options.main', 'maxSendKbps']] },
      {
        by: ['config', 'devices', laptop, 'delete'],
        at: [
          ['syncthing_device.laptop', ''],
          // Its shares go with a device.
          ['syncthing_folder.docs', `devices / ${laptop}`],
        ],
      },
      { by: ['config', 'folders', 'docs', 'delete'], at: [['syncthing_folder.docs', '']] },
    ],
    again: ['config', 'folders', 'docs', 'label', 'set', 'Another'],
    guard: 'reread',
    refused: { from: 'maxSendKbps: 1000', to: 'maxSendKbps: 1000.5', says: /cannot unmarshal number 1000\.5/ },
    volatile: /$^/g,
  },
]
