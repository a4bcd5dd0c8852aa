import { describe, expect, it } from 'vitest'
import { type FoundResource, findStrayed } from '../../../core/engine/binding/find-strayed.ts'

const zone = (more: Partial<FoundResource> = {}): FoundResource => ({
  address: 'zone',
  recorded: { attributes: { name: 'north' }, ids: { id: '1' }, dependsOn: [] },
  found: 'present',
  isOwn: true,
  isBelieved: true,
  ...more,
})
const recorded = { attributes: { name: 'a', zone: '1' }, refersBy: ['zone'], dependsOn: ['zone'] }
const item = (more: Partial<FoundResource> = {}): FoundResource => ({
  address: 'item',
  recorded,
  found: 'present',
  isOwn: true,
  isBelieved: true,
  ...more,
})

const strayed = (isLasting: boolean) => ({ item: { parent: 'zone', isLasting } })

describe('what only a record leads to, beside what it is recorded to refer to', () => {
  it.each<[string, FoundResource[], unknown]>([
    ['the parent is itself', [zone(), item()], {}],
    ['the parent is gone', [zone({ found: 'absent', isOwn: false }), item()], strayed(true)],
    ['another one is the parent now', [zone({ isOwn: false }), item()], strayed(true)],
    [
      'nobody can tell whether the parent is itself',
      [zone({ found: 'unknown', isOwn: false }), item()],
      strayed(false),
    ],
    ['the parent could not be read', [zone({ found: 'unknown' }), item()], strayed(false)],
    [
      'of the parent is known only that it may have been made',
      [zone({ isOwn: false, recorded: { ...zone().recorded!, doubted: 'sent' } }), item()],
      {},
    ],
    ['nothing is recorded of the parent', [item()], {}],
    ['it is proven, or declared', [zone({ found: 'absent', isOwn: false }), item({ isBelieved: false })], {}],
    ['it is gone too', [zone({ found: 'absent', isOwn: false }), item({ found: 'absent' })], {}],
    [
      'it only has to come after the other',
      [zone({ found: 'absent', isOwn: false }), item({ recorded: { ...recorded, refersBy: [] } })],
      {},
    ],
    [
      'it refers to something else',
      [zone({ found: 'absent', isOwn: false }), item({ recorded: { ...recorded, attributes: { zone: '2' } } })],
      {},
    ],
    [
      'it names the other one',
      [zone({ found: 'absent', isOwn: false }), item({ recorded: { ...recorded, attributes: { zone: 'north' } } })],
      strayed(true),
    ],
  ])('is kept apart where its parent may be another object: %s', (_, all, expected) => {
    expect(Object.fromEntries(findStrayed(all))).toEqual(expected)
  })
})
