import { describe, expect, it, test } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Command, Plan } from '../../../core/index.ts'
import { type ReadValue, readOtherwise, unread } from '../../../core/pages/render/draw.ts'
import { differingOf } from '../../../functions/page/approve/differing-of.ts'
import { addressesOf, partOf, queryOf } from '../../../functions/page/approve/selection.ts'
import { aChange, aPlan, object } from '../../builders/values/plans.ts'

const command = (id: string, more: object = {}): Command =>
  ({ id, address: id.replace(/#.*/, ''), request: { method: 'PUT', url: `/${id}` }, ...more }) as unknown as Command

describe('a part of a plan', () => {
  const many = Array.from({ length: 1_200 }, (_, n) => `host_file.f${n}`)
  test.each([
    ['all', ['a.x', 'a.y'], [], {}],
    ['what is chosen, where that is short', ['a.x', 'a.y'], ['a.y'], { targets: ['a.x'] }],
    ['what is left out, where that is shorter', many, ['host_file.f7'], { exclude: ['host_file.f7'] }],
    ['nothing that the API cannot be asked for', many, many.slice(0, 600), undefined],
    ['nothing that would be taken for several', ['a.x["b,c"]', 'a.y', 'a["*"]'], ['a.y'], { exclude: ['a.y'] }],
    ['nothing, where neither side has plain addresses', ['a.x["b,c"]', 'a["*"]'], ['a["*"]'], undefined],
  ])('is %j', (_, all, left, part) => {
    expect(partOf(all, new Set(left))).toEqual(part)
  })
  it('is a query with commas', () => {
    expect(queryOf({ targets: ['a.x', 'a.y'] })).toEqual({ targets: 'a.x,a.y' })
    expect(queryOf({})).toEqual({})
  })
  it('names each address once, in the order of the commands', () => {
    expect(addressesOf([command('b.x#1'), command('a.x#1'), command('b.x#2')])).toEqual(['b.x', 'a.x'])
  })
})

describe('what differs from an approval', () => {
  const approved = [command('a#1'), command('b#1'), command('c#1', { grade: 'reversible' })]
  it('is nothing for the same commands', () => {
    expect(differingOf(approved, structuredClone(approved))).toEqual([])
  })
  it('is each command that one side has not, or has otherwise', () => {
    const current = [command('a#1'), command('c#1', { grade: 'lossy' }), command('d#1')]
    const pairs = differingOf(approved, current)
    expect(pairs.map(({ id, isAlike }) => [id, isAlike])).toEqual([
      ['b#1', false],
      ['c#1', true],
      ['d#1', false],
    ])
    expect(pairs[0]?.current).toBeUndefined()
    expect(pairs[2]?.approved).toBeUndefined()
  })
})

describe('what a target shows otherwise than when commands were approved', () => {
  const address = 'dns.a'
  const planOf = (before: JsonObject | null, unchecked: readonly object[] = []): Plan =>
    ({
      ...aPlan({
        changes: [aChange({ address, action: 'update', diff: object({}), before, after: { ttl: 60, tags: ['a'] } })],
      }),
      unchecked,
    }) as unknown as Plan
  const asConfigured = aPlan({ changes: [] })
  const missed = (...attributes: readonly string[]) => [{ address, ...(attributes.length > 0 && { attributes }) }]
  const lines = (last: string) => [...Array.from({ length: 90 }, (_, n) => `line ${n}`), last].join('\n')
  test.each<[string, Plan, Plan, readonly ReadValue[]]>([
    ['nothing, for the same values', planOf({ ttl: 10 }), planOf({ ttl: 10 }), []],
    [
      'a value that somebody has changed again',
      planOf({ ttl: 10 }),
      planOf({ ttl: 20 }),
      [{ path: 'ttl', before: '10', now: '20' }],
    ],
    [
      'a list as it was read, whatever both plans make of it',
      planOf({ tags: ['c', 'a', 'x'] }),
      planOf({ tags: ['z'] }),
      [{ path: 'tags', before: '["c","a","x"]', now: '["z"]' }],
    ],
    [
      'a value that is as configured now',
      planOf({ ttl: 10, tags: ['a'] }),
      asConfigured,
      [{ path: 'ttl', before: '10', now: '60' }],
    ],
    [
      'of a long text the lines that differ',
      planOf({ text: lines('old') }),
      planOf({ text: lines('new') }),
      [{ path: 'text', before: '… old …', now: '… new …' }],
    ],
    [
      'an attribute that could not be read, which is not nothing',
      planOf({ ttl: 10, tags: [] }),
      planOf({ tags: [] }, missed('ttl')),
      [{ path: 'ttl', before: '10', now: unread }],
    ],
    [
      'an object that could not be read',
      planOf({ ttl: 10 }),
      { ...asConfigured, unchecked: missed() } as unknown as Plan,
      [{ path: '', before: 'read', now: unread }],
    ],
    ['an object that is gone', planOf({ ttl: 10 }), planOf(null), [{ path: '', before: '{"ttl":10}', now: undefined }]],
  ])('is %s', (_, approved, current, differing) => {
    expect(readOtherwise(approved, current, address)).toEqual(differing)
  })
})
