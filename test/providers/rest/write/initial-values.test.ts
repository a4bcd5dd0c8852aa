import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/** What a create of a thing sends, by the facts of its document, and what the server then has. */
const created = async (attributes: string, initial: JsonObject, spec: JsonObject) => {
  const more = `lifecycle: { initial: ${JSON.stringify(initial)} }`
  await using world = await aWorld({ attributes, more, resources: [aThing('a', spec)] })
  await world.checkAndApply()
  return world.bodyOf('a')
}

it.each<[string, string, JsonObject, JsonObject, JsonObject]>([
  ['is left out', 'size: { type: number, default: 1 }', { size: 1 }, { size: 1 }, {}],
  ['is sent if it differs', 'size: { type: number, default: 1 }', { size: 1 }, { size: 2 }, { size: 2 }],
  ['is compared as attributes are', 'tags: { type: set, default: [] }', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, {}],
  ['may be null', 'note: { leftOut: true, clearAs: null }', { note: null }, { note: null }, {}],
  [
    'is no null where it is a text',
    'note: { leftOut: true, clearAs: null }',
    { note: 'x' },
    { note: null },
    { note: null },
  ],
  ['is nothing where the document says nothing', 'size: { type: number, default: 1 }', {}, { size: 1 }, { size: 1 }],
])('what a new object has anyway %s', async (_, attributes, initial, spec, expected) => {
  expect(await created(attributes, initial, spec)).toEqual(expected)
})

it('a value for an attribute that there is not is a problem of the document', async () => {
  await using world = await aWorld({ more: 'lifecycle: { initial: { sise: 1 } }', resources: [aThing('a')] })
  await expect(world.check()).rejects.toThrow(/sise/)
})
