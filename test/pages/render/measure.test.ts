import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  columns,
  cutMiddle,
  cutPair,
  cutWithNote,
  inPieces,
  padEnd,
  padStart,
  wrap,
} from '../../../core/pages/render/characters/measure.ts'
import { visible } from '../../../core/pages/render/characters/visible.ts'

describe('the width of a text in a terminal', () => {
  it.each([
    ['abc', 3],
    ['', 0],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['한', 2],
    ['가', 2],
    ['힣', 2],
    ['ｱ', 1],
    ['Ａ', 2],
    ['👍', 2],
    ['1\ufe0f\u20e3', 2],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['𠀀', 2],
    ['1\u20e3', 1],
    ['❤\ufe0e', 1],
    ['⌚\ufe0e', 1],
    ['\u0e19\u0e49\u0e33', 2],
    ['\u0915\u093f', 2],
    ['ｶﾞ', 2],
    ['\u1100\u1161\u11a8', 2],
    ['🇩🇪', 2],
    ['🏳️‍🌈', 2],
    ['👍🏽', 2],
    ['\u0301', 0],
  ])('is measured in columns: %s has %i', (text, expected) => expect(columns(text)).toBe(expected))

  it('is filled up by columns', () => {
    expect(padEnd('日', 4)).toBe('日  ')
    expect(padStart('日', 1)).toBe('日')
  })
})

describe('cutting a text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })

  it('makes it fit the width', () =>
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 120 }), (given, room) => {
        expect(columns(cutMiddle(given, room))).toBeLessThanOrEqual(room)
        expect(columns(cutWithNote(given, room))).toBeLessThanOrEqual(room)
        for (const side of cutPair(given, `${given}!`, room)) expect(columns(side)).toBeLessThanOrEqual(room)
        if (columns(given) <= room) expect(cutWithNote(given, room)).toBe(given)
      }),
    ))

  it.each<readonly [string, number, number, readonly string[]]>([
    ['abcdef', 4, 2, ['abcd', 'ef']],
    ['abcdefgh', 4, 2, ['abcd', 'efgh']],
    ['日本語', 4, 2, ['日本', '語']],
    ['日本語', 5, 2, ['日本', '語']],
    ['', 4, 2, ['']],
    ['日本語', 3, 2, [cutWithNote('日本語', 3)]],
  ])('breaks %j between whole characters', (given, room, most, expected) =>
    expect(inPieces(given, room, most)).toEqual(expected),
  )

  it('shortens a text of too many pieces', () =>
    expect(inPieces('x'.repeat(100), 40, 2)).toEqual([cutWithNote('x'.repeat(100), 40)]))

  it('names the length of the whole text', () =>
    expect(cutWithNote('x'.repeat(1_234), 60)).toMatch(/^x+\.\.\.x+ \(1,234 characters\)$/))

  it.each([
    ['in the middle', `${'a'.repeat(80)}OLD${'z'.repeat(80)}`, `${'a'.repeat(80)}NEW${'z'.repeat(80)}`],
    ['at the start', `OLD${'z'.repeat(80)}`, `NEW${'z'.repeat(80)}`],
    ['at the end', `${'a'.repeat(80)}OLD`, `${'a'.repeat(80)}NEW`],
  ])('keeps the place of the difference visible: %s', (_, before, after) => {
    const [left, right] = cutPair(before, after, 60)
    expect(left).toContain('OLD')
    expect(right).toContain('NEW')
  })
})

it('prose is wrapped at blanks, and long words stay whole', () => {
  expect(wrap('one two three-is-long four', 8)).toEqual(['one two', 'three-is-long', 'four'])
  expect(wrap('', 8)).toEqual([''])
})

it.each([
  ['\u001b[31m', '\\u001b[31m'],
  ['a\tb\r\n', 'a\\tb\\r\\n'],
  ['\u202e\u2066', '\\u202e\\u2066'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\ud800', '\\ud800'],
  ['👩‍👧 é 日', '👩‍👧 é 日'],
])('control characters of a terminal are spelled out: %j', (given, expected) => expect(visible(given)).toBe(expected))
