import { canonicalJson } from '../../json/canonical.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import type { ElementAddress } from '../../schema/command.ts'
import { isArray, isObject, type JsonObject, type MaybeJson } from '../../schema/json.ts'
import { spellValue } from '../../values/spell-value.ts'
import { elementChanges } from '../words.ts'
import { withoutComputed } from './seen-digest.ts'

/**
 * Why a request would now change another element, or an element that has changed; `undefined` if neither is so. Both
 * sides are normalised.
 */
export const elementMoved = (
  schema: ObjectSchema,
  { of, key, holds, order, at, was }: ElementAddress,
  now: JsonObject,
  observed: JsonObject,
): string | undefined => {
  const elements = elementsOf(now[of])
  if (order === undefined) return placeMoved(of, key ?? {}, holds ?? {}, elements)
  const asMeant = elements.length === order.length && order.every((each, place) => holdsAll(elements[place], each))
  if (!asMeant) return elementChanges.order(of)
  const before = was === undefined ? undefined : elementsOf(observed[of])[was]
  const facts = schema.attributes[of]?.element
  if (at === undefined || before === undefined || facts === undefined) return undefined
  const same =
    canonicalJson(withoutComputed(facts, before)) === canonicalJson(withoutComputed(facts, elements[at] ?? null))
  return same ? undefined : elementChanges.other(labelOf(order[at]), of)
}

const placeMoved = (
  of: string,
  key: JsonObject,
  holds: JsonObject,
  elements: readonly JsonObject[],
): string | undefined => {
  const found = elements.filter((element) => holdsAll(element, key))
  if (found.length === 1 && holdsAll(found[0], holds)) return undefined
  return elementChanges[found.length === 0 ? 'gone' : 'moved'](labelOf(key), of)
}

const labelOf = (key: JsonObject = {}): string => Object.values(key).map(spellValue).join(' ')

const elementsOf = (list: MaybeJson): readonly JsonObject[] => (isArray(list) ? list.filter(isObject) : [])

const holdsAll = (element: MaybeJson, members: JsonObject): boolean =>
  isObject(element) &&
  Object.entries(members).every(([name, value]) => canonicalJson(element[name] ?? null) === canonicalJson(value))
