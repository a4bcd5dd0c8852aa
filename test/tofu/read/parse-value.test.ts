import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFirst, parseValue } from '../../../core/tofu/read/parse-value.ts'
import { compareText, identityOf, type Value } from '../../../core/tofu/read/value.ts'

const read = (text: string): Value => {
  const parsed = parseValue(text)
  if ('misread' in parsed) throw new Error(parsed.misread.detail)
  return parsed.value
}

describe('parseValue', () => {
  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(identityOf(read(JSON.stringify(value, null, 2))))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('accepts and refuses the same texts as JSON.parse', () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n\tu01.-+eEtrufalsn') })
    fc.assert(
      fc.property(text, (candidate) => {
        let isJson = true
        try {
          JSON.parse(candidate)
        } catch {
          isJson = false
        }
        expect('value' in parseValue(candidate)).toBe(isJson)
      }),
      { numRuns: 3000 },
    )
  })

  test.each(['123456789012345678901', '1.0', '-0', '1e400', '0.10'])('keeps the number %s', (number) => {
    expect(read(number)).toEqual({ number })
  })

  test('no key is special', () => {
    expect(identityOf(read('{"__proto__": {"a": 1}, "constructor": 2}'))).toBe('{"__proto__":{"a":1},"constructor":2}')
  })

  test('the first value of a text ends where it ends', () => {
    expect(parseFirst('{"a":1} more')).toMatchObject({ end: 7 })
  })

  test('a depth that would exhaust the stack is refused, a long text is not', () => {
    expect(parseValue('['.repeat(100_000))).toHaveProperty('misread')
    expect(read(JSON.stringify('a\n'.repeat(1_000_000)))).toHaveLength(2_000_000)
  })
})

test('names are in the order of code points', () => {
  expect(['\u{1f600}', '\uffff', 'b', 'a', 'ab', ''].toSorted(compareText)).toEqual([
    '',
    'a',
    'ab',
    'b',
    '\uffff',
    '\u{1f600}',
  ])
})
