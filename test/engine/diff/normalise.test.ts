import { describe, expect, test } from 'vitest'
import { byKey } from '../../../core/engine/diff/matching/keys.ts'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Json } from '../../../core/engine/schema/json.ts'

const text: Attribute = { type: 'string' }
const record: Attribute = {
  type: 'object',
  attributes: {
    name: { type: 'string', normalise: ['lower', 'trailingDot'] },
    type: { type: 'string', normalise: ['upper'] },
  },
}
const records: Attribute = {
  type: 'set',
  key: ['name', 'type'],
  ignore: [{ type: 'soa' }, { type: 'NS', name: '{name}' }],
  element: record,
}

describe.each([
  ['desired' as const, 0],
  ['observed' as const, 1],
])('%s values', (side, column) => {
  test.each<[string, Record<string, Attribute>, Json, [Json, Json]]>([
    ['what the schema does not know', { a: text }, { a: 'x', b: 1 }, [{ a: 'x', b: 1 }, { a: 'x' }]],
    [
      'an unknown member inside',
      { a: { type: 'object', attributes: {} } },
      { a: { b: 1 } },
      [{ a: { b: 1 } }, { a: {} }],
    ],
    ['a computed attribute', { a: { ...text, computed: true } }, { a: 'x' }, [{}, { a: 'x' }]],
    ['a write-only attribute', { a: { ...text, writeOnly: true } }, { a: 'x' }, [{ a: 'x' }, {}]],
    ['a missing default', { a: { ...text, default: 'x' } }, {}, [{}, { a: 'x' }]],
    [
      'a missing default that counts as declared',
      { a: { ...text, default: 'X', normalise: ['lower'], whenUndeclared: 'default' } },
      {},
      [{ a: 'x' }, { a: 'x' }],
    ],
    ['null', { a: text }, { a: null }, [{ a: null }, { a: null }]],
    ['null that means empty', { a: { type: 'list', nullMeans: 'empty' } }, { a: null }, [{ a: [] }, { a: null }]],
    [
      'named normalisers, in order',
      { a: { ...text, normalise: ['trim', 'lower'] } },
      { a: ' X ' },
      [{ a: 'x' }, { a: 'x' }],
    ],
    [
      'a list that is written as text',
      { a: { type: 'set', normalise: ['commaList'], element: { ...text, normalise: ['lower'] } } },
      { a: 'B, a' },
      [{ a: ['a', 'b'] }, { a: ['a', 'b'] }],
    ],
    ['a set, multiplicity kept', { a: { type: 'set' } }, { a: [2, 1, 2] }, [{ a: [1, 2, 2] }, { a: [1, 2, 2] }]],
    ['a list', { a: { type: 'list' } }, { a: [2, 1, 2] }, [{ a: [2, 1, 2] }, { a: [2, 1, 2] }]],
    [
      'elements that are never ours',
      { name: { type: 'string', normalise: ['trailingDot'] }, rrsets: records },
      {
        name: 'x.org',
        rrsets: [
          { name: 'X.org', type: 'ns' },
          { name: 'x.org', type: 'SOA' },
          { name: 'a.x.org', type: 'ns' },
        ],
      },
      [
        { name: 'x.org.', rrsets: [{ name: 'a.x.org.', type: 'NS' }] },
        { name: 'x.org.', rrsets: [{ name: 'a.x.org.', type: 'NS' }] },
      ],
    ],
    [
      'entries of a map that are never ours',
      { a: { type: 'map', ignore: [{ owner: 'system' }], element: { type: 'any' } } },
      { a: { x: { owner: 'system' }, y: { owner: 'us' } } },
      [{ a: { y: { owner: 'us' } } }, { a: { y: { owner: 'us' } } }],
    ],
    [
      'entries that a pattern with a star says are never ours, and a number is no text',
      { a: { type: 'map', ignore: [{ owner: 'sys*' }], element: { type: 'any' } } },
      { a: { w: { owner: 'sys*' }, x: { owner: 'system' }, y: { owner: 'a sys' }, z: { owner: 1 } } },
      [{ a: { y: { owner: 'a sys' }, z: { owner: 1 } } }, { a: { y: { owner: 'a sys' }, z: { owner: 1 } } }],
    ],
    [
      'entries by a value of the resource, whose star is itself',
      { n: text, a: { type: 'map', ignore: [{ owner: '{n}' }], element: { type: 'any' } } },
      { n: 's*', a: { x: { owner: 's*' }, y: { owner: 'sys' } } },
      [
        { n: 's*', a: { y: { owner: 'sys' } } },
        { n: 's*', a: { y: { owner: 'sys' } } },
      ],
    ],
    [
      'marks',
      { a: { ...text, normalise: ['upper'] }, b: { type: 'object', attributes: {} } },
      { a: { $secret: 'env:X' }, b: { $after: 'x.y', pointer: '/id' } },
      [
        { a: { $secret: 'env:X' }, b: { $after: 'x.y', pointer: '/id' } },
        { a: { $secret: 'env:X' }, b: { $after: 'x.y', pointer: '/id' } },
      ],
    ],
  ])('are brought into one form: %s', (_, attributes, value, expected) => {
    expect(normalise({ attributes }, value as Record<string, Json>, side)).toEqual(expected[column])
  })
})

test('a pattern takes the attributes of the other side where they are given', () => {
  const attributes = { name: text, rrsets: records }
  const own = { name: 'x.org.' }
  const value = { rrsets: [{ name: 'x.org', type: 'NS' }] }
  expect(normalise({ attributes }, value, 'observed', own)).toEqual({ rrsets: [] })
})

test('normalising a record adds no default that was not there', () => {
  expect(normalise({ attributes: { a: { ...text, default: 'x' } } }, {}, 'recorded')).toEqual({})
})

test('values that are canonical already are not copied', () => {
  const value = { name: 'x.org.', rrsets: [{ name: 'a.x.org.', type: 'NS' }] }
  expect(normalise({ attributes: { name: text, rrsets: records } }, value, 'desired')).toBe(value)
})

test('null is a value of a key, and is not replaced by the default', () => {
  const element: Attribute = { type: 'object', attributes: { id: { ...text, default: 'x' }, v: text } }
  const keyed: Attribute = { type: 'set', key: ['id'], element }
  const value = [
    { id: 'x', v: '1' },
    { id: null, v: '2' },
  ]
  expect([...byKey(keyed, value).keys()]).toEqual(['x', 'null'])
})
