import { canonicalJson } from '../../json/digest.ts'
import { fromPointer, removeAt, setAt, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { isLiteral, isMark, type LiveMark } from '../../schema/value.ts'

/** Removes these places from the object; `*` in a pointer means every element or member. */
export const withoutPlaces = (object: Json, pointers: readonly string[]): Json =>
  pointers.reduce<Json>((rest, pointer) => removeAt(rest, fromPointer(pointer)), object)

/** The value of a `$live` mark, made from the object that was just read. */
export const fillLive = ({ without, with: wanted, keyed = {} }: LiveMark, object: JsonObject): Json =>
  Object.entries(wanted).reduce<Json>(
    (whole, [pointer, value]) => {
      const steps = fromPointer(pointer)
      const key = keyed[pointer]
      return setAt(whole, steps, key === undefined ? value : likeThere(value, liveAt(object, steps), key))
    },
    withoutPlaces(object, without),
  )

/** Foreign marks of the object must be escaped. */
export const liveAt = (object: Json | undefined, steps: Path): Json | undefined =>
  steps.reduce<Json | undefined>((inner, step) => valueAt(isLiteral(inner) ? inner.$literal : inner, [step]), object)

/** Each element keeps the other members of the read element with the same key. */
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
