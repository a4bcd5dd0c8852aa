import { isArray, isObject, type Json } from '../../schema/json.ts'
import type { ScalarNode } from './syntax-tree.ts'
import { blockText, keyText, type ScalarValue, scalarText } from './write-scalar.ts'

/** How a file is written, as far as its text shows it. */
export interface Style {
  readonly isJson: boolean
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  /** How far a list is indented below its key: in YAML it need not be. */
  readonly listIndent: string
  /** Of JSON: whether a colon and a comma are followed by a space. */
  readonly isSpaced: boolean
  /** Whether the inside of `{ }`, and of `[ ]`, starts and ends with a space. */
  readonly isPadded: Readonly<Record<'map' | 'list', boolean>>
  /** Forms that can mean every value, instead of those that fit best. */
  readonly isSafe: boolean
}

/** A value at its place: what follows the colon or dash in its line, and the lines below. */
export interface Written {
  readonly inline: string
  readonly lines: readonly string[]
}

/** The place of a value outside of `{ }` and `[ ]`. */
interface BlockPlace {
  /** Of the key or dash. */
  readonly column: number
  readonly isElement: boolean
  /** The value before. */
  readonly like?: ScalarNode
  /** Of a block before: its indentation and its lines without that. */
  readonly block?: { readonly indent: number; readonly indicator: string; readonly lines: readonly string[] }
}

const spaces = (count: number): string => ' '.repeat(count)

const isScalarValue = (value: Json): value is ScalarValue => value === null || typeof value !== 'object'

const isEmpty = (value: Json): boolean => Object.keys(value as object).length === 0

/** In one line, with brackets. */
export const flowText = (value: Json, style: Style, like?: ScalarNode['style']): string => {
  const { isJson, isSafe, isPadded } = style
  if (isScalarValue(value))
    return scalarText(value, { isJson, isFlow: true, isSafe, ...(like === undefined ? {} : { like }) })
  const parts = isArray(value)
    ? value.map((element) => flowText(element, style))
    : Object.entries(value).map(([key, inner]) => memberText(key, inner, style))
  const gap = style.isSpaced ? ', ' : ','
  const [open, close] = isArray(value) ? '[]' : '{}'
  const pad = parts.length > 0 && isPadded[isArray(value) ? 'list' : 'map'] ? ' ' : ''
  return `${open}${pad}${parts.join(gap)}${pad}${close}`
}

export const memberText = (key: string, value: Json, style: Style): string =>
  `${keyText(key, style.isJson)}:${style.isSpaced ? ' ' : ''}${flowText(value, style)}`

/** With brackets, each element in a line of its own. `indent` is the one of the line that it starts in. */
export const prettyText = (value: Json, indent: string, style: Style): string => {
  if (isScalarValue(value) || isEmpty(value)) return flowText(value, style)
  const inner = indent + style.unit
  const parts = isArray(value)
    ? value.map((element) => prettyText(element, inner, style))
    : Object.entries(value).map(([key, child]) => `${keyText(key, style.isJson)}: ${prettyText(child, inner, style)}`)
  const [open, close] = isArray(value) ? '[]' : '{}'
  const { eol } = style
  return `${open}${eol}${parts.map((part) => inner + part).join(`,${eol}`)}${eol}${indent}${close}`
}

/** Outside of brackets: collections and long texts in lines of their own. */
export const blockValue = (value: Json, place: BlockPlace, style: Style): Written => {
  if (isScalarValue(value)) return scalarValue(value, place, style)
  if (isEmpty(value) || style.isSafe) return { inline: flowText(value, style), lines: [] }
  if (place.isElement) {
    // Its first line is the one of the dash.
    const [first = '', ...lines] = blockLines(value, place.column + 2, style)
    return { inline: first.trimStart(), lines }
  }
  const indent = isArray(value) ? style.listIndent : style.unit
  return { inline: '', lines: blockLines(value, place.column + indent.length, style) }
}

const scalarValue = (value: ScalarValue, place: BlockPlace, style: Style): Written => {
  const { column, like, block } = place
  const wasBlock = block !== undefined
  const isQuoted = like?.style === 'double' || like?.style === 'single'
  if (typeof value === 'string' && !style.isSafe && (wasBlock || (value.includes('\n') && !isQuoted))) {
    const folded = like?.style === 'folded' ? block?.lines : undefined
    const found = blockText(value, block?.indicator ?? '', folded)
    const indent = spaces(block?.indent ?? column + 2)
    if (found !== undefined)
      return { inline: found.header, lines: found.lines.map((line) => (line === '' ? '' : indent + line)) }
  }
  const known = like === undefined || wasBlock ? {} : { like: like.style ?? 'plain' }
  return { inline: scalarText(value, { isJson: false, isFlow: false, isSafe: style.isSafe, ...known }), lines: [] }
}

const blockLines = (value: Json, column: number, style: Style): readonly string[] => {
  const line = (start: string, inner: Json, isElement: boolean): readonly string[] => {
    const { inline, lines } = blockValue(inner, { column, isElement }, style)
    return [`${spaces(column)}${start}${inline === '' ? '' : ` ${inline}`}`, ...lines]
  }
  if (isArray(value)) return value.flatMap((element) => line('-', element, true))
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => line(`${keyText(key, false)}:`, inner, false))
    : []
}

/** A member or element with its key or dash, in lines of its own; the first one without indentation. */
export const blockEntry = (key: string | undefined, value: Json, column: number, style: Style): Written => {
  const start = key === undefined ? '-' : `${keyText(key, false)}:`
  const { inline, lines } = blockValue(value, { column, isElement: key === undefined }, style)
  return { inline: inline === '' ? start : `${start} ${inline}`, lines }
}
