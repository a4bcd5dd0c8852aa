import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { configurationOf, issuesOf, lines } from '../../../builders/workspaces/config.ts'

const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `k${index}`)

const parameters = { keys: { type: 'list', default: keys(100) }, name: { type: 'string', default: '' } }

/** A call of `a`, which calls `b`, which calls `c`, which has resources. */
const nested = (call: JsonObject, passed: JsonObject, repeated: Json) => ({
  'plumbline.yaml': stringify({ workspace: 'test', modules: [{ name: 'a', source: './a', ...call }] }),
  ...Object.fromEntries(
    ['a', 'b'].map((name) => [
      `${name}/module.yaml`,
      stringify({
        parameters,
        modules: [{ name: 'x', source: name === 'a' ? '../b' : '../c', forEach: repeated, with: passed }],
      }),
    ]),
  ),
  'c/module.yaml': stringify({
    parameters,
    resources: [{ type: 'a_b', name: 'c', forEach: repeated, spec: { name: '${var.name}' } }],
  }),
})

const refused = ['plumbline.yaml:3:5 these are more than 250000 resources and modules']

test.each<[string, JsonObject, Json]>([
  ['that stand in each module', { name: '${each.key}' }, keys(1000)],
  ['that a parameter gives', { name: '${each.key}', keys: '${var.keys}' }, '${var.keys}'],
])('counts of calls within calls are multiplied before an instance is made, for keys %s', (_, passed, repeated) => {
  const files = nested({ forEach: keys(1000), with: { keys: keys(1000) } }, passed, repeated)
  expect(lines(issuesOf(files))).toEqual(refused)
})

test('counts that differ between the instances of a call are added', () => {
  const call = { forEach: { all: keys(600), ...Object.fromEntries(keys(500).map((key) => [key, []])) } }
  const passing = (text: string): JsonObject => ({ ...call, with: { keys: text } })
  const files = nested(passing('${each.value}'), { keys: [] }, '${var.keys}')
  expect(configurationOf(files).resources).toEqual([])
  // Each alone is within the limit.
  const all = { forEach: { a: keys(50), b: keys(49), c: keys(48) }, with: { keys: '${each.value}' } }
  expect(lines(issuesOf(nested(all, { keys: '${var.keys}' }, '${var.keys}')))).toEqual(refused)
})

test('a circle of modules and a missing one end the count', () => {
  const files = {
    'plumbline.yaml': stringify({ workspace: 'test', modules: [{ name: 'a', source: './a', forEach: keys(2) }] }),
    'a/module.yaml': stringify({
      modules: [
        { name: 'x', source: '../a', forEach: keys(1000) },
        { name: 'y', source: '../b', forEach: keys(1000) },
      ],
    }),
  }
  expect(lines(issuesOf(files)).map((line) => line.replace(/:.*/, ''))).toEqual(['a/module.yaml', 'a/module.yaml'])
})
