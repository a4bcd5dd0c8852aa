import type { Json } from '../schema/json.ts'
import type { ForAll } from '../schema/resource.ts'

/** What a rule says about the objects that it is about: attributes, or types that refer to them, and their values. */
export const conditionsIn = (forAll: ForAll | undefined): readonly (readonly [string, Json])[] =>
  [...(forAll?.where ?? []), ...(forAll?.except ?? [])].flatMap((each) => Object.entries(each))
