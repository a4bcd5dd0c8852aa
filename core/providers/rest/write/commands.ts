import { toPointer } from '../../../engine/json/pointer.ts'
import type { PlannedChange } from '../../../engine/provider/provider.ts'
import type { CommandDraft, PlannedRequest } from '../../../engine/schema/command.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import type { Archived } from '../../../engine/schema/resource.ts'
import { mapMembers, pick } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, asManaged, type Entries, entriesOf, hasValues, isSent, sameValue } from '../document/attributes.ts'
import { deleteOf, isKept } from '../document/document.ts'
import { callOf } from '../document/lifecycle.ts'
import type { Operation } from '../document/operation/operation.ts'
import { names, pathOf } from '../document/shared/template.ts'
import { identified } from '../read/find-object.ts'
import { buildBody, holdsSealed, plainBody } from '../request/build-body.ts'
import type { TypeContext } from '../request/context.ts'
import { encodeAll } from '../request/encode.ts'
import { lostWithObject } from './effects/lost-with-object.ts'
import { lockCreate } from './lock-commands.ts'
import { orderedWrites, toCommands } from './ordered-writes.ts'
import {
  asItIs,
  asItWillBe,
  type CommandContext,
  type DraftParts,
  draftOf,
  inverseOf,
  labelOf,
  producesOf,
  type Write,
  type WriteContext,
  writeOf,
  writeRequest,
} from './values/command-context.ts'
import {
  type Creation,
  creatable,
  createdFields,
  creationOf,
  formerNulls,
  isInline,
  newValues,
  nullsLeftOut,
  sentByCreate,
  startsAs,
  takenUsually,
  withoutGenerated,
  writeOnlyValues,
} from './values/created-values.ts'
import { withSealedForms } from './values/sealed-forms.ts'
import { withWait } from './wait.ts'
import { doing } from './words.ts'

/** The exact requests of a change, in order. Pure. */
export const commandsFor = (type: TypeContext, change: PlannedChange): readonly CommandDraft[] => {
  const resource = asManaged(type.resource, change.manage)
  const context = { ...type, resource, change: withSealedForms(resource, change) }
  switch (change.action) {
    case 'create':
      return createCommands(context)
    case 'update':
      return updateCommands(asItIs(context))
    case 'delete':
      return deleteCommands(asItIs(context))
    case 'replace':
      return change.replaceOrder === 'createFirst'
        ? [...createCommands(context), ...deleteCommands(asItIs(context))]
        : [...deleteCommands(asItIs(context)), ...createCommands(context)]
  }
}

const createCommands = (context: CommandContext): readonly CommandDraft[] => {
  const { resource, change } = context
  // Settings come with the objects around them, and are set as soon as these are there.
  if (isKept(resource)) return laterCommands(context, newValues(context), { isUsual: true, takes: () => false })
  if (change.archived !== undefined) return reviveCommands(context, change.archived)
  const after = withoutGenerated(context, newValues(context))
  const creation = creationOf(resource, after)
  if (creation === undefined) return []
  const { operation, takes, isUsual } = creation
  const isThere = startsAs(resource, creation)
  const fields = createdFields(context, after, takes)
  const create = comingCommand(asItWillBe(context, after, true), {
    description: doing.create(labelOf(context, identified(context, after)), nullsLeftOut(context, takes)),
    operation,
    request: lockCreate(resource.lock, createRequest(context, operation, withoutNulls(after, isThere), fields)),
    footprint: { sets: sentByCreate(context, after, takes) },
  })
  return [create, ...laterCommands(context, after, { isUsual, takes })]
}

/** What a create clears although there is nothing to clear may be refused. */
const withoutNulls = (after: JsonObject, isThere: ReturnType<typeof startsAs>): JsonObject =>
  mapMembers(after, (value, name) => (value === null && isThere(name, value) ? undefined : value))

const createRequest = (context: CommandContext, operation: Operation, after: JsonObject, fields: JsonObject) => {
  const missing = asItWillBe(context, after, false)
  return writeRequest(missing, operation, buildBody(operation, undefined, fields, missing.scope))
}

/** An archived object comes back under its own ids, and then gets what differs. */
const reviveCommands = (context: CommandContext, archived: Archived): readonly CommandDraft[] => {
  const { resource, change } = context
  const { attributes: before, ...known } = archived
  const present = asItIs({ ...context, change: { ...change, ...known, action: 'update', before } })
  const after = newValues(context)
  const made = reviveRequest(present, context, after)
  if (made === undefined) return []
  const { sent, operation, request } = made
  const overwritten = sent.filter((name) => {
    const entry = allEntries(resource)[name]
    return entry !== undefined && before[name] !== undefined && !sameValue(entry, before[name], after[name])
  })
  const revive = comingCommand(present, {
    description: doing.revive(labelOf(context, identified(context, after))),
    operation,
    request,
    // Who archives it again does not bring these back.
    loses: overwritten.map((name) => toPointer(pathOf(allEntries(resource)[name]?.path ?? name))),
    footprint: { sets: sent },
  })
  const isLeft = ([name, entry]: readonly [string, AttributeEntry]): boolean =>
    after[name] !== undefined &&
    !entry.computed &&
    !sent.includes(name) &&
    (entry.writeOnly === true || !sameValue(entry, before[name], after[name]))
  const left = Object.entries(allEntries(resource)).filter(isLeft)
  return [
    revive,
    ...toCommands(present, orderedWrites(present, { before, after, names: left.map(([name]) => name) }), true),
  ]
}

/** The request that brings an archived object back, with what it sends of the attributes. */
const reviveRequest = (present: WriteContext, context: CommandContext, after: JsonObject) => {
  const { resource } = context
  const operation = resource.operations[resource.lifecycle?.revive ?? '']
  if (operation === undefined) return undefined
  const takesFields = names(operation.body ?? null, 'fields')
  const sent = takesFields ? sentByCreate(context, after, takenUsually(resource)) : []
  const inline = Object.assign({}, ...resource.parts.filter(isInline).map(entriesOf)) as Entries
  const fields = encodeAll(inline, pick(after, sent), 'create')
  const body = takesFields
    ? buildBody(operation, undefined, fields, present.scope)
    : plainBody(operation, present.scope)
  return { sent, operation, request: writeRequest(present, operation, body) }
}

/** The command after which the object of the context is there. Its inverse is the delete. */
const comingCommand = (context: WriteContext, parts: Omit<DraftParts, 'action'>): CommandDraft => {
  const { resource, scope } = context
  const { operation } = parts
  const remove = resource.operations[deleteOf(resource)]
  const draft = draftOf({
    ...parts,
    action: 'create',
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse: inverseOf(() => remove && writeRequest(context, remove, plainBody(remove, scope))),
  })
  return withWait(context, { ...draft, ...producesOf(operation) }, operation)
}

/** What no create can say: parts with a write of their own, and attributes that only a later write or call takes. */
const laterCommands = (
  missing: CommandContext,
  after: JsonObject,
  creation: Pick<Creation, 'isUsual' | 'takes'>,
): readonly CommandDraft[] => {
  const context = asItWillBe(missing, after, true)
  const { resource, change } = context
  const isAnyway = startsAs(resource, creation)
  const parts = resource.parts.map((part) => {
    const entries = entriesOf(part)
    const values = creatable(entries, after, change.desired)
    // What only a later call could set is its default in a new object: a machine that was just ordered runs.
    const isThere = (name: string): boolean =>
      entries[name]?.sendOn === 'update' && sameValue(entries[name], entries[name].default, values[name])
    const isLater = (name: string): boolean =>
      !isAnyway(name, values[name]) &&
      (isKept(resource) || (!creation.takes(name) && (!isInline(part) || !isThere(name))))
    return { values, names: Object.keys(values).filter(isLater) }
  })
  const values = Object.assign({}, ...parts.map((part) => part.values)) as JsonObject
  const names = parts.flatMap((part) => part.names)
  const before = creation.isUsual ? (resource.lifecycle?.initial ?? {}) : {}
  return toCommands(context, orderedWrites(context, { before, after: { ...before, ...values }, names }, true), true)
}

const updateCommands = (context: WriteContext): readonly CommandDraft[] => {
  const { resource, change } = context
  const names = [...new Set(change.changed.map(([first]) => String(first)))]
  const after = { ...change.after, ...writeOnlyValues(allEntries(resource), change.desired, names) }
  return toCommands(context, orderedWrites(context, { before: change.before ?? {}, after, names }))
}

const deleteCommands = (context: WriteContext): readonly CommandDraft[] => {
  const { resource, change } = context
  const { beforeDelete = [] } = resource.lifecycle ?? {}
  const write = (op: string, parts: Pick<DraftParts, 'action' | 'description' | 'inverse'>): Write[] => {
    const operation = resource.operations[op]
    if (operation === undefined) return []
    const request = writeRequest(context, operation, plainBody(operation, context.scope))
    const goes =
      parts.action === 'call' || isArchived(resource) ? [] : lostWithObject(resource, operation, change.objects)
    return [writeOf({ ...parts, operation, request, grade: 'lossy', goes })]
  }
  const before = change.before ?? {}
  const instead = resource.lifecycle?.delete?.instead?.find(({ when }) => hasValues(resource, when, before))
  const remove = instead?.op ?? deleteOf(resource)
  if (resource.operations[remove] === undefined) return []
  const label = labelOf(context, { ...identified(context, change.desired), ...change.before })
  const writes = [
    ...beforeDelete
      .map(callOf)
      .filter(({ when }) => hasValues(resource, when, before))
      .flatMap(({ op }) => write(op, { action: 'call', description: doing.beforeDelete(op) })),
    ...write(remove, { action: 'delete', description: doing.delete(label), inverse: comesBackBy(context) }),
  ]
  return toCommands(context, writes)
}

/** Whether a delete leaves an object that can be revived. */
const isArchived = ({ lifecycle }: CommandContext['resource']): boolean =>
  lifecycle?.revive !== undefined && lifecycle.delete?.gone !== undefined

/** What would bring a deleted object back: it is revived where it was only archived, else created. */
const comesBackBy = (context: WriteContext): PlannedRequest | undefined => {
  const { resource, change } = context
  if (!isArchived(resource)) return recreate(context)
  return inverseOf(() => reviveRequest(context, context, change.before ?? {})?.request)
}

/** The create that would bring a deleted object back; none where one request, or what is known, is not enough. */
const recreate = (context: CommandContext): PlannedRequest | undefined => {
  const { resource, change } = context
  const operation = resource.operations['create']
  const { before } = change
  if (operation === undefined || before === null) return undefined
  const isComplete = resource.parts.every((part) =>
    Object.entries(entriesOf(part))
      .filter(([, entry]) => isSent(entry, 'create'))
      .every(([name, { required, writeOnly }]) =>
        before[name] === undefined ? !(required && writeOnly) : isInline(part) && !holdsSealed(before[name]),
      ),
  )
  if (!isComplete) return undefined
  const former = { ...context, change: { ...change, desired: {} } }
  return inverseOf(() =>
    createRequest(
      context,
      operation,
      before,
      createdFields(former, before, () => true, formerNulls(context)),
    ),
  )
}
