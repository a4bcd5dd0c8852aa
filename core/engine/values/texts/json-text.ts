import { exactNumber, isSpelledNumber, parseExact } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isLiteral, isLive, isMark, isNumberMark } from '../../schema/value.ts'
import { isOpenName } from '../marks/open-names.ts'

/** More digits than a JavaScript number represents exactly. */
const hasManyDigits = (source: string): boolean => source.replaceAll(/\D/g, '').length > 15

/** A value inside a text that is sent, as canonical JSON. `undefined` if a part is secret or not known yet. */
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
  if (!isLiteral(value) && Object.keys(inner).some(isOpenName)) return undefined
  const members = Object.entries(inner).map(([member, child]) => [member, withoutMarks(child)] as const)
  return members.every((pair): pair is [string, Json] => pair[1] !== undefined)
    ? Object.fromEntries(members)
    : undefined
}

/** A text that contains JSON, with sorted members and without white space; `undefined` for any other text. */
export const canonicalJsonText = (text: string): string | undefined => {
  try {
    return JSON.stringify(ordered(parseExact(text, hasManyDigits) as Json))
  } catch {
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
