import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { createRedactor } from '../../../../core/engine/transport/redaction/redact.ts'
import { sealEchoes } from '../../../../core/engine/workflows/session/read/seal-read.ts'
import { testSeal } from '../../../builders/workspaces/rest.ts'

const configured = createRedactor()
configured.learn('s3cret/one')

const sealed = (text: string) => ({ $sealed: testSeal(text) })

describe('a secret that a target repeats', () => {
  it.each([
    ['as it is', 's3cret/one'],
    ['inside a text', 'postgres://app:s3cret/one@db'],
    ['percent-encoded', 'https://x?key=s3cret%2Fone'],
    ['in base64', `Basic ${Buffer.from('s3cret/one').toString('base64')}`],
  ])('is stored as a digest %s, at any depth', (_, text) => {
    const observed = { a: [{ url: text, other: 'plain' }], n: 1 }
    expect(sealEchoes(observed, { b: 'x' }, testSeal, configured)).toEqual({
      a: [{ url: sealed(text), other: 'plain' }],
      n: 1,
    })
  })

  it('stays where the configuration holds the same text in clear', () => {
    const observed = { name: 's3cret/one', copy: 'key s3cret/one' }
    const desired = { name: 's3cret/one', password: { $secret: 'env:A' } }
    expect(sealEchoes(observed, desired, testSeal, configured)).toEqual({
      name: 's3cret/one',
      copy: sealed('key s3cret/one'),
    })
  })

  it('stays where the configuration holds the same large integer in clear', () => {
    const digits = '9007199254740993'
    const pin = createRedactor()
    pin.learn(digits)
    const observed = { id: digits, copy: `id ${digits}` }
    expect(sealEchoes(observed, { id: { $number: digits } }, testSeal, pin)).toEqual({
      id: digits,
      copy: sealed(`id ${digits}`),
    })
  })

  it.each<[string, Json, Json]>([
    ['a number', 8675309123, 8675309124],
    [
      'a number with more digits than a double holds',
      { $number: '8675309123001002003' },
      { $number: '8675309124001002003' },
    ],
    ['a text inside of what looks like a mark', { $literal: { $ref: 'x 8675309123' } }, { $literal: { $ref: 'x' } }],
    ['a number inside of what is no mark', { $literal: { code: 8675309123 } }, { $literal: { code: 7 } }],
  ])('is stored as a digest where it is %s, unless the configuration has the same number', (_, value, other) => {
    const code = createRedactor()
    code.learn('8675309123')
    const found = sealEchoes({ a: [value], n: 4, other }, { b: 'x' }, testSeal, code)
    expect(JSON.stringify(found)).not.toContain('8675309123')
    expect(found).toMatchObject({ n: 4, other })
    expect(sealEchoes({ a: [value] }, { a: value }, testSeal, code)).toEqual({ a: [value] })
  })

  it('leaves marks and objects that repeat nothing unchanged', () => {
    const observed = { a: { $sealed: 's3cret/one' }, b: 'c' }
    expect(sealEchoes(observed, undefined, testSeal, configured)).toEqual(observed)
    const other = { a: 'b' }
    expect(sealEchoes(other, undefined, testSeal, configured)).toBe(other)
  })
})
