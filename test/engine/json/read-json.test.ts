import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonMaker, type JsonRules, readJson } from '../../../core/engine/json/read-json.ts'
import { lawRuns } from '../../builders/laws.ts'

/** Numbers as their text, objects as their members. */
const make: JsonMaker<unknown> = {
  scalar: (value) => value,
  number: (source) => `#${source}`,
  list: (elements) => elements,
  object: (members) => members.map(({ key, value }) => [key, value]),
}
const read = (text: string, rules: Partial<JsonRules> = {}) => readJson(text, make, { maxDepth: 100, ...rules })

/** The same of a value. */
const made = (value: unknown): unknown => {
  if (typeof value === 'number') return `#${JSON.stringify(value)}`
  if (Array.isArray(value)) return value.map(made)
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, inner]) => [key, made(inner)])
    : value
}

describe('readJson', () => {
  test('reads what JSON.stringify writes', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(JSON.stringify(value, null, 2))).toEqual({ value: made(JSON.parse(JSON.stringify(value))) })
      }),
    ))

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
        expect('value' in read(candidate)).toBe(isJson)
      }),
      lawRuns(3_000),
    )
  })

  test.each<[string, Partial<JsonRules>, unknown]>([
    ['[1.0]', {}, ['#1.0']],
    ['{"__proto__":1}', {}, [['__proto__', '#1']]],
    ['[1,] // all', { comments: true }, ['#1']],
    ['{"a":1} more', { startOnly: true }, [['a', '#1']]],
    ['[[]]', { maxDepth: 1 }, [[]]],
  ])('accepts %s with %o', (text, rules, value) => {
    expect(read(text, rules)).toEqual({ value })
  })

  test.each<[string, Partial<JsonRules>, number, string]>([
    ['[1,] // all', {}, 3, 'ValueExpected'],
    ['[1] // all', {}, 4, 'InvalidCommentToken'],
    ['{"a":1} more', {}, 8, 'InvalidSymbol'],
    ['{"a":1', { startOnly: true }, 6, 'CloseBraceExpected'],
    ['[[{"a":1]]', { startOnly: true }, 8, 'CommaExpected'],
    ['[[],[[]]]', { maxDepth: 1 }, 5, 'TooDeep'],
    ['[', { startOnly: true }, 1, 'CloseBracketExpected'],
  ])('refuses %s with %o at its place', (text, rules, at, kind) => {
    const found = read(text, rules)
    expect('mistakes' in found && found.mistakes[0]).toEqual({ at, kind })
  })

  test('refuses a nesting that would exhaust the stack', () => {
    expect(read('['.repeat(100_000))).toEqual({ mistakes: [{ at: 101, kind: 'TooDeep' }] })
  })
})
