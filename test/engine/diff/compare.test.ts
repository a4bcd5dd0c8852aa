import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { align } from '../../../core/engine/diff/matching/align.ts'
import { markReplacement } from '../../../core/engine/diff/paths.ts'
import { pathText } from '../../../core/engine/json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { anyJson } from '../../builders/generators/arbitraries.ts'

const any: Attribute = { type: 'any' }
const diffOf = (facts: Attribute, before: Json | undefined, after: Json | undefined): Diff => {
  const side = (value: Json | undefined) => (value === undefined ? {} : { v: value })
  const diff = compare({ attributes: { v: facts } }, side(before), side(after))
  return diff.kind === 'object' ? diff.members['v']! : diff
}

describe('values that are no collections', () => {
  test.each<[string, Json | undefined, Json | undefined, Partial<Diff>]>([
    ['an update', 1, 2, { kind: 'value', action: 'update', before: 1, after: 2 }],
    ['a create', undefined, 2, { kind: 'value', action: 'create', after: 2 }],
    ['a delete', 1, undefined, { kind: 'value', action: 'delete', before: 1 }],
    ['null is a value', null, 2, { kind: 'value', action: 'update', before: null, after: 2 }],
    ['two kinds', { a: 1 }, [1], { kind: 'value', action: 'update', before: { a: 1 }, after: [1] }],
    [
      'an unknown after side',
      1,
      { $after: 'x.y', pointer: '/id' },
      { kind: 'value', action: 'update', before: 1, after: { $after: 'x.y', pointer: '/id' }, unknown: true },
    ],
    [
      'secrets of two digests',
      { $sealed: 'h1' },
      { $secret: 'env:X', digest: 'h2' },
      { kind: 'value', action: 'update', sensitive: true },
    ],
    [
      'a secret that is not known yet',
      { $sealed: 'h1' },
      { $concat: [{ $secret: 'env:X' }, { $after: 'x.y', pointer: '/id' }] },
      { kind: 'value', action: 'update', sensitive: true, unknown: true },
    ],
  ])('are compared as whole values: %s', (_, before, after, expected) =>
    expect(diffOf(any, before, after)).toEqual(expected),
  )
})

describe('texts', () => {
  test('are compared line by line if they have several lines', () => {
    expect(diffOf({ type: 'string' }, 'a\nb\n', 'a\nc\n')).toEqual({
      kind: 'text',
      action: 'update',
      lines: [
        { action: 'same', text: 'a' },
        { action: 'delete', text: 'b' },
        { action: 'create', text: 'c' },
        { action: 'same', text: '' },
      ],
    })
  })

  test('that hold JSON are compared by its content', () => {
    expect(diffOf({ type: 'string' }, '{"a":1,"b":2}', '{ "b": 3, "a": 1 }')).toMatchObject({
      kind: 'json',
      action: 'update',
      inner: { kind: 'map', members: { a: { action: 'same' }, b: { action: 'update', before: 2, after: 3 } } },
    })
  })

  test('that hold the same JSON in another spelling are the same inside', () => {
    expect(diffOf({ type: 'string' }, '[1]', '[ 1 ]')).toMatchObject({ action: 'update', inner: { action: 'same' } })
  })
})

const placesOf = (diff: Diff): unknown =>
  diff.kind === 'list' &&
  diff.elements.map(({ before, after, diff: { action } }) => [before ?? '-', after ?? '-', action])

describe('lists', () => {
  test.each<[string, Json[], Json[], unknown]>([
    [
      'an insertion',
      ['a', 'b'],
      ['n', 'a', 'b'],
      [
        ['-', 0, 'create'],
        [0, 1, 'same'],
        [1, 2, 'same'],
      ],
    ],
    [
      'a removal',
      ['a', 'b', 'c'],
      ['a', 'c'],
      [
        [0, 0, 'same'],
        [1, '-', 'delete'],
        [2, 1, 'same'],
      ],
    ],
    [
      'nothing alike',
      ['abc'],
      ['xyz'],
      [
        [0, '-', 'delete'],
        ['-', 0, 'create'],
      ],
    ],
    [
      'an insertion beside an update',
      [{ name: 'a', x: 1, y: 1 }, { name: 'z' }],
      [{ name: 'n', p: 1 }, { name: 'a', x: 2, y: 1 }, { name: 'z' }],
      [
        ['-', 0, 'create'],
        [0, 1, 'update'],
        [1, 2, 'same'],
      ],
    ],
  ])('are compared element by element, and what moved or changed is paired: %s', (_, before, after, expected) => {
    expect(placesOf(diffOf({ type: 'list' }, before, after))).toEqual(expected)
  })

  test('have the same pairs when the sides are swapped', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
    const alike = (b: number, a: number): number => ((b + a) % 3) / 2
    const places = (pairs: readonly { before?: number; after?: number }[], flip: boolean) =>
      pairs.map(({ before = '-', after = '-' }) => (flip ? `${after} ${before}` : `${before} ${after}`)).sort()
    return fc.assert(
      fc.property(letters, letters, (left, right) => {
        expect(places(align(left, right, { likeness: alike }), false)).toEqual(
          places(align(right, left, { likeness: alike }), true),
        )
      }),
    )
  })

  test('show a deleted element before the new one, in either direction', () => {
    for (const [left, right] of [
      ['ab', 'xy'],
      ['xy', 'ab'],
    ] as const) {
      const pairs = align([...left, 'z'], [...right, 'z'], { likeness: () => 0 })
      expect(pairs.map(({ before, after }) => [before, after])).toEqual([
        [0, undefined],
        [1, undefined],
        [undefined, 0],
        [undefined, 1],
        [2, 2],
      ])
    }
  })

  test('are not compared element by element with each other if both are long and nothing is equal', () => {
    const long = (prefix: string) => Array.from({ length: 20_000 }, (_, n) => `${prefix}${n}`)
    expect(align(long('a'), long('b'), { likeness: () => 0 })).toHaveLength(40_000)
  })
})

const rrsets: ObjectSchema = {
  attributes: {
    rrsets: {
      type: 'set',
      key: ['name', 'type'],
      element: {
        type: 'object',
        attributes: {
          name: { type: 'string' },
          type: { type: 'string' },
          ttl: { type: 'number' },
          records: { type: 'set', element: any },
        },
      },
    },
  },
}
const www = { name: 'www.x.', type: 'A', ttl: 60, records: ['1'] }

describe('sets and paths', () => {
  test('elements of a set are told apart by their key, or by all their members if they have none', () => {
    const before = { rrsets: [www, { ...www, name: 'old.x.' }] }
    const after = {
      rrsets: [
        { ...www, ttl: 90, records: ['1', '2'] },
        { ...www, name: 'with space' },
      ],
    }
    const diff = compare(rrsets, before, after)
    expect(changedPaths(diff)).toEqual([
      ['rrsets', '"with space" A'],
      ['rrsets', 'old.x. A'],
      ['rrsets', 'www.x. A', 'ttl'],
      ['rrsets', 'www.x. A', 'records'],
    ])
    expect(pathText(['rrsets', 'www.x. A', 'ttl'])).toBe('rrsets[www.x. A].ttl')
  })

  test('an element whose key is not known yet is identified by what it waits for', () => {
    const made = (pointer: string) => ({ ...www, name: { $after: 'pdns_zone.a', pointer, as: 'string' as const } })
    const diff = compare(rrsets, { rrsets: [] }, { rrsets: [made('/id'), made('/name')] })
    expect(diff).toMatchObject({
      members: {
        rrsets: {
          elements: [
            { key: '(known after apply: pdns_zone.a /id) A' },
            { key: '(known after apply: pdns_zone.a /name) A' },
          ],
        },
      },
    })
  })

  test('a resource that is created or deleted is one path', () => {
    expect(changedPaths(compare(rrsets, null, { rrsets: [] }))).toEqual([[]])
    expect(changedPaths(compare(rrsets, { rrsets: [] }, null))).toEqual([[]])
    expect(changedPaths(compare(rrsets, { rrsets: [] }, { rrsets: [] }))).toEqual([])
  })

  test('two elements with the same key are both shown', () => {
    const diff = compare(rrsets, { rrsets: [www, { ...www, ttl: 90 }] }, { rrsets: [www] })
    expect(changedPaths(diff)).toEqual([['rrsets', 'www.x. A #2']])
  })

  test('a replacement is marked at the attribute that forces it', () => {
    const diff = compare(rrsets, { rrsets: [www] }, { rrsets: [{ ...www, ttl: 1 }] })
    const marked = JSON.stringify(markReplacement(diff, [['rrsets', 'www.x. A', 'ttl']]))
    expect(marked.match(/forcesReplacement/g)).toHaveLength(1)
    expect(marked).toContain('"before":60,"after":1,"forcesReplacement":true')
  })
})

describe('a sensitive value does not appear in the diff', () => {
  const canary = 'CANARY'
  const planted: Attribute = { type: 'string', sensitive: true }
  const wrap: readonly [string, (inner: Attribute) => Attribute, (value: Json) => Json][] = [
    ['itself', (inner) => inner, (value) => value],
    [
      'in an object',
      (inner) => ({ type: 'object', attributes: { a: inner, b: any } }),
      (value) => ({ a: value, b: 1 }),
    ],
    ['in a map', (inner) => ({ type: 'map', element: inner }), (value) => ({ k: value })],
    ['in a list', (inner) => ({ type: 'list', element: inner }), (value) => [value]],
    ['in a set', (inner) => ({ type: 'set', element: inner }), (value) => [value]],
    [
      'in a keyed set',
      (inner) => ({ type: 'set', key: ['id'], element: { type: 'object', attributes: { id: any, a: inner } } }),
      (value) => [{ id: 1, a: value }],
    ],
  ]
  test.each(wrap)('hides a sensitive value: %s', (_, facts, value) =>
    fc.assert(
      fc.property(fc.constantFrom(...wrap), fc.option(anyJson, { nil: undefined }), ([, outer, place], other) => {
        const attribute = outer(facts(planted))
        const secret = place(value(canary))
        const sides: (Json | undefined)[] = [other, secret, place(value(`${canary}\n2`)), place([]), null, undefined]
        for (const side of sides) {
          expect(JSON.stringify(diffOf(attribute, secret, side))).not.toContain(canary)
          expect(JSON.stringify(diffOf(attribute, side, secret))).not.toContain(canary)
        }
      }),
    ),
  )

  test('hides a value that has a mark of a secret anywhere', () => {
    const marked = { deep: [{ $sealed: 'hmac-sha256:CANARY' }] }
    for (const other of [null, 'x', { deep: [] }, marked, undefined]) {
      expect(JSON.stringify(diffOf(any, marked, other))).not.toContain(canary)
      expect(JSON.stringify(diffOf(any, other, marked))).not.toContain(canary)
    }
  })
})
