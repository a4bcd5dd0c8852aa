import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../core/engine/json/canonical.ts'
import { exactNumber } from '../../../core/engine/json/parse-exact.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { fillLive } from '../../../core/engine/transport/secrets/live-object.ts'
import { liveAt, withoutPlaces } from '../../../core/engine/transport/secrets/live-places.ts'
import { resolveValue } from '../../../core/engine/transport/secrets/resolve-value.ts'
import { escapeMarks } from '../../../core/engine/values/marks/marks.ts'
import { createKnownObjects, liveValue } from '../../../core/engine/workflows/session/shared/known-objects.ts'

const nothing = {
  secret: async (source: string) => `value of ${source}`,
  live: () => ({}) as JsonObject,
}
const mark = (more: object): JsonObject => ({ $live: 'a.b#c', except: [], without: [], with: {}, ...more })
const fill = (object: Json, more: object): Promise<Json> =>
  resolveValue(mark(more), { ...nothing, live: () => escapeMarks(object) as JsonObject })

describe('an object that is written back', () => {
  it.each<[string, Json, object, Json]>([
    [
      'as it was',
      { a: 1, $secret: 'env:THEIRS', b: { $literal: [] } },
      {},
      { a: 1, $secret: 'env:THEIRS', b: { $literal: [] } },
    ],
    ['with a value at a place', { a: { b: 1, c: 2 } }, { with: { '/a/b': 3 } }, { a: { b: 3, c: 2 } }],
    ['with objects made on the way', { a: null }, { with: { '/a/b/c': 3 } }, { a: { b: { c: 3 } } }],
    ['with an escaped name', { 'a/b': 1 }, { with: { '/a~1b': 2 } }, { 'a/b': 2 }],
    ['with a place of a list', { a: [1, 2] }, { with: { '/a/1': 3 } }, { a: [1, 3] }],
    [
      'within what looks like a mark',
      { x: { $ref: '#/y', z: 1 } },
      { with: { '/x/z': 2 } },
      { x: { $ref: '#/y', z: 2 } },
    ],
    ['without a place', { a: 1, b: { c: 1, d: 2 } }, { without: ['/a', '/b/c', '/none/x'] }, { b: { d: 2 } }],
    [
      'without a place of all elements',
      { l: [{ a: 1, b: 2 }, { b: 3 }] },
      { without: ['/l/*/b'] },
      { l: [{ a: 1 }, {}] },
    ],
    ['with a secret', {}, { with: { '/a': { $secret: 'env:X' } } }, { a: 'value of env:X' }],
    [
      'with elements that keep what nobody named',
      {
        l: [
          { id: 1, own: { x: 1, y: 2 } },
          { id: 2, own: 'gone' },
        ],
      },
      {
        with: { '/l': [{ id: 1, own: { x: 3 } }, { id: 4 }] },
        from: { '/l': [{ id: 1, own: { x: 1 } }, { id: 2 }] },
        lists: { '/l': { key: ['/id'] } },
      },
      { l: [{ id: 1, own: { x: 3, y: 2 } }, { id: 4 }] },
    ],
  ])('is built from what was read, %s', async (_name, object, more, wanted) => {
    expect(await fill(object, more)).toEqual(wanted)
  })

  it('keeps numbers as their source wrote them', async () => {
    const body = await resolveValue(mark({}), {
      ...nothing,
      live: () => ({ id: { $number: '9007199254740993' }, n: 1 }),
    })
    expect(JSON.stringify(body)).toBe('{"id":9007199254740993,"n":1}')
  })

  it('is unchanged where nothing of it changes, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (object) => {
        expect(JSON.stringify(await fill(object as Json, {}))).toBe(JSON.stringify(object))
      }),
    )
  })

  it('does not change the object that was read', () => {
    const object: JsonObject = { a: { b: 1 }, l: [{ id: 1 }] }
    const copy = structuredClone(object)
    fillLive({ $live: '', except: [], without: ['/l/*/id'], with: { '/a/b': 2 } }, object)
    withoutPlaces(object, ['/a'])
    expect(object).toEqual(copy)
    expect(liveAt({ $literal: { a: { $literal: { b: 7 } } } }, ['a', 'b'])).toBe(7)
  })
})

describe('a sensitive value that is sent back as it was read', () => {
  const seal = (value: unknown): string => canonicalJson(value)
  const number = { $number: '9007199254740993' }
  const objects = { main: escapeMarks({ s: [{ $secret: 'env:X' }], low: 'MiXeD' }) as JsonObject, other: { n: number } }
  const known = { ...createKnownObjects(), of: () => ({ attributes: { low: 'mixed' }, objects }) }

  it.each<[string, string, Json, string]>([
    ['in its spelling', 'main/low', 'MiXeD', '"MiXeD"'],
    ['in its digits', 'other/n', number, '9007199254740993'],
    ['at another place', 'main/s/7', { $literal: { $secret: 'env:X' } }, '{"$secret":"env:X"}'],
    ['as the plan knows it, for another object', '/low', 'mixed', '"mixed"'],
  ])('is found %s', async (_, place, read, text) => {
    const secret = async (source: string, digest?: string) => liveValue(source, digest, known, seal)
    const sent = await resolveValue({ $secret: `live:a.b#${place}`, digest: seal(read) }, { ...nothing, secret })
    expect(JSON.stringify(sent)).toBe(text)
    await expect(async () => secret(`live:a.b#${place}`, seal('other'))).rejects.toThrow(/SECRET_UNRESOLVED|secret/)
  })

  it('is a part of a text in its digits', async () => {
    const secret = async () => exactNumber('1.0')
    expect(await resolveValue({ $concat: ['v', { $secret: 'live:a.b#main/n' }] }, { ...nothing, secret })).toBe('v1.0')
  })
})
