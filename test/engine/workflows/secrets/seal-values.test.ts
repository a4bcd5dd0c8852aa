import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare } from '../../../../core/engine/diff/compare.ts'
import { normalise } from '../../../../core/engine/diff/normalise.ts'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { Attribute, ObjectSchema } from '../../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../../../core/engine/schema/json.ts'
import {
  sealDesired,
  sealObserved,
  sealRecorded,
  secretSources,
} from '../../../../core/engine/workflows/session/shared/seal-values.ts'

const schemaOf = (attributes: Record<string, Attribute>): ObjectSchema => ({ attributes })
/** Shows what was sealed, so that a table can be read. */
const seal = (value: unknown): string => `sealed ${JSON.stringify(value)}`
const secrets = {
  resolve: async (source: string) => {
    if (source === 'env:NONE') throw new AppError('SECRET_UNRESOLVED', { source, detail: 'it is not set' })
    return `value of ${source}`
  },
}
const any: Attribute = { type: 'any' }
const text: Attribute = { type: 'string' }

describe('the values that were read', () => {
  const cases: [string, ObjectSchema, JsonObject, JsonObject | undefined, JsonObject][] = [
    ['plain values stay', schemaOf({ a: text }), { a: 'x' }, undefined, { a: 'x' }],
    [
      'a sensitive attribute is sealed',
      schemaOf({ a: { type: 'string', sensitive: true } }),
      { a: 'x' },
      undefined,
      { a: { $sealed: 'sealed "x"' } },
    ],
    [
      'in its canonical form',
      schemaOf({ a: { type: 'string', sensitive: true, normalise: ['trim', 'lower'] } }),
      { a: ' X ' },
      undefined,
      { a: { $sealed: 'sealed "x"' } },
    ],
    [
      'null is no secret: that it was cleared must show',
      schemaOf({ a: { type: 'string', sensitive: true } }),
      { a: null },
      undefined,
      { a: null },
    ],
    [
      'an empty secret makes no secret of other empty texts',
      schemaOf({ a: { type: 'string', sensitive: true }, b: text, c: { type: 'map' } }),
      { a: '', b: '', c: { d: '' } },
      undefined,
      { a: { $sealed: 'sealed ""' }, b: '', c: { d: '' } },
    ],
    [
      'members of elements too',
      schemaOf({
        list: { type: 'list', element: { type: 'object', attributes: { key: { type: 'string', sensitive: true } } } },
      }),
      { list: [{ key: 'x', name: 'n' }] },
      undefined,
      { list: [{ key: { $sealed: 'sealed "x"' }, name: 'n' }] },
    ],
    [
      'a value that the configuration gives as a secret, whatever its facts say',
      schemaOf({ a: any }),
      { a: { uri: 'amqp://x', other: 1 } },
      { a: { uri: { $secret: 'env:URI' } } },
      { a: { uri: { $sealed: 'sealed "amqp://x"' }, other: 1 } },
    ],
    [
      'in a list, that member of every element: nobody knows which one it is',
      schemaOf({ a: any }),
      { a: [{ k: 'x' }, { k: 'y' }] },
      { a: [{ k: { $secret: 'env:K' } }] },
      { a: [{ k: { $sealed: 'sealed "x"' } }, { k: { $sealed: 'sealed "y"' } }] },
    ],
    [
      'a text with a secret in it, as a whole',
      schemaOf({ a: text }),
      { a: 'Bearer x' },
      { a: { $concat: ['Bearer ', { $secret: 'env:K' }] } },
      { a: { $sealed: 'sealed "Bearer x"' } },
    ],
    [
      'the elements of a list that is read as one text',
      schemaOf({
        list: { type: 'list', normalise: ['commaList'], element: { type: 'string', sensitive: true } },
        set: { type: 'set', normalise: ['commaList'], element: { type: 'string', sensitive: true } },
      }),
      { list: 'x, y', set: 'z' },
      undefined,
      {
        list: [{ $sealed: 'sealed "x"' }, { $sealed: 'sealed "y"' }],
        set: [{ $sealed: 'sealed "z"' }],
      },
    ],
    ...[
      ['an object', { key: 'x' }],
      ['a text', 'x'],
      ['what looks like a mark', { $literal: { $ref: 'r', key: 'x' } }],
    ].map(([form, value]): (typeof cases)[number] => [
      `all of what has no elements, where those have secrets: ${form}`,
      schemaOf({
        list: { type: 'list', element: { type: 'object', attributes: { key: { type: 'string', sensitive: true } } } },
      }),
      { list: value as Json },
      undefined,
      { list: { $sealed: `sealed ${JSON.stringify(value)}` } },
    ]),
    [
      'all of what has no members, where those have secrets',
      schemaOf({ a: { type: 'map', element: { type: 'string', sensitive: true } } }),
      { a: ['x'] },
      undefined,
      { a: { $sealed: 'sealed ["x"]' } },
    ],
  ]
  it.each(cases)('keeps secrets as digests only: %s', (_, schema, observed, desired, expected) => {
    const heard: string[] = []
    const learn = (value: string) => void heard.push(value)
    expect(sealObserved(schema, observed, desired, seal, learn)).toEqual(expected)
    expect(heard.length > 0).toBe(JSON.stringify(expected).includes('$sealed'))
  })

  it('are known to the redactor as they were read, and in their canonical form', () => {
    const heard: string[] = []
    const schema = schemaOf({ a: { type: 'string', sensitive: true, normalise: ['lower'] } })
    sealObserved(schema, { a: 'MiXeD' }, undefined, seal, (value) => void heard.push(value))
    expect(heard.toSorted()).toEqual(['MiXeD', 'mixed'])
  })
})

describe('a list in which some elements have a secret', () => {
  const keyed: Attribute = {
    type: 'set',
    key: ['n'],
    element: {
      type: 'object',
      attributes: { n: text, k: { ...text, default: 'none' }, id: { ...text, computed: true } },
    },
  }
  const schema = schemaOf({ a: any, list: { type: 'list', element: { ...text, normalise: ['lower'] } }, set: keyed })
  const sealedOf = (value: Json) => ({ $sealed: `sealed ${JSON.stringify(value)}` })
  const secret = (value: string) => ({ $secret: 'env:K', digest: `sealed ${JSON.stringify(value)}` })

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a text', { a: ['x', 's'] }, { a: ['x', secret('s')] }, { a: ['x', sealedOf('s')] }],
    [
      'a text at another position',
      { a: ['s', 'new', 'x'] },
      { a: ['x', secret('s')] },
      { a: [sealedOf('s'), sealedOf('new'), 'x'] },
    ],
    ['a text that the secret repeats', { a: ['s', 's'] }, { a: ['s', secret('s')] }, { a: ['s', sealedOf('s')] }],
    [
      'a text that the secret repeats, the other way round',
      { a: ['s', 's'] },
      { a: [secret('s'), 's'] },
      { a: [sealedOf('s'), 's'] },
    ],
    [
      'no text that only the secret has, if it is another one now',
      { a: ['x', 'drift'] },
      { a: ['x', secret('s')] },
      { a: ['x', sealedOf('drift')] },
    ],
    [
      'an object, a list and a number',
      { a: [{ k: 1 }, ['x', 's'], 5, '9007199254740993', 's'] },
      { a: [{ k: 1 }, ['x', secret('s')], 5, { $number: '9007199254740993' }, secret('s')] },
      { a: [{ k: 1 }, ['x', sealedOf('s')], 5, '9007199254740993', sealedOf('s')] },
    ],
    [
      'no object that is another one',
      { a: [{ k: 2 }, 's'] },
      { a: [{ k: 1 }, secret('s')] },
      { a: [sealedOf({ k: 2 }), sealedOf('s')].map((each, place) => (place === 0 ? { ...each, members: 1 } : each)) },
    ],
    [
      'a member of an object',
      { a: [{ k: 'x' }, { k: 's' }] },
      { a: [{ k: 'x' }, { k: secret('s') }] },
      { a: [{ k: 'x' }, { k: sealedOf('s') }] },
    ],
    [
      'no member that this element does not name',
      {
        a: [
          { n: 1, k: 'x' },
          { n: 2, k: 's' },
        ],
      },
      { a: [{ n: 1 }, { n: 2, k: secret('s') }] },
      {
        a: [
          { n: 1, k: sealedOf('x') },
          { n: 2, k: sealedOf('s') },
        ],
      },
    ],
    [
      'a text in its canonical form',
      { list: ['X', 's'] },
      { list: ['x', secret('s')] },
      { list: ['X', sealedOf('s')] },
    ],
    [
      'a default, and what the same text is in another element of a set',
      {
        set: [
          { n: '3', k: 'none' },
          { n: '2', k: 's', id: 'i' },
          { n: '1', k: 's', id: 'j' },
        ],
      },
      { set: [{ n: '1', k: 's' }, { n: '2', k: secret('s') }, { n: '3' }] },
      {
        set: [
          { n: '3', k: 'none' },
          { n: '2', k: sealedOf('s'), id: 'i' },
          { n: '1', k: 's', id: 'j' },
        ],
      },
    ],
  ])('keeps in clear what the configuration has there in clear: %s', (_, observed, desired, expected) => {
    expect(sealObserved(schema, observed, desired, seal)).toEqual(expected)
    expect(sealRecorded(schema, observed, desired, seal)).toEqual(expected)
    expect(sealRecorded(schema, expected, desired, seal)).toEqual(expected)
  })

  it('is equal to what was read whenever the target has these values, and no other secret of it shows', () => {
    const word = fc.constantFrom('p', 'q', 'r', 's')
    const leaf = fc.oneof(word, word.map(secret), fc.nat(2))
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('m', 'n'), tie('value')),
      ),
    })).value
    const sent = (one: Json): Json =>
      JSON.parse(
        JSON.stringify(one, (_, each) => (each?.digest ? JSON.parse(each.digest.slice('sealed '.length)) : each)),
      )
    const clear = (one: Json): Json =>
      JSON.parse(JSON.stringify(one, (_, each) => (each?.$secret || each?.$sealed ? { hidden: true } : each)))
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (list) => {
        const desired = { a: list }
        const found = sealObserved(schema, { a: sent(list) }, desired, seal)
        expect(clear(found)).toEqual(clear(desired))
        expect(
          compare(schema, normalise(schema, found, 'observed'), normalise(schema, desired, 'desired')).action,
        ).toBe('same')
      }),
    )
  })
})

describe('a secret of the record', () => {
  const recorded = { a: { $sealed: 'sealed "old"' }, b: 'x' }
  const facts = schemaOf({ a: { type: 'string', normalise: ['trim'] }, b: text, c: { type: 'list', element: text } })

  it.each<[string, JsonObject, JsonObject | undefined, JsonObject]>([
    ['stays one if it is declared in clear now', { a: 'old' }, { a: 'new' }, { a: { $sealed: 'sealed "old"' } }],
    ['stays one if it is not declared any more', { a: 'old' }, {}, { a: { $sealed: 'sealed "old"' } }],
    ['is compared in its canonical form', { a: ' old ' }, { a: 'new' }, { a: { $sealed: 'sealed "old"' } }],
    ['stays one at another place', { c: ['x', 'old'] }, {}, { c: ['x', { $sealed: 'sealed "old"' }] }],
    ['is none where the same value is declared in clear', { a: 'old' }, { a: 'old' }, { a: 'old' }],
    ['does not hide another value', { a: 'other', b: 'x' }, { a: 'new' }, { a: 'other', b: 'x' }],
  ])('is treated as a secret wherever it appears: it %s', (_, observed, desired, expected) => {
    const learned: string[] = []
    const found = sealObserved(facts, observed, desired, seal, (value) => learned.push(value), [], recorded)
    expect(found).toEqual(expected)
    expect(learned.map((value) => value.trim())).toEqual(JSON.stringify(expected).includes('$sealed') ? ['old'] : [])
  })
})

describe('a secret of the same read', () => {
  const digits = '9007199254740993'
  const large: JsonObject = { k: digits }
  const facts = schemaOf({
    s: { type: 'string', sensitive: true },
    b: text,
    c: { type: 'list', element: any },
    m: { type: 'map', element: any },
  })
  const sealed = { $sealed: 'sealed "new"' }

  it.each<[string, JsonObject, JsonObject | undefined, JsonObject]>([
    [
      'hides the same value at another place, as it will in the next check',
      { s: 'new', b: 'new', c: ['other', 'new'] },
      {},
      { s: sealed, b: sealed, c: ['other', sealed] },
    ],
    ['hides none that is declared in clear', { s: 'new', b: 'new' }, { b: 'new' }, { s: sealed, b: 'new' }],
    [
      'hides no large integer that is declared in clear',
      { s: digits, m: large },
      { m: { k: { $number: digits } } },
      { s: { $sealed: `sealed "${digits}"` }, m: large },
    ],
    ['hides nothing else in an import', { s: 'new', b: 'new' }, undefined, { s: sealed, b: 'new' }],
  ])('it %s', (_, observed, desired, expected) => {
    const first = sealObserved(facts, observed, desired, seal)
    expect(first).toEqual(expected)
    if (desired !== undefined) expect(sealObserved(facts, observed, desired, seal, () => {}, [], first)).toEqual(first)
  })
})

describe('a value of which only the declared members are compared', () => {
  const open: Attribute = { type: 'any', partial: true }
  const observed = { a: { kept: { x: 1, hash: '$2b$12$abcdefghijklmnop' }, hash: 'h', list: [{ p: 'q' }], none: null } }
  const sealedOf = (declared: JsonObject | undefined, schema = schemaOf({ a: open })) =>
    sealObserved(schema, observed, declared, seal)

  it('keeps its other members as digests, at any depth', () => {
    expect(sealedOf({ a: { kept: { x: 2 }, list: [] } })).toEqual({
      a: {
        kept: { x: 1, hash: { $sealed: 'sealed "$2b$12$abcdefghijklmnop"' } },
        hash: { $sealed: 'sealed "h"' },
        list: [{ p: 'q' }],
        none: null,
      },
    })
  })

  it('says nothing of the same text at another place, in the record and in texts', () => {
    const learned: string[] = []
    const there = { a: { named: 1, other: 1, word: 'a text of sixteen or more' } }
    const recorded = {
      a: { named: 1, other: { $sealed: 'sealed 1' }, word: { $sealed: 'sealed "a text of sixteen or more"' } },
    }
    const found = sealObserved(
      schemaOf({ a: open }),
      there,
      { a: { named: 2 } },
      seal,
      (each) => learned.push(each),
      [],
      recorded,
    )
    expect([found, learned]).toEqual([recorded, []])
  })

  it('is a digest as a whole where nobody declares it', () => {
    expect(JSON.stringify(sealedOf({}))).not.toMatch(/"x":1|"p":"q"/)
  })

  it('stays as it is in an import, where nobody knows what is declared', () => {
    expect(sealedOf(undefined)).toEqual(observed)
  })

  it.each<[string, readonly Path[], JsonObject]>([
    ['nothing of it is named', [], { a: { $sealed: 'all' } }],
    [
      'a member is named',
      [['a', 'hash']],
      { a: { kept: { $sealed: 'kept' }, hash: 'h', list: { $sealed: 'list' }, none: null } },
    ],
    [
      'a member of an element is named',
      [['a', 'list', '0', 'p']],
      { a: { kept: { $sealed: 'kept' }, hash: { $sealed: '' }, list: [{ p: 'q' }], none: null } },
    ],
    ['all of it is named: it passes through as one', [['a']], { a: { $sealed: 'all' } }],
  ])('is a digest as a whole where the server makes it: %s', (_, named, expected) => {
    const own: Attribute = { ...open, computed: true }
    const told = (value: unknown): string => {
      const text = JSON.stringify(value)
      return text.includes('none') ? 'all' : text.includes('"x"') ? 'kept' : text.includes('"p"') ? 'list' : ''
    }
    expect(sealObserved(schemaOf({ a: own }), observed, {}, told, () => {}, named)).toEqual(expected)
  })

  it('is compared with all elements of a set together', () => {
    const schema = schemaOf({
      a: { type: 'set', key: ['id'], element: { type: 'object', attributes: { id: text, o: open } } },
    })
    const set = {
      a: [
        { id: '2', o: { k: 1, h: 2 } },
        { id: '1', o: { k: 3 } },
      ],
    }
    expect(sealObserved(schema, set, { a: [{ id: '1', o: { k: 0 } }, { id: '2' }] }, seal)).toEqual({
      a: [
        { id: '2', o: { k: 1, h: { $sealed: 'sealed 2' } } },
        { id: '1', o: { k: 3 } },
      ],
    })
  })
})

describe('a desired secret', () => {
  const sealed = (attributes: JsonObject, schema = schemaOf({ a: text, b: any })) => {
    const heard: string[] = []
    return sealDesired(schema, attributes, secrets, seal, (value) => void heard.push(value)).then((answer) => ({
      answer,
      heard,
    }))
  }
  it('keeps its reference and gets the digest of its value', async () => {
    expect(await sealed({ a: { $secret: 'env:K' }, b: [{ c: { $secret: 'env:L' } }] })).toEqual({
      answer: {
        ok: true,
        attributes: {
          a: { $secret: 'env:K', digest: 'sealed "value of env:K"' },
          b: [{ c: { $secret: 'env:L', digest: 'sealed "value of env:L"' } }],
        },
      },
      heard: ['value of env:K', 'value of env:L'],
    })
  })
  it('is a digest in a text, and the text is a digest as a whole once all of it is known', async () => {
    const secret = { $secret: 'env:K', digest: 'sealed "value of env:K"' }
    expect((await sealed({ a: { $concat: ['k=', { $secret: 'env:K' }] } })).answer).toEqual({
      ok: true,
      attributes: { a: { $concat: ['k=', secret], digest: 'sealed "k=value of env:K"' } },
    })
    const id = { $after: 'x.y', pointer: '/id' }
    expect((await sealed({ a: { $concat: [id, { $secret: 'env:K' }] } })).answer).toEqual({
      ok: true,
      attributes: { a: { $concat: [id, secret] } },
    })
  })
  it('is named where it is missing, and a value of another object is left alone', async () => {
    expect((await sealed({ a: { $secret: 'env:NONE' } })).answer).toMatchObject({ ok: false })
    const live = { $secret: 'live:x.y#/key', digest: 'sealed' }
    expect(await sealed({ a: live })).toEqual({ answer: { ok: true, attributes: { a: live } }, heard: [] })
  })
  it('names every source that it needs', () => {
    expect(secretSources({ a: { $secret: 'env:K' }, b: [{ $concat: ['x', { $secret: 'ssm:/p' }] }] })).toEqual([
      'env:K',
      'ssm:/p',
    ])
  })
})
