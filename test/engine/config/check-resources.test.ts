import { expect, test } from 'vitest'
import { bindProviders } from '../../../core/engine/config/check/bind-providers.ts'
import { checkResources } from '../../../core/engine/config/check/check-resources.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import { configurationOf, lines } from '../../builders/workspaces/config.ts'

const zone: ObjectSchema = {
  attributes: {
    name: { type: 'string', identity: true, normalise: ['lower', 'trailingDot'] },
    server: { type: 'string', identity: true, default: 'localhost' },
    kind: { type: 'string', required: true },
    serial: { type: 'number', computed: true },
    ttl: { type: 'number', nullMeans: 'reject' },
    port: { type: 'string', normalise: ['string'] },
    tags: { type: 'set', normalise: ['commaList'], element: { type: 'string' } },
    dnssec: { type: 'boolean' },
    notes: { type: 'any' },
    labels: { type: 'map', element: { type: 'string' } },
    order: { type: 'list', element: { type: 'number' } },
    soa: { type: 'object', attributes: { mail: { type: 'string', required: true }, retry: { type: 'number' } } },
    key: { type: 'string', sensitive: true },
    keys: { type: 'map', sensitive: true, element: { type: 'string' } },
    rrsets: {
      type: 'set',
      key: ['name', 'type'],
      element: {
        type: 'object',
        attributes: {
          name: { type: 'string', required: true, normalise: ['trailingDot'], compareAs: ['lower'] },
          type: { type: 'string', default: 'A' },
          token: { type: 'string', sensitive: true },
        },
      },
    },
  },
}

/** Issues of one zone whose spec also has what is required. */
const issuesOf = (spec: string, more = '') => {
  const yaml = `workspace: w\nproviders: {dns: {source: rest}}\nresources:\n  - type: pdns_zone\n    name: other\n    spec: {name: other, kind: Native}\n  - type: pdns_zone\n    name: main\n    spec:\n      name: main\n      kind: Native\n${spec
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}\n    provider: dns\n${more}`
  return checkResources(configurationOf(yaml), (alias, type) =>
    alias === 'dns' && type === 'pdns_zone' ? zone : undefined,
  )
}

const good: readonly string[] = [
  '',
  'ttl: 60',
  'port: 53',
  'port: "53"',
  'tags: a, b',
  'tags: [a, b]',
  'tags: []',
  'dnssec: null',
  'notes: {any: [thing, 1, null]}',
  'labels: {a: b}',
  'order: [1, 2]',
  'soa: {mail: x}',
  'soa: {mail: x, retry: null}',
  'key: {secret: "env:KEY"}',
  'key: null',
  'key: "${resource.pdns_zone.other.key}"',
  'keys: {a: {secret: "env:KEY"}}',
  'keys: {}',
  'ttl: "${resource.pdns_zone.other.serial}"',
  'dnssec: "${resource.pdns_zone.other.flag}"',
  'rrsets: [{name: a}, {name: b}, {name: a, type: MX}]',
  'rrsets: [{name: "${resource.pdns_zone.other.id}"}, {name: "${resource.pdns_zone.other.id}"}]',
]

test.each(good)('accepts the attribute: %s', (spec) => {
  expect(lines(issuesOf(spec))).toEqual([])
})

const bad: readonly (readonly [spec: string, expected: string, fix?: string])[] = [
  ['nmae: x', '12:7 pdns_zone.main: there is no attribute nmae', 'did you mean "name"?'],
  ['serial: 1', '12:15 pdns_zone.main: serial is set by the server'],
  ['ttl: "60"', '12:12 pdns_zone.main: ttl must be a number, not text'],
  ['ttl: null', '12:7 pdns_zone.main: ttl cannot be cleared'],
  ['ttl: "a${resource.pdns_zone.other.x}"', '12:12 pdns_zone.main: ttl must be a number, not text'],
  ['dnssec: yes', '12:15 pdns_zone.main: dnssec must be true or false, not text'],
  ['labels: {a: 1}', '12:19 pdns_zone.main: labels.a must be text, not a number', 'put it in quotes'],
  ['labels: [a]', '12:7 pdns_zone.main: labels must be a mapping, not a list'],
  ['order: {a: 1}', '12:7 pdns_zone.main: order must be a list, not a mapping'],
  ['order: [1, x]', '12:18 pdns_zone.main: order[1] must be a number, not text'],
  ['soa: {retry: 1}', '12:7 pdns_zone.main: soa.mail is missing'],
  ['soa: {mail: null}', '12:13 pdns_zone.main: soa.mail cannot be null'],
  ['soa: {mail: a, retri: 1}', '12:22 pdns_zone.main: there is no attribute soa.retri', 'did you mean "retry"?'],
  ['key: hunter2', '12:12 pdns_zone.main: key is sensitive and must be a secret reference'],
  ['key: 5', '12:12 pdns_zone.main: key is sensitive and must be a secret reference'],
  ['keys: {a: hunter2}', '12:7 pdns_zone.main: keys is sensitive and must be a secret reference'],
  [
    'rrsets: [{name: a, token: hunter2}]',
    '12:33 pdns_zone.main: rrsets[0].token is sensitive and must be a secret reference',
  ],
  ['soa: hunter2', '12:12 pdns_zone.main: soa must be a mapping, not text'],
  ['rrsets: [{type: A}]', '12:16 pdns_zone.main: rrsets[0].name is missing'],
  [
    'rrsets: [{name: a}, {name: A., type: A}]',
    '12:27 pdns_zone.main: rrsets[1] has the same name and type as rrsets[0]',
  ],
]

for (const [spec, expected, fix] of bad) {
  test(`does not fit: ${spec}`, () => {
    const issues = issuesOf(spec)
    expect(lines(issues)).toEqual([`plumbline.yaml:${expected}`])
    expect(JSON.stringify(issues)).not.toContain('hunter2')
    if (fix !== undefined) expect(issues[0]?.fix).toBe(fix)
  })
}

const check = (resources: string) =>
  lines(
    checkResources(
      configurationOf(`workspace: w\nproviders: {dns: {source: rest}, b: {source: rest}}\nresources:\n${resources}`),
      (_, type) => (type === 'pdns_zone' ? zone : undefined),
    ),
  )

test('a resource needs its identifying attributes, and only those if it must not exist', () => {
  expect(check('  - {type: pdns_zone, name: a, provider: dns, spec: {}}')).toEqual([
    'plumbline.yaml:4:5 pdns_zone.a: name is missing',
    'plumbline.yaml:4:5 pdns_zone.a: kind is missing',
  ])
  expect(check('  - {type: pdns_zone, name: a, provider: dns, absent: true, spec: {}}')).toEqual([
    'plumbline.yaml:4:5 pdns_zone.a: name is missing',
  ])
  expect(check('  - {type: pdns_zone, name: a, provider: dns, absent: true, spec: {name: x}}')).toEqual([])
})

test('a secret cannot identify a resource', () => {
  expect(check('  - {type: pdns_zone, name: a, provider: dns, spec: {kind: Native, name: {secret: "env:X"}}}')).toEqual(
    ['plumbline.yaml:4:68 pdns_zone.a: name identifies the object and cannot be a secret'],
  )
})

test('two resources are refused if they mean one object in its canonical form', () => {
  const resources = (second: string) =>
    `  - {type: pdns_zone, name: a, provider: dns, spec: {kind: Native, name: Example.org}}\n  - {type: pdns_zone, name: b, ${second}}}`
  expect(check(resources('provider: dns, spec: {kind: Native, name: example.org., server: localhost'))).toEqual([
    'plumbline.yaml:5:5 pdns_zone.b is the same object as pdns_zone.a (line 4)',
  ])
  expect(check(resources('provider: b, spec: {kind: Native, name: example.org.'))).toEqual([])
  expect(check(resources('provider: dns, spec: {kind: Native, name: example.org, server: s2'))).toEqual([])
  expect(check(resources('provider: dns, spec: {kind: Native, name: "${resource.pdns_zone.a.id}"'))).toEqual([])
})

test('the lifecycle of a resource names attributes that exist', () => {
  const more =
    '    lifecycle: {ignoreChanges: [serial, "rrsets[a].ttl", "tll"], manage: {rrsets: declared, order: declared, kind: declared, lables: exclusive}}\n'
  expect(lines(issuesOf('', more))).toEqual([
    'plumbline.yaml:7:5 pdns_zone.main: lifecycle.manage names order, which is ordered',
    'plumbline.yaml:7:5 pdns_zone.main: lifecycle.manage names kind, which is no collection',
    'plumbline.yaml:7:5 pdns_zone.main: lifecycle.manage names lables, which is not an attribute',
    'plumbline.yaml:7:5 pdns_zone.main: lifecycle.ignoreChanges names tll, which is not an attribute',
  ])
})

test('each resource is bound to the provider that has its type', () => {
  const configuration = configurationOf(`workspace: w
providers: {dns: {source: rest}, host: {source: host}}
resources:
  - {type: pdns_zone, name: a, spec: {}}
  - {type: host_file, name: b, provider: dns, spec: {}}
  - {type: both_have, name: c, spec: {}}
  - {type: both_have, name: d, provider: host, spec: {}}
  - {type: pdns_zoen, name: e, spec: {}}
`)
  const dns = new Set(['pdns_zone', 'both_have'])
  const host = new Set(['host_file', 'both_have'])
  const bound = bindProviders(
    configuration,
    new Map([
      ['dns', dns],
      ['host', host],
    ]),
  )
  expect(bound.issues.map(({ message, fix }) => [message, fix])).toEqual([
    ['host_file.b: provider "dns" has no type host_file', 'use one of: pdns_zone, both_have'],
    ['both_have.c: several providers have the type both_have', 'write `provider:` with one of: dns, host'],
    ['pdns_zoen.e: no provider has the type pdns_zoen', 'did you mean "pdns_zone"?'],
  ])

  const partly = { ...configuration, resources: configuration.resources.filter(({ name }) => 'ad'.includes(name)) }
  const good = bindProviders(
    partly,
    new Map([
      ['dns', dns],
      ['host', host],
    ]),
  )
  expect(good.issues).toEqual([])
  expect(good.configuration.resources.map(({ provider }) => provider)).toEqual(['dns', 'host'])

  // A provider that could not be configured has told its own problem: its resources add none.
  const unconfigured = bindProviders(configuration, new Map([['dns', new Set(['pdns_zone', 'host_file'])]]))
  expect(unconfigured.issues).toEqual([])
  expect(unconfigured.configuration.resources.map(({ provider }) => provider)).toEqual(['dns', 'dns', '', 'host', ''])
})

test('elements that are not objects are refused where a key would have to tell them apart', () => {
  expect(lines(issuesOf('rrsets: [a, a]'))).toEqual([
    'plumbline.yaml:12:16 pdns_zone.main: rrsets[0] must be a mapping, not text',
    'plumbline.yaml:12:19 pdns_zone.main: rrsets[1] must be a mapping, not text',
  ])
})
