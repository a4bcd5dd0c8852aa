import { expect, it } from 'vitest'
import { applyNormalisers } from '../../../core/engine/values/normalise/normalisers.ts'

it.each([
  ['7', 7],
  [' 07 ', 7],
  ['1e3', 1000],
  ['-0.5', -0.5],
  ['9007199254740991', 9007199254740991],
  ['', ''],
  ['seven', 'seven'],
  ['1e400', '1e400'],
  // Two of these are one JavaScript number: they must not be taken for the same.
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['12345678901234567890.5', '12345678901234567890.5'],
  ['0.1000000000000000001', '0.1000000000000000001'],
])('the number normaliser changes "%s" only into an equal number', (text, number) => {
  expect(applyNormalisers(text, ['number'])).toBe(number)
  expect(applyNormalisers(applyNormalisers(text, ['number']), ['number'])).toBe(number)
})
