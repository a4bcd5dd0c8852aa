import { expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { valueAtPath, withValueAt, withValuesOf } from '../../../core/engine/diff/paths.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'

const schema: ObjectSchema = {
  attributes: {
    name: { type: 'string' },
    spec: { type: 'object', attributes: { size: { type: 'number' } } },
    users: { type: 'set', key: ['id'], element: { type: 'object', attributes: { id: {}, role: {} } as never } },
    list: { type: 'list', element: { type: 'string' } },
  },
}
const value: JsonObject = { name: 'a', spec: { size: 1 }, users: [{ id: 'x', role: 'r' }], list: ['p', 'q'] }

test.each<[string, Path, Json | undefined, JsonObject]>([
  ['the whole', [], { name: 'b' }, { name: 'b' }],
  ['the whole, by nothing', [], undefined, value],
  ['a member', ['name'], 'b', { ...value, name: 'b' }],
  [
    'a member, by nothing',
    ['name'],
    undefined,
    { spec: value['spec'], users: value['users'], list: value['list'] } as JsonObject,
  ],
  ['a member of an object', ['spec', 'size'], 2, { ...value, spec: { size: 2 } }],
  ['what is in nothing', ['other', 'size'], 2, value],
  ['an element by its key', ['users', 'x', 'role'], 's', { ...value, users: [{ id: 'x', role: 's' }] }],
  ['an element, by nothing', ['users', 'x'], undefined, { ...value, users: [] }],
  ['an element by its place', ['list', 1], 'z', { ...value, list: ['p', 'z'] }],
])('replaces the value at the path: %s', (_, path, replacement, expected) => {
  const made = withValueAt(schema, value, path, replacement)
  expect(made).toEqual(expected)
  if (replacement !== undefined && made !== value) expect(valueAtPath(schema, made, path)).toEqual(replacement)
})

test('takes back what an object has at each path where it differs, also of elements with one key', () => {
  const [one, two, three] = ['r', 's', 't'].map((role) => ({ id: 'x', role }))
  const lists = [[], [one], [two], [one, two], [two, three], [one, two, three]] as readonly (readonly JsonObject[])[]
  for (const before of lists)
    for (const after of lists) {
      const [there, wanted] = [{ users: before }, { users: after }]
      const paths = changedPaths(compare(schema, there, wanted))
      expect(withValuesOf(schema, wanted, paths, there), JSON.stringify([before, after])).toEqual(there)
    }
})
