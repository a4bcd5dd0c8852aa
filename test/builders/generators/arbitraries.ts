import * as fc from 'fast-check'
import type { Attribute, ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray, isObject } from '../../../core/engine/schema/json.ts'

/** Small domains, so that two independent values often agree in parts. */
const names = fc.constantFrom('a', 'b', 'c', 'd')
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'x', 'y', 'x y', 'one\ntwo\n', 'one\n2\nthree', 'null') },
  fc.constantFrom('{"k":1}', '{"k":[1,2]}', '{"k":1.0}', '{"k":1,"k":2}', '{"k":1}\n{"k":2}\n'),
  fc.constantFrom('a: 1\nb: [x]\n', 'a: 1.0\nb: [y]\n', '# c\na: 1\nb: [x]\n', 'a: yes\nb: x\n', 'a: "yes"\nb: y\n'),
)
const number = fc.constantFrom(0, 1, 2, 1.5)

export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 3 }),
  ),
})).json

interface Traits {
  /** Also attributes that only one side has: computed, with a default. */
  readonly facts: boolean
}

const scalar = ({ facts }: Traits): fc.Arbitrary<Attribute> =>
  fc.oneof(
    fc.record({ type: fc.constant('string' as const) }),
    fc.record({ type: fc.constant('number' as const) }),
    fc.record({ type: fc.constant('any' as const) }),
    ...(facts
      ? [
          fc.constant<Attribute>({ type: 'string', computed: true }),
          fc.constant<Attribute>({ type: 'number', default: 1 }),
          fc.constant<Attribute>({ type: 'number', default: 2, whenUndeclared: 'default' }),
          fc.constant<Attribute>({ type: 'string', nullMeans: 'empty' }),
          fc.constant<Attribute>({ type: 'string', compareAs: ['upper', 'trim'] }),
          fc.constant<Attribute>({ type: 'string', normalise: ['upper'] }),
        ]
      : []),
  )

const attribute = (traits: Traits, depth: number): fc.Arbitrary<Attribute> => {
  if (depth === 0) return scalar(traits)
  const inner = attribute(traits, depth - 1)
  // Nobody can declare an element that only the server sets.
  const element = inner.filter(({ computed }) => computed !== true)
  const members = fc.dictionary(names, inner, { minKeys: 1, maxKeys: 3 })
  const manage = fc.constantFrom('exclusive' as const, 'declared' as const)
  return fc.oneof(
    scalar(traits),
    fc.record({ type: fc.constant('object' as const), attributes: members }),
    fc.record({ type: fc.constant('map' as const), element, manage }),
    fc.record({ type: fc.constant('list' as const), element }),
    fc.record({ type: fc.constant('set' as const), element, manage }),
    fc.record({
      type: fc.constant('set' as const),
      key: fc.constant(['id']),
      manage,
      element: members.map(keyedElement),
    }),
  )
}

const keyedElement = (attributes: Record<string, Attribute>): Attribute => ({
  type: 'object',
  attributes: { ...attributes, id: { type: 'string' } },
})

const schemas = (traits: Traits): fc.Arbitrary<ObjectSchema> =>
  fc.dictionary(names, attribute(traits, 2), { minKeys: 1, maxKeys: 4 }).map((attributes) => ({ attributes }))

/** A value of the attribute; with `partial` members may be missing and null. */
const valueFor = (facts: Attribute, partial: boolean): fc.Arbitrary<Json> => {
  const element = facts.element ?? { type: 'any' }
  switch (facts.type) {
    case 'string':
      return text
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'any':
      return anyJson
    case 'object':
      return objectOf(facts.attributes ?? {}, partial)
    case 'map':
      return fc.dictionary(names, valueFor(element, partial), { maxKeys: 4 })
    case 'list':
      return fc.array(valueFor(element, partial), { maxLength: 5 })
    default:
      return facts.key === undefined
        ? fc.array(valueFor(element, partial), { maxLength: 5 })
        : fc.dictionary(names, valueFor(element, partial), { maxKeys: 4 }).map(keyed)
  }
}

const keyed = (elements: Record<string, Json>): Json =>
  Object.entries(elements).map(([id, element]) => ({ ...(element as JsonObject), id }))

const objectOf = (attributes: Readonly<Record<string, Attribute>>, partial: boolean): fc.Arbitrary<JsonObject> => {
  const members = Object.entries(attributes).map(([name, facts]): [string, fc.Arbitrary<Json>] => [
    name,
    partial
      ? fc.oneof({ weight: 6, arbitrary: valueFor(facts, partial) }, fc.constant(null))
      : valueFor(facts, partial),
  ])
  return fc.record(Object.fromEntries(members), partial ? { requiredKeys: [] } : {}) as fc.Arbitrary<JsonObject>
}

/** A schema and two values of it. */
export const pairs = (traits: Traits & { readonly partial: boolean }) =>
  schemas(traits).chain((schema) =>
    fc.record({
      schema: fc.constant(schema),
      left: objectOf(schema.attributes, traits.partial),
      right: objectOf(schema.attributes, traits.partial),
    }),
  )

/** The same value with the members of every object in another order. */
export const reorderMembers = (value: Json): Json => {
  if (isArray(value)) return value.map(reorderMembers)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reorderMembers(inner)]),
  )
}

/** The same value with the elements of every set in another order. */
export const reorderSets = (facts: Attribute, value: Json): Json => {
  if (isArray(value)) {
    const elements = value.map((element) => reorderSets(facts.element ?? { type: 'any' }, element))
    return facts.type === 'set' ? elements.reverse() : elements
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const inside = facts.type === 'object' ? facts.attributes?.[name] : facts.element
      return [name, reorderSets(inside ?? { type: 'any' }, inner)]
    }),
  )
}
