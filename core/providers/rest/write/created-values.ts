import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import { mapMembers, pick } from '../../../values/members.ts'
import { allEntries, type Entries, entriesOf, isSent, sameValue } from '../document/attributes.ts'
import type { ResourcePart } from '../document/part.ts'
import { holdsSealed } from '../request/build-body.ts'
import { encodeAll } from '../request/encode.ts'
import type { CommandContext } from './command-context.ts'

/** The values of a new object, and those that its create request contains. */

/** All values of the new object: the secrets of what stays the same come from the configuration, like write-only values. */
export const newValues = ({ resource, change: { after, desired } }: CommandContext): JsonObject => {
  const entries = allEntries(resource)
  return { ...withSecrets(after ?? desired, desired), ...writeOnlyValues(entries, desired, Object.keys(entries)) }
}

/** Values that cannot be read: only the configuration has them. */
export const writeOnlyValues = (entries: Entries, desired: JsonObject, names: readonly string[]): JsonObject =>
  mapMembers(pick(desired, names), (value, name) => (entries[name]?.writeOnly ? value : undefined))

const withSecrets = (after: JsonObject, desired: JsonObject): JsonObject =>
  mapMembers(after, (value, name) => withSecret(value, desired[name]))

const withSecret = (after: Json, desired: Json | undefined): Json => {
  if (desired === undefined || !holdsSealed(after)) return after
  return isObject(after) && isObject(desired) && !isMark(after) && !isMark(desired)
    ? withSecrets(after, desired)
    : desired
}

/** A name that the server generated belongs to the old object. */
export const withoutGenerated = ({ resource, change }: CommandContext, after: JsonObject): JsonObject => {
  const { generated = [] } = resource.identity
  const isMeant = (name: string): boolean => !generated.includes(name) || change.desired[name] !== undefined
  return mapMembers(after, (value, name) => (isMeant(name) ? value : undefined))
}

/**
 * What a create can send: known values, and the defaults that are desired where the configuration says nothing. A value that
 * is only carried over from an old object and is the server's own default is left out.
 */
export const creatable = (entries: Entries, after: JsonObject, desired: JsonObject): JsonObject =>
  mapMembers(entries, (entry, name) => {
    const isMeant = entry.whenUndeclared === 'default'
    const value = after[name] ?? (isMeant ? entry.default : undefined)
    if (desired[name] === undefined && !isMeant && sameValue(entry, value, entry.default)) return undefined
    // A sealed value was the old object's own; a missing member is already clear.
    return value === undefined || value === null || holdsSealed(value) ? undefined : value
  })

export const isInline = (part: ResourcePart): boolean => part.onCreate === 'inline'

/** What these parts give the body of a create. */
export const createdFields = (parts: readonly ResourcePart[], after: JsonObject, desired: JsonObject): JsonObject => {
  const entries = Object.assign({}, ...parts.map(entriesOf)) as Entries
  return encodeAll(entries, creatable(entries, after, desired), 'create')
}

/** Attributes that stand in the body of the create. */
export const sentByCreate = ({ resource, change }: CommandContext, after: JsonObject): readonly string[] =>
  resource.parts.filter(isInline).flatMap((part) => {
    const entries = entriesOf(part)
    return Object.keys(creatable(entries, after, change.desired)).filter((name) => isSentBy(entries, name, 'create'))
  })

export const isSentBy = (entries: Entries, name: string, kind: 'create' | 'update'): boolean =>
  entries[name] === undefined || isSent(entries[name], kind)
