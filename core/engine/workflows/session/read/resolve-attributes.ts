import { referencesIn, resolveReferences } from '../../../config/expressions/references.ts'
import { factsAlong } from '../../../diff/matching/facts.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Neighbour } from '../../../provider/references.ts'
import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject, MaybeJson, Path } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import type { NamedReference } from '../../../schema/stored/plan.ts'
import { isAfter, isMark, isSealed, isSensitive, isUnknown, type SealedMark } from '../../../schema/value.ts'
import { mapMembers } from '../../../values/members.ts'
import { fitScalar } from '../../../values/scalars.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'

/** The data for resources that refer to this one by name; missing for a resource that must not exist. */
export interface ReferableAs {
  readonly as?: Pick<Neighbour, 'type' | 'ids' | 'object' | 'refs'> & { readonly provider: string }
}

export type KnownResource = ReferableAs &
  /** The object exists and stays. `attributes` are those after this plan. */
  (
    | {
        readonly kind: 'settled'
        readonly attributes: JsonObject
        readonly ids: Readonly<Record<string, string>>
        /** The attributes at the moment; `former` are those of the record, if this is its object. */
        readonly present?: JsonObject
        readonly former?: JsonObject
        /** We made it, or somebody said that it is the object: what it contains now is known by that. */
        readonly isTaken?: true
      }
    /**
     * The object will exist only after a command; with `replaced`, in place of another object. `attributes` is the part
     * that is already known.
     */
    | {
        readonly kind: 'coming'
        readonly attributes: JsonObject
        readonly schema: ObjectSchema
        readonly replaced?: true
      }
    /**
     * `ids`: present for an object that was found, but whose values cannot be used now. `madeAgain`: others made it again, or
     * what contains it, so that the records of what refers to it prove nothing.
     */
    | { readonly kind: 'unknown'; readonly ids?: Readonly<Record<string, string>>; readonly madeAgain?: true }
  )

type LookedUp =
  | { readonly kind: 'known'; readonly value: Json }
  | { readonly kind: 'later'; readonly sensitive: boolean }
  | { readonly kind: 'unknown' }

/** Looks in the attributes first, then in the server ids. */
const lookUp = (known: KnownResource | undefined, address: Address, pointer: string): LookedUp => {
  const path = fromPointer(pointer)
  if (known === undefined || known.kind === 'unknown') return idAt(known?.ids, path.map(String))
  const value = valueAt(known.attributes, path)
  if (isUnknown(value)) return { kind: 'later', sensitive: isSensitive(value) }
  if (value !== undefined) return { kind: 'known', value: liveSecrets(value, address, pointer) ?? value }
  if (known.kind === 'coming') {
    return { kind: 'later', sensitive: factsAlong(known.schema, path).some(({ sensitive }) => sensitive === true) }
  }
  return idAt(known.ids, path.map(String))
}

const idAt = (ids: Readonly<Record<string, string>> = {}, [name = '', ...inside]: readonly string[]): LookedUp => {
  const id = inside.length === 0 && Object.hasOwn(ids, name) ? ids[name] : undefined
  return id === undefined ? { kind: 'unknown' } : { kind: 'known', value: id }
}

/** A sensitive value of another object is only passed on in a request; only its digest is known here. */
const liveSecret = (value: SealedMark, address: Address, pointer: string): Json => ({
  $secret: `live:${address}#${pointer}`,
  digest: value.$sealed,
})

/** The same for a secret, or for a list of secrets; `undefined` if the value is neither. */
export const liveSecrets = (value: MaybeJson, address: Address, pointer: string): Json | undefined => {
  if (isSealed(value)) return liveSecret(value, address, pointer)
  return isArray(value) && value.length > 0 && value.every(isSealed)
    ? value.map((each, index) => liveSecret(each, address, `${pointer}/${index}`))
    : undefined
}

/**
 * Replaces references by their values. If a value is unknown, `address` of the result is the resource that lacks it.
 */
export const resolveAttributes = (attributes: JsonObject, known: ReadonlyMap<Address, KnownResource>) =>
  resolveReferences(attributes, (address, pointer) => lookUp(known.get(address), address, pointer))

type WrittenReference = Omit<NamedReference, 'address'>

const isPlain = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/**
 * The configured form of each resolved reference: a name is configured, and an id or URL is sent. Both values have the
 * same shape.
 */
export const nameReferences = (
  written: Json,
  resolved: Json | undefined,
  path: Path = [],
): readonly WrittenReference[] => {
  if (written === resolved || isMark(written) || isMark(resolved)) return []
  if (isPlain(written)) {
    const isOther = isPlain(resolved) && String(resolved) !== String(written)
    return isOther ? [{ path, value: resolved, name: String(written) }] : []
  }
  if (isArray(written)) {
    return written.flatMap((each, index) =>
      nameReferences(each, isArray(resolved) ? resolved[index] : undefined, [...path, index]),
    )
  }
  if (!isObject(written) || !isObject(resolved)) return []
  return Object.entries(written).flatMap(([name, each]) => nameReferences(each, resolved[name], [...path, name]))
}

/** Converts values of references to the types of their attributes; marks get the type. Literals were checked before. */
export const fitTypes = ({ attributes }: ObjectSchema, values: JsonObject): JsonObject => fitMembers(attributes, values)

const fitMembers = (facts: Readonly<Record<string, Attribute>> | undefined, values: JsonObject): JsonObject =>
  mapMembers(values, (value, name) => fitValue(facts?.[name], value))

const fitValue = (attribute: Attribute | undefined, value: Json): Json => {
  if (attribute === undefined) return value
  const { type, element } = attribute
  if (isAfter(value)) {
    return type === 'string' || type === 'number' || type === 'boolean' ? { ...value, as: type } : value
  }
  if (isMark(value)) return value
  if (isArray(value)) return value.map((each) => fitValue(element, each))
  if (!isObject(value)) return fitScalar(value, type)
  if (type === 'object') return fitMembers(attribute.attributes, value)
  return type === 'map' ? mapMembers(value, (inner) => fitValue(element, inner)) : value
}

/** The attributes of each resource that others refer to. */
export const referredTo = ({ configuration }: LoadedWorkspace): ReadonlyMap<Address, readonly string[]> => {
  const found = configuration.resources.flatMap(({ attributes }) => referencesIn(attributes))
  return new Map(
    [...Map.groupBy(found, ({ $ref }) => $ref)].map(([address, own]) => [
      address,
      [...new Set(own.flatMap(({ pointer }) => fromPointer(pointer).slice(0, 1).map(String)))],
    ]),
  )
}
