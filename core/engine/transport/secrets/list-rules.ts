import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isMark, type ListRule } from '../../schema/value.ts'

/** How the lists inside a value are compared, by their place; `*` is every element or member. */
export type ListRules = Readonly<Record<string, ListRule>>

/** The place by which rules name a member: those of a map are the same for all its members. */
export const ruleAt = (lists: ListRules, place: string, name: string): string => {
  const own = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const isKnown = Object.keys(lists).some((each) => each === own || each.startsWith(`${own}/`))
  return isKnown ? own : `${place}/*`
}

/** What elements are, by the rules of their list and the place of each. */
export interface ElementsAt {
  readonly lists: ListRules
  readonly place: string
}

/** A null and a missing member of an object mean the same to the plan; in a map, and in what is one value, a null is a value. */
export const withoutNulls = (value: Json, { lists, place }: ElementsAt): Json => {
  if (lists[place]?.isWhole) return value
  if (isArray(value)) return value.map((each) => withoutNulls(each, { lists, place: `${place}/*` }))
  if (!isObject(value) || isMark(value)) return value
  const stays = lists[place]?.isMap === true
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, Json][] =>
      inner === null && !stays ? [] : [[name, withoutNulls(inner, { lists, place: ruleAt(lists, place, name) })]],
    ),
  )
}
