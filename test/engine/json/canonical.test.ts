import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../core/engine/json/canonical.ts'

describe('canonicalJson', () => {
  it.each([
    ['half a pair in a text', { b: '\ud800', a: 1 }, '{"a":1,"b":"\\ud800"}'],
    ['half a pair in a name', { b: undefined, 'x\udfff': [true, null] }, '{"x\\udfff":[true,null]}'],
    ['a whole pair beside it', ['😀', '\ud83d'], '["😀","\\ud83d"]'],
    ['a number beside it', ['\ud800', 1e21, -0], '["\\ud800",1e+21,0]'],
  ])('escapes %s', (_, value, text) => expect(canonicalJson(value)).toBe(text))

  it('tells half a pair from the text of its escape', () => {
    expect(canonicalJson('\ud800')).not.toBe(canonicalJson('\\ud800'))
  })

  it.each([
    ['a number that is none', { a: Number.NaN, b: '\\ud800' }],
    ['a number that never ends', [Number.POSITIVE_INFINITY]],
  ])('throws for %s', (_, value) => expect(() => canonicalJson(value)).toThrow())
})
