import { memberOf, toPointer } from '../../../engine/json/pointer.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { withoutPlaces } from '../../../engine/transport/secrets/live-places.ts'
import { present } from '../../../engine/values/defined.ts'
import { mapMembers, pick, withoutMembers } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { applies, entriesOf, isSent, placeIn, sameValue } from '../document/attributes.ts'
import { type RestResource, readOp } from '../document/document.ts'
import type { Operation } from '../document/operation/operation.ts'
import { dropsOf, isPatch, type PartWrite, type ResourcePart, sendOf } from '../document/part.ts'
import { replacedPlace, templateOf, wholePlace } from '../document/replaced-place.ts'
import { names as namesIn, pathOf, pointerOf } from '../document/shared/template.ts'
import { buildBody, holdsSealed, plainBody } from '../request/build-body.ts'
import { encodeAll, encodeValue } from '../request/encode.ts'
import { bodyScope } from './body-scope.ts'
import {
  between,
  type CommandContext,
  inverseOf,
  onWayBack,
  type Transition,
  type Write,
  type WriteContext,
  writeOf,
  writeRequest,
} from './command-context.ts'
import {
  type Edit,
  editsOf,
  jsonPatch,
  liveBody,
  mergePatch,
  namedPlaces,
  refuseInList,
  withFormerNulls,
} from './edits.ts'
import { refuseInForm } from './form-fields.ts'
import { laidIn, readOf } from './laid-in.ts'
import { movedIn } from './moved-others.ts'
import { lossesIn, objectAfter, type PartAction, type Taken } from './part-effects.ts'
import { leftOutBy } from './replaced-object.ts'
import { keptUnseen, lostOfAttributes } from './unseen-losses.ts'
import { changesUnseen, isSentUnseen, masksOf } from './unseen-values.ts'
import { wholeFields, withRest } from './whole-body.ts'
import { doing } from './words.ts'

/** The write of a part's attributes; none if the document has no write for the part. */
export const partWrites = (
  context: WriteContext,
  part: ResourcePart,
  change: Transition,
  isNew: boolean,
): readonly Write[] => {
  const { after, names } = change
  const object = isNew ? undefined : context.change.objects?.[part.name]
  const wasMissing = isNew || isMissing(context, part)
  const step = stepFor(part, after, wasMissing)
  const operation = operationFor(context, part, step)
  if (operation === undefined) return []
  const taken: Taken = { ...change, step, object }
  const request = requestOf(context, part, operation, taken)
  const loses = [
    ...lossesIn(context, part, taken),
    ...leftOut(context, part, operation, { ...taken, body: request.body }),
  ]
  const write = writeOf({
    action: 'update',
    description: doing[step === 'remove' ? 'remove' : 'set'](names),
    operation,
    request,
    inverse:
      isNew && resetsUnread(context, part, taken) ? undefined : inverseOf(() => requestBack(context, part, taken)),
    loses,
    moves: movedIn(context, request.body),
    footprint: { sets: names },
  })
  return [{ ...write, part }]
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
  const unseen = [
    ...all.filter(isLost).map(([name, entry]) => toPointer(placeIn(entry, name))),
    ...lostOfAttributes(
      part,
      isWhole ? all.map(([name]) => name) : names,
      { ...taken, after: { ...after, ...kept } },
      { ...readOf(context, part), object },
    ),
  ]
  if (isPatch(part)) return unseen
  const values = namesIn(template, 'fields') ? sending : {}
  const sent = Object.entries(pick(entriesOf(part), Object.keys(values))).filter(([, entry]) => isSent(entry, 'update'))
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

const contentTypes: Readonly<Record<string, string>> = {
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
}

const requestOf = (outer: WriteContext, part: ResourcePart, operation: Operation, taken: Taken): PlannedRequest => {
  const { after, step } = taken
  const context = between(outer, entriesOf(part), taken)
  if (step === 'remove') return writeRequest(context, operation, plainBody(operation, context.scope))
  const isMade = step === 'create' && part.write?.send !== 'template'
  const fields = isMade ? allFields(part, after) : fieldsOf(context, part, operation, taken)
  const type = isMade ? undefined : contentTypes[part.write?.send ?? 'changed']
  const scope = bodyScope(context, operation, taken, {
    ...context.change.objects,
    [part.name]: isMade ? undefined : taken.object,
  })
  const body = buildBody(operation, bodyOf(part, step), fields, scope)
  if (!isMade) refuseInForm(operation, body, entriesOf(part), taken.names)
  return writeRequest(context, operation, body, type)
}

/** An operation of its own for the first set has a body of its own, or the whole part. */
const bodyOf = ({ write }: ResourcePart, step: PartAction): Json | undefined =>
  step === 'create' && write?.create !== write?.op && write?.send !== 'template' ? undefined : write?.body

/** What a part that is not there is made of. */
const allFields = (part: ResourcePart, values: JsonObject): JsonObject => {
  const given = mapMembers(values, (value) => value ?? undefined)
  return encodeAll(entriesOf(part), given, 'update')
}

/** What `{fields}` is, by the part's strategy. */
const fieldsOf = (context: CommandContext, part: ResourcePart, operation: Operation, taken: Taken): Json => {
  const { before, after, names, object } = taken
  const entries = entriesOf(part)
  const send = part.write && sendOf(part.write, operation.method)
  const read = { ...readOf(context, part), object }
  const place = wholePlace(context.resource, part, operation)
  const kept = keptUnseen(context, part, operation, taken)
  if (send !== 'object' && send !== 'jsonPatch') refuseInList(entries, send === 'changed' ? names : undefined, object)
  if (place !== undefined) {
    const values = { ...valuesToSend(context, part, taken, 'full'), ...kept }
    return wholeFields(context.resource, part, { before, values }, { ...read, place })
  }
  if (send === undefined || !isPatch(part)) {
    const values = { ...valuesToSend(context, part, taken, send), ...kept }
    const fields = encodeAll(entries, values, 'update', (entry, value, name) =>
      entry.select === undefined && (entry.pairs === undefined || send === 'full')
        ? laidIn(read, entry, pathOf(entry.path ?? name), {
            before: before[name],
            after: value,
            configured: context.change.desired[name],
          })
        : encodeValue(entry, value, 'update'),
    )
    return part.write?.keeps === true ? fields : withRest(fields, entries, { before, values }, read)
  }
  const edits = editsOf(entries, before, after, names, { ...read, keepsOrder: send === 'object' })
  if (send === 'mergePatch') return mergePatch(edits)
  const all = withFormerNulls(edits, read.former)
  if (send === 'jsonPatch') return jsonPatch(all, object)
  const unseen = Object.entries(pick(entries, Object.keys(kept))).map(([name, entry]): Edit => {
    const place = placeIn(entry, name)
    return { place, value: laidIn(read, entry, place, { before: before[name], after: kept[name] ?? null }) }
  })
  return liveObject(context, part, [...all, ...unseen], object)
}

/** `changed`: what differs. `full`: everything, because what is left out would be reset. */
const valuesToSend = (
  { resource }: Pick<CommandContext, 'resource'>,
  part: ResourcePart,
  { before, after: values, names }: Transition,
  send: PartWrite['send'] | undefined,
): JsonObject =>
  mapMembers(entriesOf(part), (entry, name) => {
    const { writeOnly, clearAs } = entry
    const isRest = send === 'full' && name !== part.collection?.field && !writeOnly && applies(resource, entry, values)
    const changed = send === 'full' ? values[name] : changedMembers(entry, before[name], values[name])
    const value = names.includes(name) ? (changed ?? null) : isRest ? values[name] : undefined
    return value === null && clearAs === 'omit' ? undefined : value
  })

/** Of a map that is written in pairs: the members that differ, and null for each that goes. */
const changedMembers = (
  { pairs }: AttributeEntry,
  before: Json | undefined,
  after: Json | undefined,
): Json | undefined => {
  if (pairs === undefined || !isObject(after) || isMark(after)) return after
  const was = isObject(before) && !isMark(before) ? before : {}
  const gone = Object.fromEntries(Object.keys(was).map((key) => [key, null]))
  return mapMembers({ ...gone, ...after }, (value, key) =>
    isSame(value, memberOf(was, key) ?? null) ? undefined : value,
  )
}

/** The whole object with edits made; its digest proves that members which the document does not name are as the plan saw them. */
const liveObject = (
  { resource, change }: CommandContext,
  part: ResourcePart,
  edits: readonly Edit[],
  object: JsonObject | undefined,
): JsonObject => {
  const drop = [...dropsOf(part.write), ...masksOf(entriesOf(part))]
  const body = liveBody(edits, {
    address: `${change.address}#${part.name}`,
    drop,
    except: [...watchedPlaces(resource, part), ...drop],
  })
  if (object === undefined || change.seal === undefined) return body
  return { ...body, digest: change.seal(withoutPlaces(object, body.except)) }
}

/** What other parts show of the same answer, and the generation, are watched as what they are. */
const watchedPlaces = ({ parts, lock }: RestResource, part: ResourcePart): readonly string[] => [
  ...parts.filter((other) => readOp(other) === readOp(part)).flatMap((other) => namedPlaces(entriesOf(other))),
  ...present(lock !== undefined && 'field' in lock && pointerOf(lock.field)),
]
