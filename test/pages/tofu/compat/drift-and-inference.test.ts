import { describe, expect, test } from 'vitest'
import { entry, pageOf, planOf, schemasWith } from '../builders/read-reports.ts'

describe('the drift in a plan', () => {
  const schemas = schemasWith({ attributes: { v: { type: ['map', 'string'] }, w: { type: 'string' } } })
  const before = { v: { a: '1' }, w: 'x' }
  const drift = (attribute: readonly unknown[]) => ({
    resource_drift: [entry({ actions: ['update'], before, after: { v: { a: '2' }, w: 'y' } })],
    relevant_attributes: [{ resource: 'thing.a', attribute }],
  })
  const create = entry({ actions: ['create'], after: before }, { address: 'thing.b' })

  test('is not shown where nothing depends on it', () => {
    const still = entry({ actions: ['no-op'], before, after: before })
    expect(pageOf(planOf([still], drift(['v'])), { schemas })).toMatch(/^No changes\./)
  })

  test('is relevant at a path and below it, and not beside it', () => {
    const page = pageOf(planOf([create], drift(['v'])), { schemas })
    expect(page).toContain('          ~ "a" = "1" -> "2"\n        }\n        # (1 unchanged attribute hidden)\n')
  })

  test.each<[string, object, string]>([
    ['its type and name', {}, 'thing.a'],
    ['its module, and its key', { module_address: 'module.m', index: 'x' }, 'module.m.thing.a["x"]'],
    ['its number', { index: 0 }, 'thing.a[0]'],
  ])('without an address is named by %s', (_, more, address) => {
    const { resource_drift: found } = drift(['v'])
    const entries = found.map((each) => ({ ...each, address: undefined, ...more }))
    const relevant_attributes = [{ resource: address, attribute: ['v'] }]
    const plan = planOf([create], { resource_drift: entries, relevant_attributes })
    expect(pageOf(plan, { schemas })).toContain(`# ${address} has changed`)
  })

  test('is relevant at one key, and not at others', () => {
    expect(pageOf(planOf([create], drift(['v', 'b'])), { schemas })).not.toContain('has changed')
  })
})

describe('a plan without schemas', () => {
  const page = (before: unknown, after: unknown, expressions: object = {}): string => {
    const resource = { type: 'thing', name: 'a', mode: 'managed', expressions }
    return pageOf(
      planOf([entry({ actions: ['update'], before: { v: before }, after: { v: after } })], {
        configuration: { root_module: { resources: [resource] } },
      }),
    )
  }

  test.each<[string, unknown, unknown, object, string]>([
    [
      'a value of objects',
      [{ a: '1' }],
      [{ a: '2' }],
      { v: { constant_value: [] } },
      '      ~ v = [\n          ~ {\n              ~ a = "1" -> "2"\n',
    ],
    ['blocks', [{ a: '1' }], [{ a: '2' }], { v: [{ a: {} }] }, '      ~ v {\n          ~ a = "1" -> "2"\n'],
    [
      'blocks that changed places',
      [{ a: '1' }, { a: '2' }],
      [{ a: '2' }, { a: '3' }],
      {},
      '      - v {\n          - a = "1" -> null\n',
    ],
    ['a map', { a: '1' }, { a: '2' }, {}, '          ~ "a" = "1" -> "2"\n'],
    ['an object', { a: '1', b: null }, { a: '2', b: 1 }, {}, '          ~ a = "1" -> "2"\n          + b = 1\n'],
    [
      'a set',
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
      {},
      '          - "c",\n          + "d",\n            # (2 unchanged elements hidden)\n',
    ],
    ['a list', ['z', 'b', 'c'], ['z', 'b', 'd'], {}, '            "b",\n          - "c",\n          + "d",\n        ]'],
  ])('has its types inferred from its values: %s', (_, before, after, expressions, lines) => {
    expect(page(before, after, expressions)).toContain(lines)
  })

  test('finds the configuration of a module', () => {
    const module = {
      resources: [{ type: 'thing', name: 'a', mode: 'managed', expressions: { v: { references: ['x'] } } }],
    }
    const text = pageOf(
      planOf(
        [
          entry(
            { actions: ['create'], after: { v: [{ a: 1 }] } },
            { module_address: 'module.m["a.module.b"].module.n[0]' },
          ),
        ],
        { configuration: { root_module: { module_calls: { m: { module: { module_calls: { n: { module } } } } } } } },
      ),
    )
    expect(text).toContain('      + v = [\n')
  })
})
