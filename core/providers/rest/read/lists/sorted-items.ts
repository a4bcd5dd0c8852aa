import type { JsonObject } from '../../../../engine/schema/json.ts'

type Sorted = ReadonlyMap<string, readonly JsonObject[]>

const known = new WeakMap<readonly JsonObject[], Map<unknown, Sorted>>()

/**
 * The items by texts of theirs. A list that many objects are looked for in is sorted out once: equal requests get the same array.
 * `by`: the same value, or the same object, for the same `textsOf`.
 */
export const sortedItems = (
  items: readonly JsonObject[],
  by: unknown,
  textsOf: (item: JsonObject) => readonly string[],
): Sorted => {
  const own = known.get(items) ?? new Map<unknown, Sorted>()
  known.set(items, own)
  const found = own.get(by) ?? byTexts(items, textsOf)
  own.set(by, found)
  return found
}

const byTexts = (items: readonly JsonObject[], textsOf: (item: JsonObject) => readonly string[]): Sorted => {
  const found = new Map<string, JsonObject[]>()
  for (const item of items)
    for (const text of new Set(textsOf(item))) {
      const same = found.get(text)
      if (same === undefined) found.set(text, [item])
      else same.push(item)
    }
  return found
}
