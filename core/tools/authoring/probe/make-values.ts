import type { ObjectReference } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { applyNormalisers } from '../../../engine/values/normalise/normalisers.ts'
import { openSide, soundsReferring, soundsShutting } from '../../../engine/values/texts/name-words.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'

/** Values of the user by type and attribute; the second one is for the update. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>

export interface ValueSource {
  /** Makes the names of one object unique. */
  readonly suffix: string
  readonly given: GivenValues
  /** Returns a reference to a new secret, as a configuration writes it. */
  readonly secret: () => Json
  /** Attributes and ids of the first object of each type. */
  readonly known: ReadonlyMap<string, JsonObject>
}

/** The beginning of every invented name, so that people recognise leftover objects. */
const prefix = 'plumbline-probe'

/** Makes a value for an attribute, `undefined` if none can be invented; the values of `turn` 0 and 1 differ. */
export const makeValue = (
  type: string,
  name: string,
  entry: AttributeEntry,
  turn: 0 | 1,
  source: ValueSource,
): Json | undefined => {
  const given = source.given[type]?.[name]
  return given === undefined
    ? inventValue(name, entry, turn, source)
    : withSuffix(given[turn] ?? given[0], source.suffix)
}

const inventValue = (name: string, entry: AttributeEntry, turn: 0 | 1, source: ValueSource): Json | undefined => {
  const reference = referenceOf(entry)
  if (reference !== undefined) return referredValue(reference, source)
  if (entry.sensitive) return source.secret()
  if (entry.values !== undefined) return valueAmong(entry.values, turn)
  if (entry.type === 'boolean' && soundsShutting(name)) return openSide(name) === (turn === 0)
  const value = madeUp(name, entry, turn, source)
  return value === undefined ? undefined : applyNormalisers(value, entry.normalise)
}

/** A reference by a resolver has no type, so no object is known that it could name. */
const referenceOf = ({ ref, refersTo }: AttributeEntry): ObjectReference | undefined => {
  if (refersTo !== undefined || ref === undefined) return refersTo
  return { type: ref.type ?? '', attribute: ref.by ?? 'name' }
}

/** Tells whether a value refers to another object: then no invented name is valid. */
export const namesAnother = (name: string, { ref, refersTo, type, element }: AttributeEntry): boolean =>
  ref !== undefined ||
  refersTo !== undefined ||
  (['string', 'number', 'any'].includes(type) && soundsReferring(name)) ||
  (element !== undefined && namesAnother(name, element))

/** Values that may make an object unusable come last. */
const valueAmong = (values: readonly Json[], turn: 0 | 1): Json | undefined => {
  const ordered = values.toSorted((left, right) => Number(isShutting(left)) - Number(isShutting(right)))
  return ordered[turn] ?? ordered[0]
}

const isShutting = (value: Json): boolean => typeof value === 'string' && soundsShutting(value) && !openSide(value)

/** Tells whether the value may make the object unusable, so that it perhaps cannot be set back. */
export const mayShut = (name: string, value: Json | undefined): boolean =>
  value !== undefined && (isShutting(value) || (soundsShutting(name) && value !== openSide(name)))

const referredValue = ({ type, attribute }: ObjectReference, { known }: ValueSource): Json | undefined => {
  const object = known.get(type) ?? {}
  return attribute === undefined ? Object.values(object)[0] : object[attribute]
}

const withSuffix = (value: Json | undefined, suffix: string): Json | undefined =>
  typeof value === 'string' ? value.replaceAll('{suffix}', suffix) : value

const madeUp = (name: string, entry: AttributeEntry, turn: 0 | 1, source: ValueSource): Json | undefined => {
  const { type, element } = entry
  if (type === 'string') return textFor(entry, turn, source)
  if (type === 'number') return turn === 0 ? 1 : 2
  if (type === 'boolean') return (entry.default === true) === (turn === 1)
  if (type === 'list' || type === 'set') return elementsFor(name, element, turn, source)
  if (type === 'map') return mapFor(name, element, turn, source)
  return type === 'object' ? membersFor(entry.attributes ?? {}, turn, source) : undefined
}

const textFor = ({ normalise = [], compareAs = [] }: AttributeEntry, turn: 0 | 1, { suffix }: ValueSource): string => {
  const known = new Set([...normalise, ...compareAs])
  if (known.has('ip') || known.has('ipv6')) return turn === 0 ? '2001:db8::1' : '2001:db8::2'
  if (known.has('network')) return turn === 0 ? '192.0.2.0/25' : '192.0.2.128/25'
  if (known.has('timestamp')) return turn === 0 ? '2030-01-01T00:00:00Z' : '2031-01-01T00:00:00Z'
  if (known.has('duration')) return turn === 0 ? 'PT1H' : 'PT2H'
  if (known.has('json')) return JSON.stringify({ probe: turn })
  // A DNS name contains a dot.
  return `${prefix}${turn === 0 ? '' : '-b'}-${suffix}${known.has('trailingDot') ? '.example.' : ''}`
}

/** The two elements are in descending order, so that a server that sorts them is noticed. */
const elementsFor = (
  name: string,
  entry: AttributeEntry | undefined,
  turn: 0 | 1,
  source: ValueSource,
): Json | undefined => {
  const isOne = entry !== undefined && (entry.type === 'object' || referenceOf(entry) !== undefined)
  if (entry === undefined || isOne) {
    const one = entry && inventValue(name, entry, turn, source)
    return one === undefined ? undefined : [one]
  }
  const [first, second] = [madeUp(name, entry, 1, source), madeUp(name, entry, 0, source)]
  if (first === undefined || second === undefined) return undefined
  const falling = [first, second].toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? 1 : -1))
  return turn === 0 ? [second] : falling
}

const mapFor = (
  name: string,
  entry: AttributeEntry | undefined,
  turn: 0 | 1,
  source: ValueSource,
): Json | undefined => {
  const value = entry === undefined || entry.type === 'any' ? `probe-${turn}` : inventValue(name, entry, turn, source)
  return value === undefined ? undefined : { probe: value }
}

const membersFor = (
  entries: Readonly<Record<string, AttributeEntry>>,
  turn: 0 | 1,
  source: ValueSource,
): JsonObject | undefined => {
  const wanted = Object.entries(entries).filter(([, entry]) => !entry.computed && !entry.sensitive)
  const needed = wanted.filter(([, entry]) => entry.required && entry.default === undefined)
  const members = (needed.length === 0 ? wanted.slice(0, 1) : needed).map(([name, entry]) => [
    name,
    inventValue(name, entry, turn, source),
  ])
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
}
