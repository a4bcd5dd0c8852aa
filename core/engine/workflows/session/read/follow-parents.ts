import { formText } from '../../../diff/matching/keys.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { containerKey, eachElement, mapNames, namesAt } from '../../../values/normalise/named-container.ts'
import type { Located } from '../plan/observation.ts'
import type { KnownResource } from './resolve-attributes.ts'

/** A name by which a resource refers to its parent, if the parent has, had or will have another name. */
interface Renamed {
  /** As in named-container.ts. */
  readonly place: readonly string[]
  readonly facts: Attribute
  /** The name of the parent at the moment, and after this plan. */
  readonly now: Json
  readonly then: Json
  /** All names of the parent, including the recorded one. */
  readonly names: readonly string[]
}

interface Child {
  readonly type: ResourceType
  /** As configured, or as recorded if the resource left the configuration. */
  readonly attributes: JsonObject
  readonly isDeclared: boolean
  readonly dependsOn: readonly Address[]
  readonly recorded?: Pick<RecordedResource, 'attributes' | 'parents'> | undefined
}

interface NamedAt {
  readonly place: readonly string[]
  readonly facts: Attribute
}

/** Where attributes that never change refer to other objects, at any depth. */
const fixedPlaces = (
  attributes: Readonly<Record<string, Attribute>>,
  outer: readonly string[] = [],
  isFixed = false,
): readonly NamedAt[] =>
  Object.entries(attributes).flatMap(([name, facts]): readonly NamedAt[] => {
    const place = [...outer, name]
    const isKept = isFixed || facts.immutable === true
    const inner = { ...facts.attributes, ...(facts.element && { [eachElement]: facts.element }) }
    return [
      ...(isKept && facts.refersTo?.attribute !== undefined ? [{ place, facts }] : []),
      ...fixedPlaces(inner, place, isKept),
    ]
  })

/**
 * The name of the parent in the record of the child, if the record has another id that proves that it is the same
 * parent.
 */
const recordedName = (
  { place, facts }: NamedAt,
  key: string,
  { [key]: name, ...ids }: Readonly<Record<string, string>>,
  recorded: Child['recorded'],
): Json | undefined => {
  if (name === undefined) return undefined
  const isSame = (each: Json): boolean =>
    Object.values(ids).includes(recorded?.parents?.[containerKey(place, facts, each)] ?? '')
  return namesAt(place, recorded?.attributes).find(isSame)
}

/**
 * The parents of a resource that are renamed, by this plan or before it. What is in an object stays in it, so another
 * name of the parent does not make the child another object.
 */
export const renamedParents = (
  { type, attributes, isDeclared, dependsOn, recorded }: Child,
  known: ReadonlyMap<Address, KnownResource>,
): readonly Renamed[] =>
  fixedPlaces(type.schema.attributes).flatMap((at) => {
    const { place, facts } = at
    const key = facts.refersTo?.attribute ?? ''
    const renamed = dependsOn.flatMap((address): Renamed[] => {
      const parent = known.get(address)
      if (parent?.kind !== 'settled' || parent.as?.type !== facts.refersTo?.type) return []
      const told = recordedName(at, key, parent.as?.ids ?? {}, recorded)
      // An id that is made from the name stays until the end of the plan, when the name is changed.
      const id = told === undefined ? undefined : parent.as?.ids[key]
      const [now, then] = [parent.present?.[key] ?? id, parent.attributes[key] ?? id]
      const former = parent.former?.[key] ?? told
      if (now === undefined || then === undefined || former === undefined) return []
      const names = [now, then, former].map((name) => formText(facts, name))
      return new Set(names).size > 1 ? [{ place, facts, now, then, names }] : []
    })
    const own = namesAt(place, attributes).flatMap((name) => {
      const written = formText(facts, name)
      // By now, a former name may be that of another parent, which the configuration means.
      const meant = renamed.filter(({ names, then }) =>
        (isDeclared ? [formText(facts, then)] : names).includes(written),
      )
      // If two parents once had the same name, it is unknown which of them is meant.
      return meant.length === 1 ? meant : []
    })
    return [...new Set(own)]
  })

/** The attributes with the names that the parents have at the moment, or after the plan. */
export const withNames = (attributes: JsonObject, renamed: readonly Renamed[], at: 'now' | 'then'): JsonObject =>
  [...Map.groupBy(renamed, ({ place }) => place).values()].reduce((whole, own) => {
    const change = (value: Json): Json => {
      const [one, ...others] = own.filter(({ facts, names }) => names.includes(formText(facts, value)))
      return one === undefined || others.length > 0 ? value : one[at]
    }
    return mapNames(own[0]?.place ?? [], whole, change) as JsonObject
  }, attributes)

/**
 * Replaces the present names of the parents by the future ones, because the requests are sent after the parents are
 * renamed.
 */
export const locatedThen = (located: Located, renamed: readonly Renamed[]): Located => {
  if (renamed.length === 0) return located
  const then = (attributes: JsonObject): JsonObject => withNames(attributes, renamed, 'then')
  const target: Target = { ...located.target, attributes: then(located.target.attributes) }
  const { result, raw } = located.observed
  if (result.kind !== 'present') return { ...located, target }
  return {
    ...located,
    target,
    observed: {
      result: { ...result, attributes: then(result.attributes) },
      ...defined({ raw: raw && then(raw) }),
    },
  }
}
