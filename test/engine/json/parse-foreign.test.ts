import { describe, expect, it } from 'vitest'
import { foreignJson, parseForeign } from '../../../core/engine/json/parse-foreign.ts'

describe('a JSON text from outside', () => {
  it.each([
    ['{"a":{"b":1},"c":{"b":1}}', { a: { b: 1 }, c: { b: 1 } }],
    ['{"a":"\\"a\\":1","b":[{"a":1},{"a":2}]}', { a: '"a":1', b: [{ a: 1 }, { a: 2 }] }],
    ['null', null],
  ])('is believed: %s', (text, value) => {
    expect(parseForeign(text)).toEqual({ value })
    expect(foreignJson(text)).toEqual(value)
  })

  it.each([
    ['{"a":1,"a":1}', 'repeated'],
    ['[{"x":{"a":1,"\\u0061":2}}]', 'repeated'],
    ['{"__proto__":1,"__proto__":2}', 'repeated'],
    ['{"a":1', 'invalid'],
    ['', 'invalid'],
  ])('is not believed: %s', (text, fault) => {
    expect(parseForeign(text)).toEqual({ fault })
    expect(foreignJson(text)).toBeUndefined()
  })
})
