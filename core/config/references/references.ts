import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isConcat, isLiteral, isMark, isReference, type ReferenceMark } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { fitsText, joinParts } from './join-parts.ts'

export type Lookup =
  | { readonly kind: 'known'; readonly value: Json }
  /** Known after an earlier command of this plan. */
  | { readonly kind: 'later'; readonly sensitive: boolean }
  | { readonly kind: 'unknown' }

export type ResolvedReferences =
  | { readonly ok: true; readonly attributes: JsonObject }
  /** The first resource whose value could not be had, or does not fit into the text around it. */
  | { readonly ok: false; readonly address: Address }

type Resolve = (value: Json) => Json

/** All references that a value holds. Literals are foreign: what looks like a reference inside is none. */
export const referencesIn = (value: Json): readonly ReferenceMark[] => {
  if (isReference(value)) return [value]
  if (isConcat(value)) return value.$concat.flatMap(referencesIn)
  if (isLiteral(value) || isMark(value)) return []
  if (isArray(value)) return value.flatMap(referencesIn)
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

/** Puts values for the references that configuration alone could not resolve. Pure; known values are taken as they are. */
export const resolveReferences = (
  attributes: JsonObject,
  lookup: (address: Address, pointer: string) => Lookup,
): ResolvedReferences => {
  let failed: Address | undefined
  const fail = (address: Address): Json => {
    failed ??= address
    return null
  }
  const ofReference = (address: Address, pointer: string): Json => {
    const found = lookup(address, pointer)
    if (found.kind === 'unknown') return fail(address)
    if (found.kind === 'known') return found.value
    return { $after: address, pointer, ...defined({ sensitive: found.sensitive ? true : undefined }) }
  }
  const ofPart: Resolve = (part) => {
    const value = resolve(part)
    return isReference(part) && failed === undefined && !fitsText(value) ? fail(part.$ref) : value
  }
  const resolve: Resolve = (value) => {
    if (isReference(value)) return ofReference(value.$ref, value.pointer)
    if (isConcat(value)) return joinParts(value.$concat.map(ofPart))
    // Literals are foreign: what looks like a reference inside is none.
    if (isLiteral(value) || isMark(value)) return value
    if (isArray(value)) return value.map(resolve)
    return isObject(value) ? members(value, resolve) : value
  }
  const resolved = members(attributes, resolve)
  return failed === undefined ? { ok: true, attributes: resolved } : { ok: false, address: failed }
}

const members = (value: JsonObject, resolve: Resolve): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolve(child)]))
