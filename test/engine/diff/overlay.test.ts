import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import { overlay } from '../../../core/engine/diff/overlay.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Json, JsonList, JsonObject } from '../../../core/engine/schema/json.ts'
import { lawRuns } from '../../builders/laws.ts'

const text: Attribute = { type: 'string' }
const any: Attribute = { type: 'any' }
const partial: Attribute = { type: 'any', partial: true }
const object: Attribute = { type: 'object', attributes: { a: text, b: text } }
const map: Attribute = { type: 'map', element: object }
const keyed: Attribute = {
  type: 'set',
  key: ['id'],
  element: { type: 'object', attributes: { id: { ...text, compareAs: ['lower'] }, a: text, b: text } },
}
const loose: Attribute = {
  type: 'set',
  element: {
    type: 'object',
    attributes: { c: text, off: { type: 'boolean', default: false }, at: { ...text, computed: true } },
  },
}

const after = (facts: Attribute, desired: Json | undefined, observed: Json | undefined): Json | undefined =>
  overlay(
    { attributes: { v: facts } },
    desired === undefined ? {} : { v: desired },
    observed === undefined ? {} : { v: observed },
  )['v']

describe('the expected state after an apply', () => {
  test.each<[string, Attribute, Json | undefined, Json | undefined, Json | undefined]>([
    ['undeclared stays', text, undefined, 'x', 'x'],
    ['declared wins', text, 'y', 'x', 'y'],
    ['null clears', text, null, 'x', null],
    ['any counts as a whole', any, { a: { b: 1 } }, { a: { b: 1, c: 2 } }, { a: { b: 1 } }],
    [
      'partial: what is declared, at any depth',
      partial,
      { a: { b: 1 } },
      { a: { b: 2, c: 2 }, d: 1 },
      { a: { b: 1, c: 2 }, d: 1 },
    ],
    ['partial: a list is one value', partial, { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }],
    ['partial: null asks for it to go', partial, { a: { b: null } }, { a: { b: 2, c: 2 } }, { a: { b: null, c: 2 } }],
    ['partial: and it is gone', partial, { a: { b: null } }, { a: { c: 2 } }, { a: { c: 2 } }],
    ['partial: another kind', partial, { a: { b: 1 } }, 'x', { a: { b: 1 } }],
    ['a member of an object stays', object, { a: '2' }, { a: '1', b: '1' }, { a: '2', b: '1' }],
    [
      'an exclusive map keeps only what is declared',
      map,
      { x: { a: '2' } },
      { x: { a: '1', b: '1' }, y: {} },
      { x: { a: '2', b: '1' } },
    ],
    [
      'a declared map keeps the rest',
      { ...map, manage: 'declared' },
      { x: {} },
      { x: { a: '1' }, y: {} },
      { x: { a: '1' }, y: {} },
    ],
    ['an empty exclusive map is emptied', map, {}, { y: {} }, {}],
    [
      'a keyed element keeps undeclared members, others go and come',
      keyed,
      [{ id: 'n' }, { id: 'x', a: '2' }],
      [{ id: 'o' }, { id: 'x', a: '1', b: '1' }],
      [{ id: 'n' }, { id: 'x', a: '2', b: '1' }],
    ],
    [
      'a declared set keeps the rest',
      { ...keyed, manage: 'declared' },
      [{ id: 'n' }],
      [{ id: 'o' }],
      [{ id: 'n' }, { id: 'o' }],
    ],
    [
      'a declared set without a key keeps the rest, too',
      { ...loose, manage: 'declared' },
      [{ c: 'x' }, { c: 'n' }],
      [{ c: 'o' }, { at: 'today', c: 'x' }],
      [{ at: 'today', c: 'x' }, { c: 'n' }, { c: 'o' }],
    ],
    [
      'a declared set of texts',
      { type: 'set', element: text, manage: 'declared' },
      ['b', 'c'],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ],
    ['a list is replaced as a whole', { type: 'list', element: text }, ['b'], ['a', 'b'], ['b']],
    ['an `any` is replaced as a whole', any, { a: 1 }, { a: 1, b: 2 }, { a: 1 }],
    [
      'an element without a key that is there already stays as it is',
      loose,
      [{ c: 'n' }, { c: 'x' }],
      [{ at: 'today', c: 'x', off: false }],
      [{ at: 'today', c: 'x', off: false }, { c: 'n' }],
    ],
  ])('joins what is declared with what is there: %s', (_, facts, desired, observed, expected) =>
    expect(after(facts, desired, observed)).toEqual(expected),
  )
})

describe('a declared value with the same meaning', () => {
  test.each<[string, Attribute, Json, Json | undefined]>([
    ['1 and 1.0', { type: 'number' }, 1, JSON.parse('1.0') as Json],
    ['agreeing in another spelling', { ...text, compareAs: ['lower'] }, 'X', 'x'],
    ['null and missing', text, null, undefined],
    ['null and null', text, null, null],
    ['null and the default', { ...text, default: 'x' }, null, 'x'],
    ['nothing but nulls, and no object', object, { a: null }, undefined],
    ['an object that declares nothing, and null', object, {}, null],
    ['an empty map that leaves others alone, and nothing', { ...map, manage: 'declared' }, {}, undefined],
    ['an empty set that leaves others alone, and nothing', { ...keyed, manage: 'declared' }, [], undefined],
    ['a secret and the seal of its digest', text, { $secret: 'env:X', digest: 'h1' }, { $sealed: 'h1' }],
    ['text with a secret in it', text, { $concat: ['a', { $secret: 'env:X' }], digest: 'h1' }, { $sealed: 'h1' }],
    ['a secret deep inside anything', any, [{ k: { $secret: 'env:X', digest: 'h1' } }], [{ k: { $sealed: 'h1' } }]],
    ['members in another order', any, { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['keys that agree in another spelling', keyed, [{ id: 'X' }], [{ id: 'X', a: '1' }]],
    ['elements with defaults and computed members', loose, [{ c: 'x' }], [{ c: 'x', off: false, at: 'today' }]],
    [
      'elements without a key with more than is declared',
      { type: 'set', element: object },
      [{ a: '1' }, { a: '2' }],
      [
        { a: '1', b: 'x' },
        { a: '2', b: 'x' },
      ],
    ],
    [
      'list elements with more than is declared',
      { type: 'list', element: object },
      [{ a: '1' }, { a: '1' }],
      [{ a: '1', b: '2' }, { a: '1' }],
    ],
  ])('is seen as the same: %s', (_, facts, desired, observed) => {
    expect(after(facts, desired, observed)).toBe(observed)
  })
})

describe('two values that are not the same', () => {
  test.each<[string, Attribute, Json, Json | undefined]>([
    ['another digest', text, { $secret: 'env:X', digest: 'h2' }, { $sealed: 'h1' }],
    ['a secret whose digest nobody knows', text, { $secret: 'env:X' }, { $sealed: 'h1' }],
    ['text and number', any, '1', 1],
    ['the same element twice and once', loose, [{ c: 'x' }, { c: 'x' }], [{ c: 'x' }]],
    ['null and a value', text, null, 'x'],
    ['an empty map and none', map, {}, undefined],
  ])('are seen as different: %s', (_, facts, desired, observed) =>
    expect(after(facts, desired, observed)).toEqual(desired),
  )
})

describe('a set without a key is in sync exactly when its elements can be assigned', () => {
  const members = ['a', 'b', 'c', 'd'] as const
  const element: Attribute = { type: 'object', attributes: Object.fromEntries(members.map((name) => [name, text])) }
  const set: Attribute = { type: 'set', element }
  const one = fc.dictionary(fc.constantFrom(...members), fc.constantFrom('1', '2', null), { noNullPrototype: true })
  const isSet = (value: Json | undefined): boolean => value !== null && value !== undefined
  const fits = (desired: JsonObject, observed: JsonObject): boolean =>
    Object.entries(desired).every(([name, value]) => (isSet(value) ? observed[name] === value : !isSet(observed[name])))
  /** The oracle: tries every assignment. */
  const assignable = (desired: readonly JsonObject[], observed: readonly JsonObject[]): boolean => {
    const [first, ...others] = desired
    if (first === undefined) return observed.length === 0
    return observed.some((each, n) => fits(first, each) && assignable(others, observed.toSpliced(n, 1)))
  }
  const isInSync = (desired: JsonList, observed: JsonList): boolean => {
    const [wanted, there] = [
      normalise({ attributes: { v: set } }, { v: desired }, 'desired'),
      normalise({ attributes: { v: set } }, { v: observed }, 'observed'),
    ]
    return overlay({ attributes: { v: set } }, wanted, there) === there
  }

  test('whatever the elements and their order are', () =>
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), fc.array(one, { maxLength: 5 }), (desired, observed) => {
        expect(isInSync(desired, observed)).toBe(assignable(desired, observed))
      }),
      lawRuns(2_000),
    ))

  test('also where the server has added members to every element', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(one, one), { maxLength: 5 }), (pairs) => {
        const desired = pairs.map(([declared]) => declared)
        const observed = pairs.map(([declared, more]) => ({ ...more, ...declared })).toReversed()
        expect(isInSync(desired, observed)).toBe(true)
      }),
      lawRuns(2_000),
    ))

  test.each<[string, JsonList, JsonList]>([
    ['nothing differs', [{ a: '1' }, { a: '1', b: '1' }], []],
    ['one is new', [{ a: '1' }, { a: '1', b: '1' }, { b: '3' }], [{ b: '3' }]],
  ])('so that an element with few members leaves the right partner to another one: %s', (_, desired, created) => {
    const observed = [
      { a: '1', b: '1', d: '2' },
      { a: '1', b: '2', d: '1' },
    ]
    expect(after(set, desired, observed)).toEqual([...observed, ...created])
  })
})
