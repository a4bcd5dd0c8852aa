import { isArray, isObject, type Json, type JsonList } from '../../schema/json.ts'
import { isMark, isSensitive, isUnknown } from '../../schema/value.ts'
import { holdsUnknown } from '../../values/marks/marks.ts'
import { commonEnds } from '../../values/texts/common-ends.ts'
import { canonicalText } from './canonical.ts'
import { wordsOf } from './changed-words.ts'

/** The parts of a value, computed once, so that comparisons are cheap even for large values. */
export interface Profile {
  /** By path and, inside a list, by value: the weight of each part, and its text. The sum of all weights is 1. */
  readonly parts: ReadonlyMap<string, Feature>
  /** The whole value is unknown: it may become any value, most likely the one at its position. */
  readonly open: boolean
}

interface Feature {
  readonly weight: number
  readonly text: string
  /** The texts may be partly alike, which identities never are. */
  readonly partly: boolean
}

/** More parts do not make the likeness of two values more exact. */
const maxParts = 200
/** Characters at each end that are compared in a long text. */
const maxEnds = 1_000
/** Maximum length in characters of texts whose words are compared. */
const maxWords = 2_000

/**
 * The members of an object have equal weights, and so have the elements of a list. Empty, secret and unknown values
 * have no weight. Texts of the `exact` members are alike only if they are equal.
 */
export const profileOf = (value: Json, exact: readonly string[] = []): Profile => {
  const parts: Features = new Map()
  collect({ parts, exact }, value, '', 1)
  let total = 0
  for (const { weight } of parts.values()) total += weight
  for (const [path, part] of parts) parts.set(path, { ...part, weight: part.weight / total })
  return { parts, open: parts.size === 0 && holdsUnknown(value) }
}

type Features = Map<string, Feature>

interface Collecting {
  readonly parts: Features
  readonly exact: readonly string[]
}

const collect = (into: Collecting, value: Json, path: string, weight: number): void => {
  const { parts, exact } = into
  if (parts.size >= maxParts || isEmptyValue(value)) return
  if (isArray(value)) collectElements(parts, value, path, weight)
  else if (isObject(value) && !isMark(value)) {
    const names = Object.keys(value).filter((name) => !isEmptyValue(value[name] as Json))
    // In a fixed order, so that the same parts of a large object are used on both sides.
    for (const name of names.sort()) {
      collect(into, value[name] as Json, `${path}/${name}`, weight / names.length)
    }
  } else {
    const partly = typeof value === 'string' && !exact.includes(path.slice(1))
    parts.set(path, { weight, text: typeof value === 'string' ? value : canonicalText(value), partly })
  }
}

const collectElements = (parts: Features, elements: JsonList, path: string, weight: number): void => {
  const counts = new Map<string, number>()
  for (const element of elements.slice(0, maxParts)) {
    const text = `${path}[]${canonicalText(element)}`
    const nth = counts.get(text) ?? 0
    counts.set(text, nth + 1)
    parts.set(`${text}#${nth}`, { weight: weight / elements.length, text: '', partly: false })
  }
}

const isEmptyValue = (value: Json): boolean => {
  if (value === null || value === false || value === '') return true
  if (typeof value !== 'object') return false
  return isSensitive(value) || isUnknown(value) || Object.keys(value).length === 0
}

/** The likeness of an unknown value and any other value: just enough to pair them if nothing else matches. */
const likenessOfOpen = 0.51

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

/** By the common start and end, or by the common words in any order. */
export const likenessOfTexts = (left: string, right: string): number => {
  const ends = sharedEnds(left, right)
  if (ends > 0.5 || Math.max(left.length, right.length) > maxWords) return ends
  return Math.max(ends, sharedWords(left, right))
}

const sharedEnds = (left: string, right: string): number => {
  const { head, tail } = commonEnds(left, right, maxEnds)
  return (head + tail) / Math.min(Math.max(left.length, right.length, 1), 2 * maxEnds)
}

/** White space does not count as words; otherwise all indented lines would be alike. */
const sharedWords = (left: string, right: string): number => {
  const there = Map.groupBy(wordsOf(left).filter(isVisible), (word) => word)
  let total = 0
  let shared = 0
  for (const words of there.values()) for (const word of words) total += word.length
  for (const word of wordsOf(right)) {
    if (!isVisible(word)) continue
    total += word.length
    if (there.get(word)?.pop() !== undefined) shared += word.length
  }
  return total === 0 ? 0 : (2 * shared) / total
}

const isVisible = (word: string): boolean => word.trim() !== ''
