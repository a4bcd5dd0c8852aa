import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { moduleSchema } from '../../../core/engine/config/shape/module-shape.ts'
import { configurationSchema } from '../../../core/engine/config/shape/shape.ts'
import { load } from '../../builders/workspaces/config.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
ajvFormats.default(ajv)
const validate = ajv.compile(configurationSchema())
const validateModule = ajv.compile(moduleSchema())

test.each([
  ['plumbline', configurationSchema()],
  ['module', moduleSchema()],
])('the committed copy is current: %s', (name, schema) => {
  const committed = JSON.parse(readFileSync(new URL(`../../../docs/${name}.schema.json`, import.meta.url), 'utf8'))
  expect(committed).toEqual(schema)
})

test.each([configurationSchema(), moduleSchema()])('every key of the schema has a description', (whole) => {
  const undescribed: string[] = []
  const visit = (schema: unknown, path: string) => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, ...rest } = schema as { properties?: Record<string, { description?: string }> }
    for (const [key, property] of Object.entries(properties)) {
      if (property.description === undefined) undescribed.push(`${path}.${key}`)
      visit(property, `${path}.${key}`)
    }
    for (const inner of Object.values(rest)) visit(inner, path)
  }
  visit(whole, '')
  expect(undescribed).toEqual([])
})

const examples = [
  ...readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8').matchAll(/```yaml\n(.*?)```/gs),
].map(([, text = '']) => text)

test('the schema is checked against at least one example of the documentation', () =>
  expect(examples.length).toBeGreaterThan(5))

/** An example that shows one part is completed by what every configuration has. */
const completed = (text: string) => (/^workspace:/m.test(text) ? text : `workspace: example\n${text}`)

/** Examples of other files than plumbline.yaml name theirs in a comment. */
const fileOf = (text: string) => /^# (\w[\w/.-]+\.yaml)$/m.exec(text)?.[1]
const files = Object.fromEntries(examples.flatMap((text) => (fileOf(text) ? [[fileOf(text)!, text]] : [])))

test.each(Object.entries(files).filter(([name]) => name.endsWith('module.yaml')))(
  'the module %s is valid',
  (_, text) => {
    expect([validateModule(parse(text)), validateModule.errors]).toEqual([true, null])
  },
)

test.each(examples.filter((text) => !fileOf(text)))(
  'the schema accepts each example of the documentation: %#',
  (text) => {
    const yaml = completed(text)
    expect([validate(parse(yaml)), validate.errors]).toEqual([true, null])
    const part = 'resources: []'
    const named = { 'powerdns.provider.yaml': 'a: 1', 'shared.yaml': part, 'zones/a.yaml': part }
    const known = { ...named, ...files }
    const above = Object.fromEntries(Object.entries(known).map(([name, own]) => [`^/shared/${name}`, own]))
    const loaded = load({ 'plumbline.yaml': yaml, ...known, ...above })
    expect(loaded.ok ? [] : loaded.issues).toEqual([])
  },
)

const good = [
  { workspace: 'a' },
  { $schema: './plumbline.schema.json', workspace: 'a', schedule: 'rate(1 minute)', resources: [] },
  { workspace: 'a', ignore: [{ address: '*', reason: 'r', owner: 'o', expires: '2028-02-29' }] },
  {
    workspace: 'a',
    resources: [
      { type: 'a_b', name: 'c', spec: { any: { thing: [null, 1] } }, lifecycle: { manage: { x: 'declared' } } },
    ],
  },
  {
    workspace: 'a',
    variables: { x: { type: 'map', default: null } },
    alerts: { minSeverity: 'high', renotify: '24h' },
  },
]

test.each(good)('the schema and the loader accept %j', (value) => {
  expect(load({ 'plumbline.json': JSON.stringify(value) }).ok).toBe(true)
  expect(validate(value)).toBe(true)
})

const bad = [
  {},
  [],
  { workspace: 'A' },
  { workspace: 'a', more: 1 },
  { workspace: 'a', schedule: 'hourly' },
  { workspace: 'a', blackout: [{ cron: 'cron(0 0 * * ? *)' }] },
  { workspace: 'a', blackout: [{ cron: 'cron(0 0 * * ? *)', duration: '1 day' }] },
  { workspace: 'a', providers: { p: {} } },
  { workspace: 'a', providers: { 'a b': { source: 'rest' } } },
  { workspace: 'a', variables: { x: { type: 'text' } } },
  { workspace: 'a', resources: [{ type: 'zone', name: 'c', spec: {} }] },
  { workspace: 'a', resources: [{ type: 'a_b', name: 'c d', spec: {} }] },
  { workspace: 'a', resources: [{ type: 'a_b', name: 'c' }] },
  { workspace: 'a', resources: [{ type: 'a_b', name: 'c', spec: [] }] },
  { workspace: 'a', resources: [{ type: 'a_b', name: 'c', spec: {}, lifecycle: { onImmutable: 'ignore' } }] },
  { workspace: 'a', unmanaged: 'delete' },
  { workspace: 'a', ignore: [{ address: '*', reason: '', owner: 'o' }] },
  { workspace: 'a', ignore: [{ address: '*', reason: 'r', owner: 'o', expires: '2027-02-29' }] },
  { workspace: 'a', policy: { allowWidening: 'no' } },
  { workspace: 'a', policy: { maxChanges: 0 } },
  { workspace: 'a', alerts: { renotify: 24 } },
]

test.each(bad)('the schema and the loader refuse %j', (value) => {
  expect(load({ 'plumbline.json': JSON.stringify(value) }).ok).toBe(false)
  expect(validate(value)).toBe(false)
})
