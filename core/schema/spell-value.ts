import type { Json } from './json.ts'
import { isArray, isObject } from './json.ts'
import { isConcat, isLiteral, isLive, isNumberMark, isSealed, isSecret, isSensitive, isUnknown } from './value.ts'

/**
 * A value in words for people, in one line: the only way into a label, a description or a message for what may hold marks.
 * A text stands without quotes, a secret as `(sensitive)`, what an earlier command makes as `(known after apply)`.
 */
export const spellValue = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : spelled(value)
}

const spelled = (value: Json): string => {
  const words = wordsOfMark(value)
  if (words !== undefined) return words
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) return `[${inner.map(spelled).join(',')}]`
  if (!isObject(inner)) return JSON.stringify(inner)
  return `{${Object.entries(inner)
    .map(([member, child]) => `${JSON.stringify(member)}:${spelled(child)}`)
    .join(',')}}`
}

const wordsOfMark = (value: Json): string | undefined => {
  if (isSensitive(value) || isSecret(value) || isSealed(value)) return '(sensitive)'
  if (isConcat(value)) return value.$concat.map(spellValue).join('')
  if (isUnknown(value)) return '(known after apply)'
  if (isNumberMark(value)) return value.$number
  return isLive(value) ? '(as it is read right before)' : undefined
}
