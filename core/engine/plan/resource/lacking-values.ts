import { elementFacts, memberFacts, plainAny } from '../../diff/matching/facts.ts'
import { byKey, formText } from '../../diff/matching/keys.ts'
import { matchList } from '../../diff/matching/match-list.ts'
import { matchSet } from '../../diff/matching/match-set.ts'
import { memberOf, pathText } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type Path } from '../../schema/json.ts'
import type { UnknownResult } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'
import { mapMembers } from '../../values/members.ts'
import type { Planning } from '../planning.ts'
import { lacking } from '../words.ts'

export type UnreadAttributes = Readonly<Record<string, UnknownResult>>

/**
 * Declared attributes that the answer lacks, or of which it lacks a declared member at any depth, though nothing explains it:
 * what they are is not known, and nothing is planned for them.
 */
export const lackingIn = (
  { attributes }: ObjectSchema,
  desired: JsonObject,
  observed: JsonObject,
  ignoring: Planning['ignoring'],
): UnreadAttributes =>
  mapMembers(desired, (value, name): UnknownResult | undefined => {
    const path = lackingAt(attributes[name], value, observed[name], [name])
    if (path === undefined || ignoring(path, false) !== undefined) return undefined
    return { kind: 'unknown', reason: 'bad_body', detail: lacking(pathText(path)) }
  })

const lackingAt = (facts: Attribute | undefined, value: Json, now: Json | undefined, path: Path): Path | undefined => {
  if (facts === undefined || explainsAbsence(facts) || value === null) return undefined
  if (now === undefined) return path
  if (isMark(value) || isMark(now)) return undefined
  for (const [name, inner, desired, observed] of childrenOf(facts, value, now)) {
    const found = lackingAt(inner, desired, observed, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

type Inner = readonly [name: string | number, facts: Attribute | undefined, value: Json, now: Json | undefined]

/** Declared members of an object; elements that both sides have. */
const childrenOf = (facts: Attribute, value: Json, now: Json): readonly Inner[] => {
  if (isObject(value) && isObject(now)) {
    if (facts.type === 'any') return []
    const isShared = ([name]: readonly [string, Json]) => facts.type === 'object' || Object.hasOwn(now, name)
    const shared = Object.entries(value).filter(isShared)
    return shared.map(([name, inner]): Inner => [name, memberFacts(facts, name), inner, now[name]])
  }
  if (!isArray(value) || !isArray(now)) return []
  if (hasKey(facts)) return sameKeys(facts, value, now)
  return facts.type === 'list' || facts.type === 'set' ? likeElements(facts, value, now) : []
}

/** A list may have a key too. One that nobody sees tells nothing. */
const hasKey = ({ key = [], sensitive }: Attribute): boolean => key.length > 0 && sensitive !== true

const sameKeys = (facts: Attribute, value: JsonList, now: JsonList): readonly Inner[] => {
  const shown = byKey(facts, now)
  return [...byKey(facts, value)].flatMap(([key, inner]): Inner[] => {
    const at = shown.get(key)
    return at === undefined ? [] : [[key, elementFacts(facts), inner, at]]
  })
}

interface LikeElements {
  readonly desired?: Json | undefined
  readonly shown?: Json | undefined
  readonly place: number
}

/** Maximum pairs of elements that are compared; of more, only those are looked into that a plan would show as one. */
const maxPairs = 10_000

/**
 * Elements without a key: those that a plan would show as one, and of the others those that may be equal, because the answer
 * lacks what would tell.
 */
const likeElements = (facts: Attribute, value: JsonList, now: JsonList): readonly Inner[] => {
  const pairs = pairsOf(facts, value, now)
  const strange = pairs.flatMap(({ desired, shown }) =>
    desired === undefined && shown !== undefined && lacksSome(elementFacts(facts), shown) ? [shown] : [],
  )
  const isFew = strange.length * pairs.length <= maxPairs
  return pairs.flatMap(({ desired, shown, place }): Inner[] => {
    if (desired === undefined) return []
    const inner = elementFacts(facts, place)
    if (shown !== undefined) return [[place, inner, desired, shown]]
    const maybe = isFew ? strange.filter((other) => mayEqual(inner, desired, other)) : []
    return maybe.map((other): Inner => [place, inner, desired, other])
  })
}

/** Whether an element lacks something that answers do not leave out. */
const lacksSome = (facts: Attribute, shown: Json): boolean =>
  facts.type === 'object' &&
  isPlain(shown) &&
  Object.entries(facts.attributes ?? {}).some(([name, inner]) => {
    const value = memberOf(shown, name)
    return !explainsAbsence(inner) && (value === undefined || lacksSome(inner, value))
  })

const pairsOf = (facts: Attribute, value: JsonList, now: JsonList): readonly LikeElements[] =>
  facts.type === 'list'
    ? matchList(facts, now, value).map(({ before, after }) => ({
        desired: after === undefined ? undefined : value[after],
        shown: before === undefined ? undefined : now[before],
        place: after ?? 0,
      }))
    : matchSet(facts, now, value).map(({ before, after }) => ({
        desired: after,
        shown: before,
        place: after === undefined ? 0 : value.indexOf(after),
      }))

/** Whether two elements have a member in common, and all that both have are equal. */
const mayEqual = (facts: Attribute, desired: Json, shown: Json): boolean => {
  if (facts.type !== 'object' || !isPlain(desired) || !isPlain(shown))
    return formText(facts, desired) === formText(facts, shown)
  const shared = Object.entries(desired).filter(([name]) => Object.hasOwn(shown, name))
  return (
    shared.length > 0 &&
    shared.every(([name, inner]) => mayEqual(memberFacts(facts, name) ?? plainAny, inner, shown[name] ?? null))
  )
}

const isPlain = (value: Json): value is JsonObject => isObject(value) && !isMark(value)

const explainsAbsence = (facts: Attribute): boolean =>
  facts.computed === true ||
  facts.writeOnly === true ||
  facts.createOnly === true ||
  facts.leftOut === true ||
  facts.appliesWhen !== undefined ||
  facts.default !== undefined
