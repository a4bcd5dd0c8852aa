import { changedWords } from '../../../core/engine/diff/matching/changed-words.ts'
import type { Command } from '../../../core/engine/schema/command.ts'
import type {
  Diff,
  DiffAction,
  ListDiff,
  ObjectDiff,
  SetDiff,
  TextDiff,
  ValueDiff,
} from '../../../core/engine/schema/diff.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { Change, Plan } from '../../../core/engine/schema/stored/plan.ts'
import type { PlanCounts } from '../../../core/engine/schema/stored/records.ts'

/*
 * Plans in three lines. Each builder fills in what a test does not care about; `aPlan` counts what it holds, so that a
 * plan of the tests is as consistent as a real one.
 */

export const same = (value: Json): ValueDiff => ({ kind: 'value', action: 'same', before: value })
export const created = (value: Json): ValueDiff => ({ kind: 'value', action: 'create', after: value })
export const deleted = (value: Json): ValueDiff => ({ kind: 'value', action: 'delete', before: value })
export const updated = (before: Json, after: Json): ValueDiff => {
  const changed = typeof before === 'string' && typeof after === 'string' ? changedWords(before, after) : undefined
  return { kind: 'value', action: 'update', before, after, ...(changed && { changed }) }
}

const actionOf = (diffs: readonly Diff[], action?: DiffAction): DiffAction =>
  action ?? (diffs.every((diff) => diff.action === 'same') ? 'same' : 'update')

export const object = (members: Record<string, Diff>, action?: DiffAction): ObjectDiff => ({
  kind: 'object',
  action: actionOf(Object.values(members), action),
  members,
})

const keyed = (elements: Record<string, Diff>, action?: DiffAction): SetDiff => ({
  kind: 'set',
  action: actionOf(Object.values(elements), action),
  elements: Object.entries(elements).map(([key, diff]) => ({ key, diff })),
})

/** `labels` by place. */
export const unkeyed = (elements: readonly Diff[], action?: DiffAction, labels: readonly string[] = []): SetDiff => ({
  kind: 'set',
  action: actionOf(elements, action),
  elements: elements.map((diff, place) => ({
    ...(labels[place] === undefined ? {} : { label: labels[place] }),
    diff,
  })),
})

/** `labels` by place. */
export const list = (elements: readonly Diff[], action?: DiffAction, labels: readonly string[] = []): ListDiff => {
  let before = 0
  let after = 0
  return {
    kind: 'list',
    action: actionOf(elements, action),
    elements: elements.map((diff, place) => ({
      ...(labels[place] === undefined ? {} : { label: labels[place] }),
      ...(diff.action === 'create' ? {} : { before: before++ }),
      ...(diff.action === 'delete' ? {} : { after: after++ }),
      diff,
    })),
  }
}

/** Lines with their mark in front: `-old`, `+new`, ` same`. */
export const text = (lines: readonly string[], action: DiffAction = 'update'): TextDiff => ({
  kind: 'text',
  action,
  lines: lines.map((line) => ({
    action: line.startsWith('+') ? 'create' : line.startsWith('-') ? 'delete' : 'same',
    text: line.slice(1),
  })),
})

export const aChange = (over: Partial<Change> & Pick<Change, 'address' | 'action' | 'diff'>): Change => {
  const [type = '', name = ''] = over.address.split('.').slice(-2)
  return {
    type,
    name,
    provider: type.split('_')[0] ?? '',
    before: over.action === 'create' ? null : {},
    after: over.action === 'delete' ? null : {},
    causes: [],
    replacePaths: [],
    ...over,
  }
}

/** The first one of its resource, as a plan shows it. */
export const aCommand = (over: Partial<Command> & Pick<Command, 'address' | 'request'>): Command => ({
  id: `${over.address}#1`,
  action: 'update',
  description: '',
  grade: 'reversible',
  dependsOn: [],
  precondition: { kind: 'reread', digest: `sha256:${'5'.repeat(64)}` },
  ...over,
})

const countsOf = (plan: Pick<Plan, 'changes' | 'unchecked' | 'drift' | 'commands'>): PlanCounts => {
  const of = (action: Change['action']): number => plan.changes.filter((change) => change.action === action).length
  return {
    create: of('create'),
    update: of('update'),
    replace: of('replace'),
    delete: of('delete'),
    blocked: plan.changes.filter((change) => change.blocked).length,
    unchanged: 12,
    unchecked: plan.unchecked.length,
    drifted: plan.drift.length,
    commands: plan.commands.length,
  }
}

export const aPlan = (over: Partial<Plan> = {}): Plan => {
  const parts = {
    changes: [],
    drift: [],
    unchecked: [],
    unobserved: [],
    unmanaged: [],
    ignored: [],
    commands: [],
    ...over,
  }
  return {
    formatVersion: '2',
    workspace: 'acme-dns',
    counts: countsOf(parts),
    inSync: parts.changes.length === 0 && parts.unchecked.length === 0,
    complete: parts.unchecked.length === 0,
    digests: {
      observed: `sha256:${'0b'.repeat(32)}`,
      plan: `sha256:${'1f'.repeat(32)}`,
      commands: `sha256:${'9c'.repeat(32)}`,
    },
    ...parts,
  }
}

const zones = 'http://127.0.0.1:8081/api/v1/servers/localhost/zones'
const json = { 'content-type': 'application/json' }
const apiKey = {
  kind: 'header',
  name: 'x-api-key',
  template: '{secret}',
  secret: { $secret: 'env:PDNS_API_KEY' },
} as const
const sealed = (n: number): Json => ({ $sealed: `hmac-sha256:${String(n).repeat(64)}` })

const zoneChange = aChange({
  address: 'pdns_zone.main',
  action: 'update',
  position: { file: 'plumbline.yaml', line: 14, column: 5 },
  before: { name: 'example.org.', kind: 'Native' },
  after: { name: 'example.org.', kind: 'Master' },
  diff: object({
    name: same('example.org.'),
    kind: updated('Native', 'Master'),
    soa_edit_api: updated('DEFAULT', null),
    rrsets: keyed({
      'www.example.org. A': object({
        name: same('www.example.org.'),
        type: same('A'),
        ttl: updated(300, 3600),
        records: unkeyed([same('10.0.0.9'), deleted('10.0.0.1'), created('10.0.0.2')]),
      }),
      'mail.example.org. MX': object(
        { ttl: created(3600), records: unkeyed([created('10 mx.example.org.')], 'create') },
        'create',
      ),
      'old.example.org. TXT': object(
        { ttl: deleted(60), records: unkeyed([deleted('"v=spf1 -all"')], 'delete') },
        'delete',
      ),
      'ns1.example.org. A': same({}),
      'ns2.example.org. A': same({}),
    }),
  }),
  causes: [
    { path: ['kind'], cause: 'pending' },
    { path: ['soa_edit_api'], cause: 'conflict' },
    { path: ['rrsets', 'www.example.org. A', 'ttl'], cause: 'drift' },
    { path: ['rrsets', 'www.example.org. A', 'records', 1], cause: 'drift' },
    { path: ['rrsets', 'www.example.org. A', 'records', 2], cause: 'drift' },
    { path: ['rrsets', 'mail.example.org. MX'], cause: 'pending' },
    { path: ['rrsets', 'old.example.org. TXT'], cause: 'drift' },
  ],
})

const fileChange = aChange({
  address: 'host_file.sshd',
  action: 'update',
  position: { file: 'plumbline.yaml', line: 52, column: 5 },
  diff: object({
    path: same('/etc/ssh/sshd_config'),
    mode: updated('0644', '0600'),
    content: text([
      ...Array.from({ length: 12 }, (_, n) => ` # comment ${n + 1}`),
      '-PermitRootLogin yes',
      '+PermitRootLogin no',
      ' PasswordAuthentication no',
      ' X11Forwarding no',
      ' AcceptEnv LANG LC_*',
      ' Subsystem sftp internal-sftp',
      ' # end',
      ' ',
    ]),
  }),
  causes: [
    { path: ['mode'], cause: 'pending' },
    { path: ['content'], cause: 'drift' },
  ],
})

const userChange = aChange({
  address: 'rabbitmq_user.jobs',
  action: 'create',
  position: { file: 'plumbline.yaml', line: 80, column: 5 },
  before: null,
  after: {
    name: 'jobs',
    password: { $secret: 'env:RABBIT_JOBS_PASSWORD', digest: 'hmac-sha256:77' },
    tags: ['monitoring'],
    zone_id: { $after: 'pdns_zone.main', pointer: '/id' },
  },
  diff: object(
    {
      name: created('jobs'),
      password: { kind: 'value', action: 'create', sensitive: true, after: sealed(7) },
      tags: unkeyed([created('monitoring')], 'create'),
      zone_id: { kind: 'value', action: 'create', unknown: true, after: { $after: 'pdns_zone.main', pointer: '/id' } },
    },
    'create',
  ),
  causes: [{ path: [], cause: 'drift' }],
})

const exchangeChange = aChange({
  address: 'rabbitmq_exchange.orders',
  action: 'replace',
  reason: 'replace_because_cannot_update',
  replaceOrder: 'deleteFirst',
  replacePaths: [['type']],
  before: { name: 'orders', type: 'topic' },
  after: { name: 'orders', type: 'fanout' },
  diff: object({
    name: same('orders'),
    type: { ...updated('topic', 'fanout'), forcesReplacement: true },
    arguments: object({ 'alternate-exchange': updated('日本語の交換', 'unrouted') }),
  }),
  causes: [
    { path: ['type'], cause: 'pending' },
    { path: ['arguments', 'alternate-exchange'], cause: 'pending' },
  ],
})

const oldZone = aChange({
  address: 'pdns_zone.old',
  action: 'delete',
  reason: 'delete_because_no_resource_config',
  before: { name: 'old.example.', kind: 'Native', account: '' },
  diff: object({ name: deleted('old.example.'), kind: deleted('Native'), account: deleted('') }, 'delete'),
})

const keptZone = aChange({
  address: 'pdns_zone.kept',
  action: 'delete',
  reason: 'delete_because_no_resource_config',
  before: { name: 'kept.example.' },
  diff: object({ name: deleted('kept.example.') }, 'delete'),
  blocked: { reason: 'prevent_destroy', detail: 'plumbline.yaml:31:7' },
})

const fullCommands: readonly Command[] = [
  aCommand({
    address: 'pdns_zone.main',
    description: 'replace 3 rrsets',
    request: {
      method: 'PATCH',
      url: `${zones}/example.org.`,
      effect: 'write',
      headers: json,
      auth: apiKey,
      body: {
        rrsets: [
          { name: 'www.example.org.', type: 'A', ttl: 3600, changetype: 'REPLACE', records: [{ content: '10.0.0.2' }] },
          { name: 'old.example.org.', type: 'TXT', changetype: 'DELETE' },
        ],
      },
    },
  }),
  aCommand({
    address: 'rabbitmq_user.jobs',
    action: 'create',
    description: 'create user jobs',
    request: {
      method: 'PUT',
      url: ['http://127.0.0.1:15672/api/users/jobs/', { $after: 'pdns_zone.main', pointer: '/id' }],
      effect: 'write',
      headers: json,
      auth: { kind: 'basic', user: 'guest', password: { $secret: 'env:RABBIT_PASSWORD' } },
      body: {
        password: { $secret: 'env:RABBIT_JOBS_PASSWORD', digest: 'hmac-sha256:77' },
        zone: { $after: 'pdns_zone.main', pointer: '/id' },
      },
    },
    precondition: { kind: 'absent' },
    dependsOn: ['pdns_zone.main#1'],
  }),
  aCommand({
    address: 'pdns_zone.old',
    action: 'delete',
    description: 'delete zone old.example.',
    grade: 'irreversible',
    request: { method: 'DELETE', url: `${zones}/old.example.`, effect: 'write', auth: apiKey },
    precondition: { kind: 'etag', etag: '"a1b2"' },
  }),
]

/** One plan with everything that a page can show. */
export const fullPlan: Plan = aPlan({
  changes: [zoneChange, fileChange, userChange, exchangeChange, oldZone, keptZone],
  drift: [
    {
      address: 'pdns_zone.main',
      type: 'pdns_zone',
      name: 'main',
      kind: 'changed',
      diff: object({ soa_edit_api: updated('INCEPTION', 'DEFAULT'), kind: same('Native') }),
    },
    {
      address: 'host_file.sshd',
      type: 'host_file',
      name: 'sshd',
      kind: 'changed',
      diff: object({ content: text(['-PermitRootLogin no', '+PermitRootLogin yes']) }),
    },
    {
      address: 'rabbitmq_user.jobs',
      type: 'rabbitmq_user',
      name: 'jobs',
      kind: 'deleted',
      diff: object({ name: deleted('jobs') }, 'delete'),
    },
  ],
  unchecked: [
    {
      address: 'rabbitmq_queue.jobs',
      reason: 'unauthorised',
      detail: 'GET http://127.0.0.1:15672/api/queues/%2F/jobs has status 401',
    },
    { address: 'rabbitmq_binding.jobs', reason: 'dependency', detail: 'rabbitmq_queue.jobs' },
  ],
  unobserved: [{ address: 'rabbitmq_user.jobs', path: ['password'], reason: 'write_only' }],
  unmanaged: [{ type: 'pdns_zone', provider: 'dns', identity: { name: 'test.example.' } }],
  ignored: [
    {
      address: 'pdns_zone.main',
      path: ['rrsets', '_acme-challenge.example.org. TXT'],
      rule: 'ACME challenges (dns-team)',
    },
    { address: 'pdns_zone.main', path: ['serial'], rule: 'ignoreChanges' },
  ],
  commands: fullCommands,
})
