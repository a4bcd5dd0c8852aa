import { isObject, type Json, type JsonObject } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import { allEntries, type Entries, entriesOf, hasValues, isSent, sameValue } from '../../document/attributes.ts'
import type { RestResource } from '../../document/document.ts'
import type { Operation } from '../../document/operation/operation.ts'
import type { ResourcePart } from '../../document/part.ts'
import { pathOf, variablesOf } from '../../document/shared/template.ts'
import { holdsSealed } from '../../request/build-body.ts'
import { encodeAll } from '../../request/encode.ts'
import type { CommandContext } from './command-context.ts'
import { allWithUnseen } from './unseen-values.ts'

/** The values of a new object, those that its create request contains, and those that only the configuration has. */

/** All values of the new object: the secrets of what stays the same come from the configuration, like write-only values. */
export const newValues = ({ resource, change: { after, desired } }: CommandContext): JsonObject => {
  const entries = allEntries(resource)
  const own = mapMembers(desired, (value, name) => (entries[name]?.createOnly ? value : undefined))
  return {
    ...allWithUnseen(entries, withSecrets(after ?? desired, desired), desired),
    ...own,
    ...writeOnlyValues(entries, desired, Object.keys(entries)),
  }
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
    // A missing member is clear already, unless null means something else to the API.
    if (desired[name] === null && entry.clearAs === null) return null
    // A sealed value was the old object's own.
    return value === undefined || value === null || holdsSealed(value) ? undefined : value
  })

/** Whether a new object has this value anyway, so that neither its create nor anything after it sends it. */
export const startsAs =
  (resource: RestResource, { isUsual }: Pick<Creation, 'isUsual'>) =>
  (name: string, value: Json | undefined): boolean => {
    const { initial = {} } = resource.lifecycle ?? {}
    const entry = allEntries(resource)[name]
    return isUsual && entry !== undefined && Object.hasOwn(initial, name) && sameValue(entry, initial[name], value)
  }

/** Nulls of a former object, which the create that brings it back sends: what it leaves out, the server sets to its default. */
export const formerNulls = ({ resource, change: { objects = {} } }: CommandContext): JsonObject => {
  const isThere = startsAs(resource, { isUsual: true })
  const nulls = resource.parts
    .filter(isInline)
    .flatMap((part) =>
      Object.entries(entriesOf(part)).filter(
        ([name, entry]) =>
          isSent(entry, 'create') &&
          entry.select === undefined &&
          liveAt(objects[part.name], pathOf(entry.path ?? name)) === null &&
          entry.clearAs !== 'omit' &&
          !isThere(name, null),
      ),
    )
  return Object.fromEntries(nulls.map(([name]) => [name, null]))
}

export const isInline = (part: ResourcePart): boolean => part.onCreate === 'inline'

/** Lists and maps that are declared as null, which a create leaves out because the document does not say what it means. */
export const nullsLeftOut = ({ resource, change }: CommandContext, takes: Creation['takes']): readonly string[] =>
  Object.entries(allEntries(resource)).flatMap(([name, { type, clearAs, default: fallback, nullMeans, leftOut }]) => {
    const isDecided = [clearAs, fallback, nullMeans, leftOut].some((fact) => fact !== undefined)
    const isContainer = type === 'list' || type === 'set' || type === 'map'
    return takes(name) && change.desired[name] === null && isContainer && !isDecided ? [name] : []
  })

/** What `{fields}` is in the body of a create that takes these attributes. */
export const createdFields = (
  { resource, change }: CommandContext,
  after: JsonObject,
  takes: Creation['takes'],
  nulls: JsonObject = {},
): JsonObject => {
  const entries = mapMembers(allEntries(resource), (entry, name) => (takes(name) ? entry : undefined))
  return encodeAll(entries, { ...creatable(entries, after, change.desired), ...nulls }, 'create')
}

/** The operation that creates an object with these values, and the attributes that it sets. */
export interface Creation {
  readonly operation: Operation
  /** It is `create` itself, and makes nothing of something else. */
  readonly isUsual: boolean
  takes(name: string): boolean
}

export const creationOf = (resource: RestResource, values: JsonObject): Creation | undefined => {
  const { create: others = [] } = resource.lifecycle ?? {}
  const chosen = others.find(({ given, when }) => isGiven(values[given]) && hasValues(resource, when, values))
  const operation = resource.operations[chosen?.op ?? 'create']
  if (operation === undefined) return undefined
  if (chosen !== undefined) {
    const { path, query = {}, body = null } = operation
    const named = variablesOf([path, query, body]).flatMap(([first, second]) => (first === 'desired' ? [second] : []))
    const taken = new Set([chosen.given, ...named, ...Object.keys(chosen.when ?? {})])
    return { operation, isUsual: false, takes: (name) => taken.has(name) }
  }
  const usual = { operation, isUsual: true }
  const isThere = startsAs(resource, usual)
  const isTaken = takenUsually(resource)
  return { ...usual, takes: (name) => isTaken(name) && !isThere(name, values[name]) }
}

/** What `create` takes: the attributes of parts that are not written after it. */
export const takenUsually = ({ parts, lifecycle }: RestResource): Creation['takes'] => {
  const inline = Object.assign({}, ...parts.filter(isInline).map(entriesOf)) as Entries
  const choosing = new Set(lifecycle?.create?.map(({ given }) => given))
  return (name) => Object.hasOwn(inline, name) && isSentBy(inline, name, 'create') && !choosing.has(name)
}

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null

/** Attributes that stand in the body of a create that takes these. */
export const sentByCreate = (
  { resource, change }: CommandContext,
  after: JsonObject,
  takes: Creation['takes'],
): readonly string[] => Object.keys(creatable(allEntries(resource), after, change.desired)).filter(takes)

export const isSentBy = (entries: Entries, name: string, kind: 'create' | 'update'): boolean =>
  entries[name] === undefined || isSent(entries[name], kind)
