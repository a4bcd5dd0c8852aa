import type { ObjectSchema } from '../schema/attribute.ts'
import type { JsonObject } from '../schema/json.ts'
import type { PresentResult } from '../schema/resource.ts'
import { withoutMembers } from '../values/members.ts'
import { normalise } from './normalise.ts'

/** The canonical form of what was read. An attribute that could not be read has no value, not even a default. */
export const normaliseRead = (
  schema: ObjectSchema,
  { attributes, unread = {} }: Pick<PresentResult, 'attributes' | 'unread'>,
  own?: JsonObject,
): JsonObject => withoutMembers(normalise(schema, attributes, 'observed', own), Object.keys(unread))
