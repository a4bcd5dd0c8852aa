import { describe, expect, test } from 'vitest'
import { host, modulesPlan, networkSchemas, resourceChange, tofuPlan, tofuSchemas } from '../builders/documents.ts'
import { actionsOf, changeOf, good, typed, valueDiff } from '../builders/one-change.ts'
import { changeNamed, nodeAt, planViewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

describe('the origin and size of values', () => {
  test('are given for an unknown value', () => {
    const view = planViewOf(modulesPlan(), { schemas })
    const change = view.changes.find(({ address }) => address === 'module.eu["b"].net_host.a')
    expect(change?.sources).toEqual([{ path: ['image'], references: ['data.net_image.base.id'] }])
    expect(change && nodeAt(change.diff, 'image')).toMatchObject({ after: { $ref: 'data.net_image.base.id' } })
    expect(change && nodeAt(change.diff, 'id')).toMatchObject({ unknown: true, after: { $ref: '' } })
  })

  test.each<[string, object, object]>([
    ['a list of blocks', [{ name: { references: ['x.a'] } }, { name: { references: ['x.b'] } }], ['x.b']],
    ['blocks that a rule writes', [{ name: { references: ['x.a'] } }], ['x.a']],
    ['a whole attribute', { references: ['x.c.d[0]', 'x.c.d', 'x.c', 'var.y'] }, ['x.c.d[0]', 'var.y']],
    ['constants', { constant_value: [] }, []],
  ])('are given inside %s', (_, disk, references) => {
    const resource = { mode: 'managed', type: 'net_host', name: 'a', expressions: { disk } }
    const change = { before: host(), after: host({ disk: [{}, {}] }), after_unknown: { disk: [{}, { name: true }] } }
    const configuration = { root_module: { resources: [resource] } }
    const view = planViewOf(tofuPlan([resourceChange(['update'], change)], { configuration }), { schemas })
    const path = ['disk', 1, 'name']
    expect(changeNamed(view, 'a').sources).toEqual((references as []).length === 0 ? [] : [{ path, references }])
  })

  const pair = ['object', { a: 'string', b: 'string' }]
  test.each<[string, unknown, readonly unknown[], readonly unknown[], unknown, readonly string[]]>([
    ['a text', ['list', 'string'], ['a', 'b', 'c'], ['a', null, 'c'], [false, true], ['same', 'update', 'same']],
    ['all texts', ['list', 'string'], ['a', 'b'], [null, null], [true, true], ['update', 'update']],
    ['one more', ['list', 'string'], ['a'], ['a', null], [false, true], ['same', 'create']],
    ['a member', ['list', pair], [{ a: '1', b: '2' }], [{ b: '2' }], [{ a: true }], ['update']],
    ['all members', ['list', pair], [{ a: '1', b: '2' }], [{}], [{ a: true, b: true }], ['update']],
    ['an object', ['list', pair], [{ a: '1', b: '2' }], [null], [true], ['update']],
    ['a member in a set', ['set', pair], [{ a: '1', b: '2' }], [{ b: '2' }], [{ a: true }], ['update']],
  ])('let an element that is known later stay: %s', (_, type, before, after, unknown, actions) => {
    expect(actionsOf(valueDiff(type, before, after, { after_unknown: { v: unknown } }))).toEqual(actions)
  })

  test('make one node of equal values, however large', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => `element ${n}`)
    const { diff: whole } = changeOf({ before: { v: many, w: 1 }, after: { v: many, w: 2 } }, typed(['list', 'string']))
    expect(nodeAt(whole, 'v')).toMatchObject({ kind: 'value', action: 'same' })
    const objects = many.map((text, n) => ({ name: text, n }))
    const changed = objects.map((object) => (object.n === 1_500 ? { ...object, n: -1 } : object))
    const diff = valueDiff(['set', ['object', { name: 'string', n: 'number' }]], objects, changed)
    expect(actionsOf(diff).filter((action) => action !== 'same')).toEqual(['update'])
  })

  test('are counted for unchanged values', () => {
    const still = Array.from({ length: 100 }, (_, index) =>
      resourceChange(['no-op'], { before: host(), after: host() }, { index }),
    )
    expect(planViewOf(tofuPlan([...still, good]))).toMatchObject({ unchanged: 100, changes: [{ name: 'good' }] })
  })
})

describe('the values of a view', () => {
  test.each([
    ['12345678901234567890.10', { $number: '12345678901234567890.10' }],
    ['1.0', { $number: '1.0' }],
    ['-0', { $number: '-0' }],
    ['1e400', { $number: '1e400' }],
    ['0.1', 0.1],
    ['9007199254740992', { $number: '9007199254740992' }],
    ['9007199254740991', 9007199254740991],
  ])('keep the spelling of the number %s', (text, after) => {
    const plan = JSON.stringify(tofuPlan([resourceChange(['update'], { before: { v: 7 }, after: { v: '@' } })]))
    const view = planViewOf(plan.replace('"@"', text))
    expect(nodeAt(changeNamed(view, 'a').diff, 'v')).toEqual({ kind: 'value', action: 'update', before: 7, after })
  })

  test('do not take an object for a mark because it looks like one', () => {
    expect(valueDiff('dynamic', null, { $sealed: 'x' })).toMatchObject({ after: { $literal: { $sealed: 'x' } } })
    expect(valueDiff('dynamic', null, { $ref: 'x' })).not.toHaveProperty('unknown')
  })

  test.each([
    ['tuple', ['tuple', ['string', 'number']], ['a', 1], ['b', 1], { kind: 'tuple' }],
    [
      'map',
      ['map', 'string'],
      { a: 'x' },
      { a: null },
      { kind: 'map', members: { a: { action: 'update', after: null } } },
    ],
    [
      'object',
      ['object', { a: 'string' }],
      { a: 'x' },
      { a: null },
      { kind: 'object', members: { a: { action: 'delete' } } },
    ],
  ])('are shown by type: %s', (_, type, before, after, node) => {
    expect(valueDiff(type, before, after)).toMatchObject(node)
  })

  test('include nested attributes, and say so', () => {
    const nested_type = { nesting_mode: 'list', attributes: { a: { type: 'string' } } }
    const nested = tofuSchemas({ net_host: { attributes: { v: { nested_type } } } })
    const { diff } = changeOf({ before: { v: [{ a: '1' }] }, after: { v: [{ a: '2' }] } }, { schemas: nested })
    expect(nodeAt(diff, 'v')).toMatchObject({ kind: 'list', syntax: 'nested' })
  })

  test('are the same for no blocks and absent blocks, with a schema', () => {
    const { diff } = changeOf({ before: host(), after: host({ size: 4, disk: [], rule: [] }) })
    expect(diff).not.toHaveProperty('members.disk')
  })
})
