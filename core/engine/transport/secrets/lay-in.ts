import { fromPointer, memberOf, setAt, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type Path } from '../../schema/json.ts'
import { isLiteral, isMark, isNumberMark, isSensitive, type ListRule } from '../../schema/value.ts'
import { globPattern } from '../../values/texts/glob.ts'
import { findAll, isEqual, isMistakable, pairUp, unwrapped } from './find-elements.ts'
import { readBehind } from './known-secrets.ts'
import { type ListRules, ruleAt } from './list-rules.ts'
import { within, withoutInner, withoutPlaces } from './live-places.ts'

/** Where in the whole value something is laid in. */
interface Laid {
  readonly lists: ListRules
  readonly place: string
  readonly drops: readonly Path[]
  /** Told the place of a list in which an element that nobody names gets to the other side of one that stays. */
  readonly onMoved?: (place: string) => void
}

/**
 * The value that was read, changed as `from` differs from `to`, both in the form of a request. Members and elements that
 * neither side names stay as they were read. `undefined`: what was read does not contain `from`, so it is another value.
 * `drops`: places inside of it that nothing sends back: they have a value only where it changes.
 */
export const layIn = (
  read: Json | undefined,
  from: Json | undefined,
  to: Json,
  lists: ListRules,
  place = '',
  drops: readonly Path[] = [],
  onMoved?: Laid['onMoved'],
): Json | undefined => lay(read, from, to, { lists, place, drops, ...(onMoved && { onMoved }) })

const lay = (read: Json | undefined, from: Json | undefined, to: Json, at: Laid): Json | undefined => {
  const { lists, place, drops } = at
  const isReplaced = read === undefined || read === null || lists[place]?.isWhole === true
  if (isNumberMark(read) && isEqual(read, to)) return read
  // What stays and is known by its digest alone is sent back without what nothing sends back.
  if (drops.length > 0 && !isReplaced && isSensitive(to) && isEqual(from, to)) return withoutInner(read, drops)
  if (isReplaced || (isMark(to) && !isLiteral(to))) return to
  const there = readBehind(read)
  const inner = layInPlain(unwrapped(there), from && unwrapped(from), unwrapped(to), at)
  return (isLiteral(there) || isLiteral(to)) && isObject(inner) ? { $literal: inner } : inner
}

const layInPlain = (read: Json, from: Json | undefined, to: Json, at: Laid): Json | undefined => {
  if (isObject(read) && isObject(to)) return layInObject(read, from, to, at)
  if (isArray(read) && isArray(to)) return layInList(read, formerElements(read, from, to, at.lists[at.place]), to, at)
  return to
}

/** What was hidden as a whole is named by keys alone: its elements are those that are to be there. */
const formerElements = (read: JsonList, from: Json | undefined, to: JsonList, rule: ListRule = {}): JsonList => {
  if (isArray(from)) return from
  const { key } = rule
  if (key === undefined || !isMark(from)) return []
  const keyIn = (element: Json): Json =>
    key.reduce<Json>(
      (made, place) => setAt(made, fromPointer(place), valueAt(unwrapped(element), fromPointer(place)) ?? null),
      {},
    )
  const wanted = to.map(keyIn)
  return read.map(keyIn).filter((own) => wanted.some((each) => isEqual(each, own)))
}

const layInObject = (read: JsonObject, from: Json | undefined, to: JsonObject, at: Laid): Json | undefined => {
  const { lists, place, drops } = at
  const was = isObject(from) ? from : {}
  const keeps = isMark(from) ? lists[place]?.keeps?.map(globPattern) : undefined
  const stays = (name: string): boolean => keeps?.some((is) => is(name)) ?? true
  const isDropped = (name: string): boolean =>
    within(drops, name).some((rest) => rest.length === 0) &&
    (!Object.hasOwn(to, name) || isEqual(memberOf(was, name), to[name]))
  const members = new Map<string, Json>()
  for (const [name, value] of Object.entries(read)) {
    const isNamed = Object.hasOwn(to, name)
    // A former null and a missing member of an object mean the same to the plan.
    if (!isNamed && Object.hasOwn(was, name) && (was[name] !== null || lists[place]?.isMap)) continue
    if (isDropped(name) || (!isNamed && !stays(name))) continue
    const inner = within(drops, name)
    const next = isNamed
      ? lay(value, memberOf(was, name), to[name] ?? null, { ...at, place: ruleAt(lists, place, name), drops: inner })
      : withoutInner(value, inner)
    if (next === undefined) return undefined
    members.set(name, next)
  }
  const fresh = Object.entries(to).filter(([name, value]) => {
    const isNothing = value === null && (was[name] ?? null) === null && Object.hasOwn(was, name)
    return !members.has(name) && !isNothing && !isDropped(name)
  })
  return inOrderOf(Object.keys(to), members, new Map(fresh))
}

/** What comes is put before the next of its neighbours that is there: what an undo brings back has its place again. */
const inOrderOf = (
  order: readonly string[],
  members: ReadonlyMap<string, Json>,
  fresh: ReadonlyMap<string, Json>,
): JsonObject => {
  const ahead = new Map<string, (readonly [string, Json])[]>()
  let waiting: (readonly [string, Json])[] = []
  for (const name of order) {
    const value = fresh.get(name)
    if (value !== undefined) waiting.push([name, value])
    else if (members.has(name)) {
      ahead.set(name, waiting)
      waiting = []
    }
  }
  return Object.fromEntries([...[...members].flatMap((each) => [...(ahead.get(each[0]) ?? []), each]), ...waiting])
}

/** One element of the result, and where the element that it changes was read. */
interface Placed {
  readonly value: Json
  readonly at?: number
}

const layInList = (read: JsonList, from: JsonList, to: JsonList, whole: Laid): Json | undefined => {
  const { lists, place, drops, onMoved } = whole
  const rule = lists[place] ?? {}
  const seenOf = (list: JsonList): JsonList => list.map((each) => withoutPlaces(each, rule.unseen ?? []))
  const [seen, next] = [seenOf(from), seenOf(to)]
  const found = findAll(read, seen, { rule, lists, place })
  if (found === undefined) return undefined
  const pairs = pairUp(seen, next, rule, { lists, place: `${place}/*` })
  if (isMistakable(read, seen, found, { to: next, pairs, search: { rule, lists, place } })) return undefined
  const stays = (at: number): Json => withoutInner(read[at] ?? null, within(drops, String(at)))
  const placed: Placed[] = []
  for (const [index, value] of to.entries()) {
    const old = pairs.get(index)
    const at = old === undefined ? undefined : found[old]
    if (old === undefined || at === undefined) {
      placed.push({ value })
      continue
    }
    // What does not change stays as it was read, to the last byte.
    const laid = isEqual(from[old], value)
      ? stays(at)
      : lay(read[at], from[old], value, { ...whole, place: `${place}/*`, drops: within(drops, String(at)) })
    if (laid === undefined) return undefined
    placed.push({ value: laid, at })
  }
  const named = new Set(found)
  const others = [...read.keys()].flatMap((at): Placed[] => (named.has(at) ? [] : [{ value: stays(at), at }]))
  return (rule.isSet ? asRead(placed, others, rule) : inOrder(placed, others, () => onMoved?.(place))).map(
    ({ value }) => value,
  )
}

/**
 * In a set, everything that was read keeps its place. What comes is put at the end, and what an undo brings back ahead of the next
 * of ours that was read: it has its place again.
 */
const asRead = (placed: readonly Placed[], others: readonly Placed[], { comesBack }: ListRule): readonly Placed[] => {
  const old = [...placed, ...others].filter(({ at }) => at !== undefined)
  const ahead = new Map<Placed, readonly Placed[]>()
  let waiting: readonly Placed[] = []
  for (const each of placed) {
    if (each.at === undefined) waiting = [...waiting, each]
    else if (comesBack) {
      ahead.set(each, waiting)
      waiting = []
    }
  }
  const sorted = old.toSorted((left, right) => (left.at ?? 0) - (right.at ?? 0))
  return [...sorted.flatMap((each) => [...(ahead.get(each) ?? []), each]), ...waiting]
}

/** In a list, an element that nobody names stays behind those that were read before it, and ahead of those after it. */
const inOrder = (placed: readonly Placed[], others: readonly Placed[], onMoved: () => void): readonly Placed[] => {
  const sorted = placed.flatMap(({ at }) => at ?? []).toSorted((left, right) => left - right)
  const gaps = new Map<number, PlaceBetween>()
  let before = 0
  const behind = Map.groupBy(others, ({ at = 0 }) => {
    while (before < sorted.length && (sorted[before] ?? 0) < at) before += 1
    const best = gaps.get(before) ?? bestGap(placed, at, before)
    gaps.set(before, best)
    if (best.passed > 0) onMoved()
    return best.index
  })
  return [...(behind.get(0) ?? []), ...placed.flatMap((each, index) => [each, ...(behind.get(index + 1) ?? [])])]
}

interface PlaceBetween {
  readonly index: number
  /** How many elements are on the other side of it than they were. */
  readonly passed: number
}

/** Where the fewest elements change sides with one that was read behind so many of them; of several gaps the last one. */
const bestGap = (placed: readonly Placed[], place: number, before: number): PlaceBetween => {
  let best: PlaceBetween = { index: 0, passed: before }
  let passed = before
  for (const [index, { at }] of placed.entries()) {
    // What is new comes behind.
    if (at === undefined) continue
    passed += at < place ? -1 : 1
    if (passed <= best.passed) best = { index: index + 1, passed }
  }
  return best
}
