import type { CommandDraft, Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'
import type { PlannedChange } from '../provider.ts'
import { allEntries, type Entries, entriesOf, sameValue } from './attributes.ts'
import { buildBody, holdsSealed } from './build-body.ts'
import { objectScope, type TypeContext } from './context.ts'
import type { Part } from './document.ts'
import { type Building, draftOf, inverseOf, labelOf, operationOf, producesOf, writeRequest } from './draft.ts'
import { encodeAll, isSent } from './encode.ts'
import { identified } from './find-object.ts'
import type { Scope } from './template.ts'
import { collectionCommands } from './write-collection.ts'
import { partCommand, writeOnlyValues } from './write-part.ts'

/** The exact requests of a change, in order. Pure. */
export const commandsFor = (context: TypeContext, change: PlannedChange): readonly CommandDraft[] => {
  const building = { context, change }
  switch (change.action) {
    case 'create':
      return createCommands(building)
    case 'update':
      return updateCommands(building)
    case 'delete':
      return deleteCommands(building)
    case 'replace':
      return change.replaceOrder === 'createFirst'
        ? [...createCommands(building), ...deleteCommands(building)]
        : [...deleteCommands(building), ...createCommands(building)]
  }
}

/** The object as it is: what was read of it names it, and its server ids. */
const presentScope = ({ context, change }: Building): Scope =>
  objectScope(context, { ...identified(context, change.desired), ...change.before }, change.ids ?? {}, {
    desired: change.after ?? change.desired,
    before: change.before ?? {},
  })

/** The object as it will be; ids that the server makes are placeholders, once it has been created. */
const futureScope = ({ context, change }: Building, attributes: JsonObject, created: boolean): Scope => {
  const names = created ? Object.keys(context.resource.serverId ?? {}) : []
  const ids = names.map((name) => [name, { $after: change.address, pointer: `/ids/${name}` }] as const)
  return objectScope(context, identified(context, attributes), Object.fromEntries(ids), { desired: attributes })
}

/**
 * What a create can send: values that are known, with the defaults that the configuration means by leaving them out. What
 * is only carried over from an old object and is the server's own default stays out.
 */
const creatable = (entries: Entries, attributes: JsonObject, declared: JsonObject): JsonObject => {
  const members = Object.entries(entries).flatMap(([name, entry]): [string, Json][] => {
    const isMeant = entry.whenUndeclared === 'default'
    const value = attributes[name] ?? (isMeant ? entry.default : undefined)
    if (declared[name] === undefined && !isMeant && sameValue(entry, value, entry.default)) return []
    // A sealed value was the old object's own; a missing member is already clear.
    return value === undefined || value === null || holdsSealed(value) ? [] : [[name, value]]
  })
  return Object.fromEntries(members)
}

const createBody = (
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
const secretsOf = ({ context, change }: Building): JsonObject => {
  const entries = allEntries(context.resource)
  return writeOnlyValues(entries, change.desired, Object.keys(entries))
}

/** What stays the same is kept as it was seen, a secret sealed; the object that takes its place gets it from the configuration. */
const withSecrets = (after: JsonObject, desired: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, withSecret(value, desired[name])]))

const withSecret = (after: Json, desired: Json | undefined): Json => {
  if (desired === undefined || !holdsSealed(after)) return after
  return isObject(after) && isObject(desired) && !isMark(after) && !isMark(desired)
    ? withSecrets(after, desired)
    : desired
}

const isInline = (part: Part): boolean => part.onCreate === 'inline'

const createCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, 'create')
  if (operation === undefined) return []
  const attributes = { ...withSecrets(change.after ?? change.desired, change.desired), ...secretsOf(building) }
  const scope = futureScope(building, attributes, false)
  const body = createBody(building, context.resource.parts.filter(isInline), attributes, change.desired, scope)
  const created = futureScope(building, attributes, true)
  const remove = operationOf(building, 'delete')
  const inverse = remove && writeRequest(building, remove, created, undefined)
  const create = draftOf({
    action: 'create',
    description: `create ${labelOf(building, identified(context, attributes))}`,
    operation,
    request: writeRequest(building, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse,
  })
  const later = context.resource.parts.filter((part) => !isInline(part))
  return [
    { ...create, ...producesOf(operation) },
    ...later.flatMap((part) => completePart(building, part, attributes, created)),
  ]
}

/** A part that has its own write right after the create. */
const completePart = (
  building: Building,
  part: Part,
  attributes: JsonObject,
  scope: Scope,
): readonly CommandDraft[] => {
  const { collection } = part
  const values = creatable(entriesOf(part), attributes, building.change.desired)
  if (collection !== undefined) {
    return collectionCommands(building, collection, [], values[collection.field], scope)
  }
  const names = Object.keys(values).filter((name) => isSent(entriesOf(part)[name] ?? { type: 'any' }, 'update'))
  if (names.length === 0) return []
  return partCommand(building, part, { before: {}, after: values, names, scope })
}

const updateCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const scope = presentScope(building)
  const changed = new Set(change.changed.map(([first]) => String(first)))
  const before = change.before ?? {}
  const after = change.after ?? {}
  return context.resource.parts.flatMap((part) => {
    const entries = entriesOf(part)
    const { collection } = part
    const names = Object.keys(entries).filter(
      (name) => changed.has(name) && name !== collection?.field && isSent(entries[name] ?? { type: 'any' }, 'update'),
    )
    const values = { ...after, ...writeOnlyValues(entries, change.desired, names) }
    return [
      ...(names.length === 0 ? [] : partCommand(building, part, { before, after: values, names, scope })),
      ...(collection !== undefined && changed.has(collection.field)
        ? collectionCommands(building, collection, before[collection.field], after[collection.field], scope)
        : []),
    ]
  })
}

const deleteCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, 'delete')
  if (operation === undefined) return []
  const scope = presentScope(building)
  const attributes = { ...identified(context, change.desired), ...change.before }
  return [
    draftOf({
      action: 'delete',
      description: `delete ${labelOf(building, attributes)}`,
      operation,
      request: writeRequest(
        building,
        operation,
        scope,
        operation.body === undefined ? undefined : buildBody(operation, undefined, {}, scope),
      ),
      grade: 'lossy',
      inverse: recreate(building),
    }),
  ]
}

/** The create that would bring a deleted object back; none where one request, or what is known, is not enough. */
const recreate = (building: Building): Request | undefined => {
  const { context, change } = building
  const operation = operationOf(building, 'create')
  const { before } = change
  if (operation === undefined || before === null) return undefined
  const complete = context.resource.parts.every((part) => {
    const values = Object.entries(entriesOf(part)).filter(([, entry]) => isSent(entry, 'create'))
    return values.every(([name]) => before[name] === undefined || (isInline(part) && !holdsSealed(before[name])))
  })
  if (!complete) return undefined
  const scope = futureScope(building, before, false)
  return inverseOf(() =>
    writeRequest(building, operation, scope, createBody(building, context.resource.parts, before, {}, scope)),
  )
}
