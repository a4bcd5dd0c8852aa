import { memberOf } from '../../json/pointer.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList } from '../../schema/json.ts'
import { isAfter, isMark, isUnknown, sealOf } from '../../schema/value.ts'
import { largeDigits } from '../../values/large-integer.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'
import { spellAfter, spellValue } from '../../values/spell-value.ts'
import { canonicalText, compareText } from './canonical.ts'
import { defaultOf, elementFacts, memberFacts, plainAny, withDefault } from './facts.ts'
import { keepIfEqual } from './rebuild.ts'

/**
 * The form that is equal for two values if and only if they count as the same value: `compareAs` is applied, computed
 * members are left out, defaults are filled in, null members equal missing ones, secrets become their digest, sets are
 * sorted.
 */
export const comparisonForm = (attribute: Attribute, value: Json): Json => {
  const digits = typeof value === 'string' ? undefined : largeDigits(attribute.type, value)
  // An answer gives such a number as text, if the type does not tell them apart.
  if (digits !== undefined) return attribute.type === 'any' ? { $number: digits } : digits
  if (isMark(value)) {
    const seal = sealOf(value)
    return seal === undefined ? value : { $sealed: seal }
  }
  const plain = applyNormalisers(value, attribute.compareAs)
  if (isArray(plain)) {
    const elements = plain.map((element, place) => comparisonForm(elementFacts(attribute, place), element))
    return attribute.type === 'set' ? sortBy(elements, canonicalText) : elements
  }
  return isObject(plain) ? objectForm(attribute, plain) : plain
}

const objectForm = (attribute: Attribute, value: { readonly [member: string]: Json }): Json => {
  const fixed = attribute.type === 'object'
  const members = Object.entries(value).flatMap(([member, inner]): [string, Json][] => {
    const facts = memberFacts(attribute, member)
    if (facts?.computed || (fixed && inner === null && facts?.default === undefined)) return []
    return [[member, comparisonForm(facts ?? plainAny, inner)]]
  })
  const defaults = (fixed ? withDefault(attribute) : []).flatMap(([member, facts]): [string, Json][] => {
    const meant = !facts.computed && !Object.hasOwn(value, member) ? defaultOf(facts) : undefined
    return meant === undefined ? [] : [[member, comparisonForm(facts, meant)]]
  })
  return Object.fromEntries([...members, ...defaults])
}

export const formText = (attribute: Attribute, value: Json): string => canonicalText(comparisonForm(attribute, value))

/** A key that nobody sees identifies nothing. */
export const isKeyed = (attribute: Attribute): boolean =>
  attribute.type === 'set' && attribute.sensitive !== true && (attribute.key?.length ?? 0) > 0

/** The key of an element for people and in paths: its parts, separated by spaces; a part that would be ambiguous is in quotes. */
export const keyText = (attribute: Attribute, element: Json): string =>
  (attribute.key ?? []).map((member) => partText(keyPart(elementFacts(attribute), element, member))).join(' ')

const keyPart = (facts: Attribute, element: Json, member: string): Json => {
  const inner = memberFacts(facts, member) ?? plainAny
  const written = memberOf(element, member)
  const value = written === undefined ? defaultOf(inner) : written
  return value === undefined ? null : comparisonForm(inner, value)
}

/** A scalar as a part of a key. A value that is not known yet is identified by what it waits for. */
export const partText = (part: Json): string => {
  if (isAfter(part)) return spellAfter(part)
  if (isUnknown(part)) return spellValue(part)
  if (typeof part !== 'string') return canonicalText(part)
  return /^$|^null$|[\s"]/.test(part) ? JSON.stringify(part) : part
}

/** Elements by the text of their key; a repeated key gets a number, so that no element is lost. */
export const byKey = (attribute: Attribute, elements: JsonList): Map<string, Json> => {
  const keyed = new Map<string, Json>()
  for (const element of elements) {
    const key = keyText(attribute, element)
    let unique = key
    for (let n = 2; keyed.has(unique); n++) unique = `${key} #${n}`
    keyed.set(unique, element)
  }
  return keyed
}

/** Sorts by key if there is one, else by canonical JSON. */
export const sortSet = (attribute: Attribute, elements: JsonList): JsonList => {
  const sorted = isKeyed(attribute)
    ? sortBy(elements, (element) => `${keyText(attribute, element)}\n${canonicalText(element)}`)
    : sortBy(elements, canonicalText)
  return keepIfEqual(elements, sorted)
}

/** Sorts by a text of each element, which is computed once. */
export const sortBy = <T>(elements: readonly T[], text: (element: T) => string): readonly T[] =>
  elements.length < 2
    ? elements
    : elements
        .map((element) => ({ element, text: text(element) }))
        .sort((left, right) => compareText(left.text, right.text))
        .map(({ element }) => element)
