import { formText } from '../../../diff/matching/keys.ts'
import type { ResourceType, Target } from '../../../provider/provider.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import { isMark } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers } from '../../../values/members.ts'
import type { Located } from '../plan/observation.ts'
import type { KnownResource } from './resolve-attributes.ts'

/** A name by which a resource refers to its parent, if the parent has, had or will have another name. */
interface Renamed {
  readonly attribute: string
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

/**
 * The name of the parent in the record of the child, if the record has another id that proves that it is the same
 * parent.
 */
const recordedName = (
  attribute: string,
  key: string,
  { [key]: name, ...ids }: Readonly<Record<string, string>>,
  recorded: Child['recorded'],
): Json | undefined => {
  const known = recorded?.parents?.[attribute]
  const isSame = name !== undefined && known !== undefined && Object.values(ids).includes(known)
  return isSame ? recorded?.attributes[attribute] : undefined
}

/**
 * The parents of a resource that are renamed, by this plan or before it. What is in an object stays in it, so another
 * name of the parent does not make the child another object.
 */
export const renamedParents = (
  { type, attributes, isDeclared, dependsOn, recorded }: Child,
  known: ReadonlyMap<Address, KnownResource>,
): readonly Renamed[] =>
  Object.entries(type.schema.attributes).flatMap(([attribute, facts]): Renamed[] => {
    const { refersTo, immutable } = facts
    const written = attributes[attribute]
    const key = refersTo?.attribute
    if (refersTo === undefined || key === undefined || !immutable || written === undefined || isMark(written)) return []
    const own = dependsOn.flatMap((address): Renamed[] => {
      const parent = known.get(address)
      if (parent?.kind !== 'settled' || parent.as?.type !== refersTo.type) return []
      const told = recordedName(attribute, key, parent.as.ids, recorded)
      // An id that is made from the name stays until the end of the plan, when the name is changed.
      const id = told === undefined ? undefined : parent.as.ids[key]
      const [now, then] = [parent.present?.[key] ?? id, parent.attributes[key] ?? id]
      const former = parent.former?.[key] ?? told
      if (now === undefined || then === undefined || former === undefined) return []
      const names = [now, then, former].map((name) => formText(facts, name))
      // By now, a former name may be that of another parent, which the configuration means.
      const meant = isDeclared ? [formText(facts, then)] : names
      return meant.includes(formText(facts, written)) && new Set(names).size > 1
        ? [{ attribute, facts, now, then, names }]
        : []
    })
    // If two parents once had the same name, it is unknown which of them is meant.
    return own.length === 1 ? own : []
  })

/** The attributes with the names that the parents have at the moment, or after the plan. */
export const withNames = (attributes: JsonObject, renamed: readonly Renamed[], at: 'now' | 'then'): JsonObject =>
  renamed.length === 0
    ? attributes
    : mapMembers(attributes, (value, name) => {
        const one = renamed.find(({ attribute }) => attribute === name)
        return one !== undefined && !isMark(value) && one.names.includes(formText(one.facts, value)) ? one[at] : value
      })

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
