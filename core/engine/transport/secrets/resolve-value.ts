import { AppError } from '../../errors/errors.ts'
import { exactNumber, isSpelledNumber } from '../../json/parse-exact.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
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
import { inEncoding } from '../../values/texts/base64-text.ts'
import { valueFaults } from '../words.ts'

/** Resolves marks. Each lookup rejects if there is no value. */
export interface Lookups {
  /** `digest` is the keyed digest of the approved value. */
  secret(source: string, digest?: string): Promise<Json>
  /** The object of a `$live` mark as just read, with foreign marks escaped. */
  live(mark: LiveMark): JsonObject
  /** Called with every secret text before it is sent. */
  learn?(text: string): void
}

/** A copy without marks, as it is sent. Foreign JSON under `$literal` is not changed. */
export const resolveValue = async (value: Json, lookups: Lookups): Promise<Json> => {
  if (isSecret(value)) return lookups.secret(value.$secret, value.digest)
  if (isConcat(value))
    return inEncoding(value, (await Promise.all(value.$concat.map((part) => resolveText(part, lookups)))).join(''))
  // Only the object directly under the mark is exempt, because `escapeMarks` wraps each deeper mark separately.
  if (isLiteral(value)) return resolveMembers(value.$literal, lookups)
  if (isNumberMark(value)) return exactNumber(value.$number)
  // The inserted values may contain marks, so they are resolved together with the read object.
  if (isLive(value)) {
    // Only a write has such a mark, and a check sends none.
    const { fillLive } = await import('./live-object.ts')
    return resolveValue(fillLive(value, lookups.live(value)), lookups)
  }
  if (isSealed(value)) throw new AppError('INTERNAL', { detail: valueFaults.digestOnly })
  if (isAfter(value)) throw new AppError('INTERNAL', { detail: valueFaults.waiting(value.$after) })
  if (isReference(value)) throw new AppError('INTERNAL', { detail: valueFaults.openReference(value.$ref) })
  return resolveMembers(value, lookups)
}

const resolveMembers = async (value: Json, lookups: Lookups): Promise<Json> => {
  if (isArray(value)) return Promise.all(value.map((element) => resolveValue(element, lookups)))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(
    async ([member, inner]) => [member, await resolveValue(inner, lookups)] as const,
  )
  return Object.fromEntries(await Promise.all(members))
}

export const resolveText = async (value: Json, lookups: Lookups): Promise<string> => {
  if (isNumberMark(value)) return value.$number
  const resolved = await resolveValue(value, lookups)
  if (isSpelledNumber(resolved)) return resolved.rawJSON
  if (resolved === null || typeof resolved === 'object') {
    throw new AppError('INTERNAL', { detail: valueFaults.noText })
  }
  return String(resolved)
}
