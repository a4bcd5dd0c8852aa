import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { configurationOf, issuesOf, lines } from '../../../builders/workspaces/config.ts'

const yamlOf = (resources: readonly Json[], more: JsonObject = {}): string =>
  stringify({ workspace: 'test', ...more, resources })

const resourcesOf = (...given: Parameters<typeof yamlOf>) => configurationOf(yamlOf(...given)).resources
const told = (...given: Parameters<typeof yamlOf>): readonly string[] => lines(issuesOf(yamlOf(...given)))
const messages = (...given: Parameters<typeof yamlOf>): readonly string[] =>
  issuesOf(yamlOf(...given)).map(({ message }) => message)

const zone = (forEach: Json, spec: JsonObject = { name: '${each.key}', value: '${each.value}' }): JsonObject => ({
  type: 'pdns_zone',
  name: 'main',
  forEach,
  spec,
})

test('forEach over a mapping makes one instance for each key, with its value', () => {
  expect(
    resourcesOf([zone({ eu: { ttl: 60 }, us: null }, { name: '${each.key}', whole: '${each.value}' })]),
  ).toMatchObject([
    { address: 'pdns_zone.main["eu"]', name: 'main', attributes: { name: 'eu', whole: { ttl: 60 } } },
    { address: 'pdns_zone.main["us"]', name: 'main', attributes: { name: 'us', whole: null } },
  ])
})

test('forEach over a list of texts makes one instance for each text, with the text as key and value', () => {
  expect(resourcesOf([zone(['b', 'a'])])).toMatchObject([
    { address: 'pdns_zone.main["b"]', attributes: { name: 'b', value: 'b' } },
    { address: 'pdns_zone.main["a"]', attributes: { name: 'a', value: 'a' } },
  ])
})

test('members of a value can be used with their types and within texts', () => {
  const spec = { ttl: '${each.value.ttl}', text: '${each.key}=${each.value.ttl}', list: '${each.value.list[0]}' }
  expect(resourcesOf([zone({ eu: { ttl: 60, list: ['x'] } }, spec)])[0]?.attributes).toEqual({
    ttl: 60,
    text: 'eu=60',
    list: 'x',
  })
})

test.each<[string, Json]>([
  ['an empty mapping', {}],
  ['an empty list', []],
])('forEach over %s makes no instance, and dependencies on all instances are empty', (_, forEach) => {
  const other = { type: 'a_b', name: 'c', spec: {}, dependsOn: ['pdns_zone.main'] }
  expect(resourcesOf([zone(forEach), other])).toMatchObject([{ address: 'a_b.c', dependsOn: [] }])
})

test('variables decide which keys forEach has', () => {
  const variables = { zones: { type: 'map', default: { a: 1, b: 2 } }, one: { type: 'string', default: 'x' } }
  const addresses = (forEach: Json) => resourcesOf([zone(forEach)], { variables }).map(({ address }) => address)
  expect(addresses('${var.zones}')).toEqual(['pdns_zone.main["a"]', 'pdns_zone.main["b"]'])
  expect(addresses(['${var.one}', 'y'])).toEqual(['pdns_zone.main["x"]', 'pdns_zone.main["y"]'])
  expect(addresses({ a: '${var.one}' })).toEqual(['pdns_zone.main["a"]'])
})

test.each(['a"]b', '\\', 'ü', '日本', '.', '#', ' ', 'constructor', 'toString', '["x"]', '*', "'", '$'])(
  'the address of an instance has the key %j',
  (key) => {
    const [first] = resourcesOf([zone([key])])
    expect(first?.attributes['name']).toBe(key)
    expect(first?.address).toBe(`pdns_zone.main[${JSON.stringify(key)}]`)
  },
)

describe('references between instances', () => {
  const record = (of: string, more: JsonObject = {}): JsonObject => ({
    type: 'pdns_record',
    name: 'www',
    spec: { of: `\${resource.pdns_zone.main${of}}` },
    ...more,
  })
  test('to one instance give its value, and make a dependency on it', () => {
    for (const of of ['["eu"].name', '.eu.name']) {
      const record1 = resourcesOf([zone(['eu', 'us']), record(of)]).at(-1)
      expect(record1).toMatchObject({ attributes: { of: 'eu' }, dependsOn: ['pdns_zone.main["eu"]'], refersBy: ['of'] })
    }
    expect(resourcesOf([zone(['eu']), record('["eu"].id')]).at(-1)?.attributes['of']).toEqual({
      $ref: 'pdns_zone.main["eu"]',
      pointer: '/id',
    })
  })
  test('to the instance with the same key are possible', () => {
    const all = resourcesOf([zone(['eu', 'us']), record('[each.key].name', { forEach: ['us', 'eu'] })])
    expect(all.slice(2)).toMatchObject([
      { address: 'pdns_record.www["us"]', attributes: { of: 'us' }, dependsOn: ['pdns_zone.main["us"]'] },
      { address: 'pdns_record.www["eu"]', attributes: { of: 'eu' }, dependsOn: ['pdns_zone.main["eu"]'] },
    ])
  })
  test('in dependsOn mean all instances of a resource, or the instance that is named', () => {
    const depending = (dependsOn: readonly string[]) =>
      resourcesOf([zone(['eu', 'us']), { type: 'a_b', name: 'c', spec: {}, dependsOn }]).at(-1)?.dependsOn
    expect(depending(['pdns_zone.main'])).toEqual(['pdns_zone.main["eu"]', 'pdns_zone.main["us"]'])
    expect(depending(['pdns_zone.main["us"]'])).toEqual(['pdns_zone.main["us"]'])
    expect(depending(['pdns_zone.main["\\u0075s"]'])).toEqual(['pdns_zone.main["us"]'])
  })
  test.each([
    ['.name', 'pdns_zone.main has forEach, and no such instance'],
    ['["asia"].name', 'pdns_zone.main has forEach, and no such instance'],
    ['["eu"]', 'an instance of pdns_zone.main as a whole is not a value'],
    ['[0].name', 'pdns_zone.main has forEach, and no such instance'],
    ['[each.key].name', 'there is no "each" here'],
  ])('are refused: %s', (of, message) => {
    expect(messages([zone(['eu']), record(of)])).toEqual([message])
  })
  test('from an instance to itself or to its whole resource are refused', () => {
    expect(messages([zone(['eu'], { a: '${resource.pdns_zone.main["eu"].id}' })])).toEqual([
      'pdns_zone.main["eu"] refers to its own id, which is not written',
    ])
    expect(messages([{ ...zone(['eu', 'us']), dependsOn: ['pdns_zone.main'] }])).toEqual([
      'pdns_zone.main["eu"] depends on itself (and the same in 1 other instance)',
    ])
  })
})

describe('what is refused, with its place', () => {
  test.each<[forEach: Json, line: string]>([
    [5, 'plumbline.yaml:5:14 forEach must be a mapping or a list of texts, not a number'],
    [null, 'plumbline.yaml:5:5 forEach must be a mapping or a list of texts, not null'],
    ['text', 'plumbline.yaml:5:14 forEach must be a mapping or a list of texts, not text'],
    [['a', 1], 'plumbline.yaml:7:9 a key of forEach must be text, not a number'],
    [['a', null], 'plumbline.yaml:7:9 a key of forEach must be text, not null'],
    [['a', { b: 1 }], 'plumbline.yaml:7:9 a key of forEach must be text, not a mapping'],
    [['a', 'b', 'a'], 'plumbline.yaml:8:9 forEach has the key "a" twice'],
    [[''], 'plumbline.yaml:6:9 this cannot be a key of forEach'],
    [['a\nb'], 'plumbline.yaml:6:9 this cannot be a key of forEach'],
    [{ ['x'.repeat(201)]: 1 }, 'plumbline.yaml:6:7 this cannot be a key of forEach'],
    ['${var.none}', 'plumbline.yaml:5:14 there is no variable "none"'],
    ['${resource.a_b.c.id}', 'plumbline.yaml:5:14 forEach, enabled and `provider` cannot depend on a_b.c'],
    ['${module.x.y}', 'plumbline.yaml:5:14 forEach, enabled and `provider` cannot depend on module.x'],
    ['${each.key}', 'plumbline.yaml:5:14 there is no "each" here'],
    [['${workspace}', 'test'], 'plumbline.yaml:7:9 forEach has the key "test" twice'],
    [{ secret: 'env:X' }, ''],
    [{ '${x}': 1 }, 'plumbline.yaml:6:13 the text in ${...} is not a reference'],
  ])('refuses the forEach %j', (forEach, line) => {
    expect(told([zone(forEach, {})])).toEqual(line === '' ? [] : [line])
  })
  test('refuses each outside of forEach, and a member that one of the values does not have', () => {
    expect(messages([{ type: 'a_b', name: 'c', spec: { x: '${each.key}' } }])).toEqual(['there is no "each" here'])
    expect(messages([zone({ a: { ttl: 1 }, b: {} }, { x: '${each.value.ttl}' })])).toEqual([
      'the value of the key "b" of forEach has no ttl',
    ])
  })
  test('reports a broken forEach once, and says nothing about references to its instances', () => {
    const other = { type: 'a_b', name: 'c', spec: { x: '${resource.pdns_zone.main["a"].id}' } }
    expect(told([zone(5), other])).toHaveLength(1)
  })
  test('reports a problem that a thousand instances share once', () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => `k${n}`)
    expect(messages([zone(keys, { x: '${var.none}', y: '${resource.a_b.none.id}' })])).toEqual([
      'there is no variable "none"',
      'there is no resource a_b.none',
    ])
    expect(messages([zone(keys, { x: '${resource.pdns_zone.main[each.key].id}' })])).toEqual([
      'pdns_zone.main["k0"] refers to its own id, which is not written (and the same in 999 other instances)',
    ])
  })
})

test('an instance can be given its own provider', () => {
  const providers = { eu: { source: 'rest' }, us: { source: 'rest' } }
  const chosen = { ...zone(['eu', 'us'], {}), provider: '${each.key}' }
  expect(resourcesOf([chosen], { providers }).map(({ provider }) => provider)).toEqual(['eu', 'us'])
  expect(messages([{ ...chosen, forEach: ['eu', 'asia'] }], { providers })).toEqual(['there is no provider "asia"'])
})

test('the place of an attribute of an instance is found', () => {
  const text = 'workspace: a\nresources:\n  - type: a_b\n    name: c\n    forEach: [x]\n    spec: { y: 1 }\n'
  const { locate } = configurationOf(text)
  expect(locate('a_b.c["x"]', ['y'])).toEqual({ file: 'plumbline.yaml', line: 6, column: 16 })
})

test('a resource can be moved to an instance and back', () => {
  const text = stringify({
    workspace: 'a',
    resources: [zone(['eu'])],
    moved: [{ from: 'pdns_zone.main', to: 'pdns_zone.main["\\u0065u"]' }],
  })
  expect(configurationOf(text).moved).toEqual([{ from: 'pdns_zone.main', to: 'pdns_zone.main["eu"]' }])
  expect(issuesOf(text.replace('\\u0065u', 'us')).map(({ message }) => message)).toEqual([
    'there is no resource pdns_zone.main["us"]',
  ])
})
