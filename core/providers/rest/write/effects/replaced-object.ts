import { fromPointer, mapValue, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../../engine/schema/json.ts'
import { isLive } from '../../../../engine/schema/value.ts'
import { fillLive } from '../../../../engine/transport/secrets/live-object.ts'
import { liveAt, withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, type Entries, entriesOf, sameValue } from '../../document/attributes.ts'
import { besideName, standsInEnvelope } from '../../document/beside-envelope.ts'
import { type RestResource, readOp, shownIds } from '../../document/document.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { type Collection, dropsOf, type ResourcePart } from '../../document/part.ts'
import { replacedInElement, replacedMembers, replacedPlace, sentOfElement } from '../../document/replaced-place.ts'
import { names, pathOf, variablesOf } from '../../document/shared/template.ts'
import type { CommandContext } from '../values/command-context.ts'
import type { PartAsRead } from '../values/laid-in.ts'
import { type ElementChange, placeOfList } from './element-changes.ts'
import { asItWasRead, elementAsRead, lossesOfBody, type NamedPlace, placesOf, valuesOf } from './losses.ts'
import { lostOfElement, lostOfOthers } from './unseen-losses.ts'

/** What a request sends to an object of which a part was read. */
interface SentToObject {
  readonly object: JsonObject | undefined
  readonly body: Json | undefined
  /** What the body is made from. */
  readonly template: Json
  /** The attributes that the request is about, and those that `{fields}` has. */
  readonly fields: readonly string[]
}

/** The write of one element. */
interface SentToElement {
  readonly operation: Operation
  /** What makes such an element. */
  readonly create: Operation | undefined
  readonly change: ElementChange
  readonly body: Json | undefined
}

/** What a write resets because its body, which the document composes by itself, does not have it: values that it does not say. */
export const leftOutBy = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  { object, body = null, template, fields }: SentToObject,
): readonly string[] => {
  if (object === undefined) return []
  const outer = replacedPlace(resource, part, operation, template)
  const replaced = outer ? [{ at: [], place: outer }] : replacedMembers(resource, part, operation, template)
  const whole = mapValue(body, (inner) => (isLive(inner) ? fillLive(inner, object) : undefined))
  const said = [
    ...placesOf(pick(entriesOf(part), fieldsIn(template, fields))),
    ...saidIn(template, entriesOf(part), 'desired'),
  ]
  const named = [...said, ...ownPlaces(resource, part, operation).map((each) => ({ place: each, isOpen: true }))]
  return replaced.flatMap(({ at, place }) => {
    const sent = valueAt(whole, at)
    const isThere = sent !== undefined && (liveAt(object, place) ?? null) !== null
    return [
      ...lostAt({ place, named }, object, sent),
      ...(isThere ? lostOfOthers(othersIn(resource, part, fields), object, { place, body: sent }) : []),
    ]
  })
}

/** What the whole object, with which a request replaces it, does not have of what no read shows of other parts. */
export const lostOfOtherParts = (
  resource: RestResource,
  part: ResourcePart,
  { object, body, fields }: Omit<SentToObject, 'template'>,
): readonly string[] => {
  if (object === undefined || body === undefined) return []
  const whole = mapValue(body, (inner) => (isLive(inner) ? fillLive(inner, object) : undefined))
  return lostOfOthers(othersIn(resource, part, fields), object, { place: [], body: whole })
}

/** What an answer has beside its object, and a body with the same envelope, which replaces all of it, has not. */
export const lostBeside = (
  { resource, change: { objects = {} } }: CommandContext,
  part: ResourcePart,
  operation: Operation,
  body: Json | undefined,
): readonly string[] => {
  const beside = objects[besideName(part)]
  if (beside === undefined || body === undefined || !standsInEnvelope(resource, part, body)) return []
  if (replacedPlace(resource, part, operation)?.length !== 0) return []
  return valuesOf(withoutPlaces(beside, dropsOf(part.write))).filter(
    (place) => valueAt(body, fromPointer(place)) === undefined,
  )
}

/** What was read at a place, and is nowhere in what takes its place. */
const lostAt = (
  { place, named }: { readonly place: Path; readonly named: readonly NamedPlace[] },
  read: Json,
  sent: Json | undefined,
): readonly string[] => {
  const there = liveAt(read, place)
  if (there === undefined || sent === undefined) return []
  // No request puts it back to nothing.
  if (there === null) return [toPointer(place)]
  return lossesOfBody(inside(place, named), there, sent).map((lost) => `${toPointer(place)}${lost}`)
}

/** Without the attributes of which a template of its own has single members. */
const fieldsIn = (template: Json, fields: readonly string[]): readonly string[] => {
  const variables = variablesOf(template)
  const isInParts = (field: string): boolean => {
    const own = variables.filter(([first, name]) => first === 'desired' && name === field)
    return own.length > 0 && own.every((path) => path.length > 2)
  }
  return names(template, 'fields') ? fields : fields.filter((field) => !isInParts(field))
}

/** The attributes of the same object that are not of this write: it tells by itself what becomes of its own. */
const othersIn = (resource: RestResource, part: ResourcePart, fields: readonly string[]): Entries => {
  const list = part.collection?.field
  const isOfList = list !== undefined && fields.includes(list)
  const shared = resource.parts.filter((other) => readOp(other) === readOp(part))
  return Object.assign(
    {},
    ...shared.map((other) =>
      mapMembers(entriesOf(other), (entry, name) =>
        other === part && (name === list) === isOfList ? undefined : entry,
      ),
    ),
  ) as Entries
}

/** What the write of one element resets because its body does not have it. */
export const leftOutOfElement = (
  collection: Collection,
  { operation, create, change, body }: SentToElement,
  read: PartAsRead,
): readonly string[] => {
  const { before, after } = change
  const there = before === undefined || after === undefined ? undefined : elementAsRead(read, collection, change)
  if (there === undefined) return []
  const { element: entries } = collection
  const template = operation.body ?? '{el}'
  const whole = mapValue(body ?? null, (inner) =>
    isLive(inner) && read.object !== undefined ? fillLive(asItWasRead(inner, change.place), read.object) : undefined,
  )
  const differing = Object.entries(entries).filter(([name, entry]) => !sameValue(entry, before?.[name], after?.[name]))
  const sent = { el: Object.keys(entries), changed: differing.map(([name]) => name), key: collection.key ?? [] }
  const said = Object.entries(sent).flatMap(([variable, members]) => [
    ...(isSentWhole(template, variable) ? placesOf(pick(entries, members)) : []),
    ...saidIn(template, entries, variable),
  ])
  const inPath = new Set(variablesOf(operation.path).map(([, name]) => name))
  const own = Object.entries(entries).filter(([name, entry]) => entry.computed === true || inPath.has(name))
  const named = [...said, ...own.map(([name, entry]) => ({ place: pathOf(entry.path ?? name), isOpen: true }))]
  const list = [...placeOfList(collection), '*']
  const replaced = replacedInElement(collection, operation, create, template)
  const lost = [
    ...replaced.flatMap(({ at, place }) => lostAt({ place, named }, there, valueAt(whole, at))),
    ...lostOfElement(entries, there, whole, { replaced, sent: sentOfElement(collection, operation, template) }),
  ]
  return lost.map((each) => `${toPointer(list)}${each}`)
}

const isSentWhole = (template: Json, variable: string): boolean =>
  variablesOf(template).some(([first, ...deeper]) => first === variable && deeper.length === 0)

/** What a template names of the attributes, one by one. */
const saidIn = (template: Json, entries: Entries, variable: string): readonly NamedPlace[] =>
  variablesOf(template).flatMap(([first, name, ...deeper]) => {
    if (first !== variable || name === undefined) return []
    const entry = entries[name]
    // The template of an element has the names of a body, too.
    if (entry === undefined) return placesOf(mapMembers(entries, (each) => isSentIn(each, [name, ...deeper])))
    const isPart = deeper.length > 0 && entry.as === undefined && entry.pairs === undefined
    return isPart
      ? [{ place: [...pathOf(entry.path ?? String(name)), ...deeper], isOpen: true }]
      : placesOf({ [name]: entry })
  })

const isSentIn = (entry: AttributeEntry, steps: Path): AttributeEntry | undefined =>
  entry.send !== undefined && toPointer(pathOf(entry.send).slice(0, steps.length)) === toPointer(steps)
    ? entry
    : undefined

/** Places as they are seen from another one; those that are around it cover all of it. */
const inside = (outer: Path, places: readonly NamedPlace[]): readonly NamedPlace[] =>
  places.flatMap(({ place, isOpen }) => {
    const shared = Math.min(outer.length, place.length)
    const isOn = outer.slice(0, shared).every((step, index) => String(step) === String(place[index]))
    return isOn && (isOpen || place.length >= outer.length) ? [{ place: place.slice(outer.length), isOpen }] : []
  })

/** What the server makes by itself, what requests say in another place, and what the document drops. */
const ownPlaces = (resource: RestResource, part: ResourcePart, { path }: Operation): readonly Path[] => {
  const { lock } = resource
  const inPath = new Set(variablesOf(path).map(([name]) => name))
  const own = Object.entries(allEntries(resource)).flatMap(([name, entry]) =>
    entry.computed === true || entry.in === 'path' || inPath.has(name) ? [pathOf(entry.path ?? name)] : [],
  )
  const version = lock !== undefined && 'field' in lock ? [lock.field] : []
  return [...own, ...[...Object.values(shownIds(resource)), ...version].map(pathOf), ...dropped(part)]
}

const dropped = ({ write, collection }: ResourcePart): readonly Path[] =>
  [...dropsOf(write), ...dropsOf(collection?.write)].map(fromPointer)
