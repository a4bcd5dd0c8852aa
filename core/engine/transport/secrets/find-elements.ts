import { matchList } from '../../diff/matching/match-list.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { fromPointer, mapValue, memberOf, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject } from '../../schema/json.ts'
import { isLiteral, isMark, isNumberMark, type ListRule } from '../../schema/value.ts'
import { exchange } from '../../values/exchange.ts'
import { numberOrText } from '../../values/marks/marks.ts'
import { isKnownSecret } from './known-secrets.ts'
import { type ElementsAt, type ListRules, ruleAt, withoutNulls } from './list-rules.ts'

/** Equal texts for equal values, however a number in them is spelled; a text of digits is no number. */
const exactText = (value: Json): string => {
  const text = canonicalJson(value)
  return text.includes('"$number"') ? canonicalJson(mapValue(value, plainNumber)) : text
}

const plainNumber = (value: Json): Json | undefined => {
  const plain = isNumberMark(value) ? numberOrText(value.$number) : undefined
  return typeof plain === 'number' ? plain : undefined
}

/** What looks like a mark, and is foreign data, is compared and changed as what it is. */
export const unwrapped = (value: Json): Json => (isLiteral(value) ? value.$literal : value)

interface Sought {
  readonly lists?: ListRules
  /** The index of the element, where others have its key too. */
  readonly nth?: number | undefined
}

/** The element of a list that has these members. */
export const findElement = (
  list: Json | undefined,
  like: Json,
  rule: ListRule,
  { lists = {}, nth }: Sought = {},
): Json | undefined => {
  if (!isArray(list)) return undefined
  if (nth !== undefined) return keyOf(list[nth], rule.key) === keyOf(like, rule.key) ? list[nth] : undefined
  const [at] = findAll(list, [like], { rule, lists, place: '' }) ?? []
  return at === undefined ? undefined : list[at]
}

/** How the elements of one list are found. */
interface Search {
  readonly rule: ListRule
  readonly lists: ListRules
  readonly place: string
}

/** Where each element of `from` was read; no two at one place. `undefined`: one of them was not. */
export const findAll = (read: JsonList, from: JsonList, search: Search): readonly number[] | undefined => {
  const first = findEach(read, from, search)
  const isWhole = (found: readonly (number | undefined)[]): found is readonly number[] => !found.includes(undefined)
  if (search.rule.key !== undefined) return isWhole(first) ? first : undefined
  const fits = (at: number, element: Json): boolean => covers(read[at], element, search.lists, `${search.place}/*`)
  // An element that names little may have taken the place of one that names more.
  const found = isWhole(first) ? first : exchange(first, { items: from, places: read.length, fits, isOpen: () => true })
  return isWhole(found) ? found : undefined
}

const findEach = (
  read: JsonList,
  from: JsonList,
  { rule: { key }, lists, place }: Search,
): readonly (number | undefined)[] => {
  const fits = (at: number, element: Json): boolean => covers(read[at], element, lists, `${place}/*`)
  const byKey = keyedPlaces(read, from, key, fits)
  const taken = new Set<number>()
  const found: (number | undefined)[] = []
  let last = -1
  for (const [index, element] of from.entries()) {
    // Most lists are in the order of the former value, so the search goes on behind the element before.
    const at =
      keyOf(element, key) === undefined
        ? searchFrom(last + 1, read.length, (n) => !taken.has(n) && fits(n, element))
        : byKey[index]
    found.push(at)
    if (at === undefined) continue
    taken.add(at)
    last = at
  }
  return found
}

/** Where the elements with a key were read: of several with one key those that fit, then each in its turn. */
const keyedPlaces = (
  read: JsonList,
  from: JsonList,
  key: readonly string[] | undefined,
  fits: (at: number, element: Json) => boolean,
): readonly (number | undefined)[] => {
  const byKey = Map.groupBy(read.keys(), (at) => keyOf(read[at], key))
  byKey.delete(undefined)
  const leftOf = (element: Json): number[] => byKey.get(keyOf(element, key)) ?? []
  const exact = from.map((element) => {
    const left = leftOf(element)
    const own = left.length < 2 ? -1 : left.findIndex((at) => fits(at, element))
    return own < 0 ? undefined : left.splice(own, 1)[0]
  })
  return from.map((element, index) => exact[index] ?? leftOf(element).shift())
}

/** The first number that fits, from a start to the end and then from 0. */
const searchFrom = (start: number, length: number, fits: (at: number) => boolean): number | undefined => {
  for (let step = 0; step < length; step += 1) {
    const at = (start + step) % length
    if (fits(at)) return at
  }
  return undefined
}

/**
 * Which element of `from` each element of `to` is: the one with its key. Without a key the equal one; of several equal ones, of which
 * none comes or goes, each in its turn, else that of the same number first; in a list, what is left is the element that the plan shows
 * as the changed one, then one of the same name, of the same number if the list stays as long, or behind the element before it.
 */
export const pairUp = (
  from: JsonList,
  to: JsonList,
  { key, isSet }: ListRule,
  at: ElementsAt = { lists: {}, place: '' },
): ReadonlyMap<number, number> => {
  const [exact, texts] = [from.map((each) => exactText(each)), from.map((element) => textOf(element, key, at))]
  const free = new Set(from.keys())
  const pairs = new Map<number, number>()
  const pair = (find: (index: number, element: Json) => number | undefined): void => {
    for (const [index, element] of to.entries()) {
      const old = pairs.has(index) ? undefined : find(index, element)
      if (old === undefined || !free.delete(old)) continue
      pairs.set(index, old)
    }
  }
  if (key === undefined) {
    const own = to.map((element) => exactText(element))
    const [before, after] = [
      Map.groupBy(from.keys(), (old) => exact[old]),
      Map.groupBy(to.keys(), (index) => own[index]),
    ]
    const turns = new Map([...after.values()].flatMap((all) => all.map((index, turn) => [index, turn] as const)))
    pair((index) => {
      const [olds = [], nows = []] = [before.get(own[index]), after.get(own[index])]
      return olds.length === nows.length ? olds[turns.get(index) ?? 0] : undefined
    })
    pair((index, element) => (exact[index] === exactText(element) ? index : undefined))
    const byExact = Map.groupBy(free, (old) => exact[old])
    pair((_, element) => byExact.get(exactText(element))?.shift())
  }
  const ofKey = key === undefined ? undefined : Map.groupBy(from.keys(), (old) => texts[old])
  // Of several elements with one key, those that stay are not another one.
  pair((_, element) => {
    const olds = ofKey?.get(textOf(element, key, at)) ?? []
    return olds.length < 2 ? undefined : olds.find((old) => free.has(old) && exact[old] === exactText(element))
  })
  pair((index, element) => (texts[index] === textOf(element, key, at) ? index : undefined))
  const byText = Map.groupBy(free, (old) => texts[old])
  pair((_, element) => byText.get(textOf(element, key, at))?.shift())
  if (key !== undefined) return pairs
  // An element that names less than it did is still the one that has all of it.
  pair((index, element) => (isObject(element) && holdsAll(from[index], element, at) ? index : undefined))
  const candidates = candidatesIn(from)
  pair((_, element) =>
    isObject(element)
      ? candidates(element).find((old) => free.has(old) && holdsAll(from[old], element, at))
      : undefined,
  )
  if (isSet) return pairs
  if (free.size === 0 || pairs.size === to.length) return pairs
  const shown = shownPairs(from, to, at)
  pair((index) => shown.get(index))
  if (from.length === to.length) pair((index) => index)
  pair((index) => (pairs.get(index - 1) ?? -1) + 1)
  return pairs
}

/** Which element of `from` the plan shows as the former value of one of `to`, or as gone under the name of one that comes. */
const shownPairs = (from: JsonList, to: JsonList, at: ElementsAt): ReadonlyMap<number, number> => {
  const ofPlan = (list: JsonList): JsonList => list.map((each) => withoutNulls(unwrapped(each), at))
  const matched = matchList({ type: 'list' }, ofPlan(from), ofPlan(to))
  const gone = new Map(
    matched.flatMap(({ before, after, label }) =>
      before === undefined || after !== undefined || label === undefined ? [] : [[label, before] as const],
    ),
  )
  return new Map(
    matched.flatMap(({ before, after, label }) => {
      const old = before ?? (label === undefined ? undefined : gone.get(label))
      return old === undefined || after === undefined ? [] : [[after, old] as const]
    }),
  )
}

/** The elements that may have all of another one: a list of thousands is not compared each with each. */
const candidatesIn = (list: JsonList): ((element: Json) => readonly number[]) => {
  const all = [...list.keys()]
  const byMember = new Map<string, number[]>()
  for (const [at, each] of list.entries())
    for (const key of memberKeys(each)) {
      const known = byMember.get(key)
      if (known === undefined) byMember.set(key, [at])
      else known.push(at)
    }
  return (element) => {
    const [first] = memberKeys(element)
    return first === undefined ? all : (byMember.get(first) ?? [])
  }
}

/** A text for each member whose value is a scalar. */
const memberKeys = (element: Json): readonly string[] => {
  const own = unwrapped(element)
  if (!isObject(own) || isMark(own)) return []
  return Object.entries(own).flatMap(([name, inner]) => {
    const value = plainNumber(inner) ?? inner
    const isScalar = value !== null && (typeof value !== 'object' || isNumberMark(value))
    return isScalar ? [JSON.stringify([name, value])] : []
  })
}

const textOf = (element: Json, key: readonly string[] | undefined, at: ElementsAt): string =>
  keyOf(element, key) ?? exactText(withoutNulls(element, at))

const holdsAll = (whole: Json | undefined, part: JsonObject, { lists, place }: ElementsAt): boolean =>
  isObject(whole) &&
  Object.entries(part).every(([name, value]) => {
    const at = { lists, place: ruleAt(lists, place, name) }
    return exactText(withoutNulls(memberOf(whole, name) ?? null, at)) === exactText(withoutNulls(value, at))
  })

const keyOf = (element: Json | undefined, key: readonly string[] | undefined): string | undefined => {
  const own = element && unwrapped(element)
  if (key === undefined || !isObject(own) || isMark(own)) return undefined
  return exactText(key.map((place) => valueAt(own, fromPointer(place)) ?? null))
}

/** Whether a value that was read has all of what a request names. A secret is not compared. */
const covers = (read: Json | undefined, named: Json, lists: ListRules, place: string): boolean => {
  if (isMark(named) && !isLiteral(named))
    return !isKnownSecret(named) || (read !== undefined && exactText(read) === exactText(named))
  const [there, own] = [read && unwrapped(read), unwrapped(named)]
  if (isObject(own))
    return (
      isObject(there) &&
      Object.entries(own).every(([name, value]) =>
        covers(memberOf(there, name), value, lists, ruleAt(lists, place, name)),
      )
    )
  // Elements that nobody names may be between the others.
  if (isArray(own))
    return isArray(there) && findAll(there, own, { rule: lists[place] ?? {}, lists, place }) !== undefined
  if (own === null) return there === null || there === undefined
  return there !== undefined && exactText(there) === exactText(own)
}

interface Laying {
  readonly to: JsonList
  readonly pairs: ReadonlyMap<number, number>
  readonly search: Search
}

/**
 * Whether an element that changes or goes could be one that nobody names: it has no key, and what a request names of it
 * (secrets are not compared) is in the other one, too.
 */
export const isMistakable = (
  read: JsonList,
  from: JsonList,
  found: readonly number[],
  { to, pairs, search: { rule, lists, place } }: Laying,
): boolean => {
  if (rule.key !== undefined) return false
  const each: ElementsAt = { lists, place: `${place}/*` }
  const owners = new Map(found.map((at, old) => [at, old]))
  const candidates = candidatesIn(read)
  const stays = new Set([...pairs].flatMap(([index, old]) => (isEqual(to[index], from[old]) ? [old] : [])))
  const fits = (at: number, element: Json | undefined): boolean =>
    element !== undefined && covers(read[at], element, lists, `${place}/*`)
  return from.some((element, old) => {
    const own = found[old] ?? -1
    return (
      !stays.has(old) &&
      candidates(element).some((at) => {
        if (at === own || !fits(at, element) || isAlike(read[at], read[own], each)) return false
        const owner = owners.get(at)
        return owner === undefined || (!isAlike(from[owner], element, each) && fits(own, from[owner]))
      })
    )
  })
}

const isAlike = (left: Json | undefined, right: Json | undefined, at: ElementsAt): boolean =>
  textOf(left ?? null, undefined, at) === textOf(right ?? null, undefined, at)

export const isEqual = (left: Json | undefined, right: Json | undefined): boolean =>
  left !== undefined && right !== undefined && exactText(left) === exactText(right)
