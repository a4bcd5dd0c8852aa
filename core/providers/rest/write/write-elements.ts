import { canonicalJson } from '../../../engine/json/canonical.ts'
import { toPointer } from '../../../engine/json/pointer.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../../engine/values/members.ts'
import { sameValue } from '../document/attributes.ts'
import { type Operation, takesPosition } from '../document/operation/operation.ts'
import type { Collection, EachElement, ResourcePart } from '../document/part.ts'
import type { Scope } from '../document/shared/template.ts'
import { buildBody, within } from '../request/build-body.ts'
import { operationOf } from '../request/context.ts'
import {
  type CollectionChange,
  changesByKey,
  doneTo,
  type ElementChange,
  type ElementStep,
  elementLabel,
  elementScope,
  isUnknownBack,
  keyedElements,
  reversed,
} from './effects/element-changes.ts'
import { givenToElements } from './effects/given-values.ts'
import { lossesOfRemoved } from './effects/losses.ts'
import { movedIn } from './effects/moved-others.ts'
import { leftOutOfElement, overwrittenInElement } from './effects/replaced-object.ts'
import { lostOfElements } from './effects/unseen-losses.ts'
import { orderedSteps } from './order-elements.ts'
import {
  type CommandContext,
  inverseOf,
  onWayBack,
  type Write,
  type WriteContext,
  writeOf,
  writeRequest,
} from './values/command-context.ts'
import { type PartAsRead, readOfList } from './values/laid-in.ts'
import { doing } from './words.ts'

/** A call for each element that is added, changed or removed. */
export const elementWrites = (
  context: WriteContext,
  part: ResourcePart,
  collection: Collection,
  each: EachElement,
  change: CollectionChange,
): readonly Write[] => {
  const { write } = collection
  const instead = write !== undefined && 'instead' in write ? write.instead : undefined
  const callOf = ({ call, change: { before } }: ElementStep): Operation =>
    operationOf(context, call === 'remove' && isOther(collection, instead, before) ? instead.op : (each[call] ?? call))
  const requestOf = (step: ElementStep, at = context): PlannedRequest => {
    const { call, change, position, to } = step
    const operation = callOf(step)
    // A PATCH of one element leaves its other members alone.
    const keepsMembers = asKept(collection, operation).method === 'PATCH'
    const { former, ...list } = readOfList(at, part)
    const read = call === 'update' ? { ...list, ...defined({ former }), keepsMembers } : undefined
    const outer = elementScope(collection, change, at.scope, call === 'create' ? 'create' : 'update', read, former)
    const scope = within(outer, defined({ position, to }))
    return writeRequest({ ...at, scope }, operation, bodyOf(operation, call, scope))
  }
  const create = each.create === undefined ? undefined : context.resource.operations[each.create]
  const left = leavingWith(context, collection)
  const steps = elementSteps(context, collection, each, change)
  return steps
    .filter(({ call, change: { key } }) => call !== 'remove' || !left.has(key))
    .map((step): Write => {
      const request = requestOf(step)
      const read = readOfList(context, part)
      const inverse =
        isLastWithout(context, collection, each, step) || isUnknownBack(collection, step.change)
          ? undefined
          : inverseOf(() => requestOf(backOf(context, collection, step), onWayBack(context)))
      const sent = { change: step.change, body: request.body, back: inverse?.body }
      const updated = { operation: asKept(collection, callOf(step)), create, ...sent }
      const { draft, operation } = writeOf({
        action: 'update',
        description: doing.element(step.call, elementLabel(collection, step.change), collection.field),
        operation: callOf(step),
        request,
        inverse,
        loses: [
          ...(collection.namesObjects ? [] : lossesOfRemoved(read, collection, [step.change])),
          ...(collection.namesObjects || step.call !== 'update' ? [] : leftOut(collection, updated, read)),
          ...(step.call === 'remove'
            ? lostOfElements(collection, [step.change], context.change.desired[collection.field])
            : []),
        ],
        goes: givenToElements(collection, [step.change]),
        moves: movedIn(context, request.body),
        footprint: collection.ordered ? { affects: [collection.field] } : doneTo(collection, [step.change]),
      })
      return { draft: { ...draft, ...defined({ about: step.about }) }, operation }
    })
}

/** What an update of an element does not have of it, and has otherwise by itself. */
const leftOut = (
  collection: Collection,
  sent: Parameters<typeof leftOutOfElement>[1] & Parameters<typeof overwrittenInElement>[1],
  read: PartAsRead,
): readonly string[] => [
  ...leftOutOfElement(collection, sent, read),
  ...overwrittenInElement(collection, sent, sent.operation.body ?? '{el}', read),
]

/** An update of an element, of which the document may say that it does what a PATCH does. */
const asKept = ({ write }: Collection, operation: Operation): Operation =>
  write !== undefined && 'each' in write && write.keeps === true ? { ...operation, method: 'PATCH' } : operation

/** What was removed from between others would come back as the last element: no single request puts it in its place. */
const isLastWithout = (
  { resource }: WriteContext,
  { ordered, positions }: Collection,
  each: EachElement,
  { call, about, position = 0 }: ElementStep,
): boolean => {
  if (call !== 'remove' || !ordered || positions === undefined || !('first' in positions)) return false
  const behind = (about?.order?.length ?? 0) - 1 - (position - positions.first)
  return behind > 0 && !takesPosition(resource, each.create)
}

/** The keys of elements that leave the list around this one in the same change: what removes them there removes them here. */
const leavingWith = ({ resource, change }: WriteContext, { within: name }: Collection): ReadonlySet<string> => {
  const around = resource.parts.find(({ collection }) => name !== undefined && collection?.field === name)?.collection
  if (around === undefined || name === undefined) return new Set()
  const keysIn = (object: JsonObject | null): ReadonlySet<string> =>
    new Set(keyedElements(around, object?.[name]).map(({ key }) => key))
  return keysIn(change.before).difference(keysIn(change.after))
}

type RemovedInstead = NonNullable<Extract<NonNullable<Collection['write']>, { readonly each: unknown }>['instead']>

const isOther = (
  { element }: Collection,
  instead: RemovedInstead | undefined,
  before: JsonObject | undefined,
): instead is RemovedInstead =>
  instead !== undefined &&
  Object.entries(instead.when).every(([name, values]) => {
    const entry = element[name]
    return entry !== undefined && values.some((value) => sameValue(entry, value, before?.[name]))
  })

const backOf = (context: WriteContext, collection: Collection, step: ElementStep): ElementStep => {
  const { call, change, position, to } = step
  const { after } = change
  const made =
    call === 'create' && after !== undefined ? { after: { ...madeFor(context, collection, after), ...after } } : {}
  return {
    call: call === 'create' ? 'remove' : call === 'remove' ? 'create' : call,
    change: reversed({ ...change, ...made }),
    ...defined({ position: call === 'update' ? position : to, to: position }),
  }
}

/** What the server makes for an element, such as its id: it is known when the element, which its key tells, has been read. */
const madeFor = ({ change }: WriteContext, collection: Collection, element: JsonObject): JsonObject => {
  const { field, key = [], plain } = collection
  const own = pick(element, key)
  if (plain || key.length === 0 || Object.values(own).some((value) => typeof value === 'object')) return {}
  return mapMembers(collection.element, ({ computed }, member) =>
    computed === true
      ? { $after: change.address, pointer: toPointer(['attributes', field, canonicalJson(own), member]) }
      : undefined,
  )
}

const bodyOf = (operation: Operation, call: ElementStep['call'], scope: Scope): Json | undefined => {
  if (operation.body === undefined && (call === 'remove' || call === 'move')) return undefined
  return buildBody(operation, undefined, scope(['el']) ?? {}, scope)
}

/** The calls that bring a collection to its desired elements, in the order in which they are sent. */
const elementSteps = (
  { resource }: CommandContext,
  collection: Collection,
  each: EachElement,
  change: CollectionChange,
): readonly ElementStep[] => {
  const { positions, ordered } = collection
  if (ordered && positions !== undefined && 'first' in positions) {
    const inserts = takesPosition(resource, each.create)
    return orderedSteps({ collection, each, first: positions.first, inserts }, change)
  }
  const steps = changesByKey(collection, change).flatMap((one) => stepsOf(each, one))
  const sorted = positions !== undefined && 'member' in positions ? lastToFirst(steps, positions.member) : steps
  return sorted.map((step) => ({ ...step, ...aboutOf(collection, step) }))
}

/** If the API cannot update an element, it is removed and created again. */
const stepsOf = (each: EachElement, change: ElementChange): readonly ElementStep[] => {
  const { key, before, after } = change
  if (before !== undefined && after !== undefined && each.update !== undefined) return [{ call: 'update', change }]
  return present<ElementStep>(
    before && { call: 'remove', change: { key, before } },
    after && { call: 'create', change: { key, after } },
  )
}

/** A removal moves all later elements: changes come first, then removals from the end, then additions. */
const lastToFirst = (steps: readonly ElementStep[], member: string): readonly ElementStep[] => {
  const place = ({ change }: ElementStep): number => Number(change.before?.[member] ?? 0)
  const of = (call: ElementStep['call']): readonly ElementStep[] => steps.filter((step) => step.call === call)
  return [...of('update'), ...of('remove').toSorted((one, other) => place(other) - place(one)), ...of('create')]
}

/** The key identifies the element; the server's address of it, or its position, must not have changed. */
const aboutOf = ({ field, element, key }: Collection, { change }: ElementStep): Pick<ElementStep, 'about'> => {
  const { before } = change
  if (before === undefined || key === undefined) return {}
  const made = mapMembers(before, (value, member) =>
    element[member]?.computed === true && typeof value !== 'object' ? value : undefined,
  )
  const holds = unlessEmpty(made)
  return defined({ about: holds && { of: field, key: pick(before, key), holds } })
}
