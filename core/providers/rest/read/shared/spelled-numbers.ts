import { fromPointer, toPointer } from '../../../../engine/json/pointer.ts'
import type { JsonObject, Path } from '../../../../engine/schema/json.ts'

type Spellings = Readonly<Record<string, string>>

/** By object, so that items of a list that several resources share keep theirs without a copy of each. */
const known = new WeakMap<JsonObject, Map<string, string>>()

/** Numbers of an object that JavaScript would spell differently, as the answer spelled them, by JSON pointer. */
export const numbersOf = (object: JsonObject): ReadonlyMap<string, string> => known.get(object) ?? new Map()

const learn = (object: JsonObject, path: Path, text: string): void => {
  const own = known.get(object) ?? new Map<string, string>()
  known.set(object, own.set(toPointer(path), text))
}

/** The items of one page, each with its own numbers. `itemAt`: by the step from the list to it; `boxed`: it is this member. */
export const learnItems = (
  numbers: Spellings | undefined,
  list: Path,
  itemAt: (step: string) => JsonObject | undefined,
  boxed: string | undefined,
): void => {
  const outer = `${toPointer(list)}/`
  for (const [pointer, text] of Object.entries(numbers ?? {})) {
    if (!pointer.startsWith(outer)) continue
    const [step = '', ...inner] = fromPointer(pointer.slice(outer.length - 1))
    const item = itemAt(step)
    if (item !== undefined) learn(item, boxed === undefined ? inner : [boxed, ...inner], text)
  }
}

/** An object of which one member is a list of boxed items. */
export const learnList = (object: JsonObject, as: string, items: readonly JsonObject[]): void => {
  for (const [index, item] of items.entries())
    for (const [pointer, text] of numbersOf(item)) learn(object, [as, index, ...fromPointer(pointer).slice(1)], text)
}
