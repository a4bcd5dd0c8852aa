import type { Json } from '../../../engine/schema/json.ts'
import { asForeign, numberAsWritten } from '../../../engine/values/marks/marks.ts'
import { elementsOf, identityOf, isList, isMap, keysOf, memberOf, type Value } from '../read/value.ts'
import { type Facts, factsAt } from './facts.ts'

/** One side of a change, with the trees of markers that belong to it. */
export interface Marked {
  readonly value: Value | undefined
  readonly unknown?: Value | undefined
  readonly sensitive?: Value | undefined
}

/** Numbers secrets; equal ones have the same number, which shows only that they are equal. */
export type Seal = (secret: string) => string

export const sealing = (): Seal => {
  const numbers = new Map<string, string>()
  return (secret) => {
    const number = numbers.get(secret) ?? String(numbers.size + 1)
    numbers.set(secret, number)
    return number
  }
}

const unknownMark: Json = { $ref: '', pointer: '' }

/**
 * The value with marks in place of what must not be shown, is not known yet, or is a number that JavaScript would spell
 * another way; `undefined` where there is none. In a block or an object with fixed members, null means none.
 */
export const toJson = (side: Marked, facts: Facts, seal: Seal): Json | undefined => {
  const { value, unknown } = side
  if (side.sensitive === true || facts.sensitive) return sealed(side, seal)
  if (unknown === true) return unknownMark
  if (isMap(value) || (value === undefined && isMap(unknown))) return objectOf(side, facts, seal)
  if (isList(value) || (!isSomething(value) && isList(unknown))) return arrayOf(side, facts, seal)
  if (value === undefined || value === null || typeof value !== 'object') return value
  return numberAsWritten((value as { readonly number: string }).number)
}

const isSomething = (value: Value | undefined): boolean => value !== undefined && value !== null

/** A partly known secret counts as changed. */
const sealed = ({ value, unknown }: Marked, seal: Seal): Json | undefined => {
  const later = holdsTrue(unknown)
  if (value === undefined && !later) return undefined
  const mark = { $sealed: seal(identityOf(value)) }
  return later ? { $concat: [mark, unknownMark] } : mark
}

const holdsTrue = (marker: Value | undefined): boolean =>
  marker === true ||
  (isList(marker) && marker.some(holdsTrue)) ||
  (isMap(marker) && [...marker.values()].some(holdsTrue))

const objectOf = ({ value, unknown, sensitive }: Marked, facts: Facts, seal: Seal): Json | undefined => {
  const keys = keysOf([value, unknown])
  const members = keys.flatMap((key): [string, Json][] => {
    const inside = factsAt(facts, key)
    const side = { value: memberOf(value, key), unknown: memberOf(unknown, key), sensitive: memberOf(sensitive, key) }
    if (isNone(side, facts, inside)) return []
    const member = toJson(side, inside, seal)
    return member === undefined ? [] : [[key, member]]
  })
  if (members.length === 0 && value === undefined) return undefined
  return asForeign(Object.fromEntries(members))
}

const isNone = ({ value, unknown }: Marked, facts: Facts, inside: Facts): boolean => {
  if (facts.type !== 'object' || holdsTrue(unknown)) return false
  if (value === undefined || value === null) return true
  if (inside.emptyIsNone !== true) return false
  return isList(value) ? value.length === 0 : isMap(value) && inside.type === 'map' && value.size === 0
}

const arrayOf = ({ value, unknown, sensitive }: Marked, facts: Facts, seal: Seal): Json => {
  const length = Math.max(elementsOf(value).length, elementsOf(unknown).length)
  return Array.from({ length }, (_, index) => {
    const side = {
      value: elementsOf(value)[index] ?? null,
      unknown: elementsOf(unknown)[index],
      sensitive: elementsOf(sensitive)[index],
    }
    return toJson(side, factsAt(facts, index), seal) ?? null
  })
}
