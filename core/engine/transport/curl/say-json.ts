import { isArray, isObject, type Json } from '../../schema/json.ts'
import {
  isAfter,
  isConcat,
  isLiteral,
  isLive,
  isNumberMark,
  isReference,
  isSealed,
  isSecret,
  type LiveMark,
} from '../../schema/value.ts'
import { asked } from '../words.ts'

/**
 * What is laid into an object that is sent back, for a message of a shell: `/address = "192.0.2.1"`. What a shell would take for its
 * own is written as JSON escapes it, so each value is exact.
 */
export const layingIn = ({ with: laid, without }: Pick<LiveMark, 'with' | 'without'>): string =>
  [
    Object.entries(laid)
      .map(([place, value]) => ` ${inMessage(place)} = ${inMessage(sayJson(value))}`)
      .join(','),
    without.length === 0 ? '' : inMessage(`${asked.without}${without.join(', ')}`),
  ].join('')

/** In double quotes, and in the braces of an expansion. An interactive shell reads `!` as history even there. */
const inMessage = (text: string): string =>
  text
    .replaceAll(/[$`!]|[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[\\"}]/g, '\\$&')

/** JSON, with secrets and what is known only later by their sources. */
const sayJson = (value: Json): string => {
  if (isSecret(value))
    return asked.named(
      value.$secret.startsWith('live:')
        ? asked.presentOf(value.$secret.slice('live:'.length))
        : asked.secretOf(value.$secret),
    )
  if (isConcat(value)) return value.$concat.map(sayJson).join(' + ')
  if (isAfter(value)) return asked.named(asked.answerOf(value.$after, value.pointer))
  if (isReference(value)) return asked.named(asked.answerOf(value.$ref, value.pointer))
  if (isLive(value)) return asked.named(asked.presentOf(value.$live))
  if (isSealed(value)) return asked.named(asked.sealedValue)
  if (isNumberMark(value)) return value.$number
  const inner = isLiteral(value) ? value.$literal : value
  if (isArray(inner)) return `[${inner.map(sayJson).join(', ')}]`
  if (!isObject(inner)) return JSON.stringify(inner)
  return `{${Object.entries(inner)
    .map(([member, child]) => `${JSON.stringify(member)}: ${sayJson(child)}`)
    .join(', ')}}`
}
