import { isSpelledNumber } from '../../../engine/json/parse-exact.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { pathOf } from '../document/shared/template.ts'

/** What an answer has for an attribute, before it is decoded. */
export const rawValue = (entry: AttributeEntry, name: string, answer: Json): Json | undefined => {
  const { select } = entry
  const instead = select && valueAt(answer, pathOf(select.in)) === undefined ? select.else : undefined
  const around = select === undefined || instead !== undefined ? answer : chosen(select, answer)
  if (around === undefined) return undefined
  const path = pathOf(instead ?? entry.path ?? name)
  const found = valueAt(around, path)
  const isNothing = found === undefined && entry.default === undefined && isNullBefore(around, path)
  return isNothing ? null : found
}

/** What a null contains is no value, and not an answer that lacks one. */
const isNullBefore = (answer: Json, path: Path): boolean =>
  path.some((_, length) => length > 0 && valueAt(answer, path.slice(0, length)) === null)

/**
 * An answer without the list, or with several such elements, does not tell what the value is; neither does one that has a text, a
 * number or a list where the document says that an object is around it.
 */
export const isUnclear = (
  { select, path, in: where, computed }: AttributeEntry,
  name: string,
  answer: Json,
): boolean => {
  if (select === undefined) return where !== 'path' && !computed && isOtherAround(pathOf(path ?? name), answer)
  const list = valueAt(answer, pathOf(select.in))
  return isArray(list) ? fitting(select, answer).length > 1 : list !== undefined || select.else === undefined
}

const isOtherAround = (path: Path, answer: Json): boolean =>
  path.some((step, length) => {
    const around = length === 0 ? undefined : (valueAt(answer, path.slice(0, length)) ?? undefined)
    return around !== undefined && !(isArray(around) ? /^\d+$/.test(String(step)) : isObject(around))
  })

type Select = NonNullable<AttributeEntry['select']>

const chosen = (select: Select, answer: Json): Json | undefined => fitting(select, answer)[0]

const fitting = (select: Select, answer: Json): readonly Json[] => {
  const list = valueAt(answer, pathOf(select.in))
  const places = Object.entries(select.where)
  return (isArray(list) ? list : []).filter((each) =>
    places.every(([at, value]) => isSame(asText(valueAt(each, pathOf(at)) ?? null), value)),
  )
}

/** A spelled integer is text wherever the attribute does not say what it is. */
export const asText = (raw: Json): Json => (isSpelledNumber(raw) ? raw.rawJSON : raw)

/** A value in the spelling that writes use. */
export const asWritten = ({ readAs }: AttributeEntry, raw: Json): Json =>
  readAs !== undefined && typeof raw === 'string' && Object.hasOwn(readAs, raw) ? (readAs[raw] ?? null) : raw
