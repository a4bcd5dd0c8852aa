import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSpelledNumber, mayRespell, parseExact, repeatsKey } from '../../../core/engine/json/parse-exact.ts'
import { lawRuns } from '../../builders/laws.ts'

const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most })
const fraction = fc.oneof(
  digits(20),
  fc.constant(''),
  fc.constant('0000000'),
  fc.constant('0000001'),
  fc.constant('50'),
)
const exponent = fc.constantFrom('', '', '', 'e3', 'E+3', 'e-3', 'e400')
const number = fc.tuple(fc.constantFrom('', '-'), digits(20), fraction, exponent).map(([sign, whole, part, power]) => {
  const plain = whole.replace(/^0+(?=\d)/, '')
  return `${sign}${plain}${part === '' ? '' : `.${part}`}${power}`
})

describe('the exact parser', () => {
  test('keeps the spelling of each number, wherever it stands', () =>
    fc.assert(
      fc.property(number, fc.constantFrom('', ' ', '\n  '), (source, space) => {
        const texts = [source, `[1,${space}${source}${space}]`, `{"a":${space}${source}${space},"b":1}`]
        for (const text of texts) expect(JSON.stringify(parseExact(text))).toBe(text.replaceAll(/\s/g, ''))
      }),
      lawRuns(2_000),
    ))

  test.each(['1.0', '-0', '1e400', '0.10', '0.0000001', '12345678901234567890', '1234567890.12345678901'])(
    'reads %s as it is written',
    (source) => {
      expect(parseExact(source)).toEqual({ rawJSON: source })
    },
  )

  test('keeps the spelling of only those numbers that are asked for', () => {
    const [long, short] = parseExact('[12345678901234567890,1.0]', (source) => source.length > 5) as readonly unknown[]
    expect([isSpelledNumber(long), short]).toEqual([true, 1])
  })

  test('does not take digits inside a text for a number', () => {
    const text = '{"id":"3e5f0a1b-22","n":12.5,"t":"2026-11-22T10:00:00.000Z"}'
    expect(mayRespell(text)).toBe(false)
    expect(parseExact(text)).toEqual(JSON.parse(text))
    expect(parseExact('{"a":":1e3","b":1e3}')).toEqual({ a: ':1e3', b: { rawJSON: '1e3' } })
  })
})

describe('a repeated key', () => {
  test('never appears in a text that JSON.stringify has written', () =>
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        expect(repeatsKey(text, parseExact(text))).toBe(false)
      }),
    ))

  test.each<[string, boolean]>([
    ['{"a":1,"a":1}', true],
    ['{"a":1,"a":2.0}', true],
    ['[{"b":{"a":1.0,"\\u0061":2}}]', true],
    ['{"a":"\\":\\"","b":":"}', false],
    ['{"__proto__":1,"a":{"__proto__":1.0}}', false],
  ])('is noticed wherever it stands (%s: %s)', (text, twice) => {
    expect(repeatsKey(text, parseExact(text))).toBe(twice)
  })
})
