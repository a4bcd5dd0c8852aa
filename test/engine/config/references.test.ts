import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../../core/engine/config/expressions/references.ts'
import { resolveReferences } from '../../../core/engine/config/expressions/references.ts'
import { parseTemplate } from '../../../core/engine/config/expressions/template.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { configurationOf, issuesOf, lines, withResources } from '../../builders/workspaces/config.ts'

const variables = {
  text: { type: 'string', default: 'abc' },
  five: { type: 'number', default: 5 },
  yes: { type: 'boolean', default: true },
  none: { type: 'string', default: null },
  list: { type: 'list', default: ['x', { 'a b': 1 }] },
  map: { type: 'map', default: { in: { deep: 'd' } } },
  secret: { type: 'string', default: { secret: 'env:TOKEN' } },
  where: { type: 'string', default: '${workspace}-x' },
}

const resource = (name: string, spec: JsonObject, more: JsonObject = {}) => ({ type: 't_t', name, spec, ...more })

/** What `x: <written>` becomes beside a resource `other`. */
const resolved = (written: Json) => {
  const other = resource('other', {
    name: 'o',
    size: 3,
    empty: '',
    nothing: null,
    tags: ['a', 'b'],
    nested: { 'k 1': { v: '${var.text}' }, token: { secret: 'file:/t' } },
    chain: '${resource.t_t.third.name}!',
    far: '${resource.t_t.third.id}',
  })
  const files = withResources([resource('it', { x: written }), other, resource('third', { name: '${var.five}3' })], {
    variables,
  })
  const [it] = configurationOf(files).resources
  return [it?.attributes['x'], it?.dependsOn]
}

const to = (name: string, pointer: string) => ({ $ref: `t_t.${name}`, pointer })

const known: readonly (readonly [written: Json, value: Json, dependsOn?: readonly string[]])[] = [
  ['plain', 'plain'],
  [
    { '${var.text}': 1, 'n-${var.five}': 2, '$${x}': 3 },
    { abc: 1, 'n-5': 2, '${x}': 3 },
  ],
  [{ '${var.five}': { '${resource.t_t.other.name}': 1 } }, { 5: { o: 1 } }, ['t_t.other']],
  ['$5 and $', '$5 and $'],
  ['$${var.text} $$ $${', '${var.text} $$ ${'],
  ['$$${var.five}', '$${var.five}'],
  ['${var.text}', 'abc'],
  ['${var.five}', 5],
  ['${var.yes}', true],
  ['${var.none}', null],
  ['${var.list}', ['x', { 'a b': 1 }]],
  ['${var.list[0]}', 'x'],
  ['${var.list[1]["a b"]}', 1],
  ['${var.map.in}', { deep: 'd' }],
  ['${var.where}', 'test-x'],
  ['${workspace}', 'test'],
  ['a${var.five}b${var.yes}${workspace}', 'a5btruetest'],
  ['${var.secret}', { $secret: 'env:TOKEN' }],
  ['Bearer ${var.secret}', { $concat: ['Bearer ', { $secret: 'env:TOKEN' }] }],
  [{ secret: 'ssm:/${workspace}/key' }, { $secret: 'ssm:/test/key' }],
  [{ secret: '${var.secret}' }, { $secret: 'env:TOKEN' }],
  [{ secret: 'secretsmanager:a#b' }, { $secret: 'secretsmanager:a#b' }],
  [{ secret: 'just text' }, { secret: 'just text' }],
  [{ secret: 'https://example.org' }, { secret: 'https://example.org' }],
  [
    { secret: 'env:A', more: 1 },
    { secret: 'env:A', more: 1 },
  ],
  [{ secret: 5 }, { secret: 5 }],
  [{ $ref: '#/x', t: '${var.text}' }, { $literal: { $ref: '#/x', t: 'abc' } }],
  [{ $secret: 'env:HOME' }, { $literal: { $secret: 'env:HOME' } }],
  ['${resource.t_t.other.name}', 'o', ['t_t.other']],
  ['${resource.t_t.other.size}', 3, ['t_t.other']],
  ['${resource.t_t.other.empty}', '', ['t_t.other']],
  ['${resource.t_t.other.nothing}', null, ['t_t.other']],
  ['${resource.t_t.other.tags}', ['a', 'b'], ['t_t.other']],
  ['${resource.t_t.other.tags[1]}', 'b', ['t_t.other']],
  ['${resource.t_t.other.nested["k 1"].v}', 'abc', ['t_t.other']],
  ['${resource.t_t.other.nested.token}', { $secret: 'file:/t' }, ['t_t.other']],
  ['${resource.t_t.other.chain}', '53!', ['t_t.other']],
  ['${resource.t_t.other.id}', to('other', '/id'), ['t_t.other']],
  ['${resource.t_t.other.a.b[0]["c/d"]}', to('other', '/a/b/0/c~1d'), ['t_t.other']],
  ['${resource.t_t.other.nested.missing}', to('other', '/nested/missing'), ['t_t.other']],
  ['${resource.t_t.other.far}', to('third', '/id'), ['t_t.other', 't_t.third']],
  ['${resource.t_t.other.far.more}', to('third', '/id/more'), ['t_t.other', 't_t.third']],
  ['a/${resource.t_t.other.id}/b/${var.five}', { $concat: ['a/', to('other', '/id'), '/b/5'] }, ['t_t.other']],
]

for (const [written, value, dependsOn = []] of known) {
  test(JSON.stringify(written), () => {
    expect(resolved(written)).toEqual([value, dependsOn])
  })
}

test.each<[string, Json, readonly string[] | undefined]>([
  ['a value known here', '${resource.t_t.other.name}', ['x']],
  ['a value known later', '${resource.t_t.other.id}', ['x']],
  ['a part of a text', { in: ['a ${resource.t_t.other.id}'] }, ['x']],
  ['its own value', '${resource.t_t.it.y}', undefined],
  ['a variable', '${workspace}', undefined],
])('finds the attributes that refer to other resources: %s', (_, x, expected) => {
  const [it] = configurationOf(
    withResources([resource('it', { x, y: 'y' }), resource('other', { name: 'o' })]),
  ).resources
  expect(it?.refersBy).toEqual(expected)
})

test('a resource may refer to its own written values without depending on itself', () => {
  const [it] = configurationOf(withResources([resource('it', { a: 'x', b: '${resource.t_t.it.a}y' })])).resources
  expect(it).toMatchObject({ attributes: { a: 'x', b: 'xy' }, dependsOn: [] })
})

test('an attribute that is called secret, and values that look like marks, stay as they are', () => {
  const files = withResources([
    resource('a', { secret: 'env:X' }),
    resource('b', { $ref: 'x', n: '${resource.t_t.a.secret}' }),
  ])
  expect(configurationOf(files).resources.map((each) => each.attributes)).toEqual([
    { secret: 'env:X' },
    { $ref: 'x', n: 'env:X' },
  ])
})

const bad: readonly (readonly [written: Json, message: string])[] = [
  ['${', 'a reference that starts with ${ does not end'],
  ['${}', 'the text in ${...} is not a reference'],
  ['${var}', 'the text in ${...} is not a reference'],
  ['${var.text + 1}', 'the text in ${...} is not a reference'],
  ['${ var.text }', 'the text in ${...} is not a reference'],
  ['${upper(var.text)}', 'the text in ${...} is not a reference'],
  ['${env.HOME}', 'the text in ${...} is not a reference'],
  ['${workspace.name}', 'the text in ${...} is not a reference'],
  ['${resource.t_t.other}', 'the text in ${...} is not a reference'],
  ['${var.nope}', 'there is no variable "nope"'],
  ['${var.map.out}', 'variable "map" has no out'],
  ['${var.secret.x}', 'variable "secret" has no x'],
  ['a${var.none}', '${var.none} is null and cannot be part of a text'],
  ['a${var.list}', '${var.list} is a list and cannot be part of a text'],
  ['a${var.map}', '${var.map} is a mapping and cannot be part of a text'],
  ['${resource.t_t.nope.id}', 'there is no resource t_t.nope'],
  ['${resource.t_t.it.id}', 't_t.it refers to its own id, which is not written'],
  ['${resource.t_t.gone.id}', 't_t.gone.id has no value: t_t.gone is declared absent'],
  ['${resource.t_t.gone.token}', 't_t.gone.token has no value: t_t.gone is declared absent'],
  ['${resource.t_t.other.token.x}', 't_t.other.token.x reaches into a secret'],
  ['${resource.t_t.it.x}', 'these values refer to each other in a circle: t_t.it.x -> t_t.it.x'],
  [{ secret: 'ENV:A' }, 'this is not a secret reference'],
  [{ secret: 'file:' }, 'this is not a secret reference'],
  [
    { $ref: '${resource.t_t.other.id}' },
    'a mapping with a member such as "$ref" cannot hold values that are known only later',
  ],
  [{ '${var.map}': 1 }, 'the key "${var.map}" is a mapping'],
  [{ '${resource.t_t.other.token}': 1 }, 'the key "${resource.t_t.other.token}" is a secret'],
  [{ '${var.none}': 1 }, 'the key "${var.none}" is null'],
  [{ abc: 1, '${var.text}': 2 }, 'the key "abc" is there already'],
]

test.each(bad)('reports the problem of %j', (written, message) => {
  const others = [
    resource('other', { name: 'o', token: { secret: 'env:T' } }),
    resource('gone', { token: { secret: 'env:T' } }, { absent: true }),
  ]
  const issues = issuesOf(withResources([resource('it', { x: written }), ...others], { variables }))
  expect(issues.map((issue) => issue.message)).toEqual([message])
})

test('a resource that must not exist may refer to another one that must not exist', () => {
  const gone = resource('gone', { name: 'g' }, { absent: true })
  const below = resource('below', { x: '${resource.t_t.gone.name}' }, { absent: true })
  expect(issuesOf(withResources([gone, below]))).toEqual([])
})

test('a circle of references is reported once, from where it starts', () => {
  const yaml = `workspace: w
resources:
  - { type: t_t, name: a, spec: { x: "\${resource.t_t.b.y.z}" } }
  - { type: t_t, name: b, spec: { y: { z: "\${resource.t_t.c.l}" } } }
  - { type: t_t, name: c, spec: { l: ["\${resource.t_t.a.x}"], m: "\${resource.t_t.a.x}" } }
`
  expect(lines(issuesOf(yaml))).toEqual([
    'plumbline.yaml:3:38 these values refer to each other in a circle: t_t.a.x -> t_t.b.y.z -> t_t.c.l -> t_t.c.l[0] -> t_t.a.x',
  ])
})

test('a provider entry may refer to variables and the workspace, and not to resources', () => {
  const yaml =
    'workspace: w\nproviders: {p: {source: rest, with: {a: "${workspace}", b: "${resource.t_t.r.id}"}}}\nresources: [{type: t_t, name: r, spec: {}}]\n'
  expect(lines(issuesOf(yaml))).toEqual(['plumbline.yaml:2:60 only the spec of a resource can refer to t_t.r'])
})

test('references to references cannot grow without end', long, () => {
  const doubling = Array.from({ length: 60 }, (_, index) => {
    const before = `\${resource.t_t.r${index - 1}.x}`
    return resource(`r${index}`, { x: index === 0 ? 'xxxxxxxxxx' : before + before })
  })
  const lists = Array.from({ length: 60 }, (_, index) => {
    const before = `\${resource.t_t.r${index - 1}.x}`
    return resource(`r${index}`, { x: index === 0 ? ['x'] : [before, before] })
  })
  const deep = Array.from({ length: 200 }, (_, index) =>
    resource(`r${index}`, { x: index === 0 ? 'x' : `\${resource.t_t.r${index - 1}.x}` }),
  )
  expect(issuesOf(withResources(doubling)).map(({ message }) => message)).toContain(
    'the references add up to a value that is too large or too deep',
  )
  expect(issuesOf(withResources(lists)).map(({ message }) => message)).toContain(
    'the references add up to a value that is too large or too deep',
  )
  expect(issuesOf(withResources(deep))).toEqual([])
  expect(issuesOf(withResources(deep.toReversed())).map(({ message }) => message)).toEqual([
    'a chain of more than 100 references',
  ])
})

test('references of many values cannot grow without end together', () => {
  const long = 'x'.repeat(1_000_000)
  const using = (count: number) => [
    resource('long', { x: long }),
    ...Array.from({ length: count }, (_, index) => resource(`r${index}`, { x: '${resource.t_t.long.x}' })),
  ]
  expect(issuesOf(withResources(using(19)))).toEqual([])
  expect(issuesOf(withResources(using(60))).map(({ message }) => message)).toEqual([
    'the references of the whole configuration add up to too much',
  ])
})

test('a text without references stays as it is, and an escaped reference becomes plain text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '.') }), (text) => {
      const parsed = parseTemplate(text.replaceAll('${', () => '$${'))
      expect(parsed).toEqual({ parts: [{ text }] })
    }),
  )
})

describe('resolveReferences', () => {
  const values: JsonObject = { '/id': 7, '/list': [1], '/null': null, '/sealed': { $sealed: 'hmac-sha256:1' } }
  const lookup = (address: string, pointer: string): Lookup => {
    if (address === 'a.later') return { kind: 'later', sensitive: pointer === '/key' }
    if (address === 'a.unknown') return { kind: 'unknown' }
    return { kind: 'known', value: values[pointer] ?? null }
  }
  const ref = (address: string, pointer = '/id') => ({ $ref: address, pointer })

  const cases: readonly (readonly [given: JsonObject, expected: JsonObject | string])[] = [
    [
      { a: 1, b: null, c: [] },
      { a: 1, b: null, c: [] },
    ],
    [{ a: ref('a.known') }, { a: 7 }],
    [{ a: [{ b: ref('a.known', '/list') }] }, { a: [{ b: [1] }] }],
    [{ a: ref('a.known', '/null') }, { a: null }],
    [{ a: ref('a.later') }, { a: { $after: 'a.later', pointer: '/id' } }],
    [{ a: { $concat: ['x', ref('a.known'), 'y'] } }, { a: 'x7y' }],
    [
      { a: { $concat: ['x', ref('a.known'), 'y', ref('a.later')] } },
      { a: { $concat: ['x7y', { $after: 'a.later', pointer: '/id' }] } },
    ],
    [
      { a: { $concat: ['x', { $secret: 'env:A' }, ref('a.known')] } },
      { a: { $concat: ['x', { $secret: 'env:A' }, '7'] } },
    ],
    [{ a: { $secret: 'env:A' } }, { a: { $secret: 'env:A' } }],
    [{ a: ref('a.known', '/sealed') }, { a: { $sealed: 'hmac-sha256:1' } }],
    [
      { a: { $literal: { $ref: 'a.unknown', pointer: '/id' } } },
      { a: { $literal: { $ref: 'a.unknown', pointer: '/id' } } },
    ],
    [{ a: 1, b: ref('a.unknown') }, 'a.unknown'],
    [{ a: { $concat: ['x', ref('a.unknown')] } }, 'a.unknown'],
    [{ a: { $concat: ['x', ref('a.known', '/list')] } }, 'a.known'],
    [{ a: { $concat: ['x', ref('a.known', '/null')] } }, 'a.known'],
  ]
  test.each(cases)('fills in the values that are known, or names the address that is not: %j', (given, expected) => {
    expect(resolveReferences(given, lookup)).toEqual(
      typeof expected === 'string' ? { ok: false, address: expected } : { ok: true, attributes: expected },
    )
  })
})

describe('a key that only a read or an earlier command tells', () => {
  const written = { 'u-1': 'x', '${resource.t_t.other.id}': '${var.text}', 'n-${resource.t_t.third.id}': 'y' }
  const entries = {
    $entries: [
      ['u-1', 'x'],
      [to('other', '/id'), 'abc'],
      [{ $concat: ['n-', to('third', '/id')] }, 'y'],
    ],
  }
  const resolve = (values: Readonly<Record<string, Lookup>>) =>
    resolveReferences({ x: entries }, (address) => values[address] ?? { kind: 'unknown' })

  test('waits for it, and makes the resource wait', () => {
    expect(resolved(written)).toEqual([entries, ['t_t.other', 't_t.third']])
  })

  test('is a key once it is known', () => {
    const values = { 't_t.other': { kind: 'known', value: 7 }, 't_t.third': { kind: 'known', value: 'z' } } as const
    expect(resolve(values)).toEqual({ ok: true, attributes: { x: { 'u-1': 'x', 7: 'abc', 'n-z': 'y' } } })
  })

  test('has a name that says which, where it comes with the apply', () => {
    const later = { kind: 'later', sensitive: false } as const
    const known = '(known after apply: t_t.other /id)'
    expect(resolve({ 't_t.other': later, 't_t.third': later })).toEqual({
      ok: true,
      attributes: { x: { 'u-1': 'x', [known]: 'abc', 'n-(known after apply: t_t.third /id)': 'y' } },
    })
  })

  test('is no key of a file that is written like such a name', () => {
    const key = '(known after apply: t_t.other /id)'
    expect(resolved({ [key]: 'x' })[0]).toEqual({ $literal: { [key]: 'x' } })
  })

  test.each<[string, Lookup]>([
    ['is not known', { kind: 'unknown' }],
    ['is a secret that comes with the apply', { kind: 'later', sensitive: true }],
    ['is no text', { kind: 'known', value: { a: 1 } }],
    ['is there already', { kind: 'known', value: 'u-1' }],
  ])('leaves the resource unresolved where it %s', (_, value) => {
    expect(resolve({ 't_t.other': value, 't_t.third': { kind: 'known', value: 'z' } })).toEqual({
      ok: false,
      address: 't_t.other',
    })
  })
})
