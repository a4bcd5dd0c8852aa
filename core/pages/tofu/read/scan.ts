import { AppError } from '../../../engine/errors/errors.ts'
import { maxDepth, parseTaken } from './parse-value.ts'
import type { Value } from './value.ts'

/**
 * The selected parts of a value; the rest is validated and skipped. If a container selects some of its members or elements,
 * its value contains only those.
 */
export type Selection = 'all' | 'nothing' | SelectedParts | TextOf

interface SelectedParts {
  readonly member?: (key: string) => Selection
  readonly element?: Selection
}

/**
 * The result of `text` for the value's own text and the selected parts, instead of the value. The text is a slice of a larger
 * one: to keep it, copy it (`ownText`).
 */
interface TextOf extends SelectedParts {
  readonly text: (text: string, parts: Value | undefined) => Value | undefined
}

export const parts = (
  members: Readonly<Record<string, Selection>>,
): { readonly member: (key: string) => Selection } => ({
  member: (key) => (Object.hasOwn(members, key) ? members[key] : undefined) ?? 'nothing',
})

export const wholes = (...names: readonly string[]): Readonly<Record<string, Selection>> =>
  Object.fromEntries(names.map((name) => [name, 'all']))

export const each = (inner: Selection): Selection => ({ member: () => inner })

/** A text that is being collected: the part before this piece, and where it continues in this piece. */
interface TextTaking {
  readonly parts: string[]
  start: number
}

/** What comes next. */
export type State =
  | 'value'
  | 'first-element'
  | 'key'
  | 'first-key'
  | 'colon'
  | 'next'
  | 'text'
  | 'escape'
  | 'hex'
  | 'token'
  | 'end'

interface ScannedContainer {
  readonly wanted: SelectedParts | TextOf
  readonly members: Map<string, Value>
  readonly elements: Value[]
  readonly isObject: boolean
  key: string
}

/** The state of reading a document piece by piece. */
export interface Scan {
  readonly name: string
  piece: string
  at: number
  /** Characters in the pieces before. */
  before: number
  line: number
  /** Where the line starts in the whole document. */
  lineStart: number
  state: State
  /** How many containers are open, and whether each is an object. */
  depth: number
  readonly isObject: Uint8Array
  /** The open containers with selected parts, from the root. */
  readonly frames: ScannedContainer[]
  /** The selection of the next value. */
  wanted: Selection
  /** The number of containers around the value that is collected or skipped as a whole; -1 if there is none. */
  whole: number
  /** From the outermost. */
  readonly takings: TextTaking[]
  inKey: boolean
  hexLeft: number
  token: string
  root: Value | undefined
}

/** A copy. A slice of the engine would keep the larger text in memory. */
export const ownText = (text: string): string => [' ', text].join('')

export const startScan = (name: string, wanted: Selection): Scan => ({
  name,
  piece: '',
  at: 0,
  before: 0,
  line: 1,
  lineStart: 0,
  state: 'value',
  depth: 0,
  isObject: new Uint8Array(maxDepth + 1),
  frames: [],
  wanted,
  whole: -1,
  takings: [],
  inKey: false,
  hexLeft: 0,
  token: '',
  root: undefined,
})

export const fail = ({ name, before, at, line, lineStart }: Scan, detail: string): never => {
  const character = before + at - lineStart + 1
  throw new AppError('USAGE', { detail: `${name} is not JSON: ${detail} (line ${line}, character ${character})` })
}

/** Starts to collect the text here. */
export const take = ({ takings, at }: Scan): void => {
  takings.push({ parts: [], start: at })
}

/** The text since the last `take` that has not ended. */
export const taken = ({ takings, piece, at }: Scan): string => {
  const { parts = [], start = at } = takings.pop() ?? {}
  const last = piece.slice(start, at)
  return parts.length === 0 ? last : [...parts, last].join('')
}

const wantsText = (wanted: Selection): boolean => wanted === 'all' || (typeof wanted === 'object' && 'text' in wanted)

const wantedNext = ({ wanted, isObject, key }: ScannedContainer): Selection =>
  (isObject ? wanted.member?.(key) : wanted.element) ?? 'nothing'

/** A value begins: it has selected parts, or it is collected or skipped as a whole. */
export const enter = (scan: Scan, sign: string): void => {
  if (scan.whole >= 0) return
  const around = scan.frames.at(-1)
  if (around !== undefined) scan.wanted = wantedNext(around)
  const { wanted } = scan
  if (wantsText(wanted)) take(scan)
  if (typeof wanted === 'object' && ((sign === '{' && wanted.member) || (sign === '[' && wanted.element)))
    scan.frames.push({ wanted, members: new Map(), elements: [], isObject: sign === '{', key: '' })
  else scan.whole = scan.depth
}

/** A value ends, and its collected parts become part of the container around it. */
export const leave = (scan: Scan): void => {
  if (scan.whole > -1 && scan.depth > scan.whole) return
  if (scan.whole > -1) {
    scan.whole = -1
    deliver(scan, wantsText(scan.wanted) ? withText(scan.wanted, taken(scan), undefined) : undefined)
    return
  }
  const frame = scan.frames.pop()
  if (frame === undefined) return
  const { wanted, members, elements, isObject } = frame
  const parts = isObject ? members : elements
  deliver(scan, wantsText(wanted) ? withText(wanted, taken(scan), parts) : parts)
}

const withText = (wanted: Selection, text: string, parts: Value | undefined): Value | undefined => {
  if (wanted === 'all') return parseTaken(ownText(text))
  return typeof wanted === 'object' && 'text' in wanted ? wanted.text(text, parts) : undefined
}

const deliver = (scan: Scan, value: Value | undefined): void => {
  if (value === undefined) return
  const frame = scan.frames.at(-1)
  if (frame === undefined) scan.root = value
  else if (frame.isObject) frame.members.set(frame.key, value)
  else frame.elements.push(value)
}
