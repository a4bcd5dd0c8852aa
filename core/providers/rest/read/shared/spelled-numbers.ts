import { exactNumber } from '../../../../engine/json/parse-exact.ts'
import { fromPointer, toPointer } from '../../../../engine/json/pointer.ts'
import type { Response } from '../../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { numberOrText } from '../../../../engine/values/marks/marks.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import { pathOf } from '../../document/shared/template.ts'

type Spellings = Readonly<Record<string, string>>

/** By object, so that items of a list that several resources share keep theirs without a copy of each. */
const known = new WeakMap<JsonObject, Map<string, string>>()

/** Numbers of an object that JavaScript would spell differently, as the answer spelled them, by JSON pointer. */
const numbersOf = (object: JsonObject): ReadonlyMap<string, string> => known.get(object) ?? new Map()

/** An object of an answer. */
export interface Answered {
  readonly object: JsonObject
  /** Absent for an item of a list. */
  readonly response?: Response
}

/**
 * The object with the numbers that JavaScript would spell differently in a form that no answer can imitate. `answer`: where the
 * object is in the body.
 */
export const spelledObject = (
  { object, response }: Answered,
  answer = '',
  isMeant: (source: string) => boolean = () => true,
): JsonObject => {
  const outer = toPointer(pathOf(answer))
  const own = Object.entries(response?.numbers ?? {}).flatMap(([pointer, source]): [string, string][] =>
    pointer.startsWith(`${outer}/`) ? [[pointer.slice(outer.length), source]] : [],
  )
  const all = new Map([...own, ...numbersOf(object)].filter(([, source]) => isMeant(source)))
  return all.size === 0 ? object : (spelled(object, '', all) as JsonObject)
}

/** The same for the numbers alone that are texts otherwise: integers beyond 2^53, and what no number of JavaScript holds. */
export const largeSpelled = (answered: Answered, answer?: string): JsonObject =>
  spelledObject(answered, answer, (source) => typeof numberOrText(source) === 'string')

const spelled = (value: Json, pointer: string, sources: ReadonlyMap<string, string>): Json => {
  const source = sources.get(pointer)
  if (source !== undefined) return exactNumber(source)
  const at = (step: string | number): string => `${pointer}${toPointer([step])}`
  if (isArray(value)) return value.map((element, index) => spelled(element, at(index), sources))
  return isObject(value) ? mapMembers(value, (member, name) => spelled(member, at(name), sources)) : value
}

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
