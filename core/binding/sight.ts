import { formText } from '../diff/keys.ts'
import { normalise } from '../diff/normalise.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import type { IdentityRules, ReadResult } from '../schema/resource.ts'
import { isMark, isUnknown } from '../schema/value.ts'
import { defined } from '../values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../values/members.ts'

type Ids = Readonly<Record<string, string>>

/** What one look for an object found, reduced to what tells objects apart. A look goes by ids or by keys. */
export type Sighting =
  | {
      readonly kind: 'present'
      /** Equal for two sightings exactly where they are of one object. */
      readonly object: string
      /** Set beside the record: the same keys; others, of which none is fixed; or a fixed attribute differs. */
      readonly recorded: 'same' | 'renamed' | 'other'
      /** Its ids are those of the record; `unknown` where one of the two has none. */
      readonly ids: 'same' | 'other' | 'unknown'
      /** Something fixed, or what it refers to, is not as recorded: the name of that attribute. */
      readonly differs?: string
      /** It has the keys that the configuration wants. */
      readonly wanted: boolean
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** Where a look goes: `ids` as recorded; `recorded` and `wanted` are keys. */
export type Look = 'ids' | 'recorded' | 'wanted'

export type Sightings = Readonly<Partial<Record<Look, Sighting>>>

/** What a look for an object of a type is judged beside. */
export interface Beside {
  readonly schema: ObjectSchema
  readonly rules: IdentityRules
  /** Where the objects of the type are: the target and the type. Objects of two places are two objects. */
  readonly place: string
  /** Where an object is, in one spelling, for types whose keys do not tell that by themselves. */
  readonly urlOf?: ((attributes: JsonObject) => string | undefined) | undefined
  readonly recorded?: { readonly attributes: JsonObject; readonly ids?: Ids; readonly refersBy?: readonly string[] }
  /** Canonical attributes that the configuration wants. */
  readonly wanted?: JsonObject
}

/** What a read says of which object was found. */
export const sight = (beside: Beside, result: ReadResult): Sighting => {
  if (result.kind !== 'present') return { kind: result.kind }
  const { schema, recorded, wanted } = beside
  const live = namesIn(schema, result.attributes)
  const differs = recorded && differenceIn(schema, recorded, live)
  return {
    kind: 'present',
    object: objectText(beside, live, result.ids),
    ...defined({ differs }),
    recorded: recorded === undefined ? 'same' : compareWithRecord(schema, recorded.attributes, live),
    ids: compareIds(recorded?.ids, result.ids),
    wanted: wanted !== undefined && hasSameKeys(schema, wanted, live),
  }
}

/** Of observed attributes those that may tell objects apart, in canonical form. Collections are large and tell nothing. */
export const namesIn = (schema: ObjectSchema, attributes: JsonObject): JsonObject => {
  const small = telling(schema)
  return normalise(small, pick(attributes, Object.keys(small.attributes)), 'observed')
}

const tellingOf = new WeakMap<ObjectSchema, ObjectSchema>()

const telling = (schema: ObjectSchema): ObjectSchema => {
  const known = tellingOf.get(schema)
  if (known !== undefined) return known
  const isScalar = ({ type }: Attribute): boolean => type === 'string' || type === 'number' || type === 'boolean'
  const small = {
    attributes: mapMembers(schema.attributes, (each) =>
      each.identity || each.immutable || isScalar(each) ? each : undefined,
    ),
  }
  tellingOf.set(schema, small)
  return small
}

/** What tells one object from another; of a type without identity, of which there is one in each place, the place. */
export const keysOf = ({ attributes }: ObjectSchema): readonly string[] => {
  const keys = Object.keys(attributes).filter((name) => attributes[name]?.identity === true)
  return keys.length > 0 ? keys : Object.keys(attributes).filter((name) => attributes[name]?.immutable === true)
}

/** Keys that cannot change: those of the place in which an object is, mostly. */
const fixedKeysOf = (schema: ObjectSchema): readonly string[] =>
  keysOf(schema).filter((name) => schema.attributes[name]?.immutable === true)

/** One text for each object: its ids within what cannot change of its keys, else its keys. A position tells nothing. */
export const objectText = ({ schema, rules, place, urlOf }: Beside, live: JsonObject, ids: Ids = {}): string => {
  const url = urlOf?.(live)
  if (url !== undefined) return url
  const byIds = rules.ids !== undefined && rules.ids !== 'position' && Object.keys(ids).length > 0
  const names = byIds ? fixedKeysOf(schema) : keysOf(schema)
  const texts = names.map((name) => textAt(schema, name, live) ?? '')
  return JSON.stringify([place, byIds ? Object.entries(ids).toSorted() : [], texts])
}

/** The keys that are known; what only a command will tell is not. */
export const keyTexts = (schema: ObjectSchema, attributes: JsonObject): Readonly<Record<string, string>> =>
  mapMembers(pick(schema.attributes, keysOf(schema)), (_, name) =>
    isMark(attributes[name]) ? undefined : textAt(schema, name, attributes),
  )

/** Under one id: something fixed that both know and that differs shows another object; a key that differs, another name. */
const compareWithRecord = (
  schema: ObjectSchema,
  recorded: JsonObject,
  live: JsonObject,
): 'same' | 'renamed' | 'other' => {
  if (hasSameKeys(schema, recorded, live)) return 'same'
  return fixedOf(schema).some((name) => isOtherAt(schema, name, recorded, live)) ? 'other' : 'renamed'
}

/** What cannot change: where it differs, it is another object. */
export const fixedOf = ({ attributes }: ObjectSchema): readonly string[] =>
  Object.keys(attributes).filter((name) => attributes[name]?.immutable === true)

/** What speaks against it whatever its keys are: something fixed, or where it belongs. */
const differenceIn = (
  schema: ObjectSchema,
  { attributes, refersBy = [] }: NonNullable<Beside['recorded']>,
  live: JsonObject,
): string | undefined => [...fixedOf(schema), ...refersBy].find((name) => isOtherAt(schema, name, attributes, live))

/** Both sides tell it, and it is not the same. */
const isOtherAt = (schema: ObjectSchema, name: string, recorded: JsonObject, live: JsonObject): boolean =>
  Object.hasOwn(recorded, name) && Object.hasOwn(live, name) && !isSameAt(schema, name, recorded, live)

const compareIds = (recorded: Ids | undefined, live: Ids = {}): 'same' | 'other' | 'unknown' => {
  const names = Object.keys(recorded ?? {}).filter((name) => Object.hasOwn(live, name))
  if (names.length === 0) return 'unknown'
  return names.every((name) => recorded?.[name] === live[name]) ? 'same' : 'other'
}

/** A key that one side does not tell is no difference. */
const isSameAt = (schema: ObjectSchema, name: string, left: JsonObject, right: JsonObject): boolean => {
  const [one, other] = [textAt(schema, name, left), textAt(schema, name, right)]
  return one === undefined || other === undefined || one === other
}

const textAt = ({ attributes }: ObjectSchema, name: string, values: JsonObject): string | undefined => {
  const [facts, value] = [attributes[name], values[name] ?? attributes[name]?.default]
  return facts === undefined || value === undefined ? undefined : formText({ ...facts, computed: false }, value)
}

/** Whether a key is left to the server, so that nothing can be looked for by keys. */
export const lacksKey = (schema: ObjectSchema, attributes: JsonObject): boolean =>
  keysOf(schema).some((key) => schema.attributes[key]?.generated === true && attributes[key] === undefined)

/** Whether two sets of attributes name one object. */
export const hasSameKeys = (schema: ObjectSchema, left: JsonObject, right: JsonObject): boolean =>
  keysOf(schema).every((key) => isSameAt(schema, key, left, right))

/** Whether a key holds something that is known only after a command. */
export const unknownKeys = (schema: ObjectSchema, attributes: JsonObject): readonly (readonly [string, Json])[] =>
  keysOf(schema).flatMap((key) => {
    const value = attributes[key]
    return value !== undefined && isUnknown(value) ? [[key, value] as const] : []
  })

/** Ids that an answer told once, and that a read of the same object does not repeat, stay known. */
export const keepTold = <Result extends ReadResult>(
  { told = [] }: IdentityRules,
  result: Result,
  before: Readonly<Record<string, string>> | undefined,
): Result => {
  if (result.kind !== 'present') return result
  const kept = unlessEmpty(pick(before ?? {}, told))
  return kept === undefined ? result : { ...result, ids: { ...kept, ...result.ids } }
}
