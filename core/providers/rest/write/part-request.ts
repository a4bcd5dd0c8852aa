import { memberOf, valueAt } from '../../../engine/json/pointer.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { withoutPlaces } from '../../../engine/transport/secrets/live-places.ts'
import { present } from '../../../engine/values/defined.ts'
import { mapMembers, pick } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { applies, entriesOf, placeIn } from '../document/attributes.ts'
import { type RestResource, readOp } from '../document/document.ts'
import type { Operation } from '../document/operation/operation.ts'
import { dropsOf, isPatch, type PartWrite, type ResourcePart, sendOf } from '../document/part.ts'
import { wholePlace } from '../document/replaced-place.ts'
import { pathOf, pointerOf } from '../document/shared/template.ts'
import { buildBody, plainBody } from '../request/build-body.ts'
import { encodeAll, encodeValue } from '../request/encode.ts'
import type { PartAction, Taken } from './effects/part-effects.ts'
import { keptUnseen } from './effects/unseen-losses.ts'
import { bodyScope } from './values/body-scope.ts'
import {
  between,
  type CommandContext,
  type Transition,
  type WriteContext,
  writeRequest,
} from './values/command-context.ts'
import {
  type Edit,
  editsOf,
  jsonPatch,
  liveBody,
  mergePatch,
  namedPlaces,
  refuseInList,
  withFormerNulls,
} from './values/edits.ts'
import { refuseInForm } from './values/form-fields.ts'
import { withNullAround } from './values/in-form.ts'
import { laidIn, laidInElement, type PartAsRead, readOf } from './values/laid-in.ts'
import { masksIn } from './values/unseen-values.ts'
import { wholeFields, withRest } from './values/whole-body.ts'

const contentTypes: Readonly<Record<string, string>> = {
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
}

/** The request that writes a part. */
export const requestOf = (
  outer: WriteContext,
  part: ResourcePart,
  operation: Operation,
  taken: Taken,
): PlannedRequest => {
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
    const fields = encodeAll(entries, values, 'update', (entry, value, name) => {
      const place = pathOf(entry.path ?? name)
      const sides = { before: before[name], after: value, configured: context.change.desired[name] }
      if (entry.select !== undefined) return encodeValue(entry, value, 'update')
      return entry.pairs === undefined || send === 'full'
        ? laidIn(read, entry, place, sides)
        : laidInPairs(read, entry, place, sides)
    })
    const own = withNullAround(entries, fields, read.former)
    return part.write?.keeps === true ? own : withRest(own, entries, { before, values }, read)
  }
  const edits = editsOf(entries, before, after, names, { ...read, keepsOrder: send === 'object' })
  const all = withFormerNulls(edits, read)
  if (send === 'mergePatch') return mergePatch(all)
  if (send === 'jsonPatch') return jsonPatch(all, object)
  const unseen = Object.entries(pick(entries, Object.keys(kept))).map(([name, entry]): Edit => {
    const place = placeIn(entry, name)
    return { place, value: laidIn(read, entry, place, { before: before[name], after: kept[name] ?? null }) }
  })
  return liveObject(context, part, [...all, ...unseen], object)
}

/** `changed`: what differs. `full`: everything, because what is left out would be reset. */
export const valuesToSend = (
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

/** Single pairs of a map, each with all that was read of it: a server may put it in the place of the former one. */
const laidInPairs = (
  read: PartAsRead,
  list: AttributeEntry,
  place: Path,
  { before, after }: { readonly before: Json | undefined; readonly after: Json },
): Json => {
  const pairOf = (key: string, value: Json): Json => valueAt(encodeValue(list, { [key]: value }, 'update'), [0]) ?? null
  if (read.keepsMembers || !isObject(after) || isMark(after)) return encodeValue(list, after, 'update')
  return Object.entries(after).map(([key, value]) => {
    const was = isMark(before) ? undefined : memberOf(before, key)
    const to = pairOf(key, value)
    return was === undefined || value === null
      ? to
      : laidInElement(read, { list, place }, { from: pairOf(key, was), to })
  })
}

/** The whole object with edits made; its digest proves that members which the document does not name are as the plan saw them. */
const liveObject = (
  { resource, change }: CommandContext,
  part: ResourcePart,
  edits: readonly Edit[],
  object: JsonObject | undefined,
): JsonObject => {
  const drop = [...dropsOf(part.write), ...masksIn(resource, part)]
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
