import { fromPointer, removeAt, valueAt } from '../../json/pointer.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isLiteral } from '../../schema/value.ts'

/** Removes these places from the object; `*` in a pointer means every element or member. */
export const withoutPlaces = (object: Json, pointers: readonly string[]): Json =>
  pointers.reduce<Json>((rest, pointer) => removeAt(rest, fromPointer(pointer)), object)

/** Places inside of the value at a step, of those inside of a value; `*` is every element or member. */
export const within = (places: readonly Path[], step: string): readonly Path[] =>
  places.flatMap(([first, ...rest]) => (first === '*' || String(first) === step ? [rest] : []))

/** Removes places inside of a value. */
export const withoutInner = (value: Json, places: readonly Path[]): Json =>
  places.reduce<Json>((rest, place) => removeAt(rest, place), value)

/** Of these pointers, what is inside of the value at a place, by its path from there; a `*` in the place is every step, too. */
export const inside = (pointers: readonly string[], place: Path): readonly Path[] =>
  pointers.map(fromPointer).flatMap((steps) => {
    const isInside =
      steps.length > place.length &&
      place.every((step, index) => step === '*' || steps[index] === '*' || steps[index] === String(step))
    return isInside ? [steps.slice(place.length)] : []
  })

/** Foreign marks of the object must be escaped. */
export const liveAt = (object: Json | undefined, steps: Path): Json | undefined =>
  steps.reduce<Json | undefined>((inner, step) => valueAt(isLiteral(inner) ? inner.$literal : inner, [step]), object)
