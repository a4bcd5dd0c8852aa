import { mapValue } from '../../../json/pointer.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import { isMark } from '../../../schema/value.ts'
import type { Redactor } from '../../../transport/redaction/redact.ts'

/**
 * Seals texts in which a target repeats a secret of the configuration where nobody asked for one: a connection string
 * with its password. `configured` knows those secrets. A text that the configuration holds in clear as well stays.
 */
export const sealEchoes = (
  observed: JsonObject,
  desired: JsonObject | undefined,
  seal: Seal,
  configured: Pick<Redactor, 'text'>,
): JsonObject => {
  const repeats = (text: string): boolean => configured.text(text) !== text
  // Most objects repeat nothing: one look at the whole.
  if (!repeats(JSON.stringify(observed))) return observed
  const written = new Set(desired === undefined ? [] : textsIn(desired))
  const sealed = mapValue(observed, (value) => {
    if (isMark(value)) return value
    return typeof value === 'string' && !written.has(value) && repeats(value) ? { $sealed: seal(value) } : undefined
  })
  return sealed as JsonObject
}

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (isMark(value)) return []
  if (isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
