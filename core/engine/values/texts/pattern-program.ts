/** Forks and assertions read no character. After a step comes the next one, unless the step says otherwise. */
export type PatternStep =
  | { readonly kind: 'character'; readonly is: (character: string) => boolean }
  | { readonly kind: 'fork'; readonly to: readonly number[] }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'boundary' | 'inside' }

/**
 * The steps of a part of an expression, with targets relative to its first step; `undefined`: the part cannot be
 * compiled.
 */
type PatternPart = readonly PatternStep[] | undefined

/** Maximum steps of a program. `{2,500}` repeats its steps 500 times. */
const mostSteps = 2_000
/** Maximum nesting of groups. */
const deepest = 100

interface PatternReader {
  readonly source: string
  at: number
  depth: number
}

/**
 * The program of an expression that is valid with the flag `u`; `undefined` if it looks around, refers back, changes
 * flags, or has too many steps.
 */
export const compile = (source: string): readonly PatternStep[] | undefined => alternatives({ source, at: 0, depth: 0 })

const take = (reader: PatternReader, pattern: RegExp): RegExpExecArray | undefined => {
  const sticky = new RegExp(pattern, 'uy')
  sticky.lastIndex = reader.at
  const found = sticky.exec(reader.source)
  if (found === null) return undefined
  reader.at += found[0].length
  return found
}

const limited = (part: readonly PatternStep[]): PatternPart => (part.length > mostSteps ? undefined : part)

const moved = (part: readonly PatternStep[], by: number): readonly PatternStep[] =>
  part.map((step) => (step.kind === 'fork' ? { ...step, to: step.to.map((each) => each + by) } : step))

const inRow = (left: PatternPart, right: PatternPart): PatternPart =>
  left && right && limited([...left, ...moved(right, left.length)])

/** Matches either part; the order is irrelevant. */
const either = (left: PatternPart, right: PatternPart): PatternPart => {
  if (left === undefined || right === undefined) return undefined
  const end = left.length + right.length + 2
  const first: PatternStep = { kind: 'fork', to: [1, left.length + 2] }
  return limited([first, ...moved(left, 1), { kind: 'fork', to: [end] }, ...moved(right, left.length + 2)])
}

const anyNumber = (part: readonly PatternStep[]): PatternPart =>
  limited([{ kind: 'fork', to: [1, part.length + 2] }, ...moved(part, 1), { kind: 'fork', to: [0] }])

const times = (part: readonly PatternStep[], least: number, most: number | undefined): PatternPart => {
  if (part.length === 0) return part
  if (Math.max(least, most ?? 0) * part.length > mostSteps) return undefined
  let all: PatternPart = []
  for (let n = 0; n < least; n += 1) all = inRow(all, part)
  if (most === undefined) return inRow(all, anyNumber(part))
  let rest: PatternPart = []
  for (let n = least; n < most; n += 1) rest = either(inRow(part, rest), [])
  return inRow(all, rest)
}

const alternatives = (reader: PatternReader): PatternPart => {
  let all = sequence(reader)
  while (all && take(reader, /\|/)) all = either(all, sequence(reader))
  return all
}

const sequence = (reader: PatternReader): PatternPart => {
  let all: PatternPart = []
  while (all && reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at] ?? '')) {
    const part = term(reader)
    const [, sign, least, comma, most] = take(reader, /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/) ?? []
    all = inRow(all, part && repeated(part, { sign, least, comma, most }))
  }
  return all
}

interface Repetition {
  readonly sign: string | undefined
  readonly least: string | undefined
  readonly comma: string | undefined
  readonly most: string | undefined
}

const repeated = (part: readonly PatternStep[], { sign, least, comma, most }: Repetition): PatternPart => {
  if (sign !== undefined) return times(part, sign === '+' ? 1 : 0, sign === '?' ? 1 : undefined)
  if (least === undefined) return part
  return times(part, Number(least), comma === undefined ? Number(least) : most ? Number(most) : undefined)
}

const asserts: Readonly<Record<string, Extract<PatternStep, { readonly kind: 'assert' }>['what']>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'boundary',
  '\\B': 'inside',
}

/** One character of the text: a class, an escape or a literal. JavaScript decides which characters it matches. */
const atom =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^1-9k])|[^\\]/s

const term = (reader: PatternReader): PatternPart => {
  if (take(reader, /\(\?(?:[=!]|<[=!]|[a-z]*-?[a-z]+:)/)) return undefined
  if (take(reader, /\((?:\?:|\?<[^>]*>)?/)) return group(reader)
  const [sign] = take(reader, /\^|\$|\\[bB]/) ?? []
  if (sign !== undefined) return [{ kind: 'assert', what: asserts[sign] ?? 'start' }]
  const [text] = take(reader, atom) ?? []
  if (text === undefined) return undefined
  const test = new RegExp(`^${text}$`, 'u')
  const isPlain = !/^[.[\\]/.test(text)
  return [{ kind: 'character', is: isPlain ? (character) => character === text : (character) => test.test(character) }]
}

const group = (reader: PatternReader): PatternPart => {
  reader.depth += 1
  const inside = reader.depth > deepest ? undefined : alternatives(reader)
  reader.depth -= 1
  return inside && take(reader, /\)/) && inside
}
