import { fromPointer, setAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../schema/json.ts'
import { isLiteral, isMark, isSecret } from '../../schema/value.ts'
import { partsOf } from '../../values/marks/marks.ts'
import { inside, liveAt } from './live-places.ts'
import { isSealedAsRead } from './sealed-as-read.ts'

/*
 * A plan has no secret, and its mark would fit any value that was read. Where it knows the place of one, the mark takes the place of
 * the value, so that both are found as the same; before it is sent, the mark becomes what was read again.
 */

interface KnownSecret {
  /** In the object that was read. */
  readonly steps: Path
  /** Keyed, of the value as it was read. */
  readonly digest: string
}

/** A mark that took the place of a value -> the value. */
const behind = new WeakMap<object, Json>()

/** What was read where a mark stands: a change inside of it is laid into that. */
export const readBehind = (value: Json): Json => (isObject(value) ? behind.get(value) : undefined) ?? value

const standingFor = (mark: Json, value: Json): Json => {
  const own = isObject(mark) ? { ...mark } : mark
  if (isObject(own)) behind.set(own, value)
  return own
}

/** `name`: of the object that was read, `<address>#<name of the part>`. */
const knownAs = (value: Json, name: string): KnownSecret | undefined => {
  if (isSealedAsRead(value)) {
    const { at, digest, isUnsure } = value.asRead
    if (isUnsure) return undefined
    const part = at.slice(0, Math.max(0, at.indexOf('/')))
    return part !== '' && name.endsWith(`#${part}`) ? { steps: fromPointer(at.slice(part.length)), digest } : undefined
  }
  const own = `live:${name}`
  if (!isSecret(value) || value.digest === undefined || !value.$secret.startsWith(`${own}/`)) return undefined
  return { steps: fromPointer(value.$secret.slice(own.length)), digest: value.digest }
}

/** Whether the place of a secret is known, so that it fits nothing else. */
export const isKnownSecret = (value: Json): boolean =>
  (isSealedAsRead(value) && value.asRead.isUnsure !== true) ||
  (isSecret(value) && value.digest !== undefined && /^live:.*#[^/#]+\//s.test(value.$secret))

interface KnownBy {
  /** Whether a value has a digest; without it the object is the one that the plan was made from. */
  readonly isIt?: (value: Json, digest: string) => boolean
  /** Places that are not sent back: a value that holds one is not sent as a whole. */
  readonly without?: readonly string[]
}

/** The object with these marks in the place of the values. */
export const withKnownSecrets = (
  object: Json,
  name: string,
  marks: Json,
  { isIt, without = [] }: KnownBy = {},
): Json => {
  const known = partsOf(marks).flatMap((mark) => {
    const secret = knownAs(mark, name)
    return secret === undefined || inside(without, secret.steps).length > 0 ? [] : [{ ...secret, mark }]
  })
  return known.reduce<Json>((whole, { steps, digest, mark }) => {
    const there = liveAt(whole, steps)
    if (there === undefined || isMark(there)) return whole
    if (isIt === undefined || isIt(there, digest)) return setAt(whole, steps, standingFor(mark, there))
    // The elements of a set may come in another order.
    const place = placeWhere(whole, (value) => isIt(value, digest))
    return place === undefined ? whole : setAt(whole, place, standingFor(mark, liveAt(whole, place) ?? null))
  }, object)
}

const placeWhere = (value: Json, fits: (value: Json) => boolean, path: Path = []): Path | undefined => {
  if (isMark(value) && !isLiteral(value)) return undefined
  if (fits(value)) return path
  const own = isLiteral(value) ? value.$literal : value
  const members: readonly (readonly [string | number, Json])[] = isArray(own)
    ? [...own.entries()]
    : isObject(own)
      ? Object.entries(own)
      : []
  for (const [step, inner] of members) {
    const found = placeWhere(inner, fits, [...path, step])
    if (found !== undefined) return found
  }
  return undefined
}
