/*
 * Aho and Corasick, 1975: finds many texts in one pass, in time that grows with the length of the input alone. This is
 * our own code because the libraries keep an object for each character of each text, which takes gigabytes for secrets
 * of megabytes, and cannot add a text without starting anew. States are numbers in typed arrays.
 */

/** Code units of a text, or its bytes; the first `length` units count. */
export interface Units {
  readonly units: Uint16Array
  readonly length: number
}

export interface Automaton {
  /** Number of units in all texts. */
  readonly size: number
  readonly texts: readonly Uint16Array[]
  /** Calls `found` with the start and the exclusive end of the longest text that ends at a place. */
  scan(input: Units, found: (start: number, end: number) => void): void
}

/** Number of units that decide whether a text can begin at a place. No text is shorter. */
export const gram = 4

const bitsOfGram = 18

/** Multiplicative hashing of four units; the constant is 2^32 divided by the golden ratio. */
const hashGram = (a: number, b: number, c: number, d: number): number =>
  Math.imul(a ^ (b << 8) ^ (c << 16) ^ (d << 24) ^ (d >>> 8), 0x9e3779b1) >>> (32 - bitsOfGram)

interface AutomatonStates {
  readonly count: number
  readonly units: Uint16Array
  readonly parents: Int32Array
  /** Only for states with children other than the state that was created right after them. */
  readonly branches: ReadonlyMap<number, number>
  /** Length of the longest text that ends in a state, without its fallbacks; 0 if there is none. */
  readonly ends: Int32Array
  readonly depths: Int32Array
}

const keyOf = (state: number, unit: number): number => state * 65_536 + unit

const childOf = ({ count, units, parents, branches }: AutomatonStates, state: number, unit: number): number => {
  const next = state + 1
  if (next < count && parents[next] === state && units[next] === unit) return next
  return branches.get(keyOf(state, unit)) ?? 0
}

const statesOf = (texts: readonly Uint16Array[], size: number): AutomatonStates => {
  const branches = new Map<number, number>()
  const states = {
    count: 1,
    units: new Uint16Array(size + 1),
    parents: new Int32Array(size + 1),
    branches,
    ends: new Int32Array(size + 1),
    depths: new Int32Array(size + 1),
  }
  states.parents[0] = -1
  for (const text of texts) {
    let state = 0
    for (const unit of text) {
      const known = childOf(states, state, unit)
      if (known !== 0) {
        state = known
        continue
      }
      const made = states.count
      if (made !== state + 1) branches.set(keyOf(state, unit), made)
      states.units[made] = unit
      states.parents[made] = state
      states.depths[made] = (states.depths[state] ?? 0) + 1
      states.count += 1
      state = made
    }
    states.ends[state] = text.length
  }
  return states
}

/** States sorted by depth: the fallback of a state has a smaller depth. */
const byDepth = ({ count, depths }: AutomatonStates): Int32Array => {
  const starts = new Int32Array(count + 1)
  for (let state = 0; state < count; state += 1) {
    const next = (depths[state] ?? 0) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let depth = 1; depth <= count; depth += 1) starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0)
  const ordered = new Int32Array(count)
  for (let state = 0; state < count; state += 1) {
    const depth = depths[state] ?? 0
    const place = starts[depth] ?? 0
    ordered[place] = state
    starts[depth] = place + 1
  }
  return ordered
}

/**
 * The state to continue with if a state has no matching child: the longest suffix of the read units with which a text
 * also begins.
 */
const fallbacksOf = (states: AutomatonStates): Int32Array => {
  const { count, units, parents, ends } = states
  const fallbacks = new Int32Array(count)
  for (const state of byDepth(states)) {
    const parent = parents[state] ?? -1
    if (parent <= 0) continue
    const unit = units[state] ?? 0
    let back = fallbacks[parent] ?? 0
    let child = childOf(states, back, unit)
    while (child === 0 && back !== 0) {
      back = fallbacks[back] ?? 0
      child = childOf(states, back, unit)
    }
    fallbacks[state] = child
    if (ends[state] === 0) ends[state] = ends[child] ?? 0
  }
  return fallbacks
}

/** `texts` have at least `gram` units each. */
export const createAutomaton = (texts: readonly Uint16Array[]): Automaton => {
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  const states = statesOf(texts, size)
  const fallbacks = fallbacksOf(states)
  const begins = new Uint8Array(1 << bitsOfGram)
  for (const [a = 0, b = 0, c = 0, d = 0] of texts) begins[hashGram(a, b, c, d)] = 1
  const isIdle = (units: Uint16Array, at: number): boolean =>
    begins[hashGram(units[at] as number, units[at + 1] as number, units[at + 2] as number, units[at + 3] as number)] ===
    0
  const scan: Automaton['scan'] = ({ units, length }, found) => {
    let state = 0
    for (let at = 0; at < length; at += 1) {
      if (state === 0) {
        // Nearly all of an answer is skipped here by checking four units at a time.
        while (at + gram <= length && isIdle(units, at)) {
          at += 1
        }
        if (at + gram > length) return
      }
      const unit = units[at] ?? 0
      let next = childOf(states, state, unit)
      while (next === 0 && state !== 0) {
        state = fallbacks[state] ?? 0
        next = childOf(states, state, unit)
      }
      state = next
      const end = states.ends[state] ?? 0
      if (end !== 0) found(at + 1 - end, at + 1)
    }
  }
  return { size, texts, scan }
}
