import { canonicalJson } from '../../../engine/json/canonical.ts'
import { toPointer } from '../../../engine/json/pointer.ts'
import type { Attribute, AttributeFacts, ObjectSchema } from '../../../engine/schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import type { Lifecycle } from '../../../engine/schema/resource.ts'
import { isMark, isSealed, isSecret } from '../../../engine/schema/value.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { isLargeNumber } from '../../../engine/values/large-integer.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { applyNormalisers, canonicalMembers, normalisersOf } from '../../../engine/values/normalise/normalisers.ts'
import { isWellFormed } from '../../../engine/values/well-formed.ts'
import { asChosen } from '../../../engine/values/with-manage.ts'
import { type AttributeEntry, travels } from './attribute.ts'
import type { RestResource } from './document.ts'
import { listEntry } from './elements.ts'
import { isPatch, type ResourcePart } from './part.ts'
import { pathOf } from './shared/template.ts'

export type Entries = Readonly<Record<string, AttributeEntry>>

/** A part's attributes; a collection is one of them, a keyed set. */
export const entriesOf = (part: ResourcePart): Entries => {
  const entries = ownEntries(part)
  const { appliesWhen } = part
  if (appliesWhen === undefined) return entries
  return mapMembers(entries, (entry) => ({ ...entry, appliesWhen: { ...appliesWhen, ...entry.appliesWhen } }))
}

const ownEntries = (part: ResourcePart): Entries => {
  const { collection, attributes = {} } = part
  const own = isPatch(part) ? writtenWhereRead(attributes) : attributes
  if (collection === undefined) return own
  const {
    field,
    element: _element,
    plain: _plain,
    ordered: _ordered,
    positions: _positions,
    namesObjects: _namesObjects,
    within: _within,
    write: _write,
    ...facts
  } = collection
  return { ...own, [field]: { ...facts, ...listEntry(collection) } }
}

/** Attributes that have their places of the answer, at any depth: the object itself is sent, with the differences. */
const writtenWhereRead = (attributes: Entries): Entries => {
  const known = whereRead.get(attributes)
  if (known !== undefined) return known
  const made = mapMembers(attributes, insideWhereRead)
  whereRead.set(attributes, made)
  return made
}

const whereRead = new WeakMap<Entries, Entries>()

const insideWhereRead = (entry: AttributeEntry): AttributeEntry => ({
  ...entry,
  ...defined({
    send: entry.send ?? entry.path,
    element: entry.element && insideWhereRead(entry.element),
    attributes: entry.attributes && mapMembers(entry.attributes, insideWhereRead),
  }),
})

/** The type for one resource, which may choose for each of its collections what happens to others' elements. */
export const asManaged = (resource: RestResource, manage: Lifecycle['manage']): RestResource =>
  manage === undefined ? resource : { ...resource, parts: resource.parts.map((part) => partAsManaged(part, manage)) }

const partAsManaged = (part: ResourcePart, manage: NonNullable<Lifecycle['manage']>): ResourcePart => {
  const { attributes, collection } = part
  return {
    ...part,
    ...defined({
      attributes: attributes && asChosen(attributes, manage),
      collection: collection && asChosen({ [collection.field]: collection }, manage)[collection.field],
    }),
  }
}

/** An attribute with all that are inside of it, at any depth. */
export const entriesIn = (entry: AttributeEntry): readonly AttributeEntry[] => [
  entry,
  ...present(entry.element, ...Object.values(entry.attributes ?? {})).flatMap(entriesIn),
]

/** The same attributes as requests have them that send back what was read: at the places of the answer. */
export const sentWhereRead = (entries: Entries): Entries =>
  mapMembers(entries, ({ send: _, ...own }) => ({ ...own, ...defined({ send: own.path }) }))

/** The place of an attribute in an object that is sent back in the form in which it was read. */
export const placeIn = (entry: AttributeEntry, name: string): Path => pathOf(entry.send ?? entry.path ?? name)

export const allEntries = (resource: RestResource): Entries =>
  Object.assign({}, ...resource.parts.map(entriesOf)) as Entries

/** The facts that shared code uses, without the representation of the value. */
export const schemaOf = (resource: RestResource): ObjectSchema => {
  const mayLack = resource.parts
    .filter((part) => mayBeAbsent(resource, part))
    .flatMap((part) => Object.keys(entriesOf(part)))
  const { keys, generated = [] } = resource.identity
  const attributes = mapMembers(allEntries(resource), (entry, name): Attribute => {
    const isKey = keys.includes(name)
    return {
      ...factsOf(entry),
      ...defined({
        leftOut: mayLack.includes(name) || undefined,
        identity: isKey || undefined,
        generated: (isKey && generated.includes(name)) || undefined,
      }),
    }
  })
  return { attributes }
}

const mayBeAbsent = (
  { operations }: RestResource,
  { read, appliesWhen, ifDeclared, ifDiffers }: ResourcePart,
): boolean =>
  appliesWhen !== undefined ||
  ifDeclared === true ||
  ifDiffers !== undefined ||
  (typeof read !== 'string' && (operations[read.op]?.absent ?? read.absent).length > 0)

/** Without the representation of the value; that it is in a URL, or has a spelling for "none", is a fact too. */
const factsOf = (entry: AttributeEntry, isInElement = false): Attribute => {
  const { attributes, element, ...own } = entry
  const facts = Object.fromEntries(Object.entries(own).filter(([name]) => !Object.hasOwn(travels, name)))
  return {
    ...(facts as unknown as AttributeFacts),
    ...defined({
      leftOut: entry.missing === undefined ? undefined : true,
      nullable: entry.clearAs === null ? true : undefined,
      immutable: entry.in === 'path' ? true : undefined,
      attributes: attributes && mapMembers(attributes, (inner) => factsOf(inner, isInElement)),
      element: element && factsOf(element, true),
      ...(isInElement ? meantInElement(entry) : { whenUndeclared: entry.whenUndeclared }),
    }),
  }
}

/**
 * Whoever declares an element and leaves out what decides about its access means the default, and nothing more; also where that
 * is inside of an object that the element leaves out.
 */
const meantInElement = (entry: AttributeEntry): Pick<AttributeFacts, 'default' | 'whenUndeclared'> => {
  const { whenUndeclared, default: fallback } = entry
  if (whenUndeclared !== undefined || !decidesAccess(entry)) return defined({ whenUndeclared, default: fallback })
  return { whenUndeclared: 'default', default: fallback ?? {} }
}

const decidesAccess = ({ type, access, computed, default: fallback, attributes = {} }: AttributeEntry): boolean => {
  if (computed) return false
  if (fallback !== undefined) return access !== undefined
  return (
    type === 'object' && Object.values(attributes).some((inner) => meantInElement(inner).whenUndeclared === 'default')
  )
}

/** The defaults of an attribute. */
const defaulted = (entry: AttributeEntry, value: Json | undefined): Json | undefined => value ?? entry.default

/**
 * A value in the form in which equal values are identical: normalised, defaults filled in, computed members left out, sets in
 * one order, secrets by their digest.
 */
const comparable = (entry: AttributeEntry, value: Json, around: readonly JsonObject[]): Json => {
  if (isSecret(value)) return { $sealed: value.digest ?? '' }
  if (isSealed(value)) return { $sealed: value.$sealed }
  // An answer gives such a number as text, if the type does not tell them apart.
  if (isLargeNumber(value) && entry.type !== 'any') return value.$number
  if (isMark(value)) return value
  const own = applyNormalisers(value, [...normalisersOf(entry, around), ...(entry.compareAs ?? [])])
  if (entry.type === 'object' && isObject(own)) return comparableMembers(entry.attributes ?? {}, own, around)
  const { element } = entry
  if (element === undefined) return own
  if (isObject(own)) return mapMembers(own, (child) => comparable(element, child, around))
  if (!isArray(own)) return own
  const elements = own.map((child) => comparable(element, child, around))
  return entry.type === 'set'
    ? elements.toSorted((left, right) => order(canonicalJson(left), canonicalJson(right)))
    : elements
}

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const comparableMembers = (entries: Entries, value: JsonObject, around: readonly JsonObject[]): JsonObject => {
  const here = canonicalMembers(entries, value)
  return mapMembers(entries, (entry, name) => {
    const child = entry.computed ? undefined : defaulted(entry, value[name])
    return child === undefined || child === null ? undefined : comparable(entry, child, [...around, here])
  })
}

/** Equal texts for values that are the same under the facts of an attribute; `undefined` for a value that equals no other. */
export const comparisonText = (entry: AttributeEntry, value: Json | undefined): string | undefined => {
  const own = defaulted(entry, value) ?? null
  if (own === null) return ''
  // What is no text at all must not keep its neighbours in a list from being found.
  return isWellFormed(own) ? canonicalJson(comparable(entry, own, [])) : undefined
}

/** Whether two values of an attribute are the same under its facts. */
export const sameValue = (entry: AttributeEntry, left: Json | undefined, right: Json | undefined): boolean => {
  const text = comparisonText(entry, left)
  return text !== undefined && text === comparisonText(entry, right)
}

/** Whether attributes have one of the values that are asked for. */
export const hasValues = (
  resource: RestResource,
  asked: Readonly<Record<string, readonly Json[]>> = {},
  given: JsonObject,
): boolean => {
  const entries = allEntries(resource)
  return Object.entries(asked).every(([attribute, values]) => {
    const entry = entries[attribute]
    return entry !== undefined && values.some((value) => sameValue(entry, value, given[attribute]))
  })
}

/** Equal texts: elements of a keyed set with the same key, and the same element. */
export const elementTexts = (
  entries: Entries,
  key: readonly string[],
  element: Json,
): { readonly key: string; readonly whole: string } => {
  const form = comparable({ type: 'object', attributes: entries }, element, [])
  const parts = key.map((member) => (isObject(form) ? (form[member] ?? null) : null))
  return { key: canonicalJson(parts), whole: canonicalJson(form) }
}

export type BodyKind = 'create' | 'update'

/** Whether an attribute is about an object with these values, as far as they are known. */
export const applies = (
  resource: RestResource,
  { appliesWhen = {} }: Pick<AttributeEntry, 'appliesWhen'>,
  given: JsonObject,
): boolean =>
  Object.entries(appliesWhen).every(
    ([name, values]) => given[name] === undefined || hasValues(resource, { [name]: values }, given),
  )

/** Whether an attribute may stand in a body of this kind at all. */
export const isSent = (entry: AttributeEntry, kind: BodyKind): boolean =>
  !entry.computed && !(entry.createOnly && kind === 'update') && entry.in !== 'path' && (entry.sendOn ?? kind) === kind

/** Whether a request has each attribute at the place where an answer shows it. */
export const sendsAsRead = (entries: Entries): boolean =>
  Object.entries(entries).every(
    ([name, entry]) =>
      !isSent(entry, 'update') ||
      (entry.select === undefined && toPointer(pathOf(entry.send ?? name)) === toPointer(pathOf(entry.path ?? name))),
  )
