import { isEqual } from '../diff/matching/canonical.ts'
import { formText } from '../diff/matching/keys.ts'
import { normalise } from '../diff/normalise.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import type { IdentityRules, PresentResult, ReadResult } from '../schema/resource.ts'
import { isMark, isUnknown } from '../schema/value.ts'
import { defined } from '../values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../values/members.ts'

type OwnIds = Readonly<Record<string, string>>

/**
 * The result of one look for an object, reduced to what distinguishes objects. A look is a read that searches by ids or
 * by keys.
 */
export type Sighting =
  | {
      readonly kind: 'present'
      /** Equal for two sightings if and only if they show the same object. */
      readonly object: string
      /**
       * The comparison with the record: `same` keys; `renamed`: other keys, none of them immutable; `changed`: as
       * `renamed`, but an immutable attribute differs too; `other`: an immutable key differs, or a proof.
       */
      readonly recorded: 'same' | 'renamed' | 'changed' | 'other'
      /** Whether the ids are those of the record; `unknown` if the object or the record has none. */
      readonly ids: 'same' | 'other' | 'unknown'
      /** The name of an immutable attribute or a reference that differs from the record. */
      readonly differs?: string
      /** A value that the server gives each object once, as a time of creation, is not the recorded one. */
      readonly isDisproved?: true
      /** A time of creation, or all that was recorded, is as recorded, and that is more than every object of its name has. */
      readonly isAsRecorded?: true
      /** The object has the keys that the configuration wants. */
      readonly desired: boolean
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** What a look searches by: `ids` as recorded; `recorded` and `desired` are keys. */
export type Look = 'ids' | 'recorded' | 'desired'

export type Sightings = Readonly<Partial<Record<Look, Sighting>>>

export interface Beside {
  readonly schema: ObjectSchema
  readonly rules: IdentityRules
  /** The target and the type of the objects. Objects of two places are different objects. */
  readonly place: string
  /** The URL of an object in a single spelling, for types whose keys alone do not identify it. */
  readonly urlOf?: ((attributes: JsonObject) => string | undefined) | undefined
  readonly recorded?: { readonly attributes: JsonObject; readonly ids?: OwnIds; readonly refersBy?: readonly string[] }
  /** Canonical attributes that the configuration wants. */
  readonly desired?: JsonObject
}

export const sight = (beside: Beside, result: ReadResult): Sighting => {
  if (result.kind !== 'present') return { kind: result.kind }
  const { schema, recorded, desired } = beside
  const observed = namesIn(schema, result.attributes)
  const differs = recorded && differenceIn(schema, recorded, observed)
  return {
    kind: 'present',
    object: objectText(beside, observed, result.ids),
    ...defined({
      differs,
      isDisproved: recorded && isDisproved(schema, recorded.attributes, observed),
      isAsRecorded: recorded && isAsRecorded(schema, recorded, result),
    }),
    recorded: recorded === undefined ? 'same' : compareWithRecord(schema, recorded.attributes, observed),
    ids: compareIds(recorded?.ids, result.ids),
    desired: desired !== undefined && hasSameKeys(schema, desired, observed),
  }
}

/**
 * The observed attributes that may distinguish objects, in canonical form. Collections are large and do not distinguish
 * objects, so they are left out unless they are keys or immutable.
 */
export const namesIn = (schema: ObjectSchema, attributes: JsonObject): JsonObject => {
  const small = identifyingSchema(schema)
  return normalise(small, pick(attributes, Object.keys(small.attributes)), 'observed')
}

const identifyingSchemas = new WeakMap<ObjectSchema, ObjectSchema>()

const identifyingSchema = (schema: ObjectSchema): ObjectSchema => {
  const known = identifyingSchemas.get(schema)
  if (known !== undefined) return known
  const isScalar = ({ type }: Attribute): boolean => type === 'string' || type === 'number' || type === 'boolean'
  const small = {
    attributes: mapMembers(schema.attributes, (each) =>
      each.identity || each.immutable || isScalar(each) ? each : undefined,
    ),
  }
  identifyingSchemas.set(schema, small)
  return small
}

/**
 * The attributes that distinguish objects. A type without identity has one object in each place; for such a type, the
 * attributes of the place.
 */
export const keysOf = ({ attributes }: ObjectSchema): readonly string[] => {
  const keys = Object.keys(attributes).filter((name) => attributes[name]?.identity === true)
  return keys.length > 0 ? keys : Object.keys(attributes).filter((name) => attributes[name]?.immutable === true)
}

/** Immutable keys: usually those of the parent that contains the object. */
export const fixedKeysOf = (schema: ObjectSchema): readonly string[] =>
  keysOf(schema).filter((name) => schema.attributes[name]?.immutable === true)

/** One text for each object: its ids with its immutable keys, else all its keys. A position does not identify an object. */
export const objectText = ({ schema, rules, place, urlOf }: Beside, observed: JsonObject, ids: OwnIds = {}): string => {
  const url = urlOf?.(observed)
  if (url !== undefined) return url
  const byIds = rules.ids !== undefined && rules.ids !== 'position' && Object.keys(ids).length > 0
  const names = byIds ? fixedKeysOf(schema) : keysOf(schema)
  const texts = names.map((name) => textAt(schema, name, observed) ?? '')
  return JSON.stringify([place, byIds ? Object.entries(ids).toSorted() : [], texts])
}

/** The known keys; values that only a command will produce are left out. */
export const keyTexts = (schema: ObjectSchema, attributes: JsonObject): Readonly<Record<string, string>> =>
  mapMembers(pick(schema.attributes, keysOf(schema)), (_, name) =>
    isMark(attributes[name]) ? undefined : textAt(schema, name, attributes),
  )

/**
 * For an object with the recorded id: a different immutable key means another object; another different key means a
 * rename. If an immutable attribute differs as well, both are possible, because the target can change what a request
 * cannot.
 */
const compareWithRecord = (
  schema: ObjectSchema,
  recorded: JsonObject,
  observed: JsonObject,
): 'same' | 'renamed' | 'changed' | 'other' => {
  if (isDisproved(schema, recorded, observed)) return 'other'
  if (hasSameKeys(schema, recorded, observed)) return 'same'
  const isOther = (name: string): boolean => isOtherAt(schema, name, recorded, observed)
  if (fixedKeysOf(schema).some(isOther)) return 'other'
  return fixedOf(schema).some(isOther) ? 'changed' : 'renamed'
}

/** Immutable attributes: if one differs, the object may be another one. */
export const fixedOf = ({ attributes }: ObjectSchema): readonly string[] =>
  Object.keys(attributes).filter((name) => attributes[name]?.immutable === true)

/** The server sets it, and never changes it: it differs only at another object. */
const isDisproved = ({ attributes }: ObjectSchema, recorded: JsonObject, observed: JsonObject): true | undefined =>
  Object.entries(attributes).some(
    ([name, { computed, immutable }]) =>
      computed === true && immutable === true && isOtherAt({ attributes }, name, recorded, observed),
  ) || undefined

/** An immutable attribute or a reference that differs. It contradicts the record whatever the keys are. */
const differenceIn = (
  schema: ObjectSchema,
  { attributes, refersBy = [] }: NonNullable<Beside['recorded']>,
  observed: JsonObject,
): string | undefined => [...fixedOf(schema), ...refersBy].find((name) => isOtherAt(schema, name, attributes, observed))

const isOtherAt = (schema: ObjectSchema, name: string, recorded: JsonObject, observed: JsonObject): boolean =>
  Object.hasOwn(recorded, name) && Object.hasOwn(observed, name) && !isSameAt(schema, name, recorded, observed)

/**
 * Computed values change by themselves, except those that the server sets once. Keys, defaults and what is empty are no
 * proof: another object of the name has them too.
 */
const isAsRecorded = (
  { attributes }: ObjectSchema,
  recorded: NonNullable<Beside['recorded']>,
  result: PresentResult,
): true | undefined => {
  const observed = normalise({ attributes }, result.attributes, 'observed', recorded.attributes)
  const known = Object.entries(recorded.attributes).filter(([name]) => attributes[name]?.writeOnly !== true)
  const isSame = ([name, value]: [string, Json]): boolean => isEqual(observed[name] ?? null, value)
  const isOnce = ([name, value]: [string, Json]): boolean =>
    attributes[name]?.computed === true && attributes[name].immutable === true && value !== null
  if (known.some((each) => isOnce(each) && isSame(each))) return true
  const own = known.filter(([name]) => attributes[name]?.computed !== true)
  const isTelling = ([name, value]: [string, Json]): boolean =>
    attributes[name]?.identity !== true && !isEmpty(value) && !isEqual(attributes[name]?.default, value)
  // A link is nothing but its keys: another one of the same keys is the same.
  const isOnlyKeys = Object.values(attributes).every(({ identity, computed }) => identity === true || computed === true)
  const isTold = isOnlyKeys || own.some(isTelling)
  const isWhole = compareIds(recorded.ids, result.ids) !== 'other' && own.every(isSame) && isTold
  return isWhole || undefined
}

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

const compareIds = (recorded: OwnIds | undefined, observed: OwnIds = {}): 'same' | 'other' | 'unknown' => {
  const names = Object.keys(recorded ?? {}).filter((name) => Object.hasOwn(observed, name))
  if (names.length === 0) return 'unknown'
  return names.every((name) => recorded?.[name] === observed[name]) ? 'same' : 'other'
}

/** A key that is absent on one side is not a difference. */
const isSameAt = (schema: ObjectSchema, name: string, left: JsonObject, right: JsonObject): boolean => {
  const [one, other] = [textAt(schema, name, left), textAt(schema, name, right)]
  return one === undefined || other === undefined || one === other
}

const textAt = ({ attributes }: ObjectSchema, name: string, values: JsonObject): string | undefined => {
  const [facts, value] = [attributes[name], values[name] ?? attributes[name]?.default]
  return facts === undefined || value === undefined ? undefined : formText({ ...facts, computed: false }, value)
}

/** Whether the server sets a key, so that no object can be searched for by keys. */
export const lacksKey = (schema: ObjectSchema, attributes: JsonObject): boolean =>
  lackedKeys(schema, attributes).length > 0

/** Keys that the server sets, without which no object can be searched for. */
export const lackedKeys = (schema: ObjectSchema, attributes: JsonObject): readonly string[] =>
  keysOf(schema).filter((key) => schema.attributes[key]?.generated === true && attributes[key] === undefined)

export const hasSameKeys = (schema: ObjectSchema, left: JsonObject, right: JsonObject): boolean =>
  keysOf(schema).every((key) => isSameAt(schema, key, left, right))

export const unknownKeys = (schema: ObjectSchema, attributes: JsonObject): readonly (readonly [string, Json])[] =>
  keysOf(schema).flatMap((key) => {
    const value = attributes[key]
    return value !== undefined && isUnknown(value) ? [[key, value] as const] : []
  })

/** Keeps ids that only the answer to a create contained, if a read of the same object does not return them. */
export const keepAnsweredIds = <Result extends ReadResult>(
  { told = [] }: IdentityRules,
  result: Result,
  before: Readonly<Record<string, string>> | undefined,
): Result => {
  if (result.kind !== 'present') return result
  const kept = unlessEmpty(pick(before ?? {}, told))
  return kept === undefined ? result : { ...result, ids: { ...kept, ...result.ids } }
}
