import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { configurationOf, issuesOf, lines } from '../../../builders/workspaces/config.ts'

const yamlOf = (written: JsonObject): string => stringify({ workspace: 'test', ...written })
const addressesOf = (written: JsonObject): readonly string[] =>
  configurationOf(yamlOf(written)).resources.map(({ address }) => address)
const told = (written: JsonObject): readonly string[] => lines(issuesOf(yamlOf(written)))

const switches = (on: boolean): JsonObject => ({ on: { type: 'boolean', default: on } })
const zone: JsonObject = { type: 'a_zone', name: 'main', spec: { name: 'x' } }

test.each<[Json, boolean, readonly string[]]>([
  [true, false, ['a_zone.main']],
  [false, false, []],
  ['${var.on}', true, ['a_zone.main']],
  ['${var.on}', false, []],
])('a resource with `enabled: %j` while the variable is %j', (enabled, on, expected) => {
  expect(addressesOf({ variables: switches(on), resources: [{ ...zone, enabled }] })).toEqual(expected)
})

test('each instance decides for itself', () => {
  const forEach = { eu: { on: true }, us: { on: false } }
  const resource = { ...zone, forEach, enabled: '${each.value.on}', spec: { name: '${each.key}' } }
  expect(addressesOf({ resources: [resource] })).toEqual(['a_zone.main["eu"]'])
})

describe('what is switched off', () => {
  const off = { ...zone, enabled: false }
  const other = (more: JsonObject): JsonObject => ({ type: 'a_zone', name: 'other', spec: {}, ...more })

  test('has no value that others could refer to', () => {
    expect(told({ resources: [off, other({ spec: { name: '${resource.a_zone.main.id}' } })] })).toEqual([
      'plumbline.yaml:11:13 a_zone.main.id has no value: a_zone.main is switched off (enabled: false)',
    ])
  })

  test('is the instance of a forEach, or a whole module, as well', () => {
    const instance = { ...off, forEach: ['eu'] }
    const spec = { name: '${resource.a_zone.main["eu"].id}', zone: '${module.dns.id}' }
    const modules = [{ name: 'dns', source: './dns', enabled: false }]
    const files = { 'dns/module.yaml': 'outputs: { id: { value: 1 } }' }
    const issues = issuesOf({ 'plumbline.yaml': yamlOf({ resources: [instance, other({ spec })], modules }), ...files })
    expect(issues.map(({ message }) => message)).toEqual([
      'a_zone.main["eu"].id has no value: a_zone.main["eu"] is switched off (enabled: false)',
      'module.dns.id has no value: module.dns is switched off (enabled: false)',
    ])
  })

  test('is nothing to wait for', () => {
    const instance = { ...off, name: 'many', forEach: ['eu'] }
    const dependsOn = ['a_zone.main', 'a_zone.many', 'a_zone.many["eu"]']
    expect(configurationOf(yamlOf({ resources: [off, instance, other({ dependsOn })] })).resources).toMatchObject([
      { address: 'a_zone.other', dependsOn: [] },
    ])
  })

  test('can be what moves and imports lead to, and can be forgotten', () => {
    const more = {
      moved: [{ from: 'a_zone.old', to: 'a_zone.main' }],
      import: [{ to: 'a_zone.main', id: { id: '1' } }],
      removed: [{ address: 'a_zone.main', reason: 'kept by others' }],
    }
    const { moved, imports, removed } = configurationOf(yamlOf({ resources: [off], ...more }))
    expect({ moved, imports, removed }).toMatchObject({ moved: [{ to: 'a_zone.main' }], imports: [], removed: [{}] })
  })

  test('makes no instances of a module and what is in it', () => {
    const files = { 'dns/module.yaml': stringify({ resources: [zone] }) }
    const modules = ['eu', 'us'].map((name) => ({ name, source: './dns', enabled: name === 'eu' }))
    expect(
      configurationOf({ 'plumbline.yaml': yamlOf({ modules }), ...files }).resources.map(({ address }) => address),
    ).toEqual(['module.eu.a_zone.main'])
  })
})

test('a value that is neither true nor false is refused at its place', () => {
  expect(
    told({ variables: { on: { type: 'string', default: 'yes' } }, resources: [{ ...zone, enabled: '${var.on}' }] }),
  ).toMatchInlineSnapshot(`
    [
      "plumbline.yaml:11:14 enabled must be true or false, not text",
    ]
  `)
  expect(told({ resources: [{ ...zone, enabled: 1 }] })).toMatchInlineSnapshot(`
    [
      "plumbline.yaml:7:14 resources[0].enabled is not valid",
      "plumbline.yaml:7:14 enabled must be true or false, not a number",
    ]
  `)
})

test('it cannot depend on what is known only after a read', () => {
  const resources = [zone, { ...zone, name: 'other', enabled: '${resource.a_zone.main.id}' }]
  expect(told({ resources })).toMatchInlineSnapshot(`
    [
      "plumbline.yaml:10:14 forEach, enabled and \`provider\` cannot depend on a_zone.main",
    ]
  `)
})

test('keys that begin with `x-` are left to the author, at the top of a file only', () => {
  const text = [
    'workspace: test',
    'x-common: &common { name: x, secret: "${var.none}" }',
    'resources: [{ type: a_zone, name: main, spec: { <<: *common, secret: y } }]',
  ].join('\n')
  expect(configurationOf(text).resources[0]?.attributes).toEqual({ name: 'x', secret: 'y' })
  expect(told({ resources: [{ ...zone, 'x-note': 1 }] })).toHaveLength(1)
})

test('instances that are switched off do not count towards the limit, also where only some of a call are', long, () => {
  const keys = Array.from({ length: 600 }, (_, index) => `k${index}`)
  const files = (first: boolean) => ({
    'plumbline.yaml': yamlOf({
      modules: [
        {
          name: 'm',
          source: './m',
          forEach: { first: { on: first }, ...Object.fromEntries(keys.map((key) => [key, { on: !first }])) },
          with: { on: '${each.value.on}' },
        },
      ],
    }),
    'm/module.yaml': stringify({
      parameters: { on: { type: 'boolean' } },
      resources: [{ ...zone, forEach: keys, enabled: '${var.on}', spec: { name: '${each.key}' } }],
    }),
  })
  expect(configurationOf(files(true)).resources).toHaveLength(600)
  expect(lines(issuesOf(files(false)))).toEqual(['plumbline.yaml:3:5 these are more than 250000 resources and modules'])
})
