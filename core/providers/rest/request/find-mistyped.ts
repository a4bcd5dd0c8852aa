import { pathText } from '../../../json/pointer.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { type Entries, sameValue } from '../document/attributes.ts'
import { kindOf } from './ask.ts'

/**
 * A scalar that has the desired value in another type: `5432` and `"5432"` would differ for ever, for no visible reason.
 * The words say what the document has to say instead.
 */
export const findMistyped = (
  entries: Entries,
  desired: JsonObject,
  live: JsonObject,
  path: readonly string[] = [],
): string | undefined => {
  for (const [name, entry] of Object.entries(entries)) {
    const [wanted, there] = [desired[name], live[name]]
    if (wanted === undefined || there === undefined) continue
    const here = [...path, name]
    const found =
      entry.attributes !== undefined && isPlain(wanted) && isPlain(there)
        ? findMistyped(entry.attributes, wanted, there, here)
        : mistyped(entry, wanted, there, pathText(here))
    if (found !== undefined) return found
  }
  return undefined
}

const isPlain = (value: Json): value is JsonObject => isObject(value) && !isMark(value)

const mistyped = (entry: AttributeEntry, wanted: Json, there: Json, where: string): string | undefined => {
  if (!['string', 'number', 'boolean'].includes(entry.type)) return undefined
  if (!isScalar(wanted) || !isScalar(there) || typeof wanted === typeof there) return undefined
  if (String(wanted) !== String(there) || sameValue(entry, wanted, there)) return undefined
  return `${where} is ${kindOf(there)} in the answer and the document's type is ${entry.type}: say type: ${typeof there}, or normalise: [${entry.type}]`
}

const isScalar = (value: Json): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
