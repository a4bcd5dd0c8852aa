import { exactNumber, isSpelledNumber, parseExact } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isLiteral, isLive, isMark, isNumberMark } from '../../schema/value.ts'

/** More digits than a JavaScript number has exactly. */
const hasManyDigits = (source: string): boolean => source.replaceAll(/\D/g, '').length > 15

/** A value inside a text that is sent, as JSON in one order. `undefined` if a part is secret or not known yet. */
export const textOfValue = (value: Json): string | undefined => {
  if (typeof value === 'string') return value
  const plain = withoutMarks(value)
  return plain === undefined ? undefined : JSON.stringify(ordered(plain))
}

const withoutMarks = (value: Json): Json | undefined => {
  if (isNumberMark(value)) return exactNumber(value.$number)
  if ((isMark(value) && !isLiteral(value)) || isLive(value)) return undefined
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) {
    const elements = inner.map(withoutMarks)
    return elements.every((element) => element !== undefined) ? elements : undefined
  }
  if (!isObject(inner)) return inner
  const members = Object.entries(inner).map(([member, child]) => [member, withoutMarks(child)] as const)
  return members.every((pair): pair is [string, Json] => pair[1] !== undefined)
    ? Object.fromEntries(members)
    : undefined
}

/** A text that contains JSON, with its members in one order and without white space; `undefined` for any other text. */
export const canonicalJsonText = (text: string): string | undefined => {
  try {
    return JSON.stringify(ordered(parseExact(text, hasManyDigits) as Json))
  } catch {
    // Not JSON.
    return undefined
  }
}

const ordered = (value: Json): Json => {
  if (isSpelledNumber(value)) return value
  if (isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]))
}
