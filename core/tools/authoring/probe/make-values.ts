import type { ObjectReference } from '../../../engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { applyNormalisers } from '../../../engine/values/normalise/normalisers.ts'
import { openSide, soundsReferring, soundsShutting } from '../../../engine/values/texts/name-words.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'

/** Values of the user by type and attribute; the second one is for the update. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>

/** Where values come from. */
export interface ValueSource {
  /** Makes the names of one object unique. */
  readonly suffix: string
  readonly given: GivenValues
  /** A new secret, as the configuration refers to it. */
  readonly secret: () => Json
  /** Attributes and ids of the first object of each type. */
  readonly known: ReadonlyMap<string, JsonObject>
}

/** How every invented name begins, so that people recognise what was left behind. */
const prefix = 'plumbline-probe'

/** A value for an attribute, `undefined` where none can be invented; `turn` 1 is another one than `turn` 0. */
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

/** Of the first object of each type nothing is known that another type could be called by: `none`. */
const referenceOf = ({ ref, refersTo }: AttributeEntry): ObjectReference | undefined => {
  if (refersTo !== undefined || ref === undefined) return refersTo
  return { type: ref.type ?? '', attribute: ref.by ?? 'name' }
}

/** Whether a value names another object: no made-up name says anything of it. */
export const namesAnother = (name: string, { ref, refersTo, type, element }: AttributeEntry): boolean =>
  ref !== undefined ||
  refersTo !== undefined ||
  (['string', 'number', 'any'].includes(type) && soundsReferring(name)) ||
  (element !== undefined && namesAnother(name, element))

/** Values that shut an object come after all others. */
const valueAmong = (values: readonly Json[], turn: 0 | 1): Json | undefined => {
  const ordered = values.toSorted((left, right) => Number(isShutting(left)) - Number(isShutting(right)))
  return ordered[turn] ?? ordered[0]
}

const isShutting = (value: Json): boolean => typeof value === 'string' && soundsShutting(value) && !openSide(value)

/** Whether to set this may shut the object: nobody knows whether it can be set back then. */
export const mayShut = (name: string, value: Json | undefined): boolean =>
  value !== undefined && (isShutting(value) || (soundsShutting(name) && value !== openSide(name)))

/** What the first object of the type is known by. */
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
  // A name of the domain name system has a dot inside.
  return `${prefix}${turn === 0 ? '' : '-b'}-${suffix}${known.has('trailingDot') ? '.example.' : ''}`
}

/** Two elements in falling order, so that a server that sorts them shows. */
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
