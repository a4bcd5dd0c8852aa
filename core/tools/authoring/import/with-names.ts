import type { JsonObject } from '../../../engine/schema/json.ts'
import { unknownFromError } from '../../../engine/transport/answer/unknown.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'
import type { KnownObject } from './known-object.ts'

/** With names instead of ids, where a name finds the object again, can be written and holds no secret. */
export const withNames = async (
  { transports }: Pick<Session, 'transports'>,
  { type, provider, attributes }: KnownObject,
  written: JsonObject,
): Promise<JsonObject> => {
  const names = await type
    .speak?.(written, attributes, { transport: transports.of(provider).cachedRead })
    .catch(idsInstead)
  if (names === undefined) return written
  const text = JSON.stringify(names)
  return transports.configured.text(text) === text ? names : written
}

/** An id means the same object as the name that could not be read. Throws what is not about the target. */
const idsInstead = (error: unknown): undefined => {
  unknownFromError(error)
  return undefined
}
