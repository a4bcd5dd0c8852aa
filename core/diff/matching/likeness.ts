import { isArray, isObject, type Json, type JsonList } from '../../schema/json.ts'
import { isMark, isSensitive, isUnknown } from '../../schema/value.ts'
import { commonEnds } from '../../values/texts/common-ends.ts'
import { canonicalText } from '../canonical.ts'
import { wordsOf } from './changed-words.ts'

/** What a value is made of, taken once, so that comparing two of them costs little however large they are. */
export interface Profile {
  /** By path and, inside a list, by value: how much of the whole it is, and its text. All weights together are 1. */
  readonly parts: ReadonlyMap<string, Feature>
  /** Nothing of it is known yet: it may become anything, what stood at its place most of all. */
  readonly open: boolean
}

interface Feature {
  readonly weight: number
  readonly text: string
  /** Two of them are alike in part: a text, unless it is an identity. */
  readonly partly: boolean
}

/** More parts than this say nothing new about how alike two values are. */
const maxParts = 200
/** Of a long text both ends are looked at. */
const maxEnds = 1_000
/** Words are counted in texts up to this length. */
const maxWords = 2_000

/**
 * The members of an object weigh the same, and so do the elements of a list; what is empty, secret or unknown says nothing. Texts
 * under the `exact` members are alike only if they are equal.
 */
export const profileOf = (value: Json, exact: readonly string[] = []): Profile => {
  const parts: Parts = new Map()
  collect({ parts, exact }, value, '', 1)
  let total = 0
  for (const { weight } of parts.values()) total += weight
  for (const [path, part] of parts) parts.set(path, { ...part, weight: part.weight / total })
  return { parts, open: parts.size === 0 && holdsUnknown(value) }
}

const holdsUnknown = (value: Json): boolean =>
  isUnknown(value) ||
  (typeof value === 'object' && value !== null && !isMark(value) && Object.values(value).some(holdsUnknown))

type Parts = Map<string, Feature>

interface Collecting {
  readonly parts: Parts
  readonly exact: readonly string[]
}

const collect = (into: Collecting, value: Json, path: string, weight: number): void => {
  const { parts, exact } = into
  if (parts.size >= maxParts || saysNothing(value)) return
  if (isArray(value)) collectElements(parts, value, path, weight)
  else if (isObject(value) && !isMark(value)) {
    const names = Object.keys(value).filter((name) => !saysNothing(value[name] as Json))
    // In one order, so that the parts looked at of a large object are the same on both sides.
    for (const name of names.sort()) {
      collect(into, value[name] as Json, `${path}/${name}`, weight / names.length)
    }
  } else {
    const partly = typeof value === 'string' && !exact.includes(path.slice(1))
    parts.set(path, { weight, text: typeof value === 'string' ? value : canonicalText(value), partly })
  }
}

const collectElements = (parts: Parts, elements: JsonList, path: string, weight: number): void => {
  const counts = new Map<string, number>()
  for (const element of elements.slice(0, maxParts)) {
    const text = `${path}[]${canonicalText(element)}`
    const nth = counts.get(text) ?? 0
    counts.set(text, nth + 1)
    parts.set(`${text}#${nth}`, { weight: weight / elements.length, text: '', partly: false })
  }
}

const saysNothing = (value: Json): boolean => {
  if (value === null || value === false || value === '') return true
  if (typeof value !== 'object') return false
  return isSensitive(value) || isUnknown(value) || Object.keys(value).length === 0
}

/** Of what is not known yet with anything: barely enough to belong together where nothing else does. */
const likenessOfOpen = 0.51

/** How much two values have in common, from 0 (nothing) to 1 (equal, as far as was looked). */
export const likeness = (left: Profile, right: Profile): number => {
  if (left.open || right.open) return likenessOfOpen
  let common = 0
  for (const [path, part] of left.parts) {
    const other = right.parts.get(path)
    if (other !== undefined) common += ((part.weight + other.weight) / 2) * likenessOfFeatures(part, other)
  }
  return common
}

const likenessOfFeatures = (left: Feature, right: Feature): number => {
  if (left.text === right.text) return 1
  return left.partly && right.partly ? likenessOfTexts(left.text, right.text) : 0
}

/** By what both begin and end with, or by the words of both in any order. */
export const likenessOfTexts = (left: string, right: string): number => {
  const ends = sharedEnds(left, right)
  if (ends > 0.5 || Math.max(left.length, right.length) > maxWords) return ends
  return Math.max(ends, sharedWords(left, right))
}

const sharedEnds = (left: string, right: string): number => {
  const { head, tail } = commonEnds(left, right, maxEnds)
  return (head + tail) / Math.min(Math.max(left.length, right.length, 1), 2 * maxEnds)
}

/** Blanks are no words, or all indented lines would be alike. */
const sharedWords = (left: string, right: string): number => {
  const there = Map.groupBy(wordsOf(left).filter(hasInk), (word) => word)
  let total = 0
  let shared = 0
  for (const words of there.values()) for (const word of words) total += word.length
  for (const word of wordsOf(right)) {
    if (!hasInk(word)) continue
    total += word.length
    if (there.get(word)?.pop() !== undefined) shared += word.length
  }
  return total === 0 ? 0 : (2 * shared) / total
}

const hasInk = (word: string): boolean => word.trim() !== ''
