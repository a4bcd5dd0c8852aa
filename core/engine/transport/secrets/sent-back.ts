import { fromPointer, mapValue, toPointer } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { isLive, isMark, type LiveMark } from '../../schema/value.ts'
import { unwrapped } from './find-elements.ts'
import type { ListRules } from './list-rules.ts'
import { fillLive } from './live-object.ts'

/** What a request sends back only because it was read. */
export interface SentBack {
  /** Places that nobody names, by their pointers in what was read; `*` is any element or member. */
  readonly places: readonly string[]
  /** Whether some of them are members of objects that the body has only because a target may reset what it leaves out. */
  readonly hasMembers: boolean
}

/** Of the body of a request, whose marks are filled from these objects. */
export const sentBackIn = (body: Json | undefined, objectOf: (mark: LiveMark) => JsonObject | undefined): SentBack => {
  const found: { readonly place: Path; readonly mark: LiveMark }[] = []
  mapValue(body ?? null, (value) => {
    if (!isLive(value)) return undefined
    const object = objectOf(value)
    // Marks inside of its values are found by the walk, too.
    if (object !== undefined) found.push(...unnamedIn(value, object).map((place) => ({ place, mark: value })))
    return undefined
  })
  const isMember = ({ place, mark }: (typeof found)[number]): boolean =>
    mark.at !== undefined && mark.element === undefined && !place.includes('*')
  return {
    places: [...new Set(found.map(({ place }) => toPointer(place)))].toSorted(),
    hasMembers: found.some(isMember),
  }
}

const unnamedIn = (mark: LiveMark, object: JsonObject): readonly Path[] => {
  const { at = '', element, with: values, lists = {} } = mark
  const outer = element === undefined ? [] : [...fromPointer(element.in), '*']
  const named = new Set(Object.entries(values).flatMap(([at, value]) => [...namesIn(value, fromPointer(at), lists)]))
  const walk = (value: Json, place: Path): readonly Path[] =>
    membersOf(value, place, lists).flatMap(([there, inner]) =>
      isArray(unwrapped(value)) || named.has(toPointer(there)) ? walk(inner, there) : [there],
    )
  return walk(fillLive(mark, object), fromPointer(at)).map((place) => [...outer, ...place])
}

/** Places at which a value has something, and those around it. */
const namesIn = (value: Json, place: Path, lists: ListRules): readonly string[] => [
  ...place.map((_, index) => toPointer(place.slice(0, index + 1))),
  ...membersOf(value, place, lists).flatMap(([there, inner]) => namesIn(inner, there, lists)),
]

/** Members and elements with their places; nothing of a mark, which stands for its value. */
const membersOf = (value: Json, place: Path, lists: ListRules): readonly (readonly [Path, Json])[] => {
  const inner = unwrapped(value)
  if (isArray(inner)) return inner.map((each) => [[...place, '*'], each])
  if (!isObject(inner) || isMark(inner) || isLive(inner)) return []
  const isMap = lists[toPointer(place)]?.isMap === true
  return Object.entries(inner).map(([name, each]) => [[...place, isMap ? '*' : name], each])
}
