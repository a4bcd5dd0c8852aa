import type { Diff } from '../../../../core/engine/schema/diff.ts'
import type { PlanView, StateView } from '../../../../core/pages/tofu/view/plan-view.ts'
import { created, deleted, list, object, same, text, unkeyed, updated } from '../../../builders/values/plans.ts'
import { anObject, aPlanView, aStateView, aViewChange } from './views.ts'

const later: Diff = { kind: 'value', action: 'create', unknown: true, after: { $ref: '', pointer: '' } }
const hidden = (action: Diff['action']): Diff => ({ kind: 'value', action, sensitive: true })
const tagged = (team: string): Diff =>
  object({
    id: same('x'),
    tags: { kind: 'map', action: 'update', members: { Name: same('web'), Team: created(team) } },
  })

const policy: Diff = {
  kind: 'json',
  action: 'update',
  inner: object({
    Version: same('2012-10-17'),
    Statement: list(
      [
        created({ Sid: 'DenyPlain', Effect: 'Deny', Action: 's3:*', Resource: '*' }),
        same({ Sid: 'Read', Effect: 'Allow' }),
        object({
          Sid: same('Write'),
          Effect: same('Allow'),
          Action: list([same('s3:PutObject'), deleted('s3:DeleteObject')]),
        }),
      ],
      'update',
      ['DenyPlain', 'Read', 'Write'],
    ),
  }),
}

const values: Diff = {
  kind: 'yaml',
  action: 'update',
  inner: object({
    replicas: updated({ $number: '2' }, { $number: '3' }),
    image: object({ tag: updated('1.27.0', '1.27.1'), repository: same('nginx') }),
    env: list(
      [
        same({ name: 'A', value: '1' }),
        object({ name: same('LEVEL'), value: updated('info', 'debug') }),
        same({ name: 'C', value: '3' }),
      ],
      'update',
      ['A', 'LEVEL', 'C'],
    ),
  }),
}

const script: Diff = {
  kind: 'text',
  action: 'update',
  lines: [
    ...Array.from({ length: 40 }, (_, n) => ({ action: 'same' as const, text: `echo step ${n + 1}` })),
    { action: 'delete', text: 'apt-get install nginx=1.26', changed: [[16, 26]] },
    { action: 'create', text: 'apt-get install nginx=1.27', changed: [[16, 26]] },
    ...Array.from({ length: 12 }, (_, n) => ({ action: 'same' as const, text: `echo after ${n + 1}` })),
    { action: 'same', text: '' },
  ],
}

const ingress: Diff = {
  ...unkeyed(
    [
      object({
        cidr_blocks: list([same('10.0.0.0/8'), created('192.168.0.0/16')]),
        description: same('internal'),
        from_port: same(443),
        name: same('https'),
      }),
      same({ description: 'health', from_port: 8080, name: 'health' }),
    ],
    'update',
    ['https', 'health'],
  ),
  syntax: 'block',
}

const web = aViewChange({
  address: 'module.eu.aws_instance.web[0]',
  action: 'delete-create',
  reason: 'replace_because_cannot_update',
  replacePaths: [['ami'], ['network', 0, 'subnet']],
  diff: object({
    ami: { ...updated('ami-0a1', 'ami-0b2'), forcesReplacement: true },
    arn: { kind: 'value', action: 'update', unknown: true, before: 'arn:aws:ec2:1', after: { $ref: '', pointer: '' } },
    network: {
      ...list([object({ subnet: { ...same('subnet-1'), forcesReplacement: true }, eni: same('eni-1') })]),
      syntax: 'block',
    },
    public_ip: later,
    private_ip: later,
    subnet_id: { ...later, action: 'update', before: 'subnet-1' } as Diff,
    root_block_device: { ...list([object({ size: updated(8, 16), type: same('gp3') })]), syntax: 'block' },
    user_data: script,
    secret: hidden('update'),
    write: { kind: 'value', action: 'update', writeOnly: true },
  }),
  sources: [{ path: ['subnet_id'], references: ['aws_subnet.main.id', 'var.zone'] }],
})

const created3 = ['a', 'b', 'c'].map((key) =>
  aViewChange({
    address: `module.eu.module.shard["${key}.eu"].aws_sqs_queue.jobs`,
    action: 'create',
    diff: object({ name: created('jobs'), delay: created(0), arn: later, id: later, url: later }, 'create'),
  }),
)

/** Everything that a page of a plan can show. */
export const fullView: PlanView = aPlanView({
  errored: true,
  newer: true,
  unchanged: 50_000,
  otherDrift: 3,
  changes: [
    ...created3,
    aViewChange({ address: 'aws_iam_role.app', diff: object({ name: same('app'), policy }) }),
    aViewChange({ address: 'helm_release.web', diff: object({ name: same('web'), values }) }),
    aViewChange({
      address: 'aws_security_group.web',
      diff: object({ ingress, 名前: updated('日本語', 'にほんご'), note: updated('a\u001b[31m', 'a\u202eb') }),
    }),
    ...Array.from({ length: 12 }, (_, n) =>
      aViewChange({ address: `module.eu.aws_instance.node[${n}]`, diff: tagged('platform') }),
    ),
    web,
    aViewChange({ address: 'aws_db_instance.main', action: 'create-delete', reason: 'replace_because_tainted' }),
    aViewChange({
      address: 'aws_lb.front',
      action: 'delete-create',
      reason: 'replace_by_triggers',
      previousAddress: 'aws_alb.front',
    }),
    aViewChange({ address: 'aws_key_pair.ops', action: 'delete-create', reason: 'replace_by_request' }),
    aViewChange({
      address: 'aws_eip.nat',
      action: 'create-delete',
      importing: { id: 'eipalloc-1', generated: false },
      replacePaths: [['domain']],
    }),
    aViewChange({
      address: 'aws_vpc.old',
      action: 'delete',
      reason: 'delete_because_no_resource_config',
      diff: object({ cidr_block: deleted('10.0.0.0/16'), id: deleted('vpc-1') }, 'delete'),
    }),
    aViewChange({
      address: 'module.us["x"].aws_sqs_queue.jobs[3]',
      action: 'delete',
      reason: 'delete_because_count_index',
      diff: object({ name: deleted('jobs-3') }, 'delete'),
    }),
    aViewChange({
      address: 'module.us["x"].aws_sqs_queue.jobs["old.one"]',
      action: 'delete',
      reason: 'delete_because_each_key',
      diff: object({ name: deleted('old') }, 'delete'),
    }),
    aViewChange({
      address: 'aws_instance.web[1]',
      deposed: '0a1b2c3d',
      action: 'delete',
      diff: object({ id: deleted('i-9') }, 'delete'),
    }),
    aViewChange({
      address: 'aws_s3_bucket.logs',
      action: 'forget',
      reason: 'forgot_because_lifecycle_destroy_in_config',
      diff: object({ bucket: same('logs') }),
    }),
    aViewChange({ address: 'aws_s3_bucket.data', action: 'forget-create', replacePaths: [['bucket']] }),
    aViewChange({
      address: 'data.aws_ami.latest',
      action: 'read',
      reason: 'read_because_dependency_pending',
      diff: object({ owners: created(['self']), id: later, name: later }, 'create'),
    }),
    aViewChange({
      address: 'aws_route53_zone.main',
      action: 'no-op',
      previousAddress: 'aws_route53_zone.primary',
      diff: object({ name: same('example.org') }),
    }),
    aViewChange({
      address: 'aws_route53_zone.imported',
      action: 'no-op',
      importing: { identity: { zone_id: 'Z1', account: '1' }, generated: true },
      diff: object({ name: same('example.net'), tags: same({ a: 'b' }), comment: same('two\nlines\n') }),
    }),
    aViewChange({ address: 'odd_thing.x', action: 'unknown', diff: same(null) }),
    aViewChange({ address: 'odd_thing.y', action: 'update', reason: 'because_of_the_moon', diff: same({ a: 1 }) }),
  ],
  drift: [
    aViewChange({ address: 'aws_db_instance.main', diff: object({ size: updated(1, 3), id: same('db') }) }),
    aViewChange({ address: 'aws_iam_user.ci', action: 'delete', diff: object({ name: deleted('ci') }, 'delete') }),
  ],
  deferred: [
    {
      reason: 'instance_count_unknown',
      change: aViewChange({
        address: 'aws_subnet.later["?"]',
        action: 'create',
        diff: object({ cidr: created('10.1.0.0/24'), id: later }, 'create'),
      }),
    },
  ],
  outputs: [
    { name: 'url', diff: updated('http://a', 'https://a') },
    { name: 'password', diff: hidden('update') },
    { name: 'gone', diff: deleted('x') },
    { name: 'zone_id', diff: later },
  ],
  checks: [
    { address: 'aws_instance.web[0]', kind: 'resource', status: 'fail', problems: ['the disk is too small'] },
    { address: 'check.health', kind: 'check', status: 'unknown', problems: [] },
  ],
  problems: [{ address: 'odd_thing.z', detail: 'change.actions is no list' }],
})

export const fullState: StateView = aStateView({
  objects: [
    anObject({
      address: 'aws_vpc.main',
      diff: object({
        cidr_block: same('10.0.0.0/16'),
        id: same('vpc-1'),
        tags: same({ Name: 'main' }),
        key: hidden('same'),
      }),
    }),
    anObject({ address: 'module.eu.aws_instance.web[0]', tainted: true }),
    anObject({ address: 'module.eu.aws_instance.web[0]', deposed: '0a1b2c3d' }),
    anObject({
      address: 'module.eu.module.shard["a.eu"].aws_instance.web',
      diff: object({
        rules: list([same({ port: 1 }), object({ port: same(2), open: same(true) })]),
        policy: { kind: 'json', action: 'same', inner: object({ a: same(1), b: same([1, 2]) }) },
        script: text([' one', ' two', ' three', ' four', ' five', ' '], 'same'),
      }),
    }),
    anObject({ address: 'data.aws_ami.latest', diff: object({ id: same('ami-1') }) }),
  ],
  outputs: [
    { name: 'url', diff: same('https://a') },
    { name: 'longer_name', diff: same({ a: [1, 2, 3], b: 'x'.repeat(60) }) },
  ],
  checks: [{ address: 'output.url', kind: 'output_value', status: 'error', problems: [] }],
})
