import { describe, expect, test } from 'vitest'
import { parseTaken } from '../../../../core/pages/tofu/read/parse-value.ts'
import { readChange } from '../../../../core/pages/tofu/view/read-change.ts'
import { sealing } from '../../../../core/pages/tofu/view/to-json.ts'
import { canary, host, networkSchemas, resourceChange, tofuPlan, writeOnlyPlan } from '../builders/documents.ts'
import { actionsOf, changeOf, diffOf, forced, good, typed, valueDiff } from '../builders/one-change.ts'
import { changeNamed, nodeAt, planViewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

describe('the view of a change', () => {
  const objects = ['list', ['object', { name: 'string', n: 'number' }]]
  const [a, b, x] = [
    { name: 'a', n: 1 },
    { name: 'b', n: 2 },
    { name: 'x', n: 9 },
  ]

  test.each([
    ['a list', objects, [a, b], [x, a, b]],
    ['JSON in a text', 'string', JSON.stringify([a, b]), JSON.stringify([x, a, b])],
    ['no known type', 'dynamic', [a, b], [x, a, b]],
  ])('shows an insertion before objects as one insertion: %s', (_, type, before, after) => {
    const diff = valueDiff(type, before, after)
    expect(actionsOf(diff.kind === 'json' ? diff.inner : diff)).toEqual(['create', 'same', 'same'])
  })

  test('shows an insertion of a block in a list as one insertion', () => {
    const disks = [{ name: 'root' }, { name: 'log' }]
    const diff = diffOf({ disk: disks }, { disk: [{ name: 'new', size: 7 }, ...disks] })
    expect(actionsOf(nodeAt(diff, 'disk'))).toEqual(['create', 'same', 'same'])
    expect(nodeAt(diff, 'disk')).toMatchObject({ kind: 'list', syntax: 'block' })
  })

  test('shows a changed element of a set as one change, and names it as people do', () => {
    const rule = (from_port: number, to_port: number, cidr: string) => ({
      from_port,
      to_port,
      protocol: 'tcp',
      cidr_blocks: [cidr],
    })
    const before = { rule: [rule(22, 22, '10.0.0.0/8'), rule(443, 443, '0.0.0.0/0')] }
    const after = { rule: [rule(443, 443, '0.0.0.0/0'), rule(22, 22, '192.168.0.0/16')] }
    const diff = nodeAt(diffOf(before, after), 'rule')
    expect(actionsOf(diff).toSorted()).toEqual(['same', 'update'])
    const changed = diff.kind === 'set' ? diff.elements.find((element) => element.diff.action === 'update') : undefined
    expect(changed).toMatchObject({ label: 'from_port=22', diff: { kind: 'object' } })
  })

  test('loses none of several equal elements', () => {
    const diff = valueDiff(['set', 'string'], ['a'], ['a', null, null], { after_unknown: { v: [false, true, true] } })
    expect(actionsOf(diff).toSorted()).toEqual(['create', 'create', 'same'])
  })

  test('says once each that a value forces a replacement and that it is unknown', () => {
    const change = {
      before: host(),
      after: { ...host(), image: undefined },
      after_unknown: { image: true },
      replace_paths: [['image'], ['image']],
    }
    const { diff, replacePaths } = changeOf(change)
    expect(replacePaths).toEqual([['image']])
    expect(nodeAt(diff, 'image')).toMatchObject({ before: 'debian-13', unknown: true, forcesReplacement: true })
    expect(forced(diff)).toEqual(['image'])
  })

  test.each<[string, unknown, unknown, unknown, readonly unknown[], string]>([
    ['a value without a type', 'dynamic', { k: 1 }, { k: 2 }, ['v', 'k'], 'v.k'],
    ['a change of type', 'dynamic', 'x', ['x'], ['v'], 'v'],
    ['text that becomes JSON', 'string', 'x', '{"a":1}', ['v'], 'v'],
    ['what did not change', ['map', 'string'], { k: 'x' }, { k: 'x' }, ['v', 'k'], 'v.k'],
    ['what is not there at all', 'string', null, null, ['v'], 'v'],
    ['an element of a list', ['list', 'string'], ['a'], ['b', 'a'], ['v', 0], 'v.0'],
    ['an element that stays', ['list', 'string'], ['a', 'b'], ['a', 'c'], ['v', 0], 'v.0'],
    ['an element that no side has', ['list', 'string'], ['a'], ['b'], ['v', 7], 'v'],
    ['an element of a set, which is named by its value', ['set', 'string'], ['a'], ['b'], ['v', { x: 1 }], 'v'],
    ['something below a text', 'string', 'x', 'y', ['v', 'k'], 'v'],
    ['an index that is a text', ['list', 'string'], ['a', 'c'], ['b', 'c'], ['v', '0'], 'v.0,v.1'],
    [
      'what is inside an element that makes place for another one',
      ['list', ['object', { id: 'string' }]],
      [{ id: 'a' }, { id: 'c' }],
      [{ id: 'b' }, { id: 'c' }],
      ['v', 0, 'id'],
      'v.0.id,v.1.id',
    ],
  ])('reports a replacement because of %s', (_, type, before, after, path, told) => {
    const change = { before: { v: before, w: 1 }, after: { v: after, w: 2 }, replace_paths: [path] }
    expect(forced(changeOf(change, typed(type)).diff)).toEqual(told.split(','))
  })

  test.each([
    ['lines of JSON', '{"a":1}\n{"b":1}', '{"a":1}\n{"b":2}'],
    ['text after JSON', '{"a":1} x', '{"a":1} y'],
    ['the spelling of a number', '{"a":1}', '{"a":1.0}'],
    ['a key that is there twice', '{"a":1}', '{"a":2,"a":1}'],
    ['white space in JSON', '{"a":1}', '{"a": 1}'],
  ])('shows a different text as different: %s', (_, before, after) => {
    expect(valueDiff('string', before, after).action).toBe('update')
  })

  test.each([
    ['a final line break', 'a\nb', 'a\nb\n'],
    ['spaces at the end', 'a\nb', 'a\nb  '],
    ['an empty first line', 'a\nb', '\na\nb'],
    ['one line', 'a', 'a '],
  ])('shows a change of white space around a text: %s', (_, before, after) => {
    const diff = valueDiff('string', before, after)
    expect(diff.action).toBe('update')
    if (diff.kind === 'text') expect(diff.lines.some(({ action }) => action !== 'same')).toBe(true)
  })

  test.each([
    ['to null', '', null, { action: 'delete', before: '' }],
    ['from null', null, '', { action: 'create', after: '' }],
    ['to a text', '', 'x', { action: 'update', before: '', after: 'x' }],
  ])('treats an empty text as a value: %s', (_, before, after, node) => {
    expect(valueDiff('string', before, after)).toMatchObject(node)
  })

  test('marks the block around an unknown block as changed', () => {
    const diff = diffOf({ disk: [{ name: 'root' }] }, { disk: undefined }, { after_unknown: { disk: true } })
    expect(diff.action).toBe('update')
    expect(nodeAt(diff, 'disk')).toMatchObject({ action: 'update', unknown: true, syntax: 'block' })
    const inner = diffOf(
      { disk: [{ name: 'a', size: 1 }] },
      { disk: [{ size: 1 }] },
      { after_unknown: { disk: [{ name: true }] } },
    )
    expect(nodeAt(inner, 'disk', 0, 'name')).toMatchObject({ before: 'a', unknown: true })
  })

  test.each(['string', 'dynamic', ['list', 'string'], ['map', 'string']])(
    'shows a null that becomes unknown as new: %j',
    (type) => {
      const change = { before: { v: null }, after: {}, after_unknown: { v: true } }
      expect(nodeAt(changeOf(change, typed(type)).diff, 'v')).toMatchObject({ action: 'create', unknown: true })
    },
  )

  test('lets a value that is never stored follow the object that holds it', () => {
    const view = planViewOf(writeOnlyPlan(), { schemas })
    const node = (name: string) => nodeAt(changeNamed(view, name).diff, 'password_wo')
    expect(node('new')).toEqual({ kind: 'value', action: 'create', writeOnly: true })
    expect(node('changed')).toEqual({ kind: 'value', action: 'update', writeOnly: true })
    expect(node('gone')).toEqual({ kind: 'value', action: 'delete', writeOnly: true })
    expect(node('replaced')).toMatchObject({ writeOnly: true, forcesReplacement: true })
  })

  test('omits a value that is never stored where the configuration does not set it', () => {
    const resource = { mode: 'managed', type: 'net_host', name: 'a', expressions: { name: {} } }
    const configuration = { root_module: { resources: [resource] } }
    const plan = tofuPlan([resourceChange(['update'], { before: host(), after: host({ size: 4 }) })], { configuration })
    expect(Object.keys((changeNamed(planViewOf(plan, { schemas }), 'a').diff as { members: object }).members)).toEqual([
      'id',
      'image',
      'name',
      'size',
      'tags',
    ])
  })

  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const odd = (more: object, change: object = {}) => ({
    ...resourceChange(['update'], { before: host(), after: host({ size: 4 }), ...change }, { name: 'odd' }),
    ...more,
  })
  test.each<[string, unknown, string | undefined]>([
    ['no object', 7, 'the entry is not an object'],
    ['a mode of a later version', odd({ mode: 'actor' }), 'its mode "actor" is unknown'],
    ['no address', odd({ address: null, type: null }), 'the entry has no address'],
    ['no address, but a type and a name', odd({ address: null }), undefined],
    ['no change', odd({ change: null }), 'it does not say what changes'],
    ['actions of a later version', odd({}, { actions: ['migrate'] }), 'its actions "migrate" are unknown'],
    ['no actions', odd({}, { actions: [] }), 'it names no actions'],
    ['a text for an object', odd({}, { after: 'x' }), 'its value before or after is not an object'],
    ['a provider without schemas', odd({ provider_name: 'other' }), undefined],
    ['a type without a schema', odd({ type: 'net_other' }), undefined],
    [
      'values of other kinds than the schema says',
      odd({}, { after: host({ tags: [1], disk: 'x', ports: {} }) }),
      undefined,
    ],
    ['JSON in a text deeper than any stack', odd({}, { after: host({ policy: deep }) }), undefined],
    ['markers of other kinds', odd({}, { after_unknown: [1], before_sensitive: 'x', replace_paths: 'y' }), undefined],
  ])('shows the other resources beside an odd one: %s', (_, entry, detail) => {
    const view = planViewOf(tofuPlan([entry as object, good]), { schemas })
    expect(view.changes.at(-1)).toMatchObject({ name: 'good', diff: { action: 'update' } })
    expect(view.problems.map((problem) => problem.detail)).toEqual(detail === undefined ? [] : [detail])
    if (detail === undefined) expect(changeNamed(view, 'odd').diff.action).toBe('update')
  })

  test('names only the kind of a change that is too large to compare', () => {
    const schemasOf = (): never => {
      throw new RangeError(canary)
    }
    const entry = parseTaken(JSON.stringify(good))
    const reading = { schemas: schemasOf, expressions: () => undefined, seal: sealing() }
    expect(readChange(entry, reading)).toEqual({
      problem: { address: 'net_host.good', detail: 'it cannot be compared: RangeError' },
    })
  })

  test('shows the deletion of a text that contains an empty object as a deletion', () => {
    expect(valueDiff('string', '{}', null).action).toBe('delete')
  })
})
