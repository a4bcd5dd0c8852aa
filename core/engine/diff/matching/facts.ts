import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { MaybeJson, Path } from '../../schema/json.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'

type Fact = 'computed' | 'writeOnly' | 'sensitive' | 'ignore' | 'cases'

/** The facts of a value about which the schema states nothing: it is compared as it is. */
export const plainAny: Attribute = { type: 'any' }

const roots = new WeakMap<ObjectSchema, Attribute>()

/** The resource itself as an attribute, so that every walk starts in the same way. The same object for each schema. */
export const rootOf = (schema: ObjectSchema): Attribute => {
  const known = roots.get(schema)
  if (known !== undefined) return known
  const root: Attribute = { type: 'object', attributes: schema.attributes }
  roots.set(schema, root)
  return root
}

/** Facts of a member of an object or map; `undefined` for a name that an object does not have. */
export const memberFacts = (attribute: Attribute, member: string): Attribute | undefined => {
  if (attribute.partial) return attribute
  if (attribute.type !== 'object') return attribute.element ?? plainAny
  const { attributes } = attribute
  return attributes !== undefined && Object.hasOwn(attributes, member) ? attributes[member] : undefined
}

/** The facts of the element at a position, if positions have their own facts. */
export const elementFacts = (attribute: Attribute, place?: number): Attribute =>
  (place === undefined ? undefined : attribute.elements?.[place]) ?? attribute.element ?? plainAny

/** The meaning of a missing value, in canonical form. */
export const defaultOf = (attribute: Attribute): MaybeJson =>
  attribute.default === undefined ? undefined : applyNormalisers(attribute.default, attribute.normalise)

const defaulted = new WeakMap<Attribute, readonly (readonly [string, Attribute])[]>()

/** The members of an object whose facts have a default. */
export const withDefault = (attribute: Attribute): readonly (readonly [string, Attribute])[] => {
  const known = defaulted.get(attribute)
  if (known !== undefined) return known
  const members = Object.entries(attribute.attributes ?? {}).filter(([, facts]) => facts.default !== undefined)
  defaulted.set(attribute, members)
  return members
}

const found = new WeakMap<Attribute, Partial<Record<Fact, boolean>>>()

/** Whether the attribute, or anything inside it, states the fact. Cached, because every resource asks for it. */
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

/** The facts along a path, outermost first, without the root. It ends early if a step has none. */
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
