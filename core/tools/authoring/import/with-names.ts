import type { JsonObject } from '../../../engine/schema/json.ts'
import { unknownFromError } from '../../../engine/transport/answer/unknown.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'
import type { KnownObject } from './known-object.ts'

/** Replaces ids with names, if a name finds the object again, can be written and contains no secret. */
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

/**
 * The id is used if the name cannot be read, because both mean the same object. Errors that do not concern the target
 * are thrown.
 */
const idsInstead = (error: unknown): undefined => {
  unknownFromError(error)
  return undefined
}
