import type { Attribute } from '../../schema/attribute.ts'
import type { Json, JsonList } from '../../schema/json.ts'
import { byKey, keyText } from './keys.ts'

/** Two sides of a set by the texts of their keys: what has one text on both sides is one element. */
interface BothByKey {
  readonly before: ReadonlyMap<string, Json>
  readonly after: ReadonlyMap<string, Json>
}

/**
 * Of several elements with one key, those that fit are one element, then the others, each in its turn: an element that stays as it is
 * must not be shown, or changed, as another one. The texts of `before` are those that it has alone.
 */
export const bothByKey = (
  attribute: Attribute,
  sides: { readonly before: JsonList; readonly after: JsonList },
  fits: (before: Json, after: Json) => boolean,
): BothByKey => {
  const [before, after] = [byKey(attribute, sides.before), byKey(attribute, sides.after)]
  const groups = Map.groupBy(new Set([...before.keys(), ...after.keys()]), (text) =>
    keyText(attribute, before.get(text) ?? after.get(text) ?? null),
  )
  const groupsOf = [...groups.values()]
  if (groupsOf.every(({ length }) => length === 1)) return { before, after }
  return { before, after: new Map(groupsOf.flatMap((texts) => renamed(texts, before, after, fits))) }
}

/** The elements of `after` with the texts of those of `before` that they are. */
const renamed = (
  texts: readonly string[],
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  fits: (before: Json, after: Json) => boolean,
): readonly (readonly [text: string, element: Json])[] => {
  const free = new Set(texts)
  const elements = texts.flatMap((text) => (after.has(text) ? [after.get(text) as Json] : []))
  const exact = elements.map((element) => {
    const text = texts.find((each) => free.has(each) && before.has(each) && fits(before.get(each) as Json, element))
    if (text !== undefined) free.delete(text)
    return text
  })
  const left = free.values()
  return elements.map((element, index) => [exact[index] ?? left.next().value ?? '', element] as const)
}
