import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { configurationOf, issuesOf, lines, load, withResources } from '../../builders/workspaces/config.ts'

const whole = `
workspace: acme-dns
schedule: cron(0 6 ? * MON-FRI *)
timezone: Europe/Berlin
blackout: [{ cron: "cron(0 22 ? * FRI *)", duration: 60h }]
providers:
  dns:
    source: rest
    definition: ./powerdns.provider.yaml
    with: { baseUrl: "http://\${var.host}:8081", apiKey: { secret: "env:PDNS_API_KEY" } }
variables:
  domain: { type: string, default: acme.example, description: the zone }
  host: { type: string, default: 127.0.0.1 }
resources:
  - type: pdns_zone
    name: main
    spec: { name: "\${var.domain}.", kind: Native, masters: [], account: null }
    lifecycle: { preventDestroy: true, ignoreChanges: [serial], onImmutable: replace, manage: { rrsets: declared } }
  - type: pdns_zone
    name: gone
    provider: dns
    absent: true
    spec: { name: "old.\${var.domain}." }
    dependsOn: [pdns_zone.main]
unmanaged: report
gone: [{ address: "pdns_zone.*", reason: closed }]
ignore: [{ address: "pdns_zone.*", path: rrsets, reason: ACME, owner: dns-team, expires: 2020-01-01, includeDeletes: true }]
policy: { maxChanges: 20, allowGrades: [reversible], allowWidening: false }
alerts: { renotify: 24h, minSeverity: medium }
`
const provider = { 'powerdns.provider.yaml': 'types:\n  zone: 1\n' }

test('loads a whole configuration', () => {
  const { locate, documents, ...configuration } = configurationOf({ 'plumbline.yaml': whole, ...provider })
  const file = 'plumbline.yaml'
  expect(configuration).toEqual({
    workspace: 'acme-dns',
    schedule: 'cron(0 6 ? * MON-FRI *)',
    timezone: 'Europe/Berlin',
    blackout: [{ cron: 'cron(0 22 ? * FRI *)', durationMs: 216_000_000 }],
    providers: [
      {
        alias: 'dns',
        source: 'rest',
        definition: 'powerdns.provider.yaml',
        with: { baseUrl: 'http://127.0.0.1:8081', apiKey: { $secret: 'env:PDNS_API_KEY' } },
        position: { file, line: 7, column: 3 },
        withPosition: { file, line: 10, column: 5 },
        sourcePosition: { file, line: 8, column: 13 },
        inputs: { baseUrl: { file, line: 10, column: 22 }, apiKey: { file, line: 10, column: 49 } },
      },
    ],
    resources: [
      {
        address: 'pdns_zone.main',
        type: 'pdns_zone',
        name: 'main',
        provider: '',
        absent: false,
        attributes: { name: 'acme.example.', kind: 'Native', masters: [], account: null },
        dependsOn: [],
        lifecycle: {
          preventDestroy: true,
          ignoreChanges: ['serial'],
          onImmutable: 'replace',
          manage: { rrsets: 'declared' },
        },
        position: { file, line: 15, column: 5 },
      },
      {
        address: 'pdns_zone.gone',
        type: 'pdns_zone',
        name: 'gone',
        provider: 'dns',
        absent: true,
        attributes: { name: 'old.acme.example.' },
        dependsOn: ['pdns_zone.main'],
        lifecycle: {},
        position: { file, line: 19, column: 5 },
      },
    ],
    unmanaged: 'report',
    movedPlaces: [],
    moved: [],
    orphans: 'delete',
    removed: [],
    imports: [],
    gone: [{ address: 'pdns_zone.*', reason: 'closed' }],
    notes: [],
    ignore: [
      {
        address: 'pdns_zone.*',
        path: 'rrsets',
        reason: 'ACME',
        owner: 'dns-team',
        expires: '2020-01-01',
        includeDeletes: true,
      },
    ],
    policy: { maxChanges: 20, allowGrades: ['reversible'], allowWidening: false },
    limitedTypes: [],
    events: {},
    limits: { bytes: 536_870_912, seconds: 600 },
    alerts: { minSeverity: 'medium', renotifyMs: 86_400_000 },
    given: {},
  })
  expect(locate('pdns_zone.main', ['kind'])).toEqual({ file, line: 17, column: 43 })
  expect(locate('pdns_zone.main', ['missing'])).toEqual({ file, line: 17, column: 5 })
  expect(locate('pdns_zone.gone', [])).toEqual({ file, line: 19, column: 5 })
  const document = documents.get('powerdns.provider.yaml')
  expect(document?.value).toEqual({ types: { zone: 1 } })
  expect(document?.locate(['types', 'zone'])).toEqual({ file: 'powerdns.provider.yaml', line: 2, column: 9 })
})

test('fills in the default of each key that is not written', () => {
  const { locate, documents, ...configuration } = configurationOf('workspace: a')
  expect(configuration).toEqual({
    workspace: 'a',
    timezone: 'UTC',
    blackout: [],
    providers: [],
    resources: [],
    unmanaged: 'ignore',
    movedPlaces: [],
    moved: [],
    orphans: 'delete',
    removed: [],
    imports: [],
    gone: [],
    notes: [],
    ignore: [],
    policy: {},
    limitedTypes: [],
    events: {},
    limits: { bytes: 536_870_912, seconds: 600 },
    alerts: { minSeverity: 'low' },
    given: {},
  })
})

const wrong: readonly (readonly [name: string, yaml: string, expected: readonly string[]])[] = [
  ['a list', '- a', ['1:1 the configuration must be a mapping of keys to values']],
  ['a text', 'hello', ['1:1 the configuration must be a mapping of keys to values']],
  ['nothing of use', '{}', ['1:1 workspace is missing']],
  [
    'unknown keys',
    'workspace: a\nresorces: []\npolicy: {maxChange: 1}\n',
    ['2:1 unknown key "resorces"', '3:10 unknown key "maxChange" in policy'],
  ],
  ['workspace', 'workspace: Acme DNS', ['1:12 workspace is not valid']],
  [
    'kinds',
    'workspace: 1\nresources: {}\nproviders: []\nalerts:\n',
    [
      '1:12 workspace must be text, not a number',
      '2:1 resources must be a list, not a mapping',
      '3:1 providers must be a mapping, not a list',
      '4:1 alerts must be a mapping, not null',
    ],
  ],
  [
    'schedule',
    'workspace: a\nschedule: hourly\ntimezone: Mars/Base\n',
    ['2:11 schedule is not valid', '3:11 timezone is not valid'],
  ],
  [
    'schedule inside',
    'workspace: a\nschedule: cron(0 6 * * MON *)\n',
    ['2:11 schedule: exactly one of day-of-month and day-of-week must be "?"'],
  ],
  [
    'blackout',
    'workspace: a\nblackout: [{cron: rate(1 day), duration: 1 day}, {cron: "cron(0 25 * * ? *)"}]\n',
    [
      '2:19 blackout[0].cron is not valid',
      '2:42 blackout[0].duration is not valid',
      '2:50 blackout[1].duration is missing',
      '2:57 blackout[1].cron: "25" is not valid for hours (0 to 23)',
    ],
  ],
  [
    'dates',
    'workspace: a\nignore: [{address: a, reason: b, owner: c, expires: 2027-02-29}]\n',
    ['2:53 ignore[0].expires is not valid'],
  ],
  [
    'ignore',
    'workspace: a\nignore: [{address: a}]\n',
    ['2:10 ignore[0].reason is missing', '2:10 ignore[0].owner is missing'],
  ],
  [
    'policy',
    'workspace: a\npolicy: {maxChanges: 0, allowGrades: [reversable]}\n',
    ['2:22 policy.maxChanges is not valid', '2:39 policy.allowGrades[0] is not valid'],
  ],
  [
    'resource',
    'workspace: a\nresources:\n  - {name: a b, type: zone, spec: []}\n  - 1\n  - type: x_y\n',
    [
      '3:12 resources[0].name is not valid',
      '3:23 resources[0].type is not valid',
      '3:29 resources[0].spec must be a mapping, not a list',
      '4:5 resources[1] must be a mapping, not a number',
      '5:5 resources[2].name is missing',
      '5:5 resources[2].spec is missing',
    ],
  ],
  [
    'duplicate address',
    'workspace: a\nresources:\n  - {type: a_b, name: c, spec: {}}\n  - {type: a_b, name: c, spec: {}}\n',
    ['4:23 a_b.c is declared a second time (first in line 3)'],
  ],
  [
    'dependencies',
    'workspace: a\nresources:\n  - {type: a_b, name: c, spec: {}, dependsOn: [a_b.d, a_b.c]}\n',
    ['3:48 there is no resource a_b.d', '3:55 a_b.c depends on itself'],
  ],
  [
    'provider names',
    'workspace: a\nproviders: {"a b": {source: rest}}\nresources:\n  - {type: a_b, name: c, provider: x, spec: {}}\n',
    ['2:13 the name "a b" is not valid in providers', '4:36 there is no provider "x"'],
  ],
  [
    'definitions',
    'workspace: a\nproviders:\n  a: {source: rest, definition: ./nope.yaml}\n  b: {source: rest, definition: ../up.yaml}\n',
    ['3:33 there is no file nope.yaml', '4:33 there is no file ../up.yaml'],
  ],
  [
    'variables',
    'workspace: a\nvariables:\n  a: {type: string}\n  b: {type: number, default: x}\n  c: {type: text, default: 1}\n  d: {type: list, default: "${var.a}"}\n  e: {type: map, default: []}\n',
    [
      '3:3 variable "a" has no value',
      '4:30 the value of variable "b" is not a number',
      '5:13 variables.c.type is not valid',
      '6:28 the default of a variable cannot refer to variable "a"',
      '7:18 the value of variable "e" is not a mapping',
    ],
  ],
]

test.each(wrong)('reports each problem at its place: %s', (_, yaml, expected) => {
  expect(lines(issuesOf(yaml))).toEqual(expected.map((line) => `plumbline.yaml:${line}`))
})

test('reports problems of all kinds at once, in the order of the file', () => {
  const yaml = `workspace: A
schedule: rate(0 minutes)
schedule: rate(1 minute)
colour: red
variables: { domain: { type: string } }
resources:
  - { type: a_b, name: c, spec: { x: "\${var.domian}", y: "\${resource.a_b.d.id}", z: { secret: "vault:x" } } }
  - { type: a_b, name: c, spec: { x: "\${oops" }, dependsOn: [a_b.e] }
`
  expect(lines(issuesOf(yaml))).toEqual([
    'plumbline.yaml:1:12 workspace is not valid',
    'plumbline.yaml:2:11 schedule: "0 minutes" is not a whole number of minutes, hours or days',
    'plumbline.yaml:3:1 the key "schedule" is written a second time (first in line 2)',
    'plumbline.yaml:4:1 unknown key "colour"',
    'plumbline.yaml:5:14 variable "domain" has no value',
    'plumbline.yaml:7:38 there is no variable "domian"',
    'plumbline.yaml:7:58 there is no resource a_b.d',
    'plumbline.yaml:7:95 this is not a secret reference',
    'plumbline.yaml:8:24 a_b.c is declared a second time (first in line 7)',
    'plumbline.yaml:8:38 a reference that starts with ${ does not end',
    'plumbline.yaml:8:62 there is no resource a_b.e',
  ])
})

const fixes: readonly (readonly [yaml: string, fix: string])[] = [
  ['workspace: a\nresorces: []\n', 'did you mean "resources"?'],
  [
    'workspace: a\npolicy: {zzz: 1}\n',
    'remove it, or use one of: maxChanges, allowGrades, allowWidening, maxRemovals, standingApprovals',
  ],
  [
    'workspace: a\nresources: [{type: a_b, name: c, spec: {}, lifecycle: {preventDestory: true}}]\n',
    'did you mean "preventDestroy"?',
  ],
  ['workspace: a\nproviders: {p: {sauce: rest, source: rest}}\n', 'did you mean "source"?'],
  ['workspace: a\nunmanaged: reprot\n', 'did you mean "report"?'],
  ['workspace: a\nunmanaged: delete\n', 'use one of: ignore, report'],
  [
    'workspace: a\nvariables: {a: {type: number}}\n',
    'give a number with --var a=..., --var-file or PLUMBLINE_VAR_a, or write `default:` under it',
  ],
  [
    'workspace: a\nresources: [{type: a_b, name: c, spec: {x: "${var.a}"}}]\nvariables: {aa: {type: number, default: 1}}\n',
    'did you mean "aa"?',
  ],
  [
    'workspace: a\nresources: [{type: a_b, name: main, spec: {x: "${resource.a_b.mian.id}"}}]\n',
    'did you mean "a_b.main"?',
  ],
  ['workspace: a\nresources: [{type: a_b, name: main, spec: {x: {secret: "evn:X"}}}]\n', 'did you mean "env:"?'],
  [
    'workspace: a\nresources: [{type: a_b, name: main, spec: {x: {secret: "env:"}}}]\n',
    'write what to read after "env:"',
  ],
]

test.each(fixes)('suggests how to repair %j', (yaml, fix) => {
  expect(issuesOf(yaml).map((issue) => issue.fix)).toEqual([fix])
})

test('refuses a missing entry file, and one with an unknown extension', () => {
  expect(load({}).ok).toBe(false)
  expect(lines(issuesOf({ 'plumbline.toml': 'a = 1' }))).toEqual([
    'plumbline.toml:1:1 plumbline.toml is not YAML, JSON or Jsonnet',
  ])
})

test('reports problems of a provider document at its own file', () => {
  const yaml =
    'workspace: a\nproviders: {a: {source: rest, definition: p/x.json}, b: {source: rest, definition: ./p/x.json}}\n'
  expect(lines(issuesOf({ 'plumbline.yaml': yaml, 'p/x.json': '{"a" 1}' }))).toEqual([
    'p/x.json:1:6 ":" is missing here',
  ])
})

test('repeats no value in a problem that may be a secret', () => {
  const canary = 'CANARY-7f3a'
  const yaml = `workspace: w
providers: { p: { source: rest, with: ${canary} }, q: { source: rest, with: { token: "\${${canary}" } } }
variables: { a: { type: number, default: ${canary} }, b: ${canary} }
resources:
  - { type: t_t, name: a, spec: ${canary} }
  - { type: t_t, name: b, spec: { a: { secret: "vault:${canary}" }, b: { secret: "${canary}:x" } } }
`
  const issues = issuesOf(yaml)
  expect(issues.length).toBeGreaterThanOrEqual(7)
  expect(JSON.stringify(issues)).not.toContain(canary)
})

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('${var.v}'),
  fc.constant('x${workspace}'),
)
const spec = fc.dictionary(
  name,
  fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(name, leaf, { maxKeys: 3 })),
  { maxKeys: 4 },
)
const written = fc.uniqueArray(fc.tuple(name, spec), { selector: ([each]) => each, maxLength: 4 }).map((resources) => ({
  workspace: 'w',
  variables: { v: { type: 'number', default: 5 } },
  resources: resources.map(([each, attributes]) => ({ type: 't_t', name: each, spec: attributes })),
}))

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]) => [key, reversed(child)])
      .toReversed(),
  )
}

/** Positions left out: they differ by nature. */
const meaning = (files: Readonly<Record<string, string>>) => {
  const loaded = load(files)
  return loaded.ok
    ? loaded.configuration.resources.map(({ position, ...resource }) => resource)
    : loaded.issues.map(({ message, fix }) => ({ message, fix })).toSorted((a, b) => (a.message < b.message ? -1 : 1))
}

test('loads the same from YAML, JSON and JSONC, in any order of keys', () => {
  fc.assert(
    fc.property(written, (value) => {
      const json = meaning({ 'plumbline.json': JSON.stringify(value) })
      expect(meaning({ 'plumbline.yaml': stringify(value) })).toEqual(json)
      expect(meaning({ 'plumbline.jsonc': `// x\n${JSON.stringify(value, null, 2)}` })).toEqual(json)
      expect(meaning({ 'plumbline.json': JSON.stringify(reversed(value)) })).toEqual(json)
    }),
    lawRuns(150),
  )
})

test('throws at no text, whatever it holds', () => {
  const words = [
    'workspace',
    'resources',
    'variables',
    'providers',
    'type',
    'name',
    'spec',
    'with',
    'secret',
    'default',
    'dependsOn',
    'lifecycle',
    'ignore',
    'blackout',
    'cron',
    '$ref',
    '$secret',
    '$literal',
    'a',
    'b_c',
  ]
  const values = [
    '${var.a}',
    '${resource.b_c.a.a}',
    '${resource.b_c.a.b.a}',
    '$${',
    '${',
    'env:X',
    'w',
    'b_c',
    'a',
    'cron(0 6 * * ? *)',
    'string',
    1,
    null,
    true,
    '',
  ]
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(...values),
      fc.dictionary(fc.constantFrom(...words), tie('tree'), { maxKeys: 6 }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }))
  const likely = fc.record({
    workspace: fc.constant('w'),
    variables: fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.record({ type: fc.constantFrom('string', 'map', 'list'), default: tree }),
    ),
    resources: fc.array(
      fc.record({
        type: fc.constant('b_c'),
        name: fc.constantFrom('a', 'b'),
        spec: fc.dictionary(fc.constantFrom('a', 'b', 'secret', '$ref'), tree),
      }),
      { maxLength: 3 },
    ),
  })
  fc.assert(
    fc.property(fc.oneof(tree, likely), fc.constantFrom('plumbline.yaml', 'plumbline.json'), (value, file) => {
      const loaded = load({ [file]: JSON.stringify(value) })
      expect(loaded.ok || loaded.issues.length > 0).toBe(true)
    }),
    lawRuns(1000),
  )
})

test('loads thousands of resources without long delay', long, () => {
  const resources = Array.from({ length: 5000 }, (_, index) => ({
    type: 't_t',
    name: `r${index}`,
    spec: {
      name: `n${index}.\${var.domain}`,
      before: index === 0 ? '' : `\${resource.t_t.r${index - 1}.name}`,
      tags: ['a', 'b'],
    },
  }))
  const files = withResources(resources, { variables: { domain: { type: 'string', default: 'x' } } })
  expect(configurationOf(files).resources).toHaveLength(5000)
})
