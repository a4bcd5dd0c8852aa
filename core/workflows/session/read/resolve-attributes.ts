import { resolveReferences } from '../../../config/references/references.ts'
import { factsAlong } from '../../../diff/facts.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Neighbour } from '../../../providers/provider.ts'
import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import type { NamedReference } from '../../../schema/plan.ts'
import type { Address } from '../../../schema/resource.ts'
import { isAfter, isMark, isSealed, isSensitive, isUnknown, type SealedMark } from '../../../schema/value.ts'
import { mapMembers } from '../../../values/members.ts'
import { fitScalar } from '../../../values/scalars.ts'

/** Whose it is, for resources that mean it by a name; absent for what shall not exist. */
export interface ReferableAs {
  readonly as?: Pick<Neighbour, 'type' | 'ids' | 'object' | 'refs'> & { readonly provider: string }
}

/** What is known of a resource when another one refers to it. */
export type KnownResource = ReferableAs &
  /** Exists and stays: its attributes after this plan, and its server-made ids. */
  (
    | { readonly kind: 'settled'; readonly attributes: JsonObject; readonly ids: Readonly<Record<string, string>> }
    /** Will exist only after a command, `replaced` in the place of another; `attributes` is the part that is known already. */
    | {
        readonly kind: 'coming'
        readonly attributes: JsonObject
        readonly schema: ObjectSchema
        readonly replaced?: true
      }
    | { readonly kind: 'unknown' }
  )

type LookedUp =
  | { readonly kind: 'known'; readonly value: Json }
  | { readonly kind: 'later'; readonly sensitive: boolean }
  | { readonly kind: 'unknown' }

/** Looks a pointer up in what is known: attributes first, then server-made ids. */
const lookUp = (known: KnownResource | undefined, address: Address, pointer: string): LookedUp => {
  if (known === undefined || known.kind === 'unknown') return { kind: 'unknown' }
  const path = fromPointer(pointer)
  const value = valueAt(known.attributes, path)
  if (isUnknown(value)) return { kind: 'later', sensitive: isSensitive(value) }
  if (value !== undefined)
    return { kind: 'known', value: isSealed(value) ? liveSecret(value, address, pointer) : value }
  if (known.kind === 'coming') {
    return { kind: 'later', sensitive: factsAlong(known.schema, path).some(({ sensitive }) => sensitive === true) }
  }
  const id = path.length === 1 ? known.ids[path[0] ?? ''] : undefined
  return id === undefined ? { kind: 'unknown' } : { kind: 'known', value: id }
}

/** A sensitive value of another object passes through: it is sent, and known here by its digest only. */
export const liveSecret = (value: SealedMark, address: Address, pointer: string): Json => ({
  $secret: `live:${address}#${pointer}`,
  digest: value.$sealed,
})

/** Puts in what references point to. `address` is the one that could not be known. */
export const resolveAttributes = (attributes: JsonObject, known: ReadonlyMap<Address, KnownResource>) =>
  resolveReferences(attributes, (address, pointer) => lookUp(known.get(address), address, pointer))

type Named = Omit<NamedReference, 'address'>

const isPlain = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** What resolving made of each reference: where a name is configured, and an id or URL is sent. Both have the same shape. */
export const nameReferences = (written: Json, resolved: Json | undefined, path: Path = []): readonly Named[] => {
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

/** Values from references, as the types spell them; marks take the type along. Literals were checked before. */
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
