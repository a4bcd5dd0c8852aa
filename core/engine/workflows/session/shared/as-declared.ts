import { isEqual } from '../../../diff/matching/canonical.ts'
import { elementFacts, memberFacts, plainAny } from '../../../diff/matching/facts.ts'
import { memberOf } from '../../../json/pointer.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type MaybeJson } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import { isMark, sealOf } from '../../../schema/value.ts'
import { applyNormalisers } from '../../../values/normalise/normalisers.ts'

/*
 * A hidden object is read as one digest, and a configuration declares a secret for each of its members. The digest of the whole
 * never equals these. So what has exactly the declared secrets is sealed secret by secret: the names that this shows are those of
 * the configuration.
 */

/** The value with its secrets sealed one by one, if it is as `desired` says; else `undefined`. */
export const sealedAsDeclared = (facts: Attribute, read: MaybeJson, desired: Json, seal: Seal): MaybeJson => {
  const digest = sealOf(desired)
  if (digest !== undefined) {
    if (read === undefined || read === null) return undefined
    return seal(applyNormalisers(read, facts.normalise)) === digest ? { $sealed: digest } : undefined
  }
  if (isMark(desired)) return undefined
  if (isObject(desired)) return isObject(read) ? membersAsDeclared(facts, read, desired, seal) : undefined
  if (isArray(desired)) return isArray(read) ? elementsAsDeclared(facts, read, desired, seal) : undefined
  return isEqual(read ?? null, desired) ? desired : undefined
}

/** What a resource does not declare is not compared, and its name is hidden: it is left out. */
const membersAsDeclared = (facts: Attribute, read: JsonObject, desired: JsonObject, seal: Seal): MaybeJson => {
  const isOpen = facts.type === 'object' || facts.manage === 'declared' || facts.partial === true
  if (!isOpen && Object.keys(read).some((name) => !Object.hasOwn(desired, name))) return undefined
  const members = Object.entries(desired).map(
    ([name, inner]) =>
      [name, sealedAsDeclared(memberFacts(facts, name) ?? plainAny, memberOf(read, name), inner, seal)] as const,
  )
  return members.some(([, inner]) => inner === undefined) ? undefined : (Object.fromEntries(members) as JsonObject)
}

const elementsAsDeclared = (facts: Attribute, read: JsonList, desired: JsonList, seal: Seal): MaybeJson => {
  if (read.length !== desired.length) return undefined
  const left = [...desired]
  const elements = read.flatMap((element, place) => {
    const own = elementFacts(facts, place)
    const fitting = facts.type === 'set' ? left : left.slice(0, 1)
    const found = fitting.map((each) => sealedAsDeclared(own, element, each, seal))
    const at = found.findIndex((each) => each !== undefined)
    left.splice(Math.max(at, 0), 1)
    return found[at] ?? []
  })
  return elements.length === read.length ? elements : undefined
}
