import { assignElements } from '../../../diff/matching/assign-elements.ts'
import { isEqual } from '../../../diff/matching/canonical.ts'
import { defaultOf, memberFacts, plainAny } from '../../../diff/matching/facts.ts'
import { memberOf } from '../../../json/pointer.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject } from '../../../schema/json.ts'
import type { Seal } from '../../../schema/ports.ts'
import { isMark, isSealed, isSensitive, sealOf } from '../../../schema/value.ts'
import { answeredDigits, isLargeNumber } from '../../../values/large-integer.ts'
import { applyNormalisers } from '../../../values/normalise/normalisers.ts'
import { type DeclaredShape, hasSecret } from './declared-shape.ts'

/** What others have at the place of an observed value; a place in a list is that of any of its elements. */
export interface AtPlace {
  /** Missing if the configuration does not declare the value. */
  readonly shape: DeclaredShape | undefined
  /** Digests that the record has there. */
  readonly former: ReadonlySet<string>
  /** Values that the configuration has there. */
  readonly written: ReadonlySet<Json>
  /** Objects with secrets that the configuration declares there, and those that were as declared at the last check. */
  readonly objects: readonly JsonObject[]
  member(name: string): AtPlace
  element(): AtPlace
  /** The same place, with this value of the configuration alone. */
  only(written: Json): AtPlace
}

/** An answer has a large integer as another value than a configuration. */
export const inDigits = (value: Json): Json => (isLargeNumber(value) ? value.$number : (answeredDigits(value) ?? value))

/** Each place is looked up once, however many elements a list has. */
export const atPlace = (
  shape: DeclaredShape | undefined,
  former: readonly Json[],
  written: readonly Json[],
): AtPlace => {
  const inner = new Map<string, AtPlace>()
  const once = (key: string, make: () => AtPlace): AtPlace => {
    const made = inner.get(key) ?? make()
    inner.set(key, made)
    return made
  }
  const member =
    (name: string) =>
    (each: Json): readonly Json[] =>
      isObject(each) && !isMark(each) && Object.hasOwn(each, name) ? [each[name] ?? null] : []
  const element = (each: Json): readonly Json[] => (isArray(each) ? each : [])
  return {
    shape,
    former: new Set(former.flatMap((each) => (isSealed(each) ? [each.$sealed] : []))),
    written: new Set(written.map(inDigits)),
    objects: [...written, ...former].filter((each) => isObject(each) && !isMark(each)) as readonly JsonObject[],
    member: (name) =>
      once(`/${name}`, () =>
        atPlace(shape?.members?.get(name), former.flatMap(member(name)), written.flatMap(member(name))),
      ),
    element: () => once('*', () => atPlace(shape?.element, former.flatMap(element), written.flatMap(element))),
    only: (value) => atPlace(shape, former, [value]),
  }
}

/**
 * The places of the elements of a list. If some elements of the configuration have a secret, each element that was read is
 * beside the one that it agrees with, so that their neighbours stay in clear; one that agrees with none may be any of them.
 */
export const elementPlaces = (
  read: JsonList,
  { type }: Attribute,
  element: Attribute,
  beside: AtPlace,
  seal: Seal,
): ((index: number) => AtPlace) => {
  const any = beside.element()
  if (!hasSecret(any.shape)) return () => any
  const desired = [...beside.written].flatMap((each) => (isArray(each) ? each : []))
  const list: Attribute = { type: type === 'set' ? 'set' : 'list', element }
  const known = remembered(seal)
  const places = assignElements(list, desired, read, (place, each) => agrees(element, read[place] ?? null, each, known))
  const found = new Map(places.flatMap((place, index) => (place === undefined ? [] : [[place, index] as const])))
  return (place) => {
    const index = found.get(place)
    return index === undefined ? any : any.only(desired[index] ?? null)
  }
}

/** A value of a list is compared with each of its secrets. */
const remembered = (seal: Seal): Seal => {
  const known = new Map<unknown, string>()
  return (value) => {
    const digest = known.get(value) ?? seal(value)
    known.set(value, digest)
    return digest
  }
}

/** Whether a value that was read or recorded has all that an element of the configuration declares. */
const agrees = (facts: Attribute, value: Json, desired: Json, seal: Seal): boolean => {
  if (isSensitive(desired)) {
    const digest = sealOf(desired)
    return digest !== undefined && digest === (isSealed(value) ? value.$sealed : sealOfRead(value, facts, seal))
  }
  const [now, meant] = [canonical(value, facts), canonical(desired, facts)]
  if (isArray(meant)) {
    const inner = facts.element ?? plainAny
    const isLike = (each: Json, place: number): boolean => agrees(inner, (now as JsonList)[place] ?? null, each, seal)
    return isArray(now) && now.length === meant.length && meant.every(isLike)
  }
  if (!isObject(meant) || isMark(meant)) return isEqual(now, meant)
  return (
    isObject(now) &&
    !isMark(now) &&
    Object.entries(meant).every(([name, each]) => {
      const inner = memberFacts(facts, name) ?? plainAny
      return agrees(inner, memberOf(now, name) ?? defaultOf(inner) ?? null, each, seal)
    })
  )
}

const canonical = (value: Json, { normalise }: Attribute): Json =>
  inDigits(applyNormalisers(inDigits(value), normalise))

const sealOfRead = (value: Json, { normalise }: Attribute, seal: Seal): string =>
  seal(applyNormalisers(value, normalise))

/**
 * Whether the value is where the configuration has a secret. In a list nobody knows which element it is, so only what the
 * configuration has there in clear is none, unless a secret there has the same text.
 */
export const isSecretAt = (value: Json, facts: Attribute, { shape, written }: AtPlace, seal: Seal): boolean => {
  if (!shape?.isSecret) return false
  const secrets = [...written].filter(isSensitive)
  if (isArray(value) || isObject(value)) return secrets.length > 0 || written.size === 0
  const now = canonical(value, facts)
  const clear = [...written].filter((each) => !isSensitive(each)).map((each) => canonical(each, facts))
  if (![...clear, defaultOf(facts)].some((each) => each !== undefined && isEqual(now, each))) return true
  return secrets.length > 0 && secrets.some((each) => sealOf(each) === sealOfRead(value, facts, seal))
}
