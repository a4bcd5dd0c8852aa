import { expect, test } from 'vitest'
import * as z from 'zod'
import { valueAt } from '../../../core/engine/json/pointer.ts'
import { homeOfKey } from '../../../core/engine/schema/home-of-key.ts'
import type { JsonObject, Path } from '../../../core/engine/schema/json.ts'

const rules = z.strictObject({ keep: z.boolean().exactOptional(), order: z.enum(['first', 'last']).exactOptional() })
const shape = z.strictObject({
  things: z.array(
    z.strictObject({
      name: z.string(),
      spec: z.record(z.string(), z.unknown()).exactOptional(),
      rules: rules.exactOptional(),
      limits: z.record(z.string(), z.number()).exactOptional(),
      parts: z.array(z.union([z.strictObject({ size: z.number() }), z.string()])).exactOptional(),
    }),
  ),
  note: z.string().exactOptional(),
})

test.each<[string, JsonObject, Path, string, Path | undefined]>([
  ['a mapping that it has', { name: 'a', keep: true }, ['things', 0], 'keep', ['things', 0, 'rules', 'keep']],
  ['the mapping around it', { name: 'a', rules: { name: 'b' } }, ['things', 0, 'rules'], 'name', ['things', 0, 'name']],
  ['the outermost mapping', { name: 'a', rules: { note: 'b' } }, ['things', 0, 'rules'], 'note', ['note']],
  [
    'an element that is written',
    { name: 'a', parts: [{}], size: 3 },
    ['things', 0],
    'size',
    ['things', 0, 'parts', 0, 'size'],
  ],
  ['free names', { name: 'a', colour: 'red' }, ['things', 0], 'colour', ['things', 0, 'spec', 'colour']],
  [
    'free names, where a list has no element',
    { name: 'a', size: 3 },
    ['things', 0],
    'size',
    ['things', 0, 'spec', 'size'],
  ],
  [
    'free names, where the value does not fit',
    { name: 'a', keep: 'x' },
    ['things', 0],
    'keep',
    ['things', 0, 'spec', 'keep'],
  ],
  ['no place', { name: 'a', rules: { colour: 'red' } }, ['things', 0, 'rules'], 'colour', undefined],
  [
    'no place for what every object has',
    { name: 'a', rules: { constructor: 1 } },
    ['things', 0, 'rules'],
    'constructor',
    undefined,
  ],
])('a key that stands elsewhere belongs to %s', (_, thing, path, key, home) => {
  const around = valueAt({ things: [thing] }, path) as JsonObject
  expect(homeOfKey(shape, { path, key, around })).toEqual(home)
})
