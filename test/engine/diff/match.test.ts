import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { overlay } from '../../../core/engine/diff/overlay.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { lawRuns } from '../../builders/laws.ts'

const diffOf = (facts: Attribute, before: Json, after: Json): Diff => {
  const diff = compare({ attributes: { v: facts } }, { v: before }, { v: after })
  return diff.kind === 'object' ? diff.members['v']! : diff
}

/** An element a line: what happens to it, and which members change. */
const told = (diff: Diff): readonly string[] =>
  'elements' in diff
    ? diff.elements.map((element) => {
        const { diff: inner, label } = element
        const members = 'members' in inner && inner.action === 'update' ? Object.entries(inner.members) : []
        const changed = members.flatMap(([name, { action }]) => (action === 'same' ? [] : [name]))
        const likened = 'likened' in element ? ['likened'] : []
        return [inner.action, ...(label === undefined ? [] : [label]), ...likened, ...changed].join(' ')
      })
    : [diff.kind]

const set: Attribute = { type: 'set' }
const list: Attribute = { type: 'list' }
const rule = (description: string, port: number, cidr: string, protocol = 'tcp') => ({
  ...{ cidr_blocks: [cidr], description, from_port: port, to_port: port, protocol },
  ...{ self: false, prefix_list_ids: [], security_groups: [] },
})

const members = (prefix: string, n: number, value: number): JsonObject =>
  Object.fromEntries(Array.from({ length: n }, (_, k) => [`${prefix}${String(k).padStart(3, '0')}`, value + k * 10]))
const unknown: Json = { $ref: 'thing.a', pointer: '/id' }

describe('sets with a key', () => {
  const keyed: Attribute = { type: 'set', key: ['k'] }
  const [one, two, three] = [
    { k: 'a', w: 1 },
    { k: 'a', w: 2 },
    { k: 'a', w: 3 },
  ] as const
  const elements = fc.array(fc.record({ k: fc.constantFrom('a', 'b'), w: fc.nat(2) }), { maxLength: 6 })

  test.each<[string, Json[], Json[], string[]]>([
    ['the first goes', [one, two], [two], ['delete', 'same']],
    ['the second goes', [one, two], [one], ['same', 'delete']],
    ['one comes before it', [two], [one, two], ['same', 'create']],
    ['one changes', [one, two], [two, three], ['update w', 'same']],
  ])('an element that stays is not paired with another one of its key, if %s', (_, before, after, expected) => {
    expect(told(diffOf(keyed, before, after))).toEqual(expected)
  })

  test('law: as many elements stay as both sides have', () => {
    void fc.assert(
      fc.property(elements, elements, (before, after) => {
        const left = after.map((each) => JSON.stringify(each))
        const both = before.filter((each) => {
          const at = left.indexOf(JSON.stringify(each))
          return at >= 0 && left.splice(at, 1).length > 0
        })
        const diff = diffOf(keyed, before, after)
        const lines = told(diff)
        expect(diff.action === 'same' ? before.length : lines.filter((line) => line === 'same').length).toBe(
          both.length,
        )
        expect(lines.filter((line) => line !== 'create').length).toBe(
          diff.kind === 'set' ? before.length : lines.length,
        )
      }),
      lawRuns(500),
    )
  })

  test('law: what is declared keeps an element that has it', () => {
    const schema = {
      attributes: { v: { ...keyed, element: { type: 'object', attributes: { k: {}, w: {}, x: {} } } } },
    } as const
    const withMore = elements.map((each) => each.map((element, x) => ({ ...element, x })))
    void fc.assert(
      fc.property(withMore, fc.nat(5), (observed, n) => {
        const kept = observed[n % Math.max(1, observed.length)]
        if (kept === undefined) return
        const { k, w } = kept
        const { v } = overlay(schema as never, { v: [{ k, w }] }, { v: observed })
        expect(observed.filter((each) => each.k === k && each.w === w)).toContainEqual((v as Json[])[0])
        expect(v).toHaveLength(1)
      }),
      lawRuns(200),
    )
  })
})

describe('sets without a key', () => {
  test.each<[string, Json[], Json[], string[]]>([
    [
      'one name, another value',
      [
        { name: 'a', v: 1 },
        { name: 'b', v: 2 },
      ],
      [
        { name: 'b', v: 3 },
        { name: 'a', v: 1 },
      ],
      ['same a', 'update b likened v'],
    ],
    [
      'what came and what went stay apart',
      [rule('web', 80, '10.0.0.0/8'), rule('ssh', 22, '0.0.0.0/0')],
      [rule('web', 80, '10.0.0.0/16'), rule('https', 443, '0.0.0.0/0')],
      ['create https', 'delete ssh', 'update web likened cidr_blocks'],
    ],
    [
      'no member by itself, but two together',
      [
        { port: 53, protocol: 'tcp', x: [1] },
        { port: 53, protocol: 'udp', x: [2] },
        { port: 80, protocol: 'tcp', x: [3] },
      ],
      [
        { port: 53, protocol: 'tcp', x: [9] },
        { port: 53, protocol: 'udp', x: [2] },
        { port: 80, protocol: 'tcp', x: [3] },
      ],
      ['same port=53 protocol=udp', 'same port=80 protocol=tcp', 'update port=53 protocol=tcp likened x'],
    ],
    [
      'two that swap their values keep their names',
      [
        { key: 'a', value: 'x' },
        { key: 'b', value: 'y' },
      ],
      [
        { key: 'a', value: 'y' },
        { key: 'b', value: 'x' },
      ],
      ['update a likened value', 'update b likened value'],
    ],
    [
      'what is found again counts more than what ends like a name',
      [
        { nick_name: 'a', arn: 'p', v: 1 },
        { nick_name: 'b', arn: 'q', v: 2 },
      ],
      [
        { nick_name: 'a', arn: 'p', v: 5 },
        { nick_name: 'c', arn: 'q', v: 2 },
      ],
      ['update p likened v', 'update q likened nick_name'],
    ],
    [
      'text more than numbers',
      [
        { port: 1, rule: 'A' },
        { port: 2, rule: 'B' },
      ],
      [
        { port: 1, rule: 'B' },
        { port: 2, rule: 'A' },
      ],
      ['update A likened port', 'update B likened port'],
    ],
    [
      'a name that is merely alike is another one',
      [
        { name: 'web-1', port: 80 },
        { name: 'db', port: 1 },
      ],
      [
        { name: 'web-2', port: 80 },
        { name: 'db', port: 1 },
      ],
      ['create web-2', 'delete web-1', 'same db'],
    ],
    [
      'the most alike where nothing has a name',
      [
        { p: [1], q: [2], r: [3] },
        { p: [4], q: [5], r: [6] },
      ],
      [
        { p: [4], q: [5], r: [7] },
        { p: [1], q: [2], r: [8] },
      ],
      ['update likened r', 'update likened r'],
    ],
    [
      'a new name of what is otherwise the same',
      [{ name: 'a', p: 1, q: 2 }],
      [{ name: 'b', p: 1, q: 2 }],
      ['update likened name'],
    ],
    ['nothing in common', [{ p: 1, q: 2 }], [{ p: 3, q: 4 }], ['delete', 'create']],
    [
      'what is empty on both sides says nothing',
      [{ p: 1, q: [], r: null, s: '', t: false, u: {} }],
      [{ p: 3, q: [], r: null, s: '', t: false, u: {} }],
      ['delete', 'create'],
    ],
    [
      'what is empty within a member takes no weight from the others',
      [{ p: 1, q: { x: null }, r: { y: '' } }],
      [{ p: 1, q: { x: null }, r: { y: '' }, s: 2 }],
      ['update likened s'],
    ],
    [
      'of very many members the first two hundred, by name',
      [{ ...members('a', 200, 1), ...members('b', 250, 0) }],
      [{ ...members('a', 200, 2), ...members('b', 250, 0) }],
      ['delete', 'create'],
    ],
    [
      'of elements as many as both have',
      [{ list: ['a', 'a', 'a', 'a', 'a'] }],
      [{ list: ['a', 'b'] }],
      ['delete', 'create'],
    ],
    ['what is not known yet may become anything', [{ p: 1, q: 2 }], [{ p: unknown }], ['update likened p q']],
    ['but an element that is not known as a whole is none of those', [{ p: 1, q: 2 }], [unknown], ['delete', 'create']],
    ['nor was it one', [unknown], [{ p: 1, q: 2 }], ['delete', 'create']],
    [
      'and is not taken where something else is more alike',
      [{ p: [1], q: [2], r: [3] }],
      [{ p: unknown }, { p: [1], q: [2], r: [4] }],
      ['create', 'update likened r'],
    ],
    ['texts are their own identity', ['10.0.0.0/8'], ['10.0.0.0/9'], ['delete', 'create']],
    ['as many as both sides have', [{ a: 1 }, { a: 1 }], [{ a: 1 }], ['same', 'delete']],
    [
      'elements of several kinds',
      [1, { name: 'a', v: 1 }, ['x']],
      [{ name: 'a', v: 2 }, ['x'], 2],
      ['delete', 'same', 'create', 'update a likened v'],
    ],
  ])('are paired by how much their elements have in common: %s', (_, before, after, expected) => {
    expect(told(diffOf(set, before, after)).toSorted()).toEqual(expected.toSorted())
    expect(diffOf(set, before.toReversed(), after)).toEqual(diffOf(set, before, after))
  })

  test('are the end of a path, whatever their labels are', () => {
    expect(changedPaths(diffOf(set, [{ name: 'a', v: 1 }], [{ name: 'a', v: 2 }]))).toEqual([[]])
  })
})

describe('lists', () => {
  test.each<[string, Json[], Json[], string[]]>([
    [
      'an insertion in front of an edit',
      [
        { Sid: 'A', Effect: 'Allow' },
        { Sid: 'B', Effect: 'Allow' },
      ],
      [
        { Sid: 'X', Effect: 'Allow' },
        { Sid: 'A', Effect: 'Allow' },
        { Sid: 'B', Effect: 'Deny' },
      ],
      ['create X', 'same A', 'update B Effect'],
    ],
    [
      'an insertion while all others change',
      Array.from({ length: 300 }, (_, n) => ({ id: n, a: 'x', b: 'y', v: n })),
      [
        { id: -1, a: 'x', b: 'y', v: 0 },
        ...Array.from({ length: 300 }, (_, n) => ({ id: n, a: 'x', b: 'y', v: n + 1_000 })),
      ],
      ['create id=-1', ...Array.from({ length: 300 }, (_, n) => `update id=${n} v`)],
    ],
    ['a text that changed a little', ['one two three', 'z'], ['n', 'one two 3', 'z'], ['create', 'update', 'same']],
    [
      'a long text that changed in its middle',
      [`${'a'.repeat(1_500)}${'b'.repeat(9_000)}${'c'.repeat(600)}`, 'z'],
      ['n', `${'a'.repeat(1_500)}${'d'.repeat(9_000)}${'c'.repeat(600)}`, 'z'],
      ['create', 'update', 'same'],
    ],
    ['lists in a list', [[1, 2, 3], [9]], [[7], [1, 2, 4], [9]], ['create', 'update', 'same']],
  ])('are paired by how much their elements have in common: %s', (_, before, after, expected) =>
    expect(told(diffOf(list, before, after))).toEqual(expected),
  )
})

describe('lists with fixed places', () => {
  const pair: Attribute = { type: 'list', elements: [{ type: 'string' }, { type: 'string', sensitive: true }] }

  test('are compared place by place, each place with its own facts', () => {
    expect(diffOf(pair, ['a', 'SECRET'], ['b', 'SECRET2'])).toEqual({
      kind: 'tuple',
      action: 'update',
      elements: [
        { before: 0, after: 0, diff: { kind: 'value', action: 'update', before: 'a', after: 'b' } },
        { before: 1, after: 1, diff: { kind: 'value', action: 'update', sensitive: true } },
      ],
    })
  })

  test('hide sensitive values also where the other side is not a list', () => {
    for (const other of [null, 'x', {}, ['a'], ['x', 'SECRET', 'y']] as const) {
      expect(JSON.stringify(diffOf(pair, ['a', 'SECRET'], other))).not.toContain('SECRET"')
    }
  })
})

describe('a label', () => {
  const element = (facts: Attribute): Attribute => ({
    type: 'object',
    attributes: { name: facts, v: { type: 'number' } },
  })

  test.each<['set' | 'list', Attribute]>([
    ['set', element({ type: 'string', sensitive: true })],
    ['list', element({ type: 'string', sensitive: true })],
    ['set', { ...element({ type: 'string' }), sensitive: true }],
    ['list', { ...element({ type: 'string' }), sensitive: true }],
  ])('contains nothing sensitive (%s)', (type, facts) => {
    const v = (n: number) => [
      { name: 'SECRET', v: n },
      { name: 'SECRET2', v: 7 },
    ]
    expect(JSON.stringify(diffOf({ type, element: facts }, v(1), v(2)))).not.toContain('SECRET')
  })

  test('does not disturb elements that hold marks of secrets', () => {
    const sealed = { name: { $sealed: 'h' }, id: 'x', v: 1 }
    expect(told(diffOf(set, [sealed, { $ref: 'a', pointer: '' }], [{ ...sealed, v: 2 }]))).toContain(
      'update x likened v',
    )
  })
})

test('elements are paired in the same way whichever side is first', () => {
  const elements = fc.array(
    fc.record(
      { name: fc.constantFrom('a', 'b', 'c'), p: fc.nat(2), q: fc.constantFrom('x', 'y'), r: fc.nat(1) },
      { requiredKeys: ['p'] },
    ),
    { maxLength: 5 },
  )
  const counts = (diff: Diff, flip: boolean) =>
    told(diff)
      .map((line) =>
        flip ? line.replace(/^(create|delete)/, (was) => (was === 'create' ? 'delete' : 'create')) : line,
      )
      .toSorted()
  return fc.assert(
    fc.property(fc.constantFrom(set, list), elements, elements, (facts, left, right) => {
      expect(counts(diffOf(facts, left, right), false)).toEqual(counts(diffOf(facts, right, left), true))
    }),
    lawRuns(500),
  )
})
