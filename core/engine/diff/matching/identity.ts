import type { Attribute } from '../../schema/attribute.ts'
import { isObject, type Json, type JsonList, type JsonObject } from '../../schema/json.ts'
import { isMark, isNumberMark } from '../../schema/value.ts'
import { compareText } from './canonical.ts'
import { memberFacts } from './facts.ts'
import { partText } from './keys.ts'

export type Identity = readonly string[]

type ObjectLists = readonly [left: readonly JsonObject[], right: readonly JsonObject[]]

/**
 * Maximum members from which combinations are chosen, if no single member is enough; the most distinct members are
 * used.
 */
const maxCombined = 6
/** Characters; a longer text is content and not a name. */
const maxText = 120

/**
 * What distinguishes the objects of two lists or sets if no fact states it: the fewest members, up to three, that have
 * a scalar in each object, never repeat on one side, and have some values on both sides. Of several choices, the first
 * is a member that is called exactly `name`, `key` or `id`; then the choice that finds the most elements again; then
 * one whose name ends like these; then text before numbers. Between single objects every member is unique, so only such
 * names count.
 */
export const identityOf = (facts: Attribute, before: JsonList, after: JsonList): Identity | undefined => {
  const left = before.filter(isPlainObject)
  const right = after.filter(isPlainObject)
  if (facts.sensitive || left.length === 0 || right.length === 0) return undefined
  const single = left.length === 1 && right.length === 1
  const members = membersOf(facts, [...left, ...right]).filter((member) => !single || rankOf(member) < 2)
  const singles = members.map((member) => [member])
  return best(singles, [left, right]) ?? combined(members, [left, right])
}

const combined = (members: readonly string[], sides: ObjectLists): Identity | undefined => {
  const distinct = (member: string): number => new Set(sides.flat().map((one) => nameOf([member], one))).size
  const chosen = members
    .map((member) => ({ member, distinct: distinct(member) }))
    .sort((one, other) => other.distinct - one.distinct || compareText(one.member, other.member))
    .slice(0, maxCombined)
    .map(({ member }) => member)
  const longer = (choices: readonly Identity[]): readonly Identity[] =>
    choices.flatMap((choice) =>
      chosen.slice(chosen.indexOf(choice.at(-1) ?? '') + 1).map((member) => [...choice, member]),
    )
  const pairs = longer(chosen.map((member) => [member]))
  return best(pairs, sides) ?? best(longer(pairs), sides)
}

export const isPlainObject = (value: Json): value is JsonObject => isObject(value) && !isMark(value)

/**
 * Elements with equal texts are the same element. The text has the form of a set's `key`: parts, separated by spaces.
 */
export const nameOf = (identity: Identity, element: Json): string | undefined => {
  if (!isPlainObject(element)) return undefined
  return identity.map((member) => wordOf(element[member] as Json)).join(' ')
}

/** `nameOf` for people: a single text alone, anything else with its member, for example `from_port=22`. */
export const labelOf = (identity: Identity, element: Json): string | undefined => {
  if (!isPlainObject(element)) return undefined
  const [only = '', ...others] = identity
  if (others.length === 0 && typeof element[only] === 'string') return element[only]
  return identity.map((member) => `${member}=${wordOf(element[member] as Json)}`).join(' ')
}

const wordOf = (value: Json): string => (isNumberMark(value) ? value.$number : partText(value))

const membersOf = (facts: Attribute, elements: readonly JsonObject[]): readonly string[] =>
  Object.keys(elements[0] ?? {})
    .filter((member) => !memberFacts(facts, member)?.sensitive)
    .filter((member) => elements.every((element) => Object.hasOwn(element, member) && isName(element[member] as Json)))
    .sort()

const isName = (value: Json): boolean =>
  typeof value === 'string'
    ? value !== '' && value.length <= maxText && !value.includes('\n')
    : typeof value === 'number' || typeof value === 'boolean' || isNumberMark(value)

/** 0: exactly a name, key or id. 1: ends like one, for example `group_name`, `Sid`. */
const rankOf = (member: string): number => {
  if (/^(name|key|id)$/i.test(member)) return 0
  return /(name|key|id)$/i.test(member) ? 1 : 2
}

const best = (choices: readonly Identity[], sides: ObjectLists): Identity | undefined => {
  const isText = (member: string): boolean => sides.flat().every((one) => typeof one[member] === 'string')
  const rated = choices.flatMap((identity) => {
    const found = countFound(identity, sides)
    if (found === 0) return []
    const rank = identity.reduce((sum, member) => sum + rankOf(member), 0)
    const numbers = identity.filter((member) => !isText(member)).length
    return [{ identity, order: [rank === 0 ? 0 : 1, -found, rank, numbers] }]
  })
  return rated.sort((one, other) => compareOrder(one.order, other.order))[0]?.identity
}

const compareOrder = (one: readonly number[], other: readonly number[]): number => {
  const place = one.findIndex((part, n) => part !== other[n])
  return (one[place] ?? 0) - (other[place] ?? 0)
}

/**
 * How many elements of one side exist on the other; 0 if the identity does not distinguish the elements of one side.
 */
const countFound = (identity: Identity, [left, right]: ObjectLists): number => {
  const there = namesOf(identity, left)
  const here = there && namesOf(identity, right)
  return here === undefined ? 0 : (there?.intersection(here).size ?? 0)
}

/** `undefined` if two elements have the same name. */
const namesOf = (identity: Identity, elements: readonly JsonObject[]): ReadonlySet<string> | undefined => {
  const names = new Set<string>()
  for (const element of elements) {
    const name = nameOf(identity, element) as string
    if (names.has(name)) return undefined
    names.add(name)
  }
  return names
}
