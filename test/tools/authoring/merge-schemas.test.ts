import { expect, test } from 'vitest'
import type { Schema } from '../../../core/tools/authoring/description/description.ts'
import { mergeAll, mergeAny } from '../../../core/tools/authoring/description/merge-schemas.ts'
import { anySchema } from '../../../core/tools/authoring/description/read-schema.ts'

const schema = (own: Partial<Schema>): Schema => ({ ...anySchema(''), types: ['string'], ...own })

test.each(['readOnly', 'writeOnly', 'unique'] as const)(
  'the schema fact %s is merged if it is in one of all, or in each of any',
  (flag) => {
    const [has, lacks] = [schema({ [flag]: true }), schema({})]
    expect(mergeAll([lacks, has])[flag]).toBe(true)
    expect(mergeAny([lacks, has])[flag]).toBe(false)
    expect(mergeAny([has, has])[flag]).toBe(true)
  },
)

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  [
    'what both allow',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    ['b'],
  ],
  ['the first list where they exclude each other, which is a mistake', [['a'], ['b']], ['a']],
  ['the one list that there is', [['a', 'b']], ['a', 'b']],
])('the values of several schemas are merged: %s', (_, lists, expected) => {
  const all = lists.map((values) => schema({ values }))
  expect(mergeAll([...all, schema({})]).values).toEqual(expected)
})

test('one alternative beside null is that alternative, and may be null', () => {
  const only = schema({ format: 'uri', description: 'A place.' })
  const nothing = schema({ types: [], nullable: true, values: [] })
  expect(mergeAny([only])).toEqual(only)
  expect(mergeAny([only, nothing])).toEqual({ ...only, nullable: true })
  expect(mergeAny([nothing, only])).toEqual({ ...only, nullable: true })
})
