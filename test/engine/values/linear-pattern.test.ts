import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearPattern, longestMatched } from '../../../core/engine/values/texts/linear-pattern.ts'
import { lawRuns } from '../../builders/laws.ts'

const matches = (source: string, text: string): boolean => {
  const pattern = linearPattern(source)
  return typeof pattern === 'string' ? expect.unreachable(`${source} is ${pattern}`) : pattern(text)
}

const atoms = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\.',
  '[ab]',
  '[^a]',
  '[]',
  '[^]',
  '[\\]a-]',
  '\\w',
  '\\W',
  '\\d',
  '\\s',
  '\\S',
  '^',
  '$',
  '\\b',
  '\\B',
  '\\p{Lu}',
  '\\u0061',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\x62',
  '\\/',
  '\\n',
  'é',
  '😀',
  '(?:)',
  '\\0',
  '\\cJ',
  '\\-',
)
const counts = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{0}', '{1,3}', '{0,2}?', '{2,}')
const isRepeatable = (part: string): boolean => !['^', '$', '\\b', '\\B'].includes(part)

const expressions: fc.Arbitrary<string> = fc.letrec<{ all: string; one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    atoms,
    fc.tuple(atoms.filter(isRepeatable), counts).map(([part, count]) => part + count),
    fc
      .tuple(tie('all'), counts, fc.constantFrom('(', '(?:', '(?<n>'))
      .map(([part, count, open]) => `${open}${part})${count}`),
  ),
  all: fc.oneof(
    { maxDepth: 3 },
    tie('one'),
    fc.array(tie('one'), { maxLength: 3 }).map((parts) => parts.join('')),
    fc.tuple(tie('one'), tie('one')).map((parts) => parts.join('|')),
  ),
})).all

const isExpression = (source: string): boolean => {
  try {
    return new RegExp(source, 'u') !== undefined
  } catch {
    return false
  }
}

const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '-', '.', '1', ' ', '\n', 'é', '😀', '\u2028', '/', '\0'),
  maxLength: 7,
})

describe('a linear pattern', () => {
  it('finds the same matches as JavaScript', () => {
    fc.assert(
      fc.property(expressions.filter(isExpression), texts, (source, text) => {
        // V8 finds \B also in the middle of a character that has two units, where the standard does not look.
        fc.pre(!(source.includes('\\B') && text.includes('😀')))
        expect(matches(source, text)).toBe(new RegExp(source, 'u').test(text))
      }),
      lawRuns(5_000),
    )
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)(.*)(.*)(.*)(.*)(.*)(.*)x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?:a?){60}a{60}$',
    '(x+x+)+y',
  ])('takes a number of steps for %s that grows only in proportion to the text', (source) => {
    // A backtracking search of these does not end within a lifetime.
    expect(matches(source, `${'a'.repeat(longestMatched - 1)}!`)).toBe(false)
  })

  it.each([
    'a(?=b)',
    '(?!x)a',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{5000}',
    '(?:a{100}){100}',
    `${'('.repeat(2_000)}a${')'.repeat(2_000)}`,
    '(?i:a)',
  ])('is refused as %s: it cannot be followed step by step', (source) => {
    expect(linearPattern(source)).toBe('unbounded')
  })

  it.each(['(', 'a**', '[b-a]', '\\', '\\q', '{'])('is refused as %s, which is no regular expression', (source) => {
    expect(linearPattern(source)).toBe('invalid')
  })

  it.each([
    ['^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$', 'acme-2', true],
    ['^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$', 'acme-', false],
    ['^(?:[^.]{1,63}\\.)+$', 'www.acme.example.', true],
    ['', '', true],
    ['^$', 'a', false],
  ])('%s matches %s: %s', (source, text, found) => {
    expect(matches(source, text)).toBe(found)
  })
})
