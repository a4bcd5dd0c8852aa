import type { Json } from '../../schema/json.ts'
import { endOf, type MapEntry, type SyntaxTree } from './syntax-tree.ts'
import type { Style } from './write-value.ts'

export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface EditDraft {
  readonly tree: SyntaxTree
  readonly style: Style
  readonly splices: Splice[]
  readonly changed: Map<MapEntry, Json>
  readonly origins: Pick<WeakMap<object, readonly (number | undefined)[]>, 'get'>
}

export const splice = (start: number, end: number, text: string): Splice => ({ start, end, text })

export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

export const nextLine = (text: string, offset: number): number => {
  if (text[offset - 1] === '\n' && offset > 0) return offset
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

export const isBlank = (text: string): boolean => /^[ \t\r]*$/.test(text)

export const startsLine = (text: string, offset: number): boolean =>
  isBlank(text.slice(lineStart(text, offset), offset))

/** The start of the line after a value. A block scalar already ends with its line end. */
export const lineAfter = (text: string, entry: MapEntry): number => nextLine(text, endOf(entry))

/** `at` is the start of a line. */
export const insertLines = ({ style }: EditDraft, at: number, lines: readonly string[]): Splice =>
  splice(at, at, lines.map((line) => line + style.eol).join(''))

/** `undefined` if a replacement overlaps another splice. Removals may overlap. */
export const spliced = (text: string, splices: readonly Splice[]): string | undefined => {
  const parts: string[] = []
  let at = 0
  const inOrder = splices.toSorted((one, other) => one.start - other.start || one.end - other.end)
  for (const { start, end, text: inserted } of inOrder) {
    if (start < at && inserted !== '') return undefined
    parts.push(text.slice(at, start), inserted)
    at = Math.max(at, end)
  }
  return [...parts, text.slice(at)].join('')
}
