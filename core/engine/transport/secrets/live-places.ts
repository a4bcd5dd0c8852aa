import { fromPointer, removeAt, valueAt } from '../../json/pointer.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isLiteral } from '../../schema/value.ts'

/** Removes these places from the object; `*` in a pointer means every element or member. */
export const withoutPlaces = (object: Json, pointers: readonly string[]): Json =>
  pointers.reduce<Json>((rest, pointer) => removeAt(rest, fromPointer(pointer)), object)

/** Foreign marks of the object must be escaped. */
export const liveAt = (object: Json | undefined, steps: Path): Json | undefined =>
  steps.reduce<Json | undefined>((inner, step) => valueAt(isLiteral(inner) ? inner.$literal : inner, [step]), object)
