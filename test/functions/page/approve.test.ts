import { describe, expect, it, test } from 'vitest'
import type { Command } from '../../../core/index.ts'
import { reportOfPlan } from '../../../core/pages/render/draw.ts'
import { differingOf, readOtherwise } from '../../../functions/page/approve/differing-of.ts'
import { addressesOf, partOf, queryOf } from '../../../functions/page/approve/selection.ts'
import { aChange, aPlan, object, updated } from '../../builders/values/plans.ts'

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
  const rowsOf = (ttl: number | undefined, more: Readonly<Record<string, ReturnType<typeof updated>>> = {}) => {
    const diff = object({ ...(ttl !== undefined && { ttl: updated(ttl, 60) }), ...more })
    const plan = aPlan({ changes: [aChange({ address: 'dns.a', action: 'update', diff })] })
    return reportOfPlan(plan, { each: true }).sections.flatMap(({ blocks }) => blocks.flatMap(({ rows }) => rows))
  }
  test.each([
    ['nothing, for the same values', rowsOf(10), rowsOf(10), []],
    ['a value that somebody has changed again', rowsOf(10), rowsOf(20), [{ path: 'ttl', before: '10', now: '20' }]],
    [
      'a value that was as configured, and no longer is',
      rowsOf(10),
      rowsOf(10, { name: updated('x', 'y') }),
      [{ path: 'name', before: '"y"', now: '"x"' }],
    ],
    [
      'a value that is as configured now',
      rowsOf(10, { name: updated('x', 'y') }),
      rowsOf(10),
      [{ path: 'name', before: '"x"', now: '"y"' }],
    ],
  ])('is %s', (_, approved, current, differing) => {
    expect(readOtherwise(approved, current)).toEqual(differing)
  })
})
