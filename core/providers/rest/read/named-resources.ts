import type { Json, JsonObject } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import type { NamedResource } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries } from '../document/attributes.ts'
import { keyOf } from '../document/references.ts'
import type { TypeContext } from '../request/context.ts'

/** What references to types of the document may mean by a name, at any depth. */
export const namedResources = (context: TypeContext, attributes: JsonObject): readonly NamedResource[] =>
  Object.entries(allEntries(context.resource)).flatMap(([name, entry]) => namedIn(context, entry, attributes[name]))

const namedIn = (context: TypeContext, entry: AttributeEntry, value: Json | undefined): readonly NamedResource[] => {
  const { ref, element, attributes = {} } = entry
  if (value === undefined || value === null || isMark(value)) return []
  if (ref !== undefined) return namedBy(context, ref, value)
  if (isArray(value)) return element === undefined ? [] : value.flatMap((each) => namedIn(context, element, each))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const inner = attributes[name] ?? element
    return inner === undefined ? [] : namedIn(context, inner, child)
  })
}

const namedBy = (
  { types = {} }: TypeContext,
  ref: NonNullable<AttributeEntry['ref']>,
  value: Json,
): readonly NamedResource[] => {
  const { type } = ref
  const meant = type === undefined ? undefined : types[type]
  const key = meant && keyOf(meant, ref)
  if (type === undefined || key === undefined) return []
  return typeof value === 'string' || typeof value === 'number' ? [{ type, key, value }] : []
}
