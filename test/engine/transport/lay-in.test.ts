import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromPointer } from '../../../core/engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import { layIn } from '../../../core/engine/transport/secrets/lay-in.ts'
import type { ListRules } from '../../../core/engine/transport/secrets/list-rules.ts'
import { withoutPlaces } from '../../../core/engine/transport/secrets/live-places.ts'
import { lawRuns } from '../../builders/laws.ts'

const keyed: ListRules = { '': { key: ['/id'] } }
const set: ListRules = { '': { key: ['/id'], isSet: true } }

describe('a change that is laid into what was read', () => {
  it.each<[string, Json, Json, Json, ListRules, Json | undefined]>([
    ['keeps members that nobody names', { a: 1, x: 9 }, { a: 1 }, { a: 2 }, {}, { a: 2, x: 9 }],
    [
      'removes a member that only the former value has',
      { a: 1, b: 2, x: 9 },
      { a: 1, b: 2 },
      { a: 1 },
      {},
      { a: 1, x: 9 },
    ],
    [
      'finds an element without a key by all of it, whatever the order of sets inside of it',
      [
        { n: 'a', tags: ['q', 'p'], x: 1 },
        { n: 'b', x: 2 },
      ],
      [{ n: 'a', tags: ['p', 'q'] }, { n: 'b' }],
      [{ n: 'a', tags: ['p', 'q'] }, { n: 'c' }],
      { '/*/tags': { isSet: true } },
      [
        { n: 'a', tags: ['q', 'p'], x: 1 },
        { n: 'c', x: 2 },
      ],
    ],
    [
      'changes the element that the plan shows as changed, where another one differs from it by a null in a map',
      [
        { k: '1', m: { c: '' } },
        { k: 'z', m: { b: '', c: 'p' } },
        { k: 'z', m: { a: null, c: 'r' }, x: 1 },
      ],
      [
        { k: '1', m: { c: '' } },
        { k: 'z', m: { b: '', c: 'p' } },
        { k: 'z', m: { a: null, c: 'r' } },
      ],
      [
        { k: 'z', m: { c: 'r' } },
        { k: 'z', m: { a: '', c: 'r' } },
      ],
      { '/*/m': { isMap: true } },
      [
        { k: 'z', m: { c: 'r' } },
        { k: 'z', m: { a: '', c: 'r' }, x: 1 },
      ],
    ],
    [
      'changes the element of a list that the plan shows as changed, behind one that comes',
      [
        { n: 'a', p: 1, x: 1 },
        { n: 'b', p: 2, x: 2 },
        { n: 'c', p: 3, x: 3 },
      ],
      [
        { n: 'a', p: 1 },
        { n: 'b', p: 2 },
        { n: 'c', p: 3 },
      ],
      [
        { n: 'a', p: 1 },
        { n: 'z', p: 9 },
        { n: 'bb', p: 2 },
        { n: 'c', p: 3 },
      ],
      {},
      [
        { n: 'a', p: 1, x: 1 },
        { n: 'z', p: 9 },
        { n: 'bb', p: 2, x: 2 },
        { n: 'c', p: 3, x: 3 },
      ],
    ],
    [
      'changes the element of a list that the plan shows as changed, behind one that goes',
      [
        { n: 'a', p: 1, x: 1 },
        { n: 'b', p: 2, x: 2 },
        { n: 'c', p: 3, x: 3 },
      ],
      [
        { n: 'a', p: 1 },
        { n: 'b', p: 2 },
        { n: 'c', p: 3 },
      ],
      [
        { n: 'bb', p: 2 },
        { n: 'c', p: 3 },
      ],
      {},
      [
        { n: 'bb', p: 2, x: 2 },
        { n: 'c', p: 3, x: 3 },
      ],
    ],
    [
      'changes what is left of an equally long list as the plan shows it, and else at its place',
      [
        { n: 'a', p: 1, x: 1 },
        { n: 'a', p: 1, x: 2 },
        { n: 'b', p: 2, x: 3 },
        { n: 'c', p: 3, x: 4 },
      ],
      [
        { n: 'a', p: 1 },
        { n: 'a', p: 1 },
        { n: 'b', p: 2 },
        { n: 'c', p: 3 },
      ],
      [
        { n: 'c', p: 3 },
        { n: 'z', p: 9 },
        { n: 'a', p: 1 },
        { n: 'bb', p: 2 },
      ],
      {},
      [
        { n: 'c', p: 3, x: 4 },
        { n: 'z', p: 9, x: 2 },
        { n: 'a', p: 1, x: 1 },
        { n: 'bb', p: 2, x: 3 },
      ],
    ],
    [
      'keeps what is of an element that changes as well as its place, under its name',
      [
        { name: 'a', p: 1, q: 1, x: 1 },
        { name: 'b', p: 2, q: 2, x: 2 },
        { name: 'c', p: 3, q: 3, x: 3 },
      ],
      [
        { name: 'a', p: 1, q: 1 },
        { name: 'b', p: 2, q: 2 },
        { name: 'c', p: 3, q: 3 },
      ],
      [
        { name: 'b', p: 8, q: 2 },
        { name: 'a', p: 9, q: 1 },
        { name: 'c', p: 3, q: 3 },
      ],
      {},
      [
        { name: 'b', p: 8, q: 2, x: 2 },
        { name: 'a', p: 9, q: 1, x: 1 },
        { name: 'c', p: 3, q: 3, x: 3 },
      ],
    ],
    [
      'leaves an element that names little to the one that needs it',
      [
        { n: 'a', v: 1, x: 1 },
        { n: 'a', x: 2 },
      ],
      [{ n: 'a' }, { n: 'a', v: 1 }],
      [{ n: 'a' }, { n: 'a', v: 1 }, { n: 'b' }],
      { '': { isSet: true } },
      [{ n: 'a', v: 1, x: 1 }, { n: 'a', x: 2 }, { n: 'b' }],
    ],
    [
      'finds the element that names less than it did, before the one at its place',
      [
        { n: 'a', v: 1, x: 1 },
        { n: 'b', v: 1, x: 2 },
      ],
      [
        { n: 'a', v: 1 },
        { n: 'b', v: 1 },
      ],
      [{ n: 'b' }, { n: 'c' }],
      {},
      [{ n: 'b', x: 2 }, { n: 'c' }],
    ],
    [
      'does not take an element that nobody names for one that goes',
      [
        { n: 'a', own: true },
        { n: 'a', x: 1 },
      ],
      [{ n: 'a' }],
      [],
      { '': { isSet: true } },
      undefined,
    ],
    [
      'does not take an element for another one that only a secret tells from it',
      [
        { n: 'a', key: 'one', x: 1 },
        { n: 'a', key: 'two', x: 2 },
      ],
      [
        { n: 'a', key: { $secret: 'env:TWO' } },
        { n: 'a', key: { $secret: 'env:ONE' } },
      ],
      [{ n: 'a', key: { $secret: 'env:TWO' } }],
      { '': { isSet: true } },
      undefined,
    ],
    [
      'leaves elements as they are that only a secret tells apart, if they do not change',
      [
        { n: 'a', key: 'one', x: 1 },
        { n: 'a', key: 'two', x: 2 },
      ],
      [
        { n: 'a', key: { $secret: 'env:TWO' } },
        { n: 'a', key: { $secret: 'env:ONE' } },
      ],
      [{ n: 'a', key: { $secret: 'env:TWO' } }, { n: 'a', key: { $secret: 'env:ONE' } }, { n: 'b' }],
      { '': { isSet: true } },
      [{ n: 'a', key: 'one', x: 1 }, { n: 'a', key: 'two', x: 2 }, { n: 'b' }],
    ],
    ['adds no null where nothing was', { x: 9 }, { a: null }, { a: null, b: 1 }, {}, { x: 9, b: 1 }],
    [
      'replaces any JSON as a whole',
      { a: { b: null, c: 1 } },
      { a: { b: null, c: 1 } },
      { a: { c: 2 } },
      { '/a': { isWhole: true } },
      { a: { c: 2 } },
    ],
    ['adds members', { x: 9 }, {}, { a: { b: 1 } }, {}, { x: 9, a: { b: 1 } }],
    [
      'keeps what is in an object that only the new value names',
      { a: { x: 9 } },
      {},
      { a: { b: 1 } },
      {},
      { a: { x: 9, b: 1 } },
    ],
    [
      'keeps members of elements, found by their key',
      [
        { id: 1, v: 1, x: 'a' },
        { id: 2, v: 1, x: 'b' },
      ],
      [
        { id: 1, v: 1 },
        { id: 2, v: 1 },
      ],
      [
        { id: 2, v: 2 },
        { id: 1, v: 1 },
      ],
      keyed,
      [
        { id: 2, v: 2, x: 'b' },
        { id: 1, v: 1, x: 'a' },
      ],
    ],
    [
      'keeps elements that nobody names, behind the one before them',
      [
        { id: 0, x: 0 },
        { id: 1, v: 1 },
        { id: 9, x: 9 },
        { id: 2, v: 1 },
      ],
      [
        { id: 1, v: 1 },
        { id: 2, v: 1 },
      ],
      [{ id: 3 }, { id: 2, v: 1 }, { id: 1, v: 1 }],
      keyed,
      [{ id: 0, x: 0 }, { id: 3 }, { id: 2, v: 1 }, { id: 1, v: 1 }, { id: 9, x: 9 }],
    ],
    [
      'keeps the order of a set, and puts what is new at its end',
      [{ id: 2, x: 2 }, { id: 9 }, { id: 1, x: 1 }],
      [{ id: 1 }, { id: 2 }],
      [{ id: 0 }, { id: 1, v: 1 }, { id: 2 }],
      set,
      [{ id: 2, x: 2 }, { id: 9 }, { id: 1, x: 1, v: 1 }, { id: 0 }],
    ],
    [
      'finds elements without a key by all that is named of them',
      [
        { a: 1, x: 1 },
        { a: 2, x: 2 },
        { a: 1, x: 3 },
      ],
      [{ a: 1 }, { a: 2 }, { a: 1 }],
      [{ a: 2 }, { a: 1 }, { a: 1 }],
      {},
      [
        { a: 2, x: 2 },
        { a: 1, x: 1 },
        { a: 1, x: 3 },
      ],
    ],
    [
      'changes an element of a list without a key in its place',
      [
        { a: 1, x: 1 },
        { a: 2, x: 2 },
      ],
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 3 }],
      {},
      [
        { a: 1, x: 1 },
        { a: 3, x: 2 },
      ],
    ],
    [
      'gives an element of a set without a key no members of another one',
      [{ a: 1, x: 1 }],
      [{ a: 1 }],
      [{ a: 2 }],
      { '': { isSet: true } },
      [{ a: 2 }],
    ],
    [
      'compares no secret',
      [{ id: 1, p: 'old', x: 1 }],
      [{ id: 1, p: { $sealed: 's' } }],
      [{ id: 1, p: { $secret: 'env:P' } }],
      {},
      [{ id: 1, p: { $secret: 'env:P' }, x: 1 }],
    ],
    [
      'keeps foreign marks escaped',
      { $literal: { $ref: 'x', a: 1 } },
      { a: 1 },
      { a: 2 },
      {},
      { $literal: { $ref: 'x', a: 2 } },
    ],
    ['is nothing where an element of the former value is not there', [{ id: 2 }], [{ id: 1 }], [], keyed, undefined],
    ['is nothing where a nested one is not there', { l: [{ id: 2 }] }, { l: [{ id: 1 }] }, { l: [] }, {}, undefined],
    ['is the new value where what was read is no container', 'text', ['text'], ['a'], {}, ['a']],
  ])('%s, where it is laid in', (_, read, from, to, lists, expected) => {
    expect(layIn(read, from, to, lists)).toEqual(expected)
  })

  it('knows a member by its name, and those of a map by no name', () => {
    const lists: ListRules = { '/a/l': { key: ['/id'] }, '/m/*/l': { key: ['/id'] } }
    const list = (v: number, x?: number): Json => [{ id: 1, v, ...(x !== undefined && { x }) }, { id: 2 }]
    expect(
      layIn(
        { a: { l: list(1, 7) }, m: { 'k/1': { l: list(1, 8) } } },
        { a: { l: list(1) }, m: { 'k/1': { l: list(1) } } },
        { a: { l: list(2) }, m: { 'k/1': { l: list(3) } } },
        lists,
      ),
    ).toEqual({ a: { l: list(2, 7) }, m: { 'k/1': { l: list(3, 8) } } })
  })
})

/* The law: whatever a server answers, what nobody names is still there after a change, and after the change back all is as it was. */

/** Members with these names are named by the document; all others are not. */
const isNamed = (name: string): boolean => 'abm'.includes(name)
const rules: ListRules = { '/a': { key: ['/id'], isSet: true }, '/b': {}, '/m/*/a': { key: ['/id'] } }

/** What a document names of a value; `place` tells where it is. */
const named = (value: Json, place = ''): Json => {
  if (isArray(value)) return value.map((each) => named(each, `${place}/*`))
  if (!isObject(value)) return value
  const isMap = place === '/m'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || isNamed(name) || name === 'id')
      .map(([name, inner]) => [name, named(inner, `${place}/${isMap ? '*' : name}`)]),
  )
}

const scalar = fc.constantFrom<Json>(1, 2, 'x', null, true)
const foreign = fc.oneof(scalar, fc.dictionary(fc.constantFrom('p', 'q'), scalar), fc.array(scalar, { maxLength: 2 }))
const element = fc
  .record({ id: fc.integer({ min: 0, max: 5 }), b: scalar, x: foreign, y: foreign }, { requiredKeys: ['id'] })
  .map((each) => each as JsonObject)
const uniques = fc.uniqueArray(element, { selector: ({ id }) => id, maxLength: 5 })
const read = fc.record({
  a: uniques,
  b: fc.array(element, { maxLength: 4 }),
  m: fc.dictionary(fc.constantFrom('k', 'l'), fc.record({ a: uniques, x: foreign })),
  x: foreign,
  z: foreign,
}) as fc.Arbitrary<JsonObject>

/** Another value of the document: members with other values, and elements that are added; nothing is removed. */
const changed = (value: Json, seed: number, place = ''): Json => {
  if (isArray(value)) {
    const own = value.map((each, n) => changed(each, seed + n, `${place}/*`))
    const fresh: Json = { id: 100 + (seed % 3), b: 'new' }
    return seed % 2 === 0 ? own : place === '/b' ? [...own, fresh] : [fresh, ...own]
  }
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner], n) => [
        name,
        name === 'id' ? inner : changed(inner, seed + n, `${place}/${place === '/m' ? '*' : name}`),
      ]),
    )
  return seed % 3 === 0 ? 'changed' : value
}

/** Values that differ only in the order of the set are equal. */
const sorted = (value: JsonObject): JsonObject => ({
  ...value,
  a: (value['a'] as Json[]).toSorted(
    (left, right) => Number((left as JsonObject)['id']) - Number((right as JsonObject)['id']),
  ),
})

it('law: nothing that nobody names is lost, and the change back restores what was read', () => {
  fc.assert(
    fc.property(read, fc.nat(1_000), (raw, seed) => {
      const from = named(raw)
      const to = changed(from, seed)
      const after = layIn(raw, from, to, rules) as JsonObject
      expect(sorted(named(after) as JsonObject)).toEqual(sorted(to as JsonObject))
      expect(layIn(after, to, from, rules)).toEqual(raw)
    }),
    lawRuns(50_000),
  )
})

it('law: what is dropped and does not change is not there, and all else is as without that', () => {
  const places = ['/x', '/a/*/x', '/a/*/y/p', '/b/*/y', '/m/*/x', '/m/*/a/*/x', '/m/k/a/*/b']
  fc.assert(
    fc.property(read, fc.nat(1_000), fc.subarray(places), (raw, seed, dropped) => {
      const from = named(raw)
      const to = changed(from, seed)
      const drops = dropped.map((place) => fromPointer(place))
      const whole = layIn(raw, from, to, rules)
      const left = layIn(raw, from, to, rules, '', drops)
      if (whole === undefined) return void expect(left).toBeUndefined()
      // Without what the document itself names: of that, what changes is sent wherever it is.
      const others = dropped.filter((place) => place !== '/m/k/a/*/b')
      if (others.length === dropped.length) expect(left).toEqual(withoutPlaces(whole, dropped))
      expect(withoutPlaces(left ?? null, dropped)).toEqual(withoutPlaces(whole, dropped))
    }),
    lawRuns(20_000),
  )
})
