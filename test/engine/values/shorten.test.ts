import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { shorten } from '../../../core/engine/values/texts/shorten.ts'

test.each([
  ['', 10, ''],
  ['ten chars.', 10, 'ten chars.'],
  ['eleven char', 10, 'eleven ...'],
  // A character of two units stays whole or goes.
  ['123456😀901', 10, '123456...'],
  ['12345😀8901', 10, '12345😀...'],
  ['four', 3, '...'],
])('%j is shortened to %d units as %j', (text, most, short) => {
  expect(shorten(text, most)).toBe(short)
})

describe('a shortened text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 })
  it('keeps its limit, and is well formed where the text was', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 40 }), (text, most) => {
        const short = shorten(text, most)
        expect(short.length).toBeLessThanOrEqual(most)
        expect(short.isWellFormed()).toBe(true)
        expect(text.startsWith(short.replace(/\.\.\.$/, '')) || short === text).toBe(true)
      }),
    )
  })
})
