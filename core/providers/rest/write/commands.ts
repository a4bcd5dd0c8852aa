import type { CommandDraft, PlannedRequest } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Archived } from '../../../schema/resource.ts'
import { pick } from '../../../values/members.ts'
import type { PlannedChange } from '../../provider.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, type Entries, entriesOf, isSent, sameValue } from '../document/attributes.ts'
import { deleteOf, isKept } from '../document/document.ts'
import { names, type Scope } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { buildBody, holdsSealed, plainBody } from '../request/build-body.ts'
import type { TypeContext } from '../request/context.ts'
import { encodeAll } from '../request/encode.ts'
import {
  type CommandContext,
  type DraftParts,
  draftOf,
  futureScope,
  inverseOf,
  labelOf,
  presentScope,
  producesOf,
  writeRequest,
} from './command-context.ts'
import {
  creatable,
  createBody,
  isInline,
  isSentBy,
  newValues,
  sentByCreate,
  withoutGenerated,
} from './created-values.ts'
import { lockCreate, type Write } from './lock-commands.ts'
import { orderedWrites, toCommands } from './ordered-writes.ts'
import { withWait } from './wait.ts'
import { writeOnlyValues } from './write-part.ts'

/** The exact requests of a change, in order. Pure. */
export const commandsFor = (type: TypeContext, change: PlannedChange): readonly CommandDraft[] => {
  const context = { ...type, change }
  switch (change.action) {
    case 'create':
      return createCommands(context)
    case 'update':
      return updateCommands(context)
    case 'delete':
      return deleteCommands(context)
    case 'replace':
      return change.replaceOrder === 'createFirst'
        ? [...createCommands(context), ...deleteCommands(context)]
        : [...deleteCommands(context), ...createCommands(context)]
  }
}

const createCommands = (context: CommandContext): readonly CommandDraft[] => {
  const { resource, change } = context
  // Settings come with the objects around them, and are set as soon as these are there.
  if (isKept(resource)) return laterCommands(context, newValues(context))
  if (change.archived !== undefined) return reviveCommands(context, change.archived)
  const operation = resource.operations['create']
  if (operation === undefined) return []
  const after = withoutGenerated(context, newValues(context))
  const scope = futureScope(context, after, false)
  const body = createBody(context, resource.parts.filter(isInline), after, change.desired, scope)
  const create = comingCommand(context, futureScope(context, after, true), {
    description: `create ${labelOf(context, identified(context, after))}`,
    operation,
    request: lockCreate(resource.lock, writeRequest(context, operation, scope, body)),
    footprint: { sets: sentByCreate(context, after) },
  })
  return [create, ...laterCommands(context, after)]
}

/** An archived object comes back under its own ids, and then gets what differs. */
const reviveCommands = (context: CommandContext, archived: Archived): readonly CommandDraft[] => {
  const { resource, change } = context
  const operation = resource.operations[resource.lifecycle?.revive ?? '']
  if (operation === undefined) return []
  const { attributes: before, ...known } = archived
  const present: CommandContext = { ...context, change: { ...change, ...known, action: 'update', before } }
  const scope = presentScope(present)
  const after = newValues(context)
  const takesFields = names(operation.body ?? null, 'fields')
  const sent = takesFields ? sentByCreate(context, after) : []
  const inline = Object.assign({}, ...resource.parts.filter(isInline).map(entriesOf)) as Entries
  const fields = encodeAll(inline, pick(after, sent), 'create')
  const body = takesFields ? buildBody(operation, undefined, fields, scope) : plainBody(operation, scope)
  const revive = comingCommand(present, scope, {
    description: `revive ${labelOf(context, identified(context, after))}`,
    operation,
    request: writeRequest(present, operation, scope, body),
    footprint: { sets: sent },
  })
  const differs = (name: string, entry: AttributeEntry): boolean =>
    after[name] !== undefined &&
    !entry.computed &&
    !sent.includes(name) &&
    (entry.writeOnly === true || !sameValue(entry, before[name], after[name]))
  const differing = Object.entries(allEntries(resource)).filter(([name, entry]) => differs(name, entry))
  const transition = { before, after, scope }
  const writes = orderedWrites(
    present,
    transition,
    differing.map(([name]) => name),
  )
  return [revive, ...toCommands(present, writes, scope, true)]
}

/** The command after which an object is there. Its inverse is the delete. `scope`: names the object then. */
const comingCommand = (
  context: CommandContext,
  scope: Scope,
  parts: Pick<DraftParts, 'description' | 'operation' | 'request' | 'footprint'>,
): CommandDraft => {
  const { resource } = context
  const { operation } = parts
  const remove = resource.operations[deleteOf(resource)]
  const draft = draftOf({
    ...parts,
    action: 'create',
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse: inverseOf(() => remove && writeRequest(context, remove, scope, plainBody(remove, scope))),
  })
  return withWait(context, { ...draft, ...producesOf(operation) }, operation, scope)
}

/** What no create can say: parts with a write of their own, and attributes that only a later write or call takes. */
const laterCommands = (context: CommandContext, after: JsonObject): readonly CommandDraft[] => {
  const { resource, change } = context
  const scope = futureScope(context, after, true)
  const parts = resource.parts.map((part) => {
    const entries = entriesOf(part)
    const values = creatable(entries, after, change.desired)
    const isLater = (name: string) => isKept(resource) || !isInline(part) || !isSentBy(entries, name, 'create')
    return { values, names: Object.keys(values).filter(isLater) }
  })
  const values = Object.assign({}, ...parts.map((part) => part.values)) as JsonObject
  const names = parts.flatMap((part) => part.names)
  return toCommands(context, orderedWrites(context, { before: {}, after: values, scope }, names, true), scope, true)
}

const updateCommands = (context: CommandContext): readonly CommandDraft[] => {
  const { resource, change } = context
  const scope = presentScope(context)
  const names = [...new Set(change.changed.map(([first]) => String(first)))]
  const after = { ...change.after, ...writeOnlyValues(allEntries(resource), change.desired, names) }
  return toCommands(context, orderedWrites(context, { before: change.before ?? {}, after, scope }, names), scope)
}

const deleteCommands = (context: CommandContext): readonly CommandDraft[] => {
  const { resource, change } = context
  const { beforeDelete = [] } = resource.lifecycle ?? {}
  const scope = presentScope(context)
  const write = (op: string, action: 'call' | 'delete', description: string, inverse?: PlannedRequest): Write[] => {
    const operation = resource.operations[op]
    if (operation === undefined) return []
    const request = writeRequest(context, operation, scope, plainBody(operation, scope))
    return [{ draft: draftOf({ action, description, operation, request, grade: 'lossy', inverse }), operation }]
  }
  const remove = deleteOf(resource)
  if (resource.operations[remove] === undefined) return []
  const label = labelOf(context, { ...identified(context, change.desired), ...change.before })
  const writes = [
    ...beforeDelete.flatMap((op) => write(op, 'call', `${op} before the delete`)),
    ...write(remove, 'delete', `delete ${label}`, recreate(context)),
  ]
  return toCommands(context, writes, scope)
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
      .every(([name]) => before[name] === undefined || (isInline(part) && !holdsSealed(before[name]))),
  )
  if (!isComplete) return undefined
  const scope = futureScope(context, before, false)
  return inverseOf(() =>
    writeRequest(context, operation, scope, createBody(context, resource.parts, before, {}, scope)),
  )
}
