import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHeld, parseTaken } from '../../../../core/pages/tofu/read/parse-value.ts'
import { compareText, identityOf } from '../../../../core/pages/tofu/read/value.ts'

describe.each([
  ['parseTaken', parseTaken],
  ['parseHeld', (text: string) => parseHeld(text, false)],
])('%s', (_, read) => {
  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(identityOf(read(JSON.stringify(value, null, 2))))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test.each(['123456789012345678901', '1.0', '-0', '1e400', '0.10', '7'])(
    'keeps the spelling of the number %s',
    (number) => {
      expect(read(number)).toEqual({ number })
    },
  )

  test('treats every key as ordinary, and refuses half a character', () => {
    expect(identityOf(read('{"__proto__": {"a": 1}, "constructor": 2}'))).toBe('{"__proto__":{"a":1},"constructor":2}')
    expect(read('{"\\ud800":"\\udc00"}')).toEqual(new Map([['\ufffd', '\ufffd']]))
  })

  test('reads a long text', () => {
    expect(read(JSON.stringify('a\n'.repeat(1_000_000)))).toHaveLength(2_000_000)
  })
})

test('recognises a text that contains no JSON, only starts with JSON, or is too deep', () => {
  expect(parseHeld('{"a":1} more', false)).toBeUndefined()
  expect(parseHeld('{"a":1} more', true)).toEqual(new Map([['a', { number: '1' }]]))
  expect(parseHeld('['.repeat(100_000), true)).toBeUndefined()
  expect(parseHeld('['.repeat(401) + ']'.repeat(401), true)).toHaveLength(1)
  expect(parseHeld('['.repeat(402) + ']'.repeat(402), true)).toBeUndefined()
})

test('puts names in the order of code points', () => {
  expect(['\u{1f600}', '\uffff', 'b', 'a', 'ab', ''].toSorted(compareText)).toEqual([
    '',
    'a',
    'ab',
    'b',
    '\uffff',
    '\u{1f600}',
  ])
})
