import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type MaybeJson, type Path } from '../../schema/json.ts'
import { isLiteral, isMark, isSealed } from '../../schema/value.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'

type Fact = 'computed' | 'writeOnly' | 'sensitive' | 'ignore' | 'cases'

/** For a value about which the schema states nothing: it is compared as it is. */
export const plainAny: Attribute = { type: 'any' }

const roots = new WeakMap<ObjectSchema, Attribute>()

/**
 * The resource itself as an attribute, so that every walk starts in the same way. Returns the same object for each
 * schema.
 */
export const rootOf = (schema: ObjectSchema): Attribute => {
  const known = roots.get(schema)
  if (known !== undefined) return known
  const root: Attribute = { type: 'object', attributes: schema.attributes }
  roots.set(schema, root)
  return root
}

/** `undefined` for a name that an object does not have. */
export const memberFacts = (attribute: Attribute, member: string): Attribute | undefined => {
  if (attribute.partial) return attribute
  if (attribute.type !== 'object') return attribute.element ?? plainAny
  const { attributes } = attribute
  return attributes !== undefined && Object.hasOwn(attributes, member) ? attributes[member] : undefined
}

/** Each element of a sensitive list is sensitive. */
export const elementFacts = (attribute: Attribute, place?: number): Attribute => {
  const facts = (place === undefined ? undefined : attribute.elements?.[place]) ?? attribute.element ?? plainAny
  return attribute.sensitive && !facts.sensitive ? hidden(facts) : facts
}

const hiddenFacts = new WeakMap<Attribute, Attribute>()

/** Returns the same object for the same facts, because what is found out about them is cached. */
const hidden = (facts: Attribute): Attribute => {
  const known = hiddenFacts.get(facts) ?? { ...facts, sensitive: true }
  hiddenFacts.set(facts, known)
  return known
}

/**
 * Whether a value is hidden as a whole. Of a sensitive list each element is hidden by itself: else nobody could tell how many
 * of them go, and a list of secrets would never equal what was read. The names in a map are hidden with their values. A value in
 * another form than its facts describe may have their secrets anywhere.
 */
export const isHiddenWhole = (attribute: Attribute, value: MaybeJson): boolean =>
  attribute.sensitive === true
    ? !(isArray(value) && (isListed(attribute) || attribute.type === 'any'))
    : isOtherForm(attribute, value) && holds(attribute, 'sensitive')

const isListed = ({ type }: Attribute): boolean => type === 'list' || type === 'set'

/** Whether what should have elements or members has none, as a list that is written as one text. */
const isOtherForm = (attribute: Attribute, value: MaybeJson): boolean => {
  if (value === undefined || value === null || (isMark(value) && !isLiteral(value))) return false
  if (isListed(attribute)) return !isArray(value)
  return (attribute.type === 'object' || attribute.type === 'map') && (!isObject(value) || isLiteral(value))
}

/** How many members a hidden value has whose members come and go; `undefined` where that is not known, or it has none. */
export const hiddenMembers = ({ type }: Attribute, value: MaybeJson): number | undefined => {
  if (type !== 'map' && type !== 'any') return undefined
  if (isSealed(value)) return value.members
  return isObject(value) && !isMark(value) ? Object.keys(value).length : undefined
}

/** The canonical value that a missing value means. */
export const defaultOf = (attribute: Attribute): MaybeJson =>
  attribute.default === undefined ? undefined : applyNormalisers(attribute.default, attribute.normalise)

const defaulted = new WeakMap<Attribute, readonly (readonly [string, Attribute])[]>()

export const withDefault = (attribute: Attribute): readonly (readonly [string, Attribute])[] => {
  const known = defaulted.get(attribute)
  if (known !== undefined) return known
  const members = Object.entries(attribute.attributes ?? {}).filter(([, facts]) => facts.default !== undefined)
  defaulted.set(attribute, members)
  return members
}

const found = new WeakMap<Attribute, Partial<Record<Fact, boolean>>>()

/** Whether the attribute, or anything inside it, states the fact. Cached, because this is called for every resource. */
export const holds = (attribute: Attribute, fact: Fact): boolean => {
  const known = found.get(attribute) ?? {}
  found.set(attribute, known)
  known[fact] ??=
    (fact === 'ignore' || fact === 'cases' ? attribute[fact] !== undefined : attribute[fact] === true) ||
    (fact === 'ignore' && attribute.ignoreKeys !== undefined) ||
    Object.values(attribute.attributes ?? {}).some((inner) => holds(inner, fact)) ||
    (attribute.elements ?? []).some((inner) => holds(inner, fact)) ||
    (attribute.element !== undefined && holds(attribute.element, fact))
  return known[fact]
}

/** The facts along a path, outermost first, without the root. The list ends early if a step has no facts. */
export const factsAlong = (schema: ObjectSchema, path: Path): readonly Attribute[] => {
  const along: Attribute[] = []
  let attribute: Attribute | undefined = rootOf(schema)
  for (const step of path) {
    attribute = attribute && memberFacts(attribute, String(step))
    if (attribute === undefined) break
    along.push(attribute)
  }
  return along
}
