import { compare } from '../../diff/compare.ts'
import { overlay, satisfies } from '../../diff/overlay.ts'
import type { ObjectSchema } from '../../schema/attribute.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../values/members.ts'
import { agreedObject } from './record.ts'

/** The record as if what an apply sent had been agreed where it is shown: nobody else has changed that. */
export const withShown = <Record extends Pick<RecordedResource, 'attributes' | 'awaited'>>(
  schema: ObjectSchema,
  recorded: Record,
  observed: JsonObject,
): Record => {
  const { awaited: sent = {}, attributes } = recorded
  const awaited = mapMembers(sent, (value, name) =>
    schema.attributes[name] === undefined || observed[name] === undefined ? undefined : value,
  )
  if (Object.keys(awaited).length === 0) return recorded
  const differing = compare(schema, observed, overlay(schema, awaited, observed))
  const agreed = agreedObject(schema, differing, observed, attributes)
  const open = mapMembers(sent, (value, name) =>
    satisfies(schema.attributes[name] ?? { type: 'any' }, observed[name], value) ? undefined : value,
  )
  const { awaited: _, ...rest } = recorded
  return {
    ...(rest as Record),
    attributes: { ...attributes, ...pick(agreed, Object.keys(awaited)) },
    ...defined({ awaited: unlessEmpty(open) }),
  }
}
