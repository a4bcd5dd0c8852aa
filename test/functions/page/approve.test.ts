import { describe, expect, it, test } from 'vitest'
import type { Command } from '../../../core/index.ts'
import { differingOf } from '../../../functions/page/approve/differing-of.ts'
import { addressesOf, partOf, queryOf } from '../../../functions/page/approve/selection.ts'

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
