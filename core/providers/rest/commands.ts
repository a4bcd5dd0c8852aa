import type { CommandDraft, PlannedRequest } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import type { Archived } from '../../schema/resource.ts'
import { isMark } from '../../schema/value.ts'
import type { PlannedChange } from '../provider.ts'
import { allEntries, type Entries, entriesOf, sameValue } from './attributes.ts'
import { buildBody, holdsSealed } from './build-body.ts'
import { callsFor, callWrites, type Sides } from './call-actions.ts'
import type { TypeContext } from './context.ts'
import { type Action, deleteOf, isKept } from './document.ts'
import type { AttributeEntry } from './document-attribute.ts'
import type { Operation } from './document-operation.ts'
import type { Part } from './document-part.ts'
import { type Building, draftOf, inverseOf, labelOf, operationOf, producesOf, writeRequest } from './draft.ts'
import { encodeAll, isSent } from './encode.ts'
import { identified } from './find-object.ts'
import { lockCommands, lockCreate, type Write } from './lock-commands.ts'
import { futureScope, presentScope } from './object-scopes.ts'
import { type Scope, variablesOf } from './template.ts'
import { withWait } from './wait.ts'
import { collectionWrites } from './write-collection.ts'
import { partWrites, writeOnlyValues } from './write-part.ts'

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

/** Settings come with what is around them, and are set as soon as that is there. */
const firstCommands = (building: Building): readonly CommandDraft[] => {
  const { change } = building
  const attributes = { ...withSecrets(change.after ?? change.desired, change.desired), ...secretsOf(building) }
  const scope = futureScope(building, attributes, true)
  return inTurn(building, laterWrites(building, attributes, scope), scope, true)
}

const createCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  if (isKept(context.resource)) return firstCommands(building)
  if (change.archived !== undefined) return reviveCommands(building, change.archived)
  const operation = operationOf(building, 'create')
  if (operation === undefined) return []
  const attributes = { ...withSecrets(change.after ?? change.desired, change.desired), ...secretsOf(building) }
  const scope = futureScope(building, attributes, false)
  const body = createBody(building, context.resource.parts.filter(isInline), attributes, change.desired, scope)
  const created = futureScope(building, attributes, true)
  const remove = operationOf(building, deleteOf(context.resource))
  const inverse = inverseOf(() => remove && writeRequest(building, remove, created, undefined))
  const create = draftOf({
    action: 'create',
    description: `create ${labelOf(building, identified(context, attributes))}`,
    operation,
    request: writeRequest(building, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse,
    does: { sets: sentByCreate(building, attributes) },
  })
  const made = { ...create, ...producesOf(operation), request: lockCreate(context.resource.lock, create.request) }
  return [
    withWait(building, made, operation, created),
    ...inTurn(building, laterWrites(building, attributes, created), created, true),
  ]
}

/** What is archived comes back under its own ids, and then gets what differs. */
const reviveCommands = (building: Building, archived: Archived): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, context.resource.lifecycle?.revive ?? '')
  if (operation === undefined) return []
  const { attributes: before, ...known } = archived
  const present: Building = { context, change: { ...change, ...known, action: 'update', before } }
  const scope = presentScope(present)
  const after = { ...withSecrets(change.after ?? {}, change.desired), ...secretsOf(building) }
  const takesFields = variablesOf(operation.body ?? null).some(([first]) => first === 'fields')
  const sent = takesFields ? sentByCreate(building, after) : []
  const inline = context.resource.parts.filter(isInline)
  const fields = encodeAll(Object.assign({}, ...inline.map(entriesOf)), pick(after, sent), 'create')
  const body = operation.body === undefined ? undefined : buildBody(operation, undefined, fields, scope)
  const remove = operationOf(building, deleteOf(context.resource))
  const revive = draftOf({
    action: 'create',
    description: `revive ${labelOf(building, identified(context, after))}`,
    operation,
    request: writeRequest(present, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse: inverseOf(() => remove && writeRequest(present, remove, scope, deleteBody(remove, scope))),
    does: { sets: sent },
  })
  const entries = allEntries(context.resource)
  const names = Object.keys(after).filter((name) => {
    const entry = entries[name] ?? any
    return !sent.includes(name) && !entry.computed && (entry.writeOnly || !sameValue(entry, before[name], after[name]))
  })
  const writes = inOrder(present, { before, after, scope }, names, (part, own) =>
    partWrites(present, part, { before, after, names: own, scope }),
  )
  return [
    withWait(present, { ...revive, ...producesOf(operation) }, operation, scope),
    ...inTurn(present, writes, scope, true),
  ]
}

const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))

const deleteBody = (operation: Operation, scope: Scope): Json | undefined =>
  operation.body === undefined ? undefined : buildBody(operation, undefined, {}, scope)

/** Attributes that stand in the body of the create. */
const sentByCreate = ({ context, change }: Building, attributes: JsonObject): readonly string[] =>
  context.resource.parts.filter(isInline).flatMap((part) => {
    const entries = entriesOf(part)
    const values = creatable(entries, attributes, change.desired)
    return Object.keys(values).filter((name) => isSent(entries[name] ?? any, 'create'))
  })

/** What no create can say: parts with a write of their own, and attributes that only a later write or call takes. */
const laterWrites = (building: Building, attributes: JsonObject, scope: Scope): readonly Write[] => {
  const { context, change } = building
  const { resource } = context
  const later = resource.parts.map((part) => {
    const values = creatable(entriesOf(part), attributes, change.desired)
    const names = Object.keys(values).filter(
      (name) => isKept(resource) || !isInline(part) || !isSent(entriesOf(part)[name] ?? any, 'create'),
    )
    return { part, values, names }
  })
  const values = Object.assign({}, ...later.map((each) => each.values)) as JsonObject
  const names = later.flatMap((each) => each.names)
  return inOrder(building, { before: {}, after: values, scope }, names, (part, left) => {
    const own = later.find((each) => each.part === part)?.values ?? {}
    return partWrites(building, part, { before: {}, after: own, names: left, scope, isNew: true })
  })
}

/** Writes with their versions, and what each is waited for with. */
const inTurn = (building: Building, writes: readonly Write[], scope: Scope, isNew = false): readonly CommandDraft[] =>
  lockCommands(building, writes, isNew).map((draft, index) => {
    const operation = writes[index]?.operation
    return operation === undefined ? draft : withWait(building, draft, operation, scope)
  })

const any: AttributeEntry = { type: 'any' }

/** Calls before, part by part its attributes and its collection, calls after. A call's attributes are its alone, unless it only goes alongside. */
const inOrder = (
  building: Building,
  sides: Sides,
  names: readonly string[],
  writePart: (part: Part, names: readonly string[]) => readonly Write[],
): readonly Write[] => {
  const { resource } = building.context
  const calls = callsFor(resource, names, sides.after)
  const called = new Set(calls.flatMap(({ action, names }) => (action.alongside ? [] : names)))
  const made = (order: Action['order']): readonly Write[] =>
    calls.filter(({ action }) => action.order === order).flatMap((call) => callWrites(building, call, sides))
  const parts = resource.parts.flatMap((part) => {
    const entries = entriesOf(part)
    const { collection } = part
    const left = names.filter((name) => !called.has(name) && Object.hasOwn(entries, name))
    const own = left.filter((name) => name !== collection?.field && isSent(entries[name] ?? any, 'update'))
    const isListed = collection !== undefined && left.includes(collection.field)
    return [
      ...(own.length === 0 ? [] : writePart(part, own)),
      ...(isListed
        ? collectionWrites(building, part, {
            before: sides.before[collection.field],
            after: sides.after[collection.field],
            scope: sides.scope,
          })
        : []),
    ]
  })
  return [...made('before'), ...parts, ...made('after')]
}

const updateCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const scope = presentScope(building)
  const names = [...new Set(change.changed.map(([first]) => String(first)))]
  const { before, after } = { before: change.before ?? {}, after: change.after ?? {} }
  const values = { ...after, ...writeOnlyValues(allEntries(context.resource), change.desired, names) }
  const writes = inOrder(building, { before, after: values, scope }, names, (part, own) =>
    partWrites(building, part, { before, after: values, names: own, scope }),
  )
  return inTurn(building, writes, scope)
}

const deleteCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, deleteOf(context.resource))
  if (operation === undefined) return []
  const scope = presentScope(building)
  const attributes = { ...identified(context, change.desired), ...change.before }
  const draft = draftOf({
    action: 'delete',
    description: `delete ${labelOf(building, attributes)}`,
    operation,
    request: writeRequest(building, operation, scope, deleteBody(operation, scope)),
    grade: 'lossy',
    inverse: recreate(building),
    does: {},
  })
  return inTurn(building, [...callsBefore(building, scope), { draft, operation }], scope)
}

/** What must be called before the object can go: it is stopped, its protection lifted. */
const callsBefore = (building: Building, scope: Scope): readonly Write[] =>
  (building.context.resource.lifecycle?.beforeDelete ?? []).flatMap((name): Write[] => {
    const operation = operationOf(building, name)
    if (operation === undefined) return []
    const request = writeRequest(building, operation, scope, deleteBody(operation, scope))
    const description = `${name} before the delete`
    return [
      {
        draft: draftOf({
          action: 'call',
          description,
          operation,
          request,
          grade: 'lossy',
          inverse: undefined,
          does: {},
        }),
        operation,
      },
    ]
  })

/** The create that would bring a deleted object back; none where one request, or what is known, is not enough. */
const recreate = (building: Building): PlannedRequest | undefined => {
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
