import type { Changed, Ranges } from '../../schema/diff.ts'
import { commonEnds } from '../../values/texts/common-ends.ts'
import { type CommonPlace, commonPlaces } from './common-places.ts'

/** Maximum length in characters; of longer lines only the common start and end are compared. */
const maxLine = 4_000

/** Numbers with their points, words, white space, flags; every other character alone, with its combining marks. */
const word =
  /\p{N}+(?:\.\p{N}+)+(?![\p{L}\p{N}_])|[\p{L}\p{M}\p{N}_]+|\s+|\p{RI}{2}|.(?:\p{M}|\p{Emoji_Modifier}|\u200d.)*/gsu

/** The joined words are the text again. */
export const wordsOf = (text: string): readonly string[] => text.match(word) ?? []

/**
 * What changed between two lines, as ranges of each: without these ranges both lines are the same text. `undefined` if
 * at most half of the text without white space is common. If the lines are swapped, the ranges are swapped.
 */
export const changedWords = (before: string, after: string): Changed | undefined => {
  if (before <= after) return changedFrom(before, after)
  const back = changedFrom(after, before)
  return back && { before: back.after, after: back.before }
}

const changedFrom = (before: string, after: string): Changed | undefined => {
  const long = Math.max(before.length, after.length) > maxLine
  const left = long ? endsOf(before, after) : wordsOf(before)
  const right = long ? endsOf(after, before) : wordsOf(after)
  const common = withoutIslands(commonPlaces(left, right), left)
  const ink = common.reduce((sum, [place]) => sum + inkOf(left[place] ?? ''), 0)
  if (4 * ink <= inkOf(before) + inkOf(after)) return undefined
  return {
    before: rangesOf(left, new Set(common.map(([place]) => place))),
    after: rangesOf(right, new Set(common.map(([, place]) => place))),
  }
}

/**
 * Splits a text into the start that it shares with `other`, its own part, and the shared end. No character is split.
 */
const endsOf = (text: string, other: string): readonly string[] => {
  let { head, tail } = commonEnds(text, other)
  if (isLow(text, head) || isLow(other, head)) head--
  if (tail > 0 && isLow(text, text.length - tail)) tail--
  return [text.slice(0, head), text.slice(head, text.length - tail), text.slice(text.length - tail)]
}

const isLow = (text: string, place: number): boolean => /^[\udc00-\udfff]/.test(text.slice(place, place + 1))

const inkOf = (text: string): number => text.length - (text.match(/\s/g)?.length ?? 0)

/** Treats white space between two changes on both sides as changed, because people read this as one change. */
const withoutIslands = (common: readonly CommonPlace[], words: readonly string[]): readonly CommonPlace[] =>
  common.filter(([b, a], n) => {
    if (inkOf(words[b] ?? '') > 0 || n === 0 || n === common.length - 1) return true
    const [lastB, lastA] = common[n - 1] as CommonPlace
    const [nextB, nextA] = common[n + 1] as CommonPlace
    return (b === lastB + 1 && a === lastA + 1) || (nextB === b + 1 && nextA === a + 1)
  })

const rangesOf = (words: readonly string[], common: ReadonlySet<number>): Ranges => {
  const ranges: [number, number][] = []
  let at = 0
  words.forEach((word, place) => {
    const end = at + word.length
    const last = ranges.at(-1)
    if (!common.has(place) && word !== '') {
      if (last?.[1] === at) last[1] = end
      else ranges.push([at, end])
    }
    at = end
  })
  return ranges
}
