import { elementFacts, memberFacts } from '../../diff/matching/facts.ts'
import { byKey, isKeyed } from '../../diff/matching/keys.ts'
import { pathText } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type Path } from '../../schema/json.ts'
import type { UnknownResult } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'
import { mapMembers } from '../../values/members.ts'
import type { Planning, ResourceInput } from '../planning.ts'
import { lacking } from '../words.ts'

export type UnreadAttributes = Readonly<Record<string, UnknownResult>>

/**
 * Declared attributes that the answer lacks, or of which it lacks a declared member at any depth, though nothing explains it:
 * what they are is not known, and nothing is planned for them.
 */
export const lackingIn = (
  { attributes }: ObjectSchema,
  { desired, observed }: Pick<ResourceInput, 'desired' | 'observed'>,
  ignoring: Planning['ignoring'],
): UnreadAttributes => {
  if (desired === undefined || desired.absent || observed.kind !== 'present') return {}
  return mapMembers(desired.attributes, (value, name): UnknownResult | undefined => {
    const path = lackingAt(attributes[name], value, observed.attributes[name], [name])
    if (path === undefined || ignoring(path, false) !== undefined) return undefined
    return { kind: 'unknown', reason: 'bad_body', detail: lacking(pathText(path)) }
  })
}

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

type Inner = readonly [name: string, facts: Attribute | undefined, value: Json, now: Json | undefined]

/** Declared members of an object; elements that both sides have, as far as a key tells which is which. */
const childrenOf = (facts: Attribute, value: Json, now: Json): readonly Inner[] => {
  if (isObject(value) && isObject(now)) {
    if (facts.type === 'any') return []
    const isShared = ([name]: readonly [string, Json]) => facts.type === 'object' || Object.hasOwn(now, name)
    const shared = Object.entries(value).filter(isShared)
    return shared.map(([name, inner]): Inner => [name, memberFacts(facts, name), inner, now[name]])
  }
  if (!isArray(value) || !isArray(now) || !isKeyed(facts)) return []
  const shown = byKey(facts, now)
  return [...byKey(facts, value)].flatMap(([key, inner]): Inner[] => {
    const at = shown.get(key)
    return at === undefined ? [] : [[key, elementFacts(facts), inner, at]]
  })
}

const explainsAbsence = (facts: Attribute): boolean =>
  facts.computed === true ||
  facts.writeOnly === true ||
  facts.createOnly === true ||
  facts.leftOut === true ||
  facts.appliesWhen !== undefined ||
  facts.default !== undefined
