import { fromPointer, mapValue, memberOf, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../../engine/schema/json.ts'
import { isLive } from '../../../../engine/schema/value.ts'
import { isEqual } from '../../../../engine/transport/secrets/find-elements.ts'
import { fillLive } from '../../../../engine/transport/secrets/live-object.ts'
import { liveAt, withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import { textOfValue } from '../../../../engine/values/texts/json-text.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { allEntries, type Entries, entriesOf, sameValue } from '../../document/attributes.ts'
import { besideName, standsInEnvelope } from '../../document/beside-envelope.ts'
import { type RestResource, readOp, shownIds } from '../../document/document.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { type Collection, dropsOf, type ResourcePart } from '../../document/part.ts'
import {
  ownMembers,
  ownOfElement,
  type ReplacedMember,
  replacedInElement,
  replacedMembers,
  replacedPlace,
  sentOfElement,
} from '../../document/replaced-place.ts'
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
  /** What undoes it. */
  readonly back?: Json | undefined
}

/** The write of one element. */
interface SentToElement {
  readonly operation: Operation
  /** What makes such an element. */
  readonly create: Operation | undefined
  readonly change: ElementChange
  readonly body: Json | undefined
}

/**
 * What a body has by itself in the place of what was read, in whatever way it is sent: the plan shows no change of it, and what undoes
 * the request does not have it as it was.
 */
export const overwrittenBy = (
  resource: RestResource,
  part: ResourcePart,
  operation: Operation,
  { object, body = null, template, fields, back }: SentToObject,
): readonly string[] => {
  if (object === undefined) return []
  const named = [...placesOf(pick(entriesOf(part), fields)), ...whole(ownPlaces(resource, part, operation))]
  const members = ownMembers(resource, part, operation, template)
  return lostOfOwn(members, named, object, { sent: asFilled(body, object), back })
}

/** A body with what was read of the object. */
const asFilled = (body: Json, object: JsonObject): Json =>
  mapValue(body, (inner) => (isLive(inner) ? fillLive(inner, object) : undefined))

const whole = (places: readonly Path[]): readonly NamedPlace[] => places.map((place) => ({ place, isOpen: true }))

const lostOfOwn = (
  members: readonly ReplacedMember[],
  named: readonly NamedPlace[],
  read: Json,
  { sent, back = null }: { readonly sent: Json; readonly back: Json | undefined },
): readonly string[] =>
  members.flatMap(({ at, place }) => {
    const former = isLive(back) ? memberOf(back.with, `${back.at ?? ''}${toPointer(at)}`) : valueAt(back, at)
    const isThere = [valueAt(sent, at), former].some((value) => isAsRead(value, liveAt(read, place)))
    return isThere ? [] : lostAt({ place, named }, read, valueAt(sent, at))
  })

/** A form has texts alone, and a document may have a number in the place of a text. */
const isAsRead = (value: Json | undefined, read: Json | undefined): boolean =>
  value !== undefined &&
  read !== undefined &&
  (isEqual(value, read) || (typeof read !== 'object' && textOfValue(value) === textOfValue(read)))

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
  const sent = asFilled(body, object)
  const said = [
    ...placesOf(pick(entriesOf(part), fieldsIn(template, fields))),
    ...saidIn(template, entriesOf(part), 'desired'),
  ]
  const named = [...said, ...whole(ownPlaces(resource, part, operation))]
  return replaced.flatMap(({ at, place }) => {
    const own = valueAt(sent, at)
    const isThere = own !== undefined && (liveAt(object, place) ?? null) !== null
    return [
      ...lostAt({ place, named }, object, own),
      ...(isThere ? lostOfOthers(othersIn(resource, part, fields), object, { place, body: own }) : []),
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
  return lostOfOthers(othersIn(resource, part, fields), object, { place: [], body: asFilled(body, object) })
}

/** What an answer has beside its object, and a body with the same envelope has not, where it replaces all of it, or has otherwise. */
export const lostBeside = (
  { resource, change: { objects = {} } }: CommandContext,
  part: ResourcePart,
  operation: Operation,
  body: Json | undefined,
): readonly string[] => {
  const beside = objects[besideName(part)]
  if (beside === undefined || body === undefined || !standsInEnvelope(resource, part, body)) return []
  const isReplaced = replacedPlace(resource, part, operation)?.length === 0
  return valuesOf(withoutPlaces(beside, dropsOf(part.write))).filter((place) => {
    const steps = fromPointer(place)
    // A list takes the place of all of the former one.
    const list = steps.indexOf('*')
    const at = list < 0 ? steps : steps.slice(0, list)
    const own = valueAt(body, at)
    return own === undefined ? isReplaced : !isAsRead(own, liveAt(beside, at))
  })
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
  const there = elementThatStays(collection, change, read)
  if (there === undefined) return []
  const { element: entries } = collection
  const template = operation.body ?? '{el}'
  const filled = filledElement(change, body, read)
  const sent = { el: Object.keys(entries), changed: Object.keys(differing(entries, change)), key: collection.key ?? [] }
  const said = Object.entries(sent).flatMap(([variable, members]) => [
    ...(isSentWhole(template, variable) ? placesOf(pick(entries, members)) : []),
    ...saidIn(template, entries, variable),
  ])
  const named = [...said, ...madeIn(collection, operation)]
  const replaced = replacedInElement(collection, operation, create, template)
  const lost = [
    ...replaced.flatMap(({ at, place }) => lostAt({ place, named }, there, valueAt(filled, at))),
    ...lostOfElement(entries, there, filled, { replaced, sent: sentOfElement(collection, operation, template) }),
  ]
  return inList(collection, lost)
}

/** What a body of one element has by itself in the place of what was read of it. */
export const overwrittenInElement = (
  collection: Collection,
  { operation, change, body, back }: Omit<SentToElement, 'create'> & { readonly back: Json | undefined },
  template: Json,
  read: PartAsRead,
): readonly string[] => {
  const members = ownOfElement(collection, operation, template)
  const there = members.length === 0 ? undefined : elementThatStays(collection, change, read)
  if (there === undefined) return []
  const named = [...placesOf(differing(collection.element, change)), ...madeIn(collection, operation)]
  return inList(collection, lostOfOwn(members, named, there, { sent: filledElement(change, body, read), back }))
}

const elementThatStays = (collection: Collection, change: ElementChange, read: PartAsRead): Json | undefined =>
  change.before === undefined || change.after === undefined ? undefined : elementAsRead(read, collection, change)

const filledElement = ({ place }: ElementChange, body: Json = null, { object }: PartAsRead): Json =>
  mapValue(body, (inner) =>
    isLive(inner) && object !== undefined ? fillLive(asItWasRead(inner, place), object) : undefined,
  )

const differing = (entries: Entries, { before, after }: ElementChange): Entries =>
  mapMembers(entries, (entry, name) => (sameValue(entry, before?.[name], after?.[name]) ? undefined : entry))

/** What the server makes of an element, and what its path says. */
const madeIn = ({ element }: Collection, { path }: Operation): readonly NamedPlace[] => {
  const inPath = new Set(variablesOf(path).map(([, name]) => name))
  const own = Object.entries(element).filter(([name, entry]) => entry.computed === true || inPath.has(name))
  return whole(own.map(([name, entry]) => pathOf(entry.path ?? name)))
}

const inList = (collection: Collection, places: readonly string[]): readonly string[] =>
  places.map((each) => `${toPointer([...placeOfList(collection), '*'])}${each}`)

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
export const ownPlaces = (resource: RestResource, part: ResourcePart, { path }: Operation): readonly Path[] => {
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
