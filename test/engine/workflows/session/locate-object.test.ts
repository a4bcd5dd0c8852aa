import { expect, it } from 'vitest'
import type { ResourceType, Target } from '../../../../core/engine/provider/provider.ts'
import { locateObject, type ObjectToLocate } from '../../../../core/engine/workflows/session/read/locate-object.ts'

/** Items in zones: a key that refers to the zone, and a reference that identifies nothing. */
const item: ResourceType = {
  name: 'api_item',
  schema: {
    attributes: {
      name: { type: 'string', identity: true },
      zone: { type: 'string', identity: true },
      owner: { type: 'string' },
    },
  },
  identity: { readable: true, ids: 'stable' },
  read: () => Promise.reject(new Error('read through the port')),
  commands: () => [],
}

const recorded = {
  attributes: { name: 'old', zone: 'east', owner: 'ann' },
  ids: { id: '1' },
  refs: { zone: '7', owner: '5' },
} as const
const desired = {
  attributes: { name: 'new', zone: 'west', owner: 'bob' },
  refs: { zone: '8', owner: '6' },
  absent: false,
}

/** Which targets are asked for where no look finds anything. */
const askedFor = async (sought: Partial<ObjectToLocate>): Promise<readonly Target[]> => {
  const asked: Target[] = []
  await locateObject({ type: item, place: 'api', address: 'api_item.x', ...sought }, async (target) => {
    asked.push(target)
    return { result: { kind: 'absent' } }
  })
  return asked
}

it.each<[string, Partial<ObjectToLocate>, readonly Partial<Target>[]]>([
  [
    'what left is asked for by all that its record says, the references too',
    { recorded },
    [
      { ids: recorded.ids, attributes: recorded.attributes, refs: recorded.refs, leaving: true },
      { attributes: recorded.attributes, refs: recorded.refs, leaving: true },
    ],
  ],
  [
    'what is declared is asked for under the keys of its record, and by what they refer to; all else is as configured',
    { recorded, desired },
    [
      { ids: recorded.ids, attributes: { name: 'old', zone: 'east', owner: 'bob' }, refs: { zone: '7', owner: '6' } },
      { attributes: { name: 'old', zone: 'east', owner: 'bob' }, refs: { zone: '7', owner: '6' } },
      { attributes: desired.attributes, refs: desired.refs },
    ],
  ],
  [
    'what was never recorded is asked for as configured',
    { desired },
    [{ attributes: desired.attributes, refs: desired.refs }],
  ],
])('an object is looked for with the right keys and references: %s', async (_, sought, expected) => {
  expect(await askedFor(sought)).toEqual(expected.map((target) => ({ address: 'api_item.x', ...target })))
})
