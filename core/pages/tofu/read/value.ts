/** A number as its text: plans hold more digits than a double does. */
interface NumberText {
  readonly number: string
}

/** JSON without loss. An object is a Map, so that no key is special and a number cannot be mistaken for one. */
export type Value = null | boolean | string | NumberText | readonly Value[] | ValueMap

export type ValueMap = ReadonlyMap<string, Value>

export type ValueKind = 'null' | 'boolean' | 'string' | 'number' | 'array' | 'object'

export const isMap = (value: Value | undefined): value is ValueMap => value instanceof Map
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)

export const kindOf = (value: Value | undefined): ValueKind => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string'
  if (isList(value)) return 'array'
  return isMap(value) ? 'object' : 'number'
}

export const memberOf = (value: Value | undefined, key: string): Value | undefined =>
  isMap(value) ? value.get(key) : undefined

export const textOf = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

export const elementsOf = (value: Value | undefined): readonly Value[] => (isList(value) ? value : [])

/** UTF-8 byte order, which is the order of code points and not that of UTF-16. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return order(a.charCodeAt(at)) - order(b.charCodeAt(at))
}

/** Surrogates are code points above all others. */
const order = (unit: number): number => {
  if (Number.isNaN(unit)) return -1
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

export const sortedKeys = (keys: Iterable<string>): string[] => [...new Set(keys)].toSorted(compareText)

/** The values of a member, of all that have it. */
export const membersOf = (values: readonly Value[], key: string): Value[] =>
  values.flatMap((value) => (isMap(value) && value.has(key) ? [value.get(key) ?? null] : []))

/** The names of all members, in order. */
export const keysOf = (values: readonly (Value | undefined)[]): string[] =>
  sortedKeys(values.flatMap((value) => (isMap(value) ? [...value.keys()] : [])))

/** One text for all values that are deeply equal, and for no others. */
export const identityOf = (value: Value | undefined): string => {
  if (value === undefined) return 'null'
  if (isList(value)) return `[${value.map(identityOf).join(',')}]`
  if (isMap(value)) {
    return `{${sortedKeys(value.keys())
      .map((key) => `${JSON.stringify(key)}:${identityOf(value.get(key))}`)
      .join(',')}}`
  }
  return typeof value === 'object' && value !== null ? value.number : JSON.stringify(value)
}

export const areEqual = (a: Value | undefined, b: Value | undefined): boolean => {
  if (a === b) return true
  const kind = kindOf(a)
  if (kind !== kindOf(b)) return false
  return kind === 'null' || (kind !== 'boolean' && kind !== 'string' && identityOf(a) === identityOf(b))
}
