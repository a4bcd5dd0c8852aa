import { expect, test } from 'vitest'
import { isMark, isNumberMark } from '../../../core/engine/schema/value.ts'
import { escapeMarks, unescapeMarks } from '../../../core/engine/values/marks/marks.ts'
import { showBody, showValue, showValueLines } from '../../../core/pages/render/rows/show-value.ts'

const number = { $number: '12345678901234567890.10' }

test('a number with its own spelling is an internal mark, and the same object from outside is plain data', () => {
  expect(isNumberMark(number) && isMark(number)).toBe(true)
  expect(escapeMarks({ a: number })).toEqual({ a: { $literal: number } })
  expect(unescapeMarks(escapeMarks({ a: number }))).toEqual({ a: number })
})

test('a number with its own spelling is shown as the number alone', () => {
  expect(showValue({ a: [number] })).toBe('{"a":[12345678901234567890.10]}')
  expect(showValueLines([number], 5)).toEqual(['[', '  12345678901234567890.10', ']'])
  expect(showBody(number, 5)).toEqual(['12345678901234567890.10'])
  expect(showValue({ $literal: number })).toBe('{"$number":"12345678901234567890.10"}')
})
