import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { plan, wayOf } from '../../../builders/frame/case.ts'
import type { Way } from '../../../builders/frame/shape.ts'

const full = wayOf('full', 'replace')
const secret = '{ sensitive: true, encoding: base64 }'
const hidden = (facts: string): string => `{ sensitive: true${facts} }`

describe('a write sends back the sensitive values that do not change as they were read', () => {
  const putWays = [full, wayOf('changed', 'replace')]
  const note = { note: 'new' }
  it.each<[string, string, Json, JsonObject, Json?]>([
    ['in a spelling that means the same', hidden(', normalise: [lower]'), 'MiXeD-Secret', note],
    ['with a unit', hidden(', type: number, scale: 1024'), 2048, note],
    ['that have names', hidden(', type: any, names: { boss: 5 }'), 5, note],
    ['as text', hidden(', type: number, as: text, normalise: [number]'), '0042', note],
    ['in Base64 of bytes that are no text', secret, '/wD+gA==', note],
    [
      'in a list as one text',
      '{ type: list, element: { sensitive: true }, as: comma, normalise: [commaList] }',
      's-1, s-2',
      note,
    ],
    [
      'in JSON as text',
      `{ type: object, as: json, normalise: [json], attributes: { s: ${hidden('')} } }`,
      '{ "s":"s-1", "x": 1.0 }',
      note,
    ],
    [
      'of an element that changes',
      `{ type: set, key: [k], element: { type: object, attributes: { k: {}, o: {}, s: ${secret} } } }`,
      [
        { k: 'a', o: '1', s: '/wA=' },
        { k: 'b', o: '1', s: 'AP8=' },
      ],
      {
        v: [
          { k: 'b', o: '2' },
          { k: 'a', o: '1' },
        ],
      },
      [
        { k: 'a', o: '1', s: '/wA=' },
        { k: 'b', o: '2', s: 'AP8=' },
      ],
    ],
    [
      'that are declared in another spelling',
      '{ sensitive: true, normalise: [lower] }',
      'SECRET',
      { ...note, v: { $secret: 'env:V' } },
    ],
  ])('of this kind: %s', async (_, facts, there, declared, expected = there) => {
    for (const way of putWays) {
      const { command, after } = await plan(way, facts, there, declared)
      expect([way.send, after]).toEqual([way.send, expected])
      expect(JSON.stringify(command)).not.toMatch(/MiXeD|AP8=|s-1/)
    }
  })
})

describe('a write keeps the word of the server for a missing value', () => {
  const word = 'missing: [undefined]'
  it.each<[string, Way, string, Json, JsonObject, Json]>([
    ['of an attribute', full, `{ ${word} }`, 'undefined', { note: 'new' }, 'undefined'],
    ['of one that is sensitive', full, `{ sensitive: true, ${word} }`, 'undefined', { note: 'new' }, 'undefined'],
    [
      'of a member',
      wayOf('changed', 'shallow'),
      `{ type: object, attributes: { a: {}, m: { ${word} } } }`,
      { a: '1', m: 'undefined' },
      { v: { a: '2' } },
      { a: '2', m: 'undefined' },
    ],
    [
      'of an element',
      wayOf('changed', 'shallow'),
      `{ type: set, key: [k], element: { type: object, attributes: { k: {}, a: {}, m: { ${word} } } } }`,
      [{ k: 'x', a: '1', m: 'undefined' }],
      { v: [{ k: 'x', a: '2' }] },
      [{ k: 'x', a: '2', m: 'undefined' }],
    ],
  ])('of this kind: %s', async (_, way, facts, there, declared, expected) => {
    expect((await plan(way, facts, there, declared)).after).toEqual(expected)
  })
})
