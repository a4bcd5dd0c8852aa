import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { isMark } from '../../../schema/value.ts'
import { allEntries, type Entries, entriesOf, isSent, sameValue } from '../document/attributes.ts'
import type { Part } from '../document/part.ts'
import type { Scope } from '../document/template.ts'
import { buildBody, holdsSealed } from '../request/build-body.ts'
import { encodeAll } from '../request/encode.ts'
import type { Building } from './draft.ts'
import { writeOnlyValues } from './write-part.ts'

/* What a new object gets with the request that makes it. */

/**
 * What a create can send: values that are known, with the defaults that the configuration means by leaving them out. What
 * is only carried over from an old object and is the server's own default stays out.
 */
export const creatable = (entries: Entries, attributes: JsonObject, declared: JsonObject): JsonObject => {
  const members = Object.entries(entries).flatMap(([name, entry]): [string, Json][] => {
    const isMeant = entry.whenUndeclared === 'default'
    const value = attributes[name] ?? (isMeant ? entry.default : undefined)
    if (declared[name] === undefined && !isMeant && sameValue(entry, value, entry.default)) return []
    // A sealed value was the old object's own; a missing member is already clear.
    return value === undefined || value === null || holdsSealed(value) ? [] : [[name, value]]
  })
  return Object.fromEntries(members)
}

export const createBody = (
  { context }: Building,
  parts: readonly Part[],
  attributes: JsonObject,
  declared: JsonObject,
  scope: Scope,
): Json | undefined => {
  const entries = Object.assign({}, ...parts.map(entriesOf)) as Entries
  const fields = encodeAll(entries, creatable(entries, attributes, declared), 'create')
  const operation = context.resource.operations['create']
  return operation && buildBody(operation, undefined, fields, scope)
}

/** Write-only values of the configuration. */
export const secretsOf = ({ context, change }: Building): JsonObject => {
  const entries = allEntries(context.resource)
  return writeOnlyValues(entries, change.desired, Object.keys(entries))
}

/** What stays the same is kept as it was seen, a secret sealed; the object that takes its place gets it from the configuration. */
export const withSecrets = (after: JsonObject, desired: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, withSecret(value, desired[name])]))

const withSecret = (after: Json, desired: Json | undefined): Json => {
  if (desired === undefined || !holdsSealed(after)) return after
  return isObject(after) && isObject(desired) && !isMark(after) && !isMark(desired)
    ? withSecrets(after, desired)
    : desired
}

export const isInline = (part: Part): boolean => part.onCreate === 'inline'

/** A name that the server made was the old object's own. */
export const withoutGenerated = ({ context, change }: Building, attributes: JsonObject): JsonObject => {
  const { generated = [] } = context.resource.identity
  const isMeant = (name: string): boolean => !generated.includes(name) || change.desired[name] !== undefined
  return pick(attributes, Object.keys(attributes).filter(isMeant))
}

export const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

/** Attributes that stand in the body of the create. */
export const sentByCreate = ({ context, change }: Building, attributes: JsonObject): readonly string[] =>
  context.resource.parts.filter(isInline).flatMap((part) => {
    const entries = entriesOf(part)
    const values = creatable(entries, attributes, change.desired)
    return Object.keys(values).filter((name) => isSent(entries[name] ?? { type: 'any' }, 'create'))
  })
