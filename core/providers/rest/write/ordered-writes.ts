import type { CommandDraft, PlannedRequest } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { pick, withoutMembers } from '../../../engine/values/members.ts'
import { allEntries, entriesOf, hasValues } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import type { Action } from '../document/lifecycle.ts'
import { fieldsOnly } from '../document/replaced-place.ts'
import { buildBody, holdsSealed } from '../request/build-body.ts'
import { operationOf } from '../request/context.ts'
import { encodeAll, encodeValue } from '../request/encode.ts'
import { endedBy } from './effects/ended-values.ts'
import { movedIn } from './effects/moved-others.ts'
import { lossesIn, objectAfter } from './effects/part-effects.ts'
import { leftOutBy, lostBeside, overwrittenBy } from './effects/replaced-object.ts'
import { lockCommands } from './lock-commands.ts'
import { bodyScope } from './values/body-scope.ts'
import {
  between,
  inverseOf,
  onWayBack,
  type Transition,
  type Write,
  type WriteContext,
  writeOf,
  writeRequest,
} from './values/command-context.ts'
import { isSentBy } from './values/created-values.ts'
import { withWait } from './wait.ts'
import { doing } from './words.ts'
import { collectionWrites } from './write-collection.ts'
import { partWrites } from './write-part.ts'

/** Writes with their versions and waiters. */
export const toCommands = (context: WriteContext, writes: readonly Write[], isNew = false): readonly CommandDraft[] =>
  lockCommands(context, writes, isNew).map((draft, index) => {
    const operation = writes[index]?.operation
    return operation === undefined ? draft : withWait(context, draft, operation)
  })

/**
 * The writes of attributes that differ: calls before, part by part its attributes and its collection, calls after. No
 * part writes an attribute that a call sets, unless the call only goes alongside.
 */
export const orderedWrites = (context: WriteContext, change: Transition, isNew = false): readonly Write[] => {
  const { resource } = context
  const { before, after, names } = change
  const calls = callsFor(resource, names, after)
  const calledBy = (some: typeof calls): readonly string[] =>
    some.flatMap((call) => (call.action.alongside ? [] : call.names))
  const called = new Set(calledBy(calls))
  const calledLater = calledBy(calls.filter(({ action }) => action.order !== 'before'))
  const callsAt = (order: Action['order']): readonly Write[] =>
    calls.filter(({ action }) => action.order === order).flatMap((call) => callWrites(context, call, change))
  const parts = resource.parts.flatMap((part) => {
    const entries = entriesOf(part)
    const field = part.collection?.field ?? ''
    const left = names.filter((name) => !called.has(name) && Object.hasOwn(entries, name))
    const own = left.filter((name) => name !== field && isSentBy(entries, name, 'update'))
    const values = isNew
      ? pick(after, Object.keys(entries))
      : { ...withoutMembers(after, calledLater), ...pick(before, calledLater) }
    return [
      ...(own.length === 0
        ? []
        : asRename(resource, own, isNew, partWrites(context, part, { before, after: values, names: own }, isNew))),
      ...(left.includes(field) ? collectionWrites(context, part, { before: before[field], after: after[field] }) : []),
    ]
  })
  return [...callsAt('before'), ...parts, ...callsAt('after'), ...callsAt('last')]
}

/**
 * A write that changes what ids are made from (`identity.follows`) is sent after all that depends on the object: their
 * requests have the id that it has now, and nobody knows the next one before.
 */
const asRename = (
  { identity: { keys, follows = [] } }: RestResource,
  names: readonly string[],
  isNew: boolean,
  writes: readonly Write[],
): readonly Write[] =>
  isNew || follows.length === 0 || !names.some((name) => keys.includes(name))
    ? writes
    : writes.map((write) => ({ ...write, draft: { ...write.draft, last: true } }))

interface OrderedWrite {
  readonly name: string
  readonly action: Action
  /** Its attributes that differ. */
  readonly names: readonly string[]
}

/** The calls that a change of these attributes triggers, in the order of the document. */
export const callsFor = (
  resource: RestResource,
  names: readonly string[],
  after: JsonObject,
): readonly OrderedWrite[] => {
  return Object.entries(resource.actions ?? {}).flatMap(([name, action]): OrderedWrite[] => {
    const differing = action.on.filter((attribute) => names.includes(attribute))
    return differing.length > 0 && hasValues(resource, action.when, after) ? [{ name, action, names: differing }] : []
  })
}

/** The command of a call. Its inverse is the call that the former values trigger. */
const callWrites = (context: WriteContext, call: OrderedWrite, change: Transition): readonly Write[] => {
  const { resource } = context
  const { action, name, names } = call
  const { before, after } = change
  const operation = operationOf(context, action.op)
  const isKnown = names.every((each) => before[each] !== undefined && !holdsSealed(before[each]))
  // A call alongside sets nothing: the writes that it goes with have the inverse.
  const former = isKnown && !action.alongside ? callsFor(resource, names, before) : []
  const undo = former.find((each) => each.names.length === names.length)
  const made = { before, after, names }
  const back = { before: after, after: before, names }
  const request = requestOf(context, call, change)
  const inverse = undo && inverseOf(() => requestOf(onWayBack(context), undo, back, objectsAfter(context, made)))
  const write = writeOf({
    action: 'call',
    description: action.alongside ? name : doing.call(name, names),
    operation,
    request,
    inverse,
    loses: lostBy(context, call, made, { body: request.body, back: inverse?.body }),
    moves: movedIn(context, request.body),
    footprint: { sets: action.alongside ? [] : names },
  })
  return [action.order === 'last' ? { ...write, draft: { ...write.draft, last: true } } : write]
}

/** What a call resets because its body does not have it, and what of the values that it replaces its inverse does not have. */
const lostBy = (
  context: WriteContext,
  { action, names }: OrderedWrite,
  change: Transition,
  { body, back }: { readonly body: Json | undefined; readonly back: Json | undefined },
): readonly string[] => {
  const { resource } = context
  const operation = operationOf(context, action.op)
  const template = action.body ?? operation.body ?? fieldsOnly
  const lost = resource.parts.flatMap((part) => {
    const object = context.change.objects?.[part.name]
    const own = names.filter((name) => Object.hasOwn(entriesOf(part), name))
    const taken = { ...change, names: own, step: 'update' as const, object }
    return [
      ...(action.alongside || own.length === 0 ? [] : lossesIn(context, part, taken)),
      ...leftOutBy(resource, part, operation, { object, body, template, fields: own }),
      ...overwrittenBy(resource, part, operation, { object, body, template, fields: own, back }),
      ...lostBeside(context, part, operation, body),
    ]
  })
  return action.alongside ? lost : [...lost, ...endedBy(context, { after: change.after, names })]
}

/** What was read of each part, with a change made. */
const objectsAfter = (context: WriteContext, change: Transition): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    context.resource.parts.flatMap((part) => {
      const object = context.change.objects?.[part.name]
      const names = change.names.filter((name) => Object.hasOwn(entriesOf(part), name))
      const taken = { ...change, names, step: 'update' as const, object }
      return object === undefined ? [] : [[part.name, objectAfter(context, part, taken, object)]]
    }),
  )

const requestOf = (
  outer: WriteContext,
  { action, names }: OrderedWrite,
  change: Transition,
  objects = outer.change.objects,
): PlannedRequest => {
  const entries = allEntries(outer.resource)
  const context = between(outer, entries, change)
  const operation = operationOf(context, action.op)
  const own = Object.fromEntries(names.map((name) => [name, change.after[name] ?? null]))
  const scope = bodyScope(context, operation, change, objects)
  const fields = encodeAll(
    entries,
    own,
    'update',
    (entry, value, name) => scope(['desired', name], true) ?? encodeValue(entry, value, 'update'),
  )
  return writeRequest(context, operation, buildBody(operation, action.body, fields, scope))
}
