import { isArray, isObject, type Json, type Path, type Step } from '../schema/json.ts'
import { isLiteral } from '../schema/value.ts'

/** RFC 6901, for example `/rrsets/0/ttl`. */
export const toPointer = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The steps of a pointer; all are texts, also list indexes. */
export const fromPointer = (pointer: string): string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A path as people read it and ignore rules write it: `rrsets[www.example.org. A].ttl`. */
export const pathText = (path: Path): string =>
  path
    .map((step, position) => {
      if (!/^[A-Za-z_][\w-]*$/.test(String(step))) return `[${step}]`
      return position === 0 ? step : `.${step}`
    })
    .join('')

/** Reads own members only. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((inner, step) => {
    return isArray(inner) ? inner[Number(step)] : memberOf(inner, String(step))
  }, value)

const isIndex = (step: Step): boolean => /^\d+$/.test(String(step))

/** Missing objects on the way are created; a list never becomes longer. */
export const setAt = (whole: Json | undefined, path: Path, value: Json): Json => {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (isLiteral(whole)) return { $literal: setAt(whole.$literal, path, value) }
  if (isArray(whole) && isIndex(step))
    return whole.map((element, index) => (index === Number(step) ? setAt(element, rest, value) : element))
  const object = isObject(whole) ? whole : {}
  return { ...object, [step]: setAt(valueAt(object, [step]), rest, value) }
}

/** A step `*` matches every element or member. */
export const removeAt = (whole: Json, path: Path): Json => {
  const [step, ...rest] = path
  if (step === undefined) return whole
  if (isLiteral(whole)) return { $literal: removeAt(whole.$literal, path) }
  const entries: readonly (readonly [string, Json])[] = isArray(whole) || isObject(whole) ? Object.entries(whole) : []
  const kept = entries.flatMap(([name, child]): (readonly [string, Json])[] => {
    if (step !== '*' && name !== String(step)) return [[name, child]]
    return rest.length === 0 ? [] : [[name, removeAt(child, rest)]]
  })
  if (isArray(whole)) return kept.map(([, child]) => child)
  return isObject(whole) ? Object.fromEntries(kept) : whole
}

/**
 * Walks a value depth first. `visit` returns a replacement for a mark or leaf, or `undefined` to keep it. It is not asked about
 * the object in a literal, which only looks like a mark, but about its members.
 */
export const mapValue = (value: Json, visit: (value: Json) => Json | undefined): Json => {
  const replaced = visit(value)
  if (replaced !== undefined) return replaced
  const inside = (inner: Json): Json => {
    if (isArray(inner)) return inner.map((child) => mapValue(child, visit))
    if (!isObject(inner)) return inner
    return Object.fromEntries(Object.entries(inner).map(([member, child]) => [member, mapValue(child, visit)]))
  }
  return isLiteral(value) ? { $literal: inside(value.$literal) } : inside(value)
}
