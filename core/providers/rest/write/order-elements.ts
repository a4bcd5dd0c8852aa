import { defined } from '../../../engine/values/defined.ts'
import { mapMembers, pick } from '../../../engine/values/members.ts'
import type { Collection, EachElement } from '../document/part.ts'
import {
  type CollectionChange,
  type ElementChange,
  type ElementStep,
  type KeyedElement,
  keyedElements,
  pairByKey,
  repeatedIn,
} from './effects/element-changes.ts'

/** How an ordered list is written, element by element. */
export interface Ordering {
  readonly collection: Collection
  readonly each: EachElement
  /** The number of the first element, as the API counts. */
  readonly first: number
  /** A create has the position of the element; else the element comes last. */
  readonly inserts: boolean
}

/** One element of the list at that time. Two elements may be equal, so that they are distinguished as objects. */
type ListEntry = KeyedElement

/**
 * Removals from last to first; then, from first to last, each element is moved right behind the one before it. As many as
 * possible stay: those that are already in order. Each call states what the list must be before it.
 */
export const orderedSteps = (ordering: Ordering, change: CollectionChange): readonly ElementStep[] => {
  const { collection } = ordering
  const walk = startWalk(ordering, keyedElements(collection, change.before))
  const desired = keyedElements(collection, change.after)
  const kept = assign(walk.list, desired)
  for (const entry of walk.list.toReversed()) if (!kept.has(entry)) walk.remove(entry)
  const staying = new Set(longestRising(walk.list, (entry) => kept.get(entry) ?? 0))
  const byPlace = new Map([...kept].map(([entry, place]) => [place, entry]))
  let last: ListEntry | undefined
  for (const [place, entry] of desired.entries()) {
    const there = byPlace.get(place)
    if (there !== undefined && !staying.has(there)) walk.move(there, last)
    last = there === undefined ? walk.create(entry, last) : walk.change(there, entry)
  }
  return walk.steps
}

/** Which place of the wanted list each element has. */
const assign = (list: readonly ListEntry[], desired: readonly ListEntry[]): ReadonlyMap<ListEntry, number> => {
  const pairs = pairByKey(list, desired)
  return new Map(
    desired.flatMap((each, place) => {
      const entry = pairs.get(each)
      return entry === undefined ? [] : [[entry, place] as const]
    }),
  )
}

/** The list as the calls so far have made it, and these calls. */
const startWalk = ({ collection, each, first, inserts }: Ordering, before: readonly ListEntry[]) => {
  const list = [...before]
  const read = new Map(before.map((entry, index) => [entry, index]))
  const steps: ElementStep[] = []
  const { field, key = [] } = collection
  const isRepeated = repeatedIn(before)
  const add = (call: ElementStep['call'], change: ElementChange, at: Pick<ElementStep, 'position' | 'to'>): void => {
    const order = list.map(({ element }) => pick(element, key))
    const places = mapMembers(at, (place) => place + first)
    const now = at.position
    const there = now === undefined ? undefined : list[now]
    const was = there && read.get(there)
    const place = now !== undefined && was !== undefined && isRepeated(change.key) ? { read: was, now } : undefined
    const own = defined({ at: now, was })
    steps.push({ call, change: { ...change, ...defined({ place }) }, ...places, about: { of: field, order, ...own } })
  }
  const behind = (entry: ListEntry | undefined): number => (entry === undefined ? 0 : list.indexOf(entry) + 1)
  const remove = (entry: ListEntry): void => {
    const position = list.indexOf(entry)
    add('remove', { key: entry.key, before: entry.element }, { position })
    list.splice(position, 1)
  }
  const shift = (entry: ListEntry, to: number): void => {
    const position = list.indexOf(entry)
    if (position === to) return
    add('move', { key: entry.key, before: entry.element, after: entry.element }, { position, to })
    list.splice(position, 1)
    list.splice(to, 0, entry)
  }
  const create = (entry: ListEntry, last: ListEntry | undefined): ListEntry => {
    const to = behind(last)
    add('create', { key: entry.key, after: entry.element }, { to: inserts ? to : list.length })
    list.splice(inserts ? to : list.length, 0, entry)
    if (!inserts) shift(entry, to)
    return entry
  }
  const move = (entry: ListEntry, last: ListEntry | undefined): void => {
    if (each.move === undefined) {
      remove(entry)
      create(entry, last)
      return
    }
    const to = behind(last)
    shift(entry, list.indexOf(entry) < to ? to - 1 : to)
  }
  const change = (there: ListEntry, entry: ListEntry): ListEntry => {
    if (there.whole === entry.whole) return there
    const position = list.indexOf(there)
    if (each.update === undefined) {
      const last = list[position - 1]
      remove(there)
      return create(entry, last)
    }
    add('update', { key: entry.key, before: there.element, after: entry.element }, { position })
    list[position] = entry
    return entry
  }
  return { list, steps, remove, move, create, change }
}

/** The most members, in their order, whose numbers rise: https://en.wikipedia.org/wiki/Longest_increasing_subsequence */
const longestRising = <Member>(members: readonly Member[], numberOf: (member: Member) => number): readonly Member[] => {
  interface Link {
    readonly member: Member
    readonly number: number
    readonly before: Link | undefined
  }
  // By length: the chain that ends with the smallest number.
  const ends: Link[] = []
  for (const member of members) {
    const number = numberOf(member)
    const length = placeFor(ends, number)
    ends[length] = { member, number, before: ends[length - 1] }
  }
  const chain: Member[] = []
  for (let link = ends.at(-1); link !== undefined; link = link.before) chain.unshift(link.member)
  return chain
}

/** The first end that is not smaller. */
const placeFor = (ends: readonly { readonly number: number }[], number: number): number => {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}
