import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { memberOf } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonList } from '../../../../engine/schema/json.ts'
import type { Seal } from '../../../../engine/schema/ports.ts'
import { isMark, isSealed, sealOf } from '../../../../engine/schema/value.ts'
import { partsOf } from '../../../../engine/values/marks/marks.ts'
import { applyNormalisers } from '../../../../engine/values/normalise/normalisers.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { elementTexts, sameValue } from '../../document/attributes.ts'
import { holdsSealed } from '../../request/build-body.ts'
import { decoded } from './in-form.ts'

/* Elements that have sensitive values: of these, only the digests are known. */

/** Where each element of the former value is in what was read; no two at one place. */
export const placesInRead = (
  list: AttributeEntry,
  read: JsonList,
  before: JsonList,
  seal: Seal,
): readonly (number | undefined)[] => {
  const element = list.element ?? { type: 'any' }
  const values = read.map((each) => decoded(element, each))
  const byKey = Map.groupBy(values.keys(), (at) => keyOf(list, values[at]))
  const free = new Set(values.keys())
  const fits = (at: number, value: Json): boolean => free.has(at) && isThat(element, values[at], value, seal)
  const take = (at: number | undefined): number | undefined => (at !== undefined && free.delete(at) ? at : undefined)
  // Of several elements with one key, the one that is the same.
  const exact = before.map((value) => {
    const named = byKey.get(keyOf(list, value) ?? '') ?? []
    return named.length < 2 ? undefined : take(named.find((at) => fits(at, value)))
  })
  return before.map((value, index) => {
    const key = keyOf(list, value)
    if (key !== undefined) return exact[index] ?? take(byKey.get(key)?.find((at) => free.has(at)))
    return take(fits(index, value) ? index : [...free].find((at) => fits(at, value)))
  })
}

/** Longer lists are not compared each with each. */
const mostCompared = 300

/**
 * Whether a planned element could be another one, too, of which more was read: then a secret in it does not tell which one it is.
 */
export const isOneOfSeveral = (
  list: AttributeEntry,
  read: JsonList,
  planned: Json,
  at: number,
  seal: Seal,
): boolean => {
  if (keyOf(list, planned) !== undefined) return false
  if (read.length > mostCompared) return true
  const element = list.element ?? { type: 'any' }
  const own = canonicalJson(read[at] ?? null)
  return read.some(
    (each, n) => n !== at && canonicalJson(each) !== own && isThat(element, decoded(element, each), planned, seal),
  )
}

/** Which element of the former value each one of the next value is. */
export const pairSealed = (
  list: AttributeEntry,
  before: JsonList,
  after: JsonList,
): readonly (number | undefined)[] => {
  const free = new Set(before.keys())
  const pairs: (number | undefined)[] = after.map(() => undefined)
  const pairBy = (textsOf: (value: Json | undefined) => readonly string[]): void => {
    const byText = new Map<string, number[]>()
    for (const old of free)
      for (const text of textsOf(before[old])) byText.set(text, [...(byText.get(text) ?? []), old])
    for (const [index, value] of after.entries()) {
      if (pairs[index] !== undefined) continue
      const fitting = textsOf(value).flatMap((text) => byText.get(text) ?? [])
      const old = fitting.find((each) => each === index && free.has(each)) ?? fitting.find((each) => free.has(each))
      if (old !== undefined && free.delete(old)) pairs[index] = old
    }
  }
  pairBy((value) => [canonicalJson(value ?? null)])
  pairBy((value) => [keyOf(list, value) ?? []].flat())
  if (list.key === undefined) pairBy(sealsIn)
  return pairs
}

const sealsIn = (value: Json | undefined): readonly string[] => partsOf(value).flatMap((part) => sealOf(part) ?? [])

const keyOf = ({ key, element }: AttributeEntry, value: Json | undefined): string | undefined =>
  key === undefined || element?.attributes === undefined || !isObject(value) || isMark(value)
    ? undefined
    : elementTexts(element.attributes, key, value).key

/** Whether a decoded value is the one that the plan has, of which some parts are only digests. */
const isThat = (entry: AttributeEntry, value: Json | undefined, planned: Json, seal: Seal): boolean => {
  if (value === undefined) return false
  if (isSealed(planned))
    return [value, applyNormalisers(value, entry.normalise)].some((each) => seal(each) === planned.$sealed)
  if (!holdsSealed(planned)) return sameValue(entry, value, planned)
  const { element = { type: 'any' }, attributes } = entry
  if (isArray(planned))
    return (
      isArray(value) &&
      value.length === planned.length &&
      planned.every((each, index) => isThat(element, value[index], each, seal))
    )
  if (!isObject(planned) || !isObject(value)) return false
  return Object.entries(planned).every(([name, each]) => {
    const own = attributes === undefined ? element : attributes[name]
    if (own?.computed && !holdsSealed(each)) return true
    const there = memberOf(value, name)
    return isThat(own ?? { type: 'any' }, there ?? own?.default ?? null, each, seal)
  })
}
