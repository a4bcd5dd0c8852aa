import type { Json } from '../../schema/json.ts'
import { isConcat, isLiteral, isMark } from '../../schema/value.ts'

/** What can stand inside a text: scalars, and marks that will be one. */
export const fitsText = (value: Json): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (isMark(value) && !isLiteral(value))

/** Parts of a text put together: plain text where all are known, else a `$concat` with neighbouring texts joined. */
export const joinParts = (parts: readonly Json[]): Json => {
  const joined: Json[] = []
  for (const part of parts.flatMap((each) => (isConcat(each) ? each.$concat : [each]))) {
    const last = joined.at(-1)
    if (isMark(part)) joined.push(part)
    else if (typeof last === 'string') joined[joined.length - 1] = last + String(part)
    else joined.push(String(part))
  }
  const solid = joined.filter((part) => part !== '')
  if (solid.some(isMark)) return { $concat: solid }
  return typeof solid[0] === 'string' ? solid[0] : ''
}
