import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, shareObjects } from '../../../core/engine/binding/share-objects.ts'

const claim = (address: string, object: string, more: Partial<Claim> = {}): Claim => ({
  address,
  object,
  isDeclared: true,
  goes: false,
  isRecorded: true,
  isSure: true,
  ...more,
})
const left = { isDeclared: false, goes: true }
const fresh = { isRecorded: false }

describe('resources on one object', () => {
  it.each<[string, Claim[], Record<string, unknown>]>([
    ['each has its own', [claim('a', '1'), claim('b', '2')], {}],
    [
      'the address was renamed',
      [claim('a', '1', left), claim('b', '1', fresh)],
      { a: { kind: 'moved', to: 'b' }, b: { kind: 'renamed', from: 'a' } },
    ],
    [
      'the new address has a record of its own',
      [claim('a', '1', left), claim('b', '1')],
      { a: { kind: 'moved', to: 'b' } },
    ],
    [
      'two want it',
      [claim('a', '1'), claim('b', '1', fresh)],
      { a: { kind: 'contested', others: ['b'] }, b: { kind: 'contested', others: ['a'] } },
    ],
    [
      'one wants it, and another one may be it',
      [claim('a', '1', left), claim('b', '1', { isSure: false })],
      { a: { kind: 'contested', others: ['b'] }, b: { kind: 'contested', others: ['a'] } },
    ],
    [
      'one wants it, and what left may be it',
      [claim('a', '1', { ...left, isSure: false }), claim('b', '1', fresh)],
      { a: { kind: 'moved', to: 'b' }, b: { kind: 'renamed', from: 'a' } },
    ],
    [
      'two that left had it',
      [claim('a', '1', left), claim('b', '1', left)],
      { a: { kind: 'contested', others: ['b'] }, b: { kind: 'contested', others: ['a'] } },
    ],
    [
      'two that left may have had it, and one of them may be what a third one has',
      [claim('a', '1', left), claim('b', '1', left), claim('a', '2', left), claim('c', '2')],
      { a: { kind: 'contested', others: ['b'] }, b: { kind: 'contested', others: ['a'] } },
    ],
  ])('are told apart, or left alone where two of them claim the same object: %s', (_, claims, expected) => {
    expect(Object.fromEntries(shareObjects(claims))).toEqual(expected)
  })

  it('a resource that left the configuration destroys no object that an unread resource may want', () => {
    const keys = (texts: Record<string, string>, place = 'p') => ({ place, texts })
    const of = (texts: Record<string, string>, place?: string) =>
      shareObjects(
        [claim('a', '1', { ...left, keys: keys({ zone: '1', name: 'x' }) })],
        [{ address: 'b', keys: keys(texts, place) }],
      )
    const contested = new Map([['a', { kind: 'contested', others: ['b'] }]])
    expect(of({ zone: '1', name: 'x' })).toEqual(contested)
    expect(of({ name: 'x' })).toEqual(contested)
    expect(of({})).toEqual(contested)
    const absent = { goes: true, keys: keys({ name: 'x' }) }
    expect(shareObjects([claim('a', '1', absent)], [{ address: 'b', keys: keys({ name: 'x' }) }])).toEqual(contested)
    expect(of({ zone: '2', name: 'x' })).toEqual(new Map())
    expect(of({ name: 'x' }, 'q')).toEqual(new Map())
  })

  it('a resource that left the configuration destroys no object of a resource of another type', () => {
    const site = (type: string, url: string) => ({ site: { type, urls: [`${url}?`, url], deleted: url } })
    const of = (...claims: readonly Claim[]) => Object.fromEntries(shareObjects(claims))
    const destroyed = { a: { kind: 'alsoDeclared', others: ['b'] } }
    const goes = { ...left, ...site('x', '/1') }
    expect(of(claim('a', '1', goes), claim('b', '2', site('y', '/1')))).toEqual(destroyed)
    expect(of(claim('a', '1', { ...goes, isDeclared: true }), claim('b', '2', site('y', '/1')))).toEqual(destroyed)
    expect(of(claim('a', '1', goes), claim('b', '2', site('y', '/2')))).toEqual({})
    expect(of(claim('a', '1', goes), claim('b', '2', { ...left, ...site('y', '/1') }))).toEqual({})
    // Objects of one type are told apart by their ids and keys.
    expect(of(claim('a', '1', goes), claim('b', '2', site('x', '/1')))).toEqual({})
    expect(of(claim('a', '1', site('x', '/1')), claim('b', '2', site('y', '/1')))).toEqual({})
  })

  it('law: at most one resource may touch each object afterwards', () => {
    const claims = fc.uniqueArray(
      fc.record({
        address: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        object: fc.constantFrom('1', '2', '3'),
        isDeclared: fc.boolean(),
        goes: fc.boolean(),
        isRecorded: fc.boolean(),
        isSure: fc.boolean(),
      }),
      { selector: ({ address }) => address },
    )
    fc.assert(
      fc.property(claims, (given) => {
        const shared = shareObjects(given)
        const free = given.filter(({ address }) => {
          const kind = shared.get(address)?.kind
          return kind === undefined || kind === 'renamed'
        })
        const unsure = given.filter(({ isSure, isDeclared }) => isDeclared && !isSure)
        for (const { object, address } of unsure)
          expect(free.filter((each) => each.object === object && each.address !== address)).toEqual([])
        expect(new Set(free.map(({ object }) => object)).size).toBe(free.length)
        for (const { address } of given) {
          const sharing = shared.get(address)
          if (sharing?.kind === 'moved') expect(free.map((each) => each.address)).toContain(sharing.to)
        }
      }),
    )
  })
})
