import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { AttributeEntry } from '../../../core/providers/rest/document/attribute.ts'
import { compareValue } from '../../../core/tools/authoring/check/value.ts'
import type { Way } from '../../../core/tools/authoring/check/words.ts'
import type { Schema } from '../../../core/tools/authoring/description/description.ts'
import { schemaReader } from '../../../core/tools/authoring/description/read-schema.ts'
import { openSource } from '../../../core/tools/authoring/description/resolve-ref.ts'

const schemaOf = (value: Json): Schema => schemaReader(openSource({}, '3.1'))(value, '/x')

const codes = (entry: AttributeEntry, described: JsonObject, way: Way): readonly string[] =>
  [...compareValue({ name: 'x', entry, at: ['attributes', 'x'] }, schemaOf(described), way)].map((one) => {
    if ('reason' in one) return one.reason
    expect(one.pointer).toBe('/x')
    return `${one.path.at(-1)}: ${one.code}`
  })

const text: AttributeEntry = { type: 'string' }
const type = ['type: otherType']

describe('an attribute beside its schema', () => {
  it.each<[string, AttributeEntry, JsonObject, readonly string[], readonly string[]]>([
    ['of the same type', text, { type: 'string' }, [], []],
    ['of another type', text, { type: 'boolean' }, type, type],
    ['of one of two types', text, { type: ['integer', 'string'] }, [], []],
    ['of none of two types', text, { type: ['integer', 'boolean'] }, type, type],
    ['of any type', { type: 'any' }, { type: 'integer' }, [], []],
    ['without a described type', text, {}, [], []],
    ['a number that is whole', { type: 'number' }, { type: 'integer' }, [], []],
    ['a number that is not', { type: 'number' }, { type: 'number' }, [], []],
    ['a map', { type: 'map', element: text }, { type: 'object' }, [], []],
    ['a set', { type: 'set', element: text }, { type: 'array' }, [], []],
    ['a list that is an object', { type: 'list', element: text }, { type: 'object' }, type, type],
    ['that is converted', { type: 'number', normalise: ['number'] }, { type: 'string' }, [], []],
    ['that is normalised only', { ...text, normalise: ['lower'] }, { type: 'integer' }, type, type],
    ['that is sent as text', { type: 'list', element: text, as: 'json' }, { type: 'string' }, [], []],
    [
      'that is sent as text, but described as a list',
      { type: 'list', element: text, as: 'json' },
      { type: 'array' },
      [],
      type,
    ],
  ])('is compared by type and facts: %s', (_, entry, described, read, sent) => {
    expect(codes(entry, described, 'read')).toEqual(read)
    expect(codes(entry, described, 'create')).toEqual(sent)
  })

  const ab: AttributeEntry = { ...text, values: ['a', 'b'] }
  const unknown = 'values: unknownValues'
  const missed = 'values: missedValues'
  it.each<[string, AttributeEntry, readonly Json[], readonly string[], readonly string[]]>([
    ['the same in another order', ab, ['b', 'a'], [], []],
    ['more of them here', ab, ['a'], [unknown], [unknown]],
    ['more of them in the description', ab, ['a', 'b', 'c'], [], [missed]],
    ['more of them on either side', ab, ['a', 'c'], [unknown], [unknown, missed]],
    [
      'more of them in the description of a computed value',
      { ...ab, computed: true },
      ['a', 'b', 'c'],
      [missed],
      [missed],
    ],
    ['none here', text, ['a'], [], []],
    ['another case', ab, ['A', 'b'], [unknown], [unknown, missed]],
    ['another case that the document does not distinguish', { ...ab, compareAs: ['lower'] }, ['A', 'B'], [], []],
    ['another case that is normalised', { ...ab, normalise: ['upper'] }, ['A', 'B'], [], []],
    ['another normaliser', { ...ab, normalise: ['trim'] }, ['A', 'b'], [unknown], [unknown, missed]],
  ])('is compared by its values: %s', (_, entry, values, read, sent) => {
    expect(codes(entry, { type: 'string', enum: [...values] }, 'read')).toEqual(read)
    expect(codes(entry, { type: 'string', enum: [...values] }, 'update')).toEqual(sent)
  })

  const other = ['default: otherDefault']
  it.each<[string, Json | undefined, Json | undefined, readonly string[]]>([
    ['the same', 1, 1, []],
    ['another', 1, 2, other],
    ['none here', undefined, 2, []],
    ['none in the description', 1, undefined, []],
    ['null, which is empty', '', null, []],
    ['null, which is off', false, null, []],
    ['null, which is zero', 0, null, []],
    ['null, which is one', 1, null, other],
    ['an object', {}, 1, []],
    ['a list in the description', 1, [], []],
  ])('is compared by its default: %s', (_, own, described, expected) => {
    const entry: AttributeEntry = { type: 'any', ...(own === undefined ? {} : { default: own }) }
    expect(codes(entry, described === undefined ? {} : { default: described }, 'read')).toEqual(expected)
  })
})
