import { canonicalJson } from '../../json/digest.ts'
import { fromPointer, memberOf, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject } from '../../schema/json.ts'
import { isLiteral, isMark, type ListRule } from '../../schema/value.ts'

/** How the lists inside a value are compared, by their place; `*` is every element or member. */
export type ListRules = Readonly<Record<string, ListRule>>

/**
 * The value that was read, changed as `from` differs from `to`, both in the form of a request. Members and elements that
 * neither side names stay as they were read. `undefined`: what was read does not contain `from`, so it is another value.
 */
export const layIn = (
  read: Json | undefined,
  from: Json | undefined,
  to: Json,
  lists: ListRules,
  place = '',
): Json | undefined => {
  if (read === undefined || read === null || (isMark(to) && !isLiteral(to))) return to
  const inner = layInPlain(unwrapped(read), from && unwrapped(from), unwrapped(to), lists, place)
  return (isLiteral(read) || isLiteral(to)) && isObject(inner) ? { $literal: inner } : inner
}

/** What looks like a mark, and is foreign data, is compared and changed as what it is. */
const unwrapped = (value: Json): Json => (isLiteral(value) ? value.$literal : value)

const layInPlain = (
  read: Json,
  from: Json | undefined,
  to: Json,
  lists: ListRules,
  place: string,
): Json | undefined => {
  if (isObject(read) && isObject(to)) return layInObject(read, from, to, lists, place)
  if (isArray(read) && isArray(to)) return layInList(read, isArray(from) ? from : [], to, lists, place)
  return to
}

const layInObject = (
  read: JsonObject,
  from: Json | undefined,
  to: JsonObject,
  lists: ListRules,
  place: string,
): Json | undefined => {
  const was = isObject(from) ? from : {}
  const members = new Map<string, Json>()
  for (const [name, value] of Object.entries(read)) {
    const isNamed = Object.hasOwn(to, name)
    // A former null and a missing member mean the same to the plan.
    if (!isNamed && Object.hasOwn(was, name) && was[name] !== null) continue
    const next = isNamed
      ? layIn(value, memberOf(was, name), to[name] ?? null, lists, ruleAt(lists, place, name))
      : value
    if (next === undefined) return undefined
    members.set(name, next)
  }
  for (const [name, value] of Object.entries(to)) if (!members.has(name)) members.set(name, value)
  return Object.fromEntries(members)
}

/** The place by which rules name a member: those of a map are the same for all its members. */
export const ruleAt = (lists: ListRules, place: string, name: string): string => {
  const own = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const isKnown = Object.keys(lists).some((each) => each === own || each.startsWith(`${own}/`))
  return isKnown ? own : `${place}/*`
}

/** One element of the result, and where the element that it changes was read. */
interface Placed {
  readonly value: Json
  readonly at?: number
}

const layInList = (read: JsonList, from: JsonList, to: JsonList, lists: ListRules, place: string): Json | undefined => {
  const rule = lists[place] ?? {}
  const found = findAll(read, from, rule)
  if (found === undefined) return undefined
  const pairs = pairUp(from, to, rule)
  const placed: Placed[] = []
  for (const [index, value] of to.entries()) {
    const old = pairs.get(index)
    const at = old === undefined ? undefined : found[old]
    if (old === undefined || at === undefined) {
      placed.push({ value })
      continue
    }
    const next = layIn(read[at], from[old], value, lists, `${place}/*`)
    if (next === undefined) return undefined
    placed.push({ value: next, at })
  }
  const named = new Set(found)
  const others = read.flatMap((value, at): Placed[] => (named.has(at) ? [] : [{ value, at }]))
  return (rule.isSet ? asRead(placed, others) : inOrder(placed, others)).map(({ value }) => value)
}

/** In a set, everything that was read keeps its place. */
const asRead = (placed: readonly Placed[], others: readonly Placed[]): readonly Placed[] => {
  const old = [...placed, ...others].filter(({ at }) => at !== undefined)
  const fresh = placed.filter(({ at }) => at === undefined)
  return [...old.toSorted((left, right) => (left.at ?? 0) - (right.at ?? 0)), ...fresh]
}

/** In a list, an element that nobody names follows the nearest one that was read before it and stays. */
const inOrder = (placed: readonly Placed[], others: readonly Placed[]): readonly Placed[] => {
  const ats = placed.flatMap(({ at }) => at ?? []).toSorted((left, right) => left - right)
  let passed = 0
  const nearest = ({ at = 0 }: Placed): number => {
    while (passed < ats.length && (ats[passed] ?? 0) < at) passed += 1
    return ats[passed - 1] ?? -1
  }
  const after = Map.groupBy(others, nearest)
  return [...(after.get(-1) ?? []), ...placed.flatMap((each) => [each, ...(after.get(each.at ?? -2) ?? [])])]
}

/** The element of a list that has these members. */
export const findElement = (list: Json | undefined, like: Json, rule: ListRule): Json | undefined => {
  if (!isArray(list)) return undefined
  const [at] = findAll(list, [like], rule) ?? []
  return at === undefined ? undefined : list[at]
}

/** Where each element of `from` was read; no two at one place. `undefined`: one of them was not. */
const findAll = (read: JsonList, from: JsonList, { key }: ListRule): readonly number[] | undefined => {
  const byKey = Map.groupBy(read.keys(), (at) => keyOf(read[at], key))
  const taken = new Set<number>()
  const found: number[] = []
  for (const element of from) {
    const text = keyOf(element, key)
    // Most lists are in the order of the former value, so the search goes on behind the element before.
    const at =
      text === undefined
        ? searchFrom(
            (found.at(-1) ?? -1) + 1,
            read.length,
            (place) => !taken.has(place) && covers(read[place], element),
          )
        : byKey.get(text)?.shift()
    if (at === undefined) return undefined
    taken.add(at)
    found.push(at)
  }
  return found
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
 * Which element of `from` each element of `to` is: the one with its key. Without a key the equal one, that of the same number
 * first; in a list, what is left is the element of the same number, or the one behind the element before it.
 */
const pairUp = (from: JsonList, to: JsonList, { key, isSet }: ListRule): ReadonlyMap<number, number> => {
  const texts = from.map((element) => textOf(element, key))
  const free = new Set(from.keys())
  const pairs = new Map<number, number>()
  const pair = (find: (index: number, element: Json) => number | undefined): void => {
    for (const [index, element] of to.entries()) {
      const old = pairs.has(index) ? undefined : find(index, element)
      if (old === undefined || !free.delete(old)) continue
      pairs.set(index, old)
    }
  }
  pair((index, element) => (texts[index] === textOf(element, key) ? index : undefined))
  const byText = Map.groupBy(free, (old) => texts[old])
  pair((_, element) => byText.get(textOf(element, key))?.shift())
  if (key !== undefined || isSet) return pairs
  pair((index) => index)
  pair((index) => (pairs.get(index - 1) ?? -1) + 1)
  return pairs
}

const textOf = (element: Json, key: readonly string[] | undefined): string =>
  keyOf(element, key) ?? canonicalJson(element)

const keyOf = (element: Json | undefined, key: readonly string[] | undefined): string | undefined => {
  const own = element && unwrapped(element)
  if (key === undefined || !isObject(own) || isMark(own)) return undefined
  return canonicalJson(key.map((place) => valueAt(own, fromPointer(place)) ?? null))
}

/** Whether a value that was read has all of what a request names. A secret is not compared. */
const covers = (read: Json | undefined, named: Json): boolean => {
  if (isMark(named) && !isLiteral(named)) return true
  const [there, own] = [read && unwrapped(read), unwrapped(named)]
  if (isObject(own))
    return isObject(there) && Object.entries(own).every(([name, value]) => covers(memberOf(there, name), value))
  if (isArray(own))
    return isArray(there) && there.length === own.length && own.every((each, n) => covers(there[n], each))
  if (own === null) return there === null || there === undefined
  return there !== undefined && canonicalJson(there) === canonicalJson(own)
}
