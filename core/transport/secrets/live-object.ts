import { canonicalJson } from '../../digest.ts'
import type { Json, JsonObject, Step } from '../../schema/json.ts'
import { fromPointer, isArray, isObject, valueAt } from '../../schema/json.ts'
import type { LiveMark } from '../../schema/value.ts'
import { isLiteral, isMark } from '../../schema/value.ts'

type Steps = readonly string[]

/** The object without these places; a `*` in a pointer is every element or member. */
export const withoutPlaces = (object: Json, pointers: readonly string[]): Json =>
  pointers.reduce<Json>((rest, pointer) => removeAt(rest, fromPointer(pointer)), object)

const removeAt = (value: Json, steps: Steps): Json => {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (isLiteral(value)) return { $literal: removeAt(value.$literal, steps) }
  if (isArray(value)) {
    const isHere = (index: number): boolean => step === '*' || String(index) === step
    return rest.length === 0
      ? value.filter((_, index) => !isHere(index))
      : value.map((element, index) => (isHere(index) ? removeAt(element, rest) : element))
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).flatMap(([name, child]): [string, Json][] => {
    if (step !== '*' && name !== step) return [[name, child]]
    return rest.length === 0 ? [] : [[name, removeAt(child, rest)]]
  })
  return Object.fromEntries(members)
}

/** A value put in at a place; objects on the way are made where there are none. */
export const putAt = (value: Json | undefined, steps: Steps, put: Json): Json => {
  const [step, ...rest] = steps
  if (step === undefined) return put
  if (isLiteral(value)) return { $literal: putAt(value.$literal, steps, put) }
  if (isArray(value) && /^\d+$/.test(step)) {
    const index = Number(step)
    return value.map((element, at) => (at === index ? putAt(element, rest, put) : element))
  }
  const object = isObject(value) ? value : {}
  return { ...object, [step]: putAt(Object.hasOwn(object, step) ? object[step] : undefined, rest, put) }
}

/** What a `$live` mark stands for, given the object as it was just read. */
export const fillLive = ({ without, with: wanted, keyed = {} }: LiveMark, object: JsonObject): Json =>
  Object.entries(wanted).reduce<Json>(
    (whole, [pointer, value]) => {
      const steps = fromPointer(pointer)
      const key = keyed[pointer]
      return putAt(whole, steps, key === undefined ? value : likeThere(value, liveAt(object, steps), key))
    },
    withoutPlaces(object, without),
  )

/** The value at a place of an object whose foreign marks are escaped. */
export const liveAt = (object: Json | undefined, steps: readonly Step[]): Json | undefined =>
  steps.reduce<Json | undefined>((inner, step) => valueAt(isLiteral(inner) ? inner.$literal : inner, [step]), object)

/** Elements keep the other members of the one with the same key. */
const likeThere = (value: Json, there: Json | undefined, key: readonly string[]): Json => {
  if (!isArray(value) || !isArray(there)) return value
  const keyOf = (element: Json): string | undefined =>
    isObject(element) ? canonicalJson(key.map((member) => liveAt(element, [member]) ?? null)) : undefined
  const found = new Map(there.map((element) => [keyOf(element), element]))
  return value.map((element) => overlaid(found.get(keyOf(element)), element))
}

const overlaid = (there: Json | undefined, put: Json): Json => {
  if (!isObject(there) || !isObject(put) || isMark(put)) return put
  if (isLiteral(there)) return { $literal: overlaid(there.$literal, put) }
  const members = Object.entries(put).map(([name, value]) => [name, overlaid(there[name], value)] as const)
  return { ...there, ...Object.fromEntries(members) }
}
