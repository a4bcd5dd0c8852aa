import { resolveReferences } from '../../../config/references/references.ts'
import { factsAlong } from '../../../diff/facts.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Neighbour } from '../../../providers/provider.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import { isSealed, isSensitive, isUnknown, type SealedMark } from '../../../schema/value.ts'

/** Whose it is, for resources that mean it by a name; absent for what shall not exist. */
export interface KnownAs {
  readonly as?: Pick<Neighbour, 'type' | 'ids' | 'object' | 'refs'> & { readonly provider: string }
}

/** What is known of a resource when another one refers to it. */
export type Known = KnownAs &
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

type Answer =
  | { readonly kind: 'known'; readonly value: Json }
  | { readonly kind: 'later'; readonly sensitive: boolean }
  | { readonly kind: 'unknown' }

/** Looks a pointer up in what is known: attributes first, then server-made ids. */
const lookUp = (known: Known | undefined, address: Address, pointer: string): Answer => {
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
export const resolveAttributes = (attributes: JsonObject, known: ReadonlyMap<Address, Known>) =>
  resolveReferences(attributes, (address, pointer) => lookUp(known.get(address), address, pointer))
