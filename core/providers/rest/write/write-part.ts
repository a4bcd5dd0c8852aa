import { toPointer } from '../../../engine/json/pointer.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { holdsLive } from '../../../engine/values/marks/marks.ts'
import { pick, withoutMembers } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { entriesOf, isSent, placeIn, sameValue } from '../document/attributes.ts'
import type { Operation } from '../document/operation/operation.ts'
import { isPatch, type ResourcePart, sendOf } from '../document/part.ts'
import { replacedPlace, templateOf } from '../document/replaced-place.ts'
import { names as namesIn, pathOf } from '../document/shared/template.ts'
import { holdsSealed } from '../request/build-body.ts'
import { endedBy } from './effects/ended-values.ts'
import { givenToPart } from './effects/given-values.ts'
import { movedIn } from './effects/moved-others.ts'
import { lossesIn, objectAfter, type PartAction, type Taken } from './effects/part-effects.ts'
import { leftOutBy, lostBeside, lostOfOtherParts, overwrittenBy } from './effects/replaced-object.ts'
import { keptUnseen, lostOfAttributes } from './effects/unseen-losses.ts'
import { requestOf, valuesToSend } from './part-request.ts'
import {
  type CommandContext,
  inverseOf,
  onWayBack,
  producesOf,
  type Transition,
  type Write,
  type WriteContext,
  writeOf,
} from './values/command-context.ts'
import { type Edit, editsOf } from './values/edits.ts'
import { readOf } from './values/laid-in.ts'
import { changesUnseen, isSentUnseen } from './values/unseen-values.ts'
import { doing } from './words.ts'

/** The write of a part's attributes; none if the document has no write for the part. */
export const partWrites = (
  context: WriteContext,
  part: ResourcePart,
  all: Transition,
  isNew: boolean,
): readonly Write[] => {
  const change = { ...all, names: sentNames(context, part, all) }
  const { after, names } = change
  if (names.length === 0) return []
  const object = isNew ? undefined : context.change.objects?.[part.name]
  const wasMissing = isNew || isMissing(context, part)
  const step = stepFor(part, after, wasMissing)
  const operation = operationFor(context, part, step)
  if (operation === undefined) return []
  const taken: Taken = { ...change, step, object }
  const request = requestOf(context, part, operation, taken)
  const inverse =
    isNew && resetsUnread(context, part, taken) ? undefined : inverseOf(() => requestBack(context, part, taken))
  const told = { object, body: request.body, back: inverse?.body, template: templateOf(part, operation), fields: names }
  const loses = [
    ...lossesIn(context, part, taken),
    ...leftOut(context, part, operation, { ...taken, body: request.body }),
    ...endedBy(context, change),
    ...(step === 'update' ? overwrittenBy(context.resource, part, operation, told) : []),
  ]
  const write = writeOf({
    action: 'update',
    description: doing[step === 'remove' ? 'remove' : 'set'](names),
    operation,
    request,
    inverse,
    loses,
    goes: givenToPart(part, change),
    // A write may make the object anew, with another id.
    ...producesOf(operation),
    moves: movedIn(context, request.body),
    footprint: { sets: names },
  })
  return [{ ...write, part }]
}

/** What changes, without what is never sent beside what each request has: the plan then says that no request sends it. */
const sentNames = (context: CommandContext, part: ResourcePart, change: Transition): readonly string[] => {
  const { names } = change
  const operation = operationFor(context, part, 'update')
  const sending =
    isPatch(part) || part.write === undefined
      ? {}
      : valuesToSend(context, part, change, sendOf(part.write, operation?.method))
  const isHeldBack = (other: string): boolean => Object.hasOwn(sending, other) && !names.includes(other)
  return names.filter((name) => !entriesOf(part)[name]?.unlessSent?.some(isHeldBack))
}

/** What an update resets because its body does not have it. */
const leftOut = (
  context: CommandContext,
  part: ResourcePart,
  operation: Operation,
  taken: Taken & { readonly body: Json | undefined },
): readonly string[] => {
  const { resource } = context
  const { step, object, body, names, after } = taken
  if (step !== 'update') return []
  const kept = keptUnseen(context, part, operation, taken)
  const template = templateOf(part, operation)
  // Nobody can tell whether the object has such a value.
  const isWhole = part.write?.keeps !== true && replacedPlace(resource, part, operation, template)?.length === 0
  const sending = { ...valuesToSend(context, part, taken, part.write && sendOf(part.write, operation.method)), ...kept }
  const isTaken = ({ unlessSent = [] }: AttributeEntry): boolean =>
    isPatch(part) || !unlessSent.some((other) => Object.hasOwn(sending, other))
  const all = Object.entries(entriesOf(part))
  const isLost = ([name, entry]: readonly [string, AttributeEntry]): boolean =>
    isWhole && isSentUnseen(entry) && !names.includes(name) && !(Object.hasOwn(kept, name) && isTaken(entry))
  // What others add meanwhile is in no body that is not made of a new read.
  const isOverOthers = isWhole && context.change.isShared === true && !holdsLive(body)
  const unseen = [
    ...(isOverOthers ? ['/*'] : []),
    ...lostBeside(context, part, operation, body),
    ...all.filter(isLost).map(([name, entry]) => toPointer(placeIn(entry, name))),
    ...lostOfAttributes(
      part,
      isWhole ? all.map(([name]) => name) : names,
      { ...taken, after: { ...after, ...kept } },
      { ...readOf(context, part), object },
    ),
  ]
  if (isPatch(part))
    return isWhole ? [...unseen, ...lostOfOtherParts(resource, part, { object, body, fields: names })] : unseen
  const values = namesIn(template, 'fields') ? sending : {}
  const sent = Object.entries(pick(entriesOf(part), Object.keys(values))).filter(
    ([, entry]) => isSent(entry, 'update') && isTaken(entry),
  )
  const fields = [...names, ...sent.map(([name]) => name)]
  return [...leftOutBy(resource, part, operation, { object, body, template, fields }), ...unseen]
}

/** The request that restores everything after the change has been made. */
const requestBack = (there: WriteContext, part: ResourcePart, taken: Taken): PlannedRequest | undefined => {
  const { before, after, names, object } = taken
  const context = object === undefined ? there : onWayBack(there)
  const step = stepBack(part, before, taken.step)
  const operation = step && operationFor(context, part, step)
  if (step === undefined || operation === undefined) return undefined
  const changed = object && objectAfter(there, part, taken, object)
  // What a call sets is no change of this request, and its inverse finds and leaves it as the call does.
  const others = Object.keys(entriesOf(part)).filter((name) => !names.includes(name))
  const left = { ...withoutMembers(before, others), ...pick(after, others) }
  const back = { before: after, after: left, names, step, object: changed }
  if (step !== 'remove' && !isKnown(context, part, back)) return undefined
  return requestOf(context, part, operation, back)
}

/**
 * Whether the way back replaces an object that nobody has read: the server gave it more than is known here. Who takes away what was
 * made has no more to bring back.
 */
const resetsUnread = ({ resource }: CommandContext, part: ResourcePart, { before, names, step }: Taken): boolean => {
  const back = stepBack(part, before, step)
  const operation = back && back !== 'remove' && !isPatch(part) ? operationFor({ resource }, part, back) : undefined
  const place = operation && replacedPlace(resource, part, operation)
  const isItsOwn = (name: string): boolean =>
    place !== undefined && toPointer(pathOf(entriesOf(part)[name]?.path ?? name)) === toPointer(place)
  return place !== undefined && !names.some(isItsOwn)
}

/** Known only where the read keeps the object because the part is made by an operation of its own. */
const isMissing = ({ change }: CommandContext, { name, write }: ResourcePart): boolean =>
  write?.create !== undefined && change.before !== null && change.objects?.[name] === undefined

const isEmpty = (part: ResourcePart, values: JsonObject): boolean =>
  Object.entries(entriesOf(part)).every(
    ([name, entry]) => !isSent(entry, 'update') || sameValue(entry, values[name], undefined),
  )

const stepFor = (part: ResourcePart, after: JsonObject, wasMissing: boolean): PartAction => {
  if (part.write?.remove !== undefined && isEmpty(part, after)) return 'remove'
  return wasMissing && part.write?.create !== undefined ? 'create' : 'update'
}

/** The request that undoes a step, if the document describes one. */
const stepBack = (part: ResourcePart, before: JsonObject, step: PartAction): PartAction | undefined => {
  if (step === 'create') return part.write?.remove === undefined ? undefined : 'remove'
  if (step === 'remove') return part.write?.create === undefined ? 'update' : 'create'
  return part.write?.remove !== undefined && isEmpty(part, before) ? 'remove' : 'update'
}

const operationFor = (
  context: Pick<CommandContext, 'resource'>,
  { write }: ResourcePart,
  step: PartAction,
): Operation | undefined =>
  write && context.resource.operations[(step === 'update' ? undefined : write[step]) ?? write.op]

/** Former values that can be sent: read, and no secret. A patch can also remove members that did not exist. */
const isKnown = (context: CommandContext, part: ResourcePart, back: Taken): boolean => {
  const { before, after, names, object } = back
  const entries = entriesOf(part)
  return names.every((name) => {
    const value = after[name]
    if (entries[name]?.writeOnly) return false
    if (value === undefined) return isPatch(part)
    if (entries[name] !== undefined && changesUnseen(entries[name], value, before[name])) return false
    // What only its digest is known of, and what stays, is sent as it is read then.
    const edits = (): readonly Edit[] => editsOf(entries, before, after, [name], { ...readOf(context, part), object })
    return !holdsSealed(value) || edits().every((edit) => edit.value === undefined || !holdsSealed(edit.value))
  })
}
