import { describe, expect, it } from 'vitest'
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

  it('leaves marks and objects that repeat nothing unchanged', () => {
    const observed = { a: { $sealed: 's3cret/one' }, b: 'c' }
    expect(sealEchoes(observed, undefined, testSeal, configured)).toEqual(observed)
    const other = { a: 'b' }
    expect(sealEchoes(other, undefined, testSeal, configured)).toBe(other)
  })
})
