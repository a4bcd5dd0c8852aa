import { describe, expect, test } from 'vitest'
import type { Diff } from '../../../core/schema/diff.ts'
import { parseValue } from '../../../core/tofu/read/parse-value.ts'
import type { ReviewChange } from '../../../core/tofu/view/plan-view.ts'
import { readChange } from '../../../core/tofu/view/read-change.ts'
import { sealing } from '../../../core/tofu/view/to-json.ts'
import {
  actionsPlan,
  canary,
  checksPlan,
  deferredPlan,
  deposedPlan,
  driftPlan,
  emptyPlan,
  ephemeralPlan,
  erroredPlan,
  forgetPlan,
  host,
  importedByIdentityPlan,
  importedByIdPlan,
  modulesPlan,
  movedPlan,
  networkSchemas,
  reasonsPlan,
  resourceChange,
  secretsPlan,
  tofuPlan,
  tofuSchemas,
  tofuState,
  twinsPlan,
  writeOnlyPlan,
} from '../builders/documents.ts'
import { changeNamed, nodeAt, planReview, reviewOf } from '../builders/read-views.ts'

const schemas = networkSchemas

/** The diff of one update. */
const changeOf = (change: object, options: { readonly schemas?: unknown } = { schemas }): ReviewChange =>
  changeNamed(planReview(tofuPlan([resourceChange(['update'], { ...change })]), options), 'a')

const diffOf = (before: object, after: object, more: object = {}, options?: { readonly schemas?: unknown }): Diff =>
  changeOf({ before: host(before as never), after: host(after as never), ...more }, options).diff

const typed = (type: unknown) => ({ schemas: tofuSchemas({ net_host: { attributes: { v: { type } } } }) })
const valueDiff = (type: unknown, before: unknown, after: unknown, more: object = {}): Diff =>
  nodeAt(changeOf({ before: { v: before }, after: { v: after }, ...more }, typed(type)).diff, 'v')

/** What became of each element, in order. */
const actionsOf = (diff: Diff): readonly string[] =>
  'elements' in diff ? diff.elements.map((element) => element.diff.action) : []

const forced = (diff: Diff, path: readonly string[] = []): string[] => {
  const here = diff.forcesReplacement ? [path.join('.')] : []
  if (diff.kind === 'object' || diff.kind === 'map')
    return [...here, ...Object.entries(diff.members).flatMap(([name, inner]) => forced(inner, [...path, name]))]
  if ('elements' in diff)
    return [...here, ...diff.elements.flatMap((element, place) => forced(element.diff, [...path, `${place}`]))]
  return here
}

describe('the weaknesses of the page that everybody knows', () => {
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
  ])('w01 an insertion before objects is one insertion: %s', (_, type, before, after) => {
    const diff = valueDiff(type, before, after)
    expect(actionsOf(diff.kind === 'json' ? diff.inner : diff)).toEqual(['create', 'same', 'same'])
  })

  test('w01 blocks that are a list likewise', () => {
    const disks = [{ name: 'root' }, { name: 'log' }]
    const diff = diffOf({ disk: disks }, { disk: [{ name: 'new', size: 7 }, ...disks] })
    expect(actionsOf(nodeAt(diff, 'disk'))).toEqual(['create', 'same', 'same'])
    expect(nodeAt(diff, 'disk')).toMatchObject({ kind: 'list', syntax: 'block' })
  })

  test('w02 an element of a set that changed is one change, told apart by what people call it', () => {
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

  test('w02 of equal elements none gets lost', () => {
    const diff = valueDiff(['set', 'string'], ['a'], ['a', null, null], { after_unknown: { v: [false, true, true] } })
    expect(actionsOf(diff).toSorted()).toEqual(['create', 'create', 'same'])
  })

  test('w03 what forces a replacement and is unknown says each once', () => {
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
  ])('w04 a replacement is told of: %s', (_, type, before, after, path, told) => {
    const change = { before: { v: before, w: 1 }, after: { v: after, w: 2 }, replace_paths: [path] }
    expect(forced(changeOf(change, typed(type)).diff)).toEqual(told.split(','))
  })

  test.each([
    ['lines of JSON', '{"a":1}\n{"b":1}', '{"a":1}\n{"b":2}'],
    ['text after JSON', '{"a":1} x', '{"a":1} y'],
    ['the spelling of a number', '{"a":1}', '{"a":1.0}'],
    ['a key that is there twice', '{"a":1}', '{"a":2,"a":1}'],
    ['white space in JSON', '{"a":1}', '{"a": 1}'],
  ])('w05 a text that differs is never the same: %s', (_, before, after) => {
    expect(valueDiff('string', before, after).action).toBe('update')
  })

  test.each([
    ['a final line break', 'a\nb', 'a\nb\n'],
    ['spaces at the end', 'a\nb', 'a\nb  '],
    ['an empty first line', 'a\nb', '\na\nb'],
    ['one line', 'a', 'a '],
  ])('w06 white space around a text counts: %s', (_, before, after) => {
    const diff = valueDiff('string', before, after)
    expect(diff.action).toBe('update')
    if (diff.kind === 'text') expect(diff.lines.some(({ action }) => action !== 'same')).toBe(true)
  })

  test.each([
    ['to null', '', null, { action: 'delete', before: '' }],
    ['from null', null, '', { action: 'create', after: '' }],
    ['to a text', '', 'x', { action: 'update', before: '', after: 'x' }],
  ])('w07 an empty text is a value: %s', (_, before, after, node) => {
    expect(valueDiff('string', before, after)).toMatchObject(node)
  })

  test('w08 a block that is unknown changes what holds it', () => {
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
    'w09 null that becomes something unknown comes: %j',
    (type) => {
      const change = { before: { v: null }, after: {}, after_unknown: { v: true } }
      expect(nodeAt(changeOf(change, typed(type)).diff, 'v')).toMatchObject({ action: 'create', unknown: true })
    },
  )

  test('w10 what is never stored shares the fate of what holds it', () => {
    const review = planReview(writeOnlyPlan(), { schemas })
    const node = (name: string) => nodeAt(changeNamed(review, name).diff, 'password_wo')
    expect(node('new')).toEqual({ kind: 'value', action: 'create', writeOnly: true })
    expect(node('changed')).toEqual({ kind: 'value', action: 'update', writeOnly: true })
    expect(node('gone')).toEqual({ kind: 'value', action: 'delete', writeOnly: true })
    expect(node('replaced')).toMatchObject({ writeOnly: true, forcesReplacement: true })
  })

  test('w10 and is not spoken of where the configuration does not set it', () => {
    const resource = { mode: 'managed', type: 'net_host', name: 'a', expressions: { name: {} } }
    const configuration = { root_module: { resources: [resource] } }
    const plan = tofuPlan([resourceChange(['update'], { before: host(), after: host({ size: 4 }) })], { configuration })
    expect(Object.keys((changeNamed(planReview(plan, { schemas }), 'a').diff as { members: object }).members)).toEqual([
      'id',
      'image',
      'name',
      'size',
      'tags',
    ])
  })

  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const good = resourceChange(['update'], { before: host(), after: host({ size: 4 }) }, { name: 'good' })
  const odd = (more: object, change: object = {}) => ({
    ...resourceChange(['update'], { before: host(), after: host({ size: 4 }), ...change }, { name: 'odd' }),
    ...more,
  })
  test.each<[string, unknown, string | undefined]>([
    ['no object', 7, 'an entry is no object'],
    ['a mode of a later version', odd({ mode: 'actor' }), 'its mode "actor" is not known'],
    ['no address', odd({ address: null }), 'an entry has no address'],
    ['no change', odd({ change: null }), 'it does not say what changes'],
    ['actions of a later version', odd({}, { actions: ['migrate'] }), 'its actions "migrate" are not known'],
    ['no actions', odd({}, { actions: [] }), 'it names no actions'],
    ['a text for an object', odd({}, { after: 'x' }), 'what it is before or after is no object'],
    ['a provider without schemas', odd({ provider_name: 'other' }), undefined],
    ['a type without a schema', odd({ type: 'net_other' }), undefined],
    [
      'values of other kinds than the schema says',
      odd({}, { after: host({ tags: [1], disk: 'x', ports: {} }) }),
      undefined,
    ],
    ['JSON in a text deeper than any stack', odd({}, { after: host({ policy: deep }) }), undefined],
    ['markers of other kinds', odd({}, { after_unknown: [1], before_sensitive: 'x', replace_paths: 'y' }), undefined],
  ])('w11 one odd resource leaves the others: %s', (_, entry, detail) => {
    const review = planReview(tofuPlan([entry as object, good]), { schemas })
    expect(review.changes.at(-1)).toMatchObject({ name: 'good', diff: { action: 'update' } })
    expect(review.problems.map((problem) => problem.detail)).toEqual(detail === undefined ? [] : [detail])
    if (detail === undefined) expect(changeNamed(review, 'odd').diff.action).toBe('update')
  })

  test('w11 what is beyond what can be compared is told of by its kind only', () => {
    const schemasOf = (): never => {
      throw new RangeError(canary)
    }
    const entry = parseValue(JSON.stringify(good))
    const reading = { schemas: schemasOf, expressions: () => undefined, seal: sealing() }
    expect('value' in entry && readChange(entry.value, reading)).toEqual({
      problem: { address: 'net_host.good', detail: 'it cannot be compared: RangeError' },
    })
  })

  test('w12 deleting a text that holds an empty object is a deletion', () => {
    expect(valueDiff('string', '{}', null).action).toBe('delete')
  })

  test('w13 a secret hides what it must and nothing else', () => {
    const { diff } = changeNamed(planReview(secretsPlan(), { schemas }), 'a')
    expect(nodeAt(diff, 'disk', 0, 'size')).toMatchObject({ before: 1, after: 2 })
    expect(nodeAt(diff, 'disk', 0, 'key')).toEqual({ kind: 'value', action: 'same', sensitive: true })
    expect(nodeAt(diff, 'tags', 'team')).toMatchObject({ before: 'edge', after: 'core' })
    expect(nodeAt(diff, 'password')).toEqual({ kind: 'value', action: 'update', sensitive: true })
    const whole = { before_sensitive: { disk: true }, after_sensitive: { disk: true } }
    const hidden = diffOf({ disk: [{ name: canary }] }, { disk: [{ name: `${canary}!` }] }, whole)
    expect(nodeAt(hidden, 'disk')).toEqual({ kind: 'value', action: 'update', sensitive: true, syntax: 'block' })
  })

  test('w13 a secret in a set leaves what identifies its elements', () => {
    const user = (name: string, password: string) => ({ name, password })
    const type = ['set', ['object', { name: 'string', password: 'string' }]]
    const markers = { v: [{ password: true }, { password: true }] }
    const more = { before_sensitive: markers, after_sensitive: markers }
    const before = [user('a', `${canary}1`), user('b', `${canary}2`)]
    const diff = valueDiff(type, before, [user('a', `${canary}1`), user('b', `${canary}3`)], more)
    expect(diff).toMatchObject({ elements: [{ label: 'a' }, { label: 'b', diff: { action: 'update' } }] })
    expect(actionsOf(diff)).toEqual(['same', 'update'])
    expect(JSON.stringify(diff)).not.toContain(canary)
  })

  test('w13 documents that do not mark secrets are read with the schema', () => {
    const diff = diffOf({ password: canary }, { password: `${canary}!` }, { before_sensitive: false })
    expect(nodeAt(diff, 'password')).toEqual({ kind: 'value', action: 'update', sensitive: true })
  })

  test.each([
    ['gained', false, true],
    ['lost', true, false],
  ])('w13 a value of which only one side is a secret shows neither: %s', (secrecy, before, after) => {
    const more = { before_sensitive: { name: before }, after_sensitive: { name: after } }
    const diff = diffOf({ name: `${canary}1` }, { name: `${canary}2` }, more)
    expect(nodeAt(diff, 'name')).toEqual({ kind: 'value', action: 'update', sensitive: true, secrecy })
    const comes = diffOf({ name: null }, { name: `${canary}2` }, more)
    expect(nodeAt(comes, 'name')).not.toHaveProperty('secrecy')
  })

  test('w13 a secret that is known later is both', () => {
    const more = { after_sensitive: { password: true }, after_unknown: { password: true } }
    const diff = diffOf({}, {}, more, {})
    expect(nodeAt(diff, 'password')).toMatchObject({ action: 'create', sensitive: true, unknown: true })
  })

  test('w20 what goes and what comes anew and is the same knows of each other', () => {
    const twins = planReview(twinsPlan(), { schemas }).changes.map(({ address, twin }) => [address, twin])
    expect(twins).toEqual([
      ['net_host.web', 'net_host.front'],
      ['net_host.front', 'net_host.web'],
      ['net_host.shard["eu"]', 'net_host.shard["eu-west"]'],
      ['net_host.shard["eu-west"]', 'net_host.shard["eu"]'],
      ['net_host.other', undefined],
      ['net_host.another', undefined],
    ])
  })

  test.each<[string, object, object, object, boolean]>([
    ['nothing is known of it', { id: 'a' }, {}, { id: true, name: true }, false],
    ['an element more', { ports: [1] }, { ports: [1, 2] }, {}, false],
    ['a part of it is known later', { tags: { a: 'x', b: 'y' } }, { tags: { a: 'x' } }, { tags: { b: true } }, true],
    ['one attribute less', { name: 'a', image: 'b' }, { name: 'a' }, {}, false],
    ['a secret that is the same', { name: 'a', password: canary }, { name: 'a', password: canary }, {}, true],
    ['another secret', { name: 'a', password: canary }, { name: 'a', password: `${canary}!` }, {}, false],
  ])('w20 twins: %s', (_, before, after, after_unknown, are) => {
    const plan = tofuPlan([
      resourceChange(['delete'], { before }, { name: 'old' }),
      resourceChange(['create'], { after, after_unknown }, { name: 'new' }),
    ])
    expect(changeNamed(planReview(plan, { schemas }), 'old').twin).toBe(are ? 'net_host.new' : undefined)
  })

  test('actions of providers are named, with what triggers them', () => {
    const { invocations } = planReview(actionsPlan(), { schemas })
    expect(invocations).toEqual([
      { address: 'action.net_page.team', trigger: { address: 'net_host.a', side: 'after' } },
      { address: 'action.net_page.all' },
    ])
  })

  test('w14 drift of an instance is relevant where the resource as a whole is', () => {
    const review = planReview(driftPlan(), { schemas })
    expect(review.drift.map(({ address }) => address)).toEqual([
      'net_host.source[0]',
      'net_host.source[1]',
      'net_zone.lost',
    ])
    expect(review.otherDrift).toBe(1)
  })

  test.each([
    ['module.a.net_host.b', 'module.a["x.y"].net_host.b[0]', true],
    ['module.a["x"].net_host.b', 'module.a["y"].net_host.b', false],
    ['net_host.b[0]', 'net_host.b[1]', false],
    ['net_host.b', 'net_host.b_2', false],
    ['net_host.b', 'module.a.net_host.b', false],
    ['', 'net_host.b', true],
  ])('w14 %j covers %s: %s', (resource, address, covers) => {
    const drifted = { ...resourceChange(['update'], { before: host(), after: host({ size: 9 }) }), address }
    const more = { resource_drift: [drifted], relevant_attributes: [{ resource, attribute: ['size'] }] }
    expect(planReview(tofuPlan([], more), { mode: 'normal' }).drift).toHaveLength(covers ? 1 : 0)
  })

  test('w14 what changed beside the relevant attribute is counted only', () => {
    const drifted = resourceChange(['update'], { before: host(), after: host({ size: 9 }) })
    const more = { resource_drift: [drifted], relevant_attributes: [{ resource: 'net_host.a', attribute: ['image'] }] }
    expect(planReview(tofuPlan([good], more))).toMatchObject({ drift: [], otherDrift: 1 })
  })

  test('w14 documents of before relevance was told show all drift', () => {
    const drifted = resourceChange(['update'], { before: host(), after: host({ size: 9 }) })
    expect(
      planReview({ ...tofuPlan([good], { resource_drift: [drifted] }), format_version: '1.0' }).drift,
    ).toHaveLength(1)
  })

  test.each([
    ['1.2', false],
    ['1.10', true],
    ['0.1', false],
  ])('w15 version %s is newer: %s', (format_version, newer) => {
    expect(planReview({ ...emptyPlan(), format_version }).newer).toBe(newer)
  })
  test('w15 a later major version is refused', () => {
    expect(() => reviewOf({ ...emptyPlan(), format_version: '2.0' })).toThrow('"2.0"')
  })

  test('w18 what is unknown says where it comes from', () => {
    const review = planReview(modulesPlan(), { schemas })
    const change = review.changes.find(({ address }) => address === 'module.eu["b"].net_host.a')
    expect(change?.sources).toEqual([{ path: ['image'], references: ['data.net_image.base.id'] }])
    expect(change && nodeAt(change.diff, 'image')).toMatchObject({ after: { $ref: 'data.net_image.base.id' } })
    expect(change && nodeAt(change.diff, 'id')).toMatchObject({ unknown: true, after: { $ref: '' } })
  })

  test.each<[string, object, object]>([
    ['a list of blocks', [{ name: { references: ['x.a'] } }, { name: { references: ['x.b'] } }], ['x.b']],
    ['blocks that a rule writes', [{ name: { references: ['x.a'] } }], ['x.a']],
    ['a whole attribute', { references: ['x.c.d[0]', 'x.c.d', 'x.c', 'var.y'] }, ['x.c.d[0]', 'var.y']],
    ['constants', { constant_value: [] }, []],
  ])('w18 inside %s', (_, disk, references) => {
    const resource = { mode: 'managed', type: 'net_host', name: 'a', expressions: { disk } }
    const change = { before: host(), after: host({ disk: [{}, {}] }), after_unknown: { disk: [{}, { name: true }] } }
    const configuration = { root_module: { resources: [resource] } }
    const review = planReview(tofuPlan([resourceChange(['update'], change)], { configuration }), { schemas })
    const path = ['disk', 1, 'name']
    expect(changeNamed(review, 'a').sources).toEqual((references as []).length === 0 ? [] : [{ path, references }])
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
  ])('w19 an element that is known later does not go: %s', (_, type, before, after, unknown, actions) => {
    expect(actionsOf(valueDiff(type, before, after, { after_unknown: { v: unknown } }))).toEqual(actions)
  })

  test('w26 w27 what is equal is one node, however large', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => `element ${n}`)
    const { diff: whole } = changeOf({ before: { v: many, w: 1 }, after: { v: many, w: 2 } }, typed(['list', 'string']))
    expect(nodeAt(whole, 'v')).toMatchObject({ kind: 'value', action: 'same' })
    const objects = many.map((text, n) => ({ name: text, n }))
    const changed = objects.map((object) => (object.n === 1_500 ? { ...object, n: -1 } : object))
    const diff = valueDiff(['set', ['object', { name: 'string', n: 'number' }]], objects, changed)
    expect(actionsOf(diff).filter((action) => action !== 'same')).toEqual(['update'])
  })

  test('w28 what does not change is counted', () => {
    const still = Array.from({ length: 100 }, (_, index) =>
      resourceChange(['no-op'], { before: host(), after: host() }, { index }),
    )
    expect(planReview(tofuPlan([...still, good]))).toMatchObject({ unchanged: 100, changes: [{ name: 'good' }] })
  })
})

describe('values', () => {
  test.each([
    ['12345678901234567890.10', { $number: '12345678901234567890.10' }],
    ['1.0', { $number: '1.0' }],
    ['-0', { $number: '-0' }],
    ['1e400', { $number: '1e400' }],
    ['0.1', 0.1],
    ['9007199254740992', 9007199254740992],
  ])('the number %s keeps its spelling', (text, after) => {
    const plan = JSON.stringify(tofuPlan([resourceChange(['update'], { before: { v: 7 }, after: { v: '@' } })]))
    const review = planReview(plan.replace('"@"', text))
    expect(nodeAt(changeNamed(review, 'a').diff, 'v')).toEqual({ kind: 'value', action: 'update', before: 7, after })
  })

  test('an object that looks like a mark is none', () => {
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
  ])('by type: %s', (_, type, before, after, node) => {
    expect(valueDiff(type, before, after)).toMatchObject(node)
  })

  test('attributes of attributes say that they are', () => {
    const nested_type = { nesting_mode: 'list', attributes: { a: { type: 'string' } } }
    const nested = tofuSchemas({ net_host: { attributes: { v: { nested_type } } } })
    const { diff } = changeOf({ before: { v: [{ a: '1' }] }, after: { v: [{ a: '2' }] } }, { schemas: nested })
    expect(nodeAt(diff, 'v')).toMatchObject({ kind: 'list', syntax: 'nested' })
  })

  test('no blocks and none are the same, with a schema', () => {
    const { diff } = changeOf({ before: host(), after: host({ size: 4, disk: [], rule: [] }) })
    expect(diff).not.toHaveProperty('members.disk')
  })
})

describe('entries', () => {
  test('deferred ones give their reason', () => {
    const { deferred, changes } = planReview(deferredPlan(), { schemas })
    expect(changes).toHaveLength(1)
    expect(deferred.map(({ reason, change }) => [reason, change.address])).toContainEqual([
      'absent_prereq',
      'net_host.absent_prereq',
    ])
  })

  test('deferred ones are read with their schemas too', () => {
    const block = { attributes: { v: { type: 'string', sensitive: true } } }
    const change = resourceChange(['create'], { after: { v: canary } }, { type: 'net_rare' })
    const plan = tofuPlan([], { deferred_changes: [{ reason: 'unknown', resource_change: change }] })
    const [first] = planReview(plan, { schemas: tofuSchemas({ net_rare: block }) }).deferred
    expect(first && nodeAt(first.change.diff, 'v')).toEqual({ kind: 'value', action: 'create', sensitive: true })
  })

  test.each([
    ['in_state', 'forget', 'forgot_because_lifecycle_destroy_in_state'],
    ['plain', 'forget', undefined],
    ['anew', 'forget-create', undefined],
    ['before', 'create-forget', undefined],
  ])('forgotten: %s', (name, action, reason) => {
    expect(changeNamed(planReview(forgetPlan()), name)).toMatchObject(
      reason === undefined ? { action } : { action, reason },
    )
  })

  test('deposed objects are told apart from the one that stays', () => {
    const { changes, unchanged } = planReview(deposedPlan())
    expect(changes.map(({ address, deposed }) => [address, deposed])).toEqual([
      ['net_host.a', 'ab12cd34'],
      ['net_host.a', 'ef56ab78'],
    ])
    expect(unchanged).toBe(1)
  })

  test('moved ones are shown though nothing else changes, and whole', () => {
    const only = changeNamed(planReview(movedPlan(), { schemas }), 'only')
    expect(only).toMatchObject({ action: 'no-op', previousAddress: 'net_host.was', diff: { action: 'same' } })
    expect(nodeAt(only.diff, 'tags', 'team')).toEqual({ kind: 'value', action: 'same', before: 'edge' })
  })

  test('imported ones say by what', () => {
    const byId = planReview(importedByIdPlan())
    expect(byId.changes.map(({ importing }) => importing)).toEqual([
      { id: 'h-1', generated: false },
      { id: 'h-[red]2', generated: true },
      { id: 'h-3', generated: false },
      { generated: false },
    ])
    expect(changeNamed(planReview(importedByIdentityPlan()), 'known').importing).toEqual({
      identity: { account: '1234', host: 'h-1', region: 'eu' },
      generated: false,
    })
  })

  test('ephemeral ones are never shown', () => {
    expect(planReview(ephemeralPlan())).toMatchObject({ changes: [{ name: 'shown' }], unchanged: 0, problems: [] })
  })

  test('a data source that goes is never shown', () => {
    const plan = tofuPlan([resourceChange(['delete'], { before: host() }, { mode: 'data' })])
    expect(planReview(plan)).toMatchObject({ changes: [], problems: [] })
  })

  test('every reason is handed on', () => {
    const { changes } = planReview(reasonsPlan())
    expect(changes).toHaveLength(17)
    expect(changes.every(({ name, reason }) => name === reason)).toBe(true)
  })

  test('checks: all that did not pass, by instance', () => {
    expect(planReview(checksPlan()).checks).toEqual([
      {
        address: 'net_host.a[1]',
        kind: 'resource',
        status: 'fail',
        problems: ['the host must have two disks', 'and a name'],
      },
      { address: 'net_host.a[2]', kind: 'resource', status: 'unknown', problems: [] },
      { address: 'check.health', kind: 'check', status: 'error', problems: [] },
      { address: 'var.size', kind: 'var', status: 'fail', problems: ['at most 8'] },
      { address: 'net_host.none', kind: 'resource', status: 'unknown', problems: [] },
    ])
  })

  test('outputs: those that change', () => {
    const { outputs, errored } = planReview(erroredPlan())
    expect(outputs.map(({ name, diff }) => [name, diff.action, diff.unknown])).toEqual([
      ['old', 'delete', undefined],
      ['url', 'create', true],
      ['zone', 'update', undefined],
    ])
    expect(errored).toBe(true)
  })

  test('outputs: one that is none leaves the others, and what is unknown says where it comes from', () => {
    const output_changes = { odd: 7, later: { actions: ['create'], before: null, after_unknown: { a: true } } }
    const outputs = { later: { expression: { references: ['net_host.a.id', 'net_host.a'] } } }
    const review = planReview(tofuPlan([], { output_changes, configuration: { root_module: { outputs } } }))
    expect(review.problems).toEqual([{ address: 'output.odd', detail: 'it does not say what changes' }])
    const [later] = review.outputs
    expect(later && nodeAt(later.diff, 'a')).toMatchObject({ unknown: true, after: { $ref: 'net_host.a.id' } })
  })

  test.each([
    ['create', { after: null }],
    ['delete', { before: 'a' }],
    ['update', { before: 'a', after: null }],
  ])('an output that is null: %s', (action, sides) => {
    const change = { before: null, after: null, after_unknown: false, actions: [action], ...sides }
    const [output] = planReview(tofuPlan([], { output_changes: { o: change } })).outputs
    expect(output?.diff.action).toBe(action)
  })

  const gone = resourceChange(['delete'], { before: host() })
  test.each<[string, object, string]>([
    ['changes', modulesPlan(), 'normal'],
    ['no changes', tofuPlan([]), 'normal'],
    ['only drift', tofuPlan([], { resource_drift: [gone] }), 'refresh-only'],
    ['all deleted without a reason', tofuPlan([gone, gone]), 'destroy'],
    ['all deleted with a reason', tofuPlan([{ ...gone, action_reason: 'delete_because_no_module' }]), 'normal'],
    ['a leftover deleted', tofuPlan([{ ...gone, deposed: 'ab' }]), 'normal'],
    ['something stays', { ...deposedPlan(), resource_changes: [gone, ...emptyPlan().resource_changes] }, 'normal'],
  ])('the mode of a plan with %s', (_, plan, mode) => {
    expect(planReview(plan).mode).toBe(mode)
    expect(planReview(plan, { mode: 'destroy' }).mode).toBe('destroy')
  })
})

describe('states', () => {
  const object = (more: object = {}) => ({
    address: 'module.a.net_host.a',
    mode: 'managed',
    type: 'net_host',
    name: 'a',
    provider_name: 'registry.opentofu.org/acme/net',
    values: host({ password: canary, disk: [{ name: 'root' }] }),
    sensitive_values: { password: true },
    ...more,
  })
  const state = tofuState(
    [
      object({ address: 'net_host.a', tainted: true }),
      object({ deposed_key: 'ab' }),
      object({ values: 7 }),
      { mode: 'x' },
    ],
    { o: { value: ['b', 'a'], type: ['set', 'string'], sensitive: false }, s: { value: canary, sensitive: true } },
  )

  test('show all that is there, secrets not', () => {
    const review = reviewOf(state, { schemas })
    if (review.kind !== 'state') throw new Error('no state')
    expect(review.objects.map(({ tainted, deposed }) => [tainted, deposed])).toEqual([
      [true, undefined],
      [false, 'ab'],
    ])
    expect(review.problems.map(({ detail }) => detail)).toEqual([
      'what it holds is no object',
      'its mode "x" is not known',
    ])
    expect(review.outputs.map(({ name, diff }) => [name, diff.kind, diff.action])).toEqual([
      ['o', 'set', 'same'],
      ['s', 'value', 'same'],
    ])
    expect(review.objects[0] && nodeAt(review.objects[0].diff, 'disk', 0, 'name')).toMatchObject({ before: 'root' })
    expect(JSON.stringify(review)).not.toContain(canary)
  })
})
