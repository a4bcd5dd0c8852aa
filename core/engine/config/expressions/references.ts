import { mapValue, toPointer, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isConcat, isEntries, isLiteral, isMark, isReference, type ReferenceMark } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import { openName } from '../../values/marks/open-names.ts'

export type Lookup =
  | { readonly kind: 'known'; readonly value: Json }
  /** The value is known after an earlier command of this plan. */
  | { readonly kind: 'later'; readonly sensitive: boolean }
  | { readonly kind: 'unknown' }

export type ResolvedReferences =
  | { readonly ok: true; readonly attributes: JsonObject }
  /** The first resource whose value is not available, or cannot be part of the text around it. */
  | { readonly ok: false; readonly address: Address }

/** `path` is the position of the text that contains the reference. */
type FoundReference = ReferenceMark & { readonly path: Path }

/** Literals are skipped: a text in them that looks like a reference is data of the target. */
export const referencesIn = (value: Json, path: Path = []): readonly FoundReference[] => {
  if (isReference(value)) return [{ ...value, path }]
  if (isConcat(value)) return value.$concat.flatMap((part) => referencesIn(part, path))
  if (isEntries(value)) return value.$entries.flatMap((entry) => entry.flatMap((part) => referencesIn(part, path)))
  if (isLiteral(value) || isMark(value)) return []
  if (isArray(value)) return value.flatMap((inner, index) => referencesIn(inner, [...path, index]))
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => referencesIn(inner, [...path, name])) : []
}

/**
 * Replaces the references that the configuration alone could not resolve. Pure: known values are inserted unchanged.
 */
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
  const ofPart = (part: Json): Json => {
    const value = resolve(part)
    return isReference(part) && failed === undefined && !fitsText(value) ? fail(part.$ref) : value
  }
  /** A key that an earlier command gives has a name that says which; what cannot be a key leaves the resource unresolved. */
  const ofEntries = (entries: readonly (readonly [Json, Json])[]): Json => {
    const members = new Map<string, Json>()
    const [first] = entries.flatMap(([key]) => referencesIn(key))
    for (const [key, inner] of entries) {
      const known = isMark(key) ? ofMark(key) : key
      const text = isLargeNumber(known) ? known.$number : known
      const isText = typeof text === 'string' || typeof text === 'number'
      const name = isText ? String(text) : openName(text ?? null)
      if (name === undefined || members.has(name)) return fail(first?.$ref ?? '')
      members.set(name, resolve(inner))
    }
    return Object.fromEntries(members)
  }
  const ofMark = (value: Json): Json | undefined => {
    if (isEntries(value)) return ofEntries(value.$entries)
    if (isReference(value)) return ofReference(value.$ref, value.pointer)
    if (isConcat(value)) return joinParts(value.$concat.map(ofPart))
    return isMark(value) ? value : undefined
  }
  const resolve = (value: Json): Json => mapValue(value, ofMark)
  const resolved = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, resolve(value)]))
  return failed === undefined ? { ok: true, attributes: resolved } : { ok: false, address: failed }
}

/** Values that can be a part of a text: scalars, and marks that will become one. */
export const fitsText = (value: Json): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) || (isMark(value) && !isLiteral(value))

/** Returns plain text if all parts are known, otherwise a `$concat` in which neighbouring texts are joined. */
export const joinParts = (parts: readonly Json[]): Json => {
  const joined: Json[] = []
  const inText = (each: Json): readonly Json[] => {
    if (isLargeNumber(each)) return [each.$number]
    return isConcat(each) ? each.$concat : [each]
  }
  for (const part of parts.flatMap(inText)) {
    const last = joined.at(-1)
    if (isMark(part)) joined.push(part)
    else if (typeof last === 'string') joined[joined.length - 1] = last + String(part)
    else joined.push(String(part))
  }
  const solid = joined.filter((part) => part !== '')
  return solid.some(isMark) ? { $concat: solid } : (solid[0] ?? '')
}

export type Reached =
  | { readonly kind: 'found'; readonly value: Json }
  | { readonly kind: 'missing' }
  /** The value is a secret or a text of several parts, whose members must not be used. */
  | { readonly kind: 'opaque' }

/** The value at a path inside a resolved value. A path into a reference becomes a longer reference. */
export const reach = (value: Json, path: Path): Reached => {
  const [step, ...rest] = path
  if (step === undefined) return { kind: 'found', value }
  if (isReference(value)) return { kind: 'found', value: { ...value, pointer: value.pointer + toPointer(path) } }
  if (isLiteral(value)) return reach(value.$literal, path)
  if (isLargeNumber(value)) return { kind: 'missing' }
  if (isMark(value)) return { kind: 'opaque' }
  const child = valueAt(value, [step])
  return child === undefined ? { kind: 'missing' } : reach(child, rest)
}

/**
 * A hole replaces a value whose problem is reported, so that later steps ignore it. No resource has the address of a
 * hole.
 */
export const orHole = (value: Json | undefined): Json => (value === undefined ? { $ref: '', pointer: '' } : value)

export const holdsHole = (value: Json): boolean =>
  (isReference(value) && value.$ref === '') ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsHole))
