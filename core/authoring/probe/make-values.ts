import type { AttributeEntry } from '../../providers/rest/document/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'

export interface MakingValues {
  /** Makes names of this run unlike all others. */
  readonly suffix: string
  /** Values that somebody gave, by attribute: what a server takes is not always to be guessed. The second is the other one. */
  readonly given: Readonly<Record<string, readonly Json[]>>
  /** Of the object that an attribute refers to. */
  readonly referred: (attribute: string) => Json | undefined
  /** A new secret, as the configuration refers to it. */
  readonly secret: () => Json
}

/** What every name that is made begins with, so that people recognise what was left behind. */
const prefix = 'plumbline-probe'

/** A value for an attribute, `undefined` where none can be made up; `turn` 1 is another one than `turn` 0. */
export const makeValue = (name: string, entry: AttributeEntry, turn: 0 | 1, making: MakingValues): Json | undefined => {
  const given = making.given[name]
  if (given !== undefined) return withSuffix(given[turn] ?? given[0], making.suffix)
  if (entry.refersTo !== undefined) return making.referred(name)
  if (entry.sensitive) return making.secret()
  if (entry.values !== undefined) return entry.values[turn] ?? entry.values[0]
  return applyKnown(entry, madeUp(entry, turn, making))
}

const withSuffix = (value: Json | undefined, suffix: string): Json | undefined =>
  typeof value === 'string' ? value.replaceAll('{suffix}', suffix) : value

const applyKnown = ({ normalise }: AttributeEntry, value: Json | undefined): Json | undefined =>
  value === undefined ? undefined : applyNormalisers(value, normalise)

const madeUp = (entry: AttributeEntry, turn: 0 | 1, making: MakingValues): Json | undefined => {
  const { type, element } = entry
  if (type === 'string') return textFor(entry, turn, making)
  if (type === 'number') return turn === 0 ? 1 : 2
  if (type === 'boolean') return (entry.default === true) === (turn === 1)
  if (type === 'list' || type === 'set') return elementsFor(element, turn, making)
  if (type === 'map') return mapFor(element, turn, making)
  return type === 'object' ? membersFor(entry.attributes ?? {}, turn, making) : undefined
}

const textFor = ({ normalise = [], compareAs = [] }: AttributeEntry, turn: 0 | 1, { suffix }: MakingValues): string => {
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
const elementsFor = (entry: AttributeEntry | undefined, turn: 0 | 1, making: MakingValues): Json | undefined => {
  if (entry === undefined || entry.type === 'object') {
    const one = entry && madeUp(entry, turn, making)
    return one === undefined ? undefined : [one]
  }
  const [first, second] = [madeUp(entry, 1, making), madeUp(entry, 0, making)]
  if (first === undefined || second === undefined) return undefined
  const falling = [first, second].toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? 1 : -1))
  return turn === 0 ? [second] : falling
}

const mapFor = (entry: AttributeEntry | undefined, turn: 0 | 1, making: MakingValues): Json | undefined => {
  const value = entry === undefined || entry.type === 'any' ? `probe-${turn}` : madeUp(entry, turn, making)
  return value === undefined ? undefined : { probe: value }
}

const membersFor = (
  entries: Readonly<Record<string, AttributeEntry>>,
  turn: 0 | 1,
  making: MakingValues,
): JsonObject | undefined => {
  const wanted = Object.entries(entries).filter(([, entry]) => !entry.computed && !entry.sensitive)
  const needed = wanted.filter(([, entry]) => entry.required && entry.default === undefined)
  const members = (needed.length === 0 ? wanted.slice(0, 1) : needed).map(([name, entry]) => [
    name,
    makeValue(name, entry, turn, { ...making, given: {} }),
  ])
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
}
