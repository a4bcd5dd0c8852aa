import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedWords, wordsOf } from '../../../core/engine/diff/matching/changed-words.ts'
import { likenessOfTexts } from '../../../core/engine/diff/matching/likeness.ts'
import type { Ranges } from '../../../core/engine/schema/diff.ts'
import { lawRuns } from '../../builders/laws.ts'

const cut = (text: string, ranges: Ranges): string =>
  ranges.toReversed().reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text)

const marked = (text: string, ranges: Ranges): string =>
  ranges
    .toReversed()
    .reduce((rest, [from, to]) => `${rest.slice(0, from)}<${rest.slice(from, to)}>${rest.slice(to)}`, text)

test('texts without words have nothing in common', () => {
  expect(likenessOfTexts('  ', '\t')).toBe(0)
  expect(likenessOfTexts('', '')).toBe(0)
})

test('no character at the end of a long line is cut in half', () => {
  const long = 'x'.repeat(5_000)
  const changed = changedWords(`${long}\u{1f600}`, `${long}\u{1fa00}`)
  expect(changed).toEqual({ before: [[5_000, 5_002]], after: [[5_000, 5_002]] })
})

describe('a change within a line', () => {
  test.each([
    ['image: nginx:1.25.3', 'image: nginx:1.26', 'image: nginx:<1.25.3>', 'image: nginx:<1.26>'],
    ['  a = 1', '  a = 1 # why', '  a = 1', '  a = 1< # why>'],
    [
      'say one two three now please',
      'say eins zwei now please',
      'say <one two three> now please',
      'say <eins zwei> now please',
    ],
    ['grüße an ä', 'grüße an ö', 'grüße an <ä>', 'grüße an <ö>'],
    ['ab 😀 cd', 'ab 😁 cd', 'ab <😀> cd', 'ab <😁> cd'],
    [
      'the platform team 👩\u{1f3fd}\u200d💻',
      'the platform team 👩\u{1f3ff}\u200d💻',
      'the platform team <👩\u{1f3fd}\u200d💻>',
      'the platform team <👩\u{1f3ff}\u200d💻>',
    ],
    ['flag 🇩🇪 up', 'flag 🇩🇰 up', 'flag <🇩🇪> up', 'flag <🇩🇰> up'],
    ['max_conns=10', 'max_conns=20', 'max_conns=<10>', 'max_conns=<20>'],
  ])('is marked word by word: %s', (before, after, left, right) => {
    const changed = changedWords(before, after)
    expect([marked(before, changed?.before ?? []), marked(after, changed?.after ?? [])]).toEqual([left, right])
  })

  test.each([
    ['alpha beta', 'gamma delta'],
    ['      x', '      y'],
    ['a', ''],
  ])('is not marked where %j and %j have too little in common', (before, after) =>
    expect(changedWords(before, after)).toBeUndefined(),
  )

  const line = fc.oneof(
    fc
      .array(fc.constantFrom('a', 'bc', ' ', '  ', '.', '1.5', '😀', 'é', '\u{1d11e}'), { maxLength: 12 })
      .map((all) => all.join('')),
    fc.constantFrom('x'.repeat(5_000), `${'x'.repeat(5_000)}😀`, `${'x'.repeat(5_000)}😁y`),
  )

  test('keeps the whole text, and cuts no character', () =>
    fc.assert(
      fc.property(line, line, (before, after) => {
        expect(wordsOf(before).join('')).toBe(before)
        const changed = changedWords(before, after)
        const back = changedWords(after, before)
        expect(back && { before: back.after, after: back.before }).toEqual(changed)
        if (changed === undefined) return
        expect(cut(before, changed.before)).toBe(cut(after, changed.after))
        expect(cut(before, changed.before).isWellFormed()).toBe(true)
      }),
      { ...lawRuns(1_000), examples: [['😀bcbca😀', 'bcbca😀😀']] },
    ))
})

test.each([
  ['a little of a short one', 'one two three', 'one two 3', 0.615],
  ['the same words in another order', 'alpha beta gamma', 'gamma alpha beta', 1],
  ['of a long one the ends, a thousand characters each', ['a', 1_500, 150], ['d', 1_500, 150], 0.575],
  ['of a long one all that both ends have', ['a', 1_500, 1_500], ['d', 1_500, 1_500], 1],
  ['nothing', 'abc', 'xyz', 0],
] as const)('the common words of two texts are found: %s', (_, left, right, expected) => {
  const text = (from: typeof left | typeof right): string =>
    typeof from === 'string' ? from : `${'h'.repeat(from[1])}${from[0].repeat(9_000)}${'t'.repeat(from[2])}`
  expect(likenessOfTexts(text(left), text(right))).toBeCloseTo(expected, 2)
})
