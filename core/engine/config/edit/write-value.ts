import { isArray, isObject, type Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import type { ScalarNode } from './syntax-tree.ts'
import { blockText, keyText, type ScalarValue, scalarText } from './write-scalar.ts'

export interface Style {
  readonly isJson: boolean
  readonly eol: string
  readonly unit: string
  /** Spaces before the dashes of a list, relative to its key; YAML also allows none. */
  readonly listIndent: string
  /** Used in JSON only: a space follows each colon and comma. */
  readonly isSpaced: boolean
  /** A space follows the opening bracket and precedes the closing one. */
  readonly isPadded: Readonly<Record<'map' | 'list', boolean>>
  /** Uses forms that can represent every value instead of those that match the file. */
  readonly isSafe: boolean
}

/** `inline` follows the colon or dash in its line; `lines` follow below. */
export interface Written {
  readonly inline: string
  readonly lines: readonly string[]
}

interface BlockPlace {
  /** Column of the key or dash. */
  readonly column: number
  readonly isElement: boolean
  /** The replaced value. */
  readonly like?: ScalarNode
  /** The replaced block; its lines are without indentation. */
  readonly block?: { readonly indent: number; readonly indicator: string; readonly lines: readonly string[] }
}

const spaces = (count: number): string => ' '.repeat(count)

const isScalarValue = (value: Json): value is ScalarValue =>
  value === null || typeof value !== 'object' || isLargeNumber(value)

const isEmpty = (value: Json): boolean => Object.keys(value as object).length === 0

export const flowText = (value: Json, style: Style, like?: ScalarNode['style']): string => {
  const { isJson, isSafe, isPadded } = style
  if (isScalarValue(value)) return scalarText(value, { isJson, isFlow: true, isSafe, ...defined({ like }) })
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

/** With brackets and one line for each element. `indent` is the indentation of the line in which the value starts. */
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

export const blockValue = (value: Json, place: BlockPlace, style: Style): Written => {
  if (isScalarValue(value)) return scalarValue(value, place, style)
  if (isEmpty(value) || style.isSafe) return { inline: flowText(value, style), lines: [] }
  if (place.isElement) {
    // The first line follows the dash in the same line.
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

/** A member or element with its key or dash. The first line is not indented. */
export const blockEntry = (key: string | undefined, value: Json, column: number, style: Style): Written => {
  const start = key === undefined ? '-' : `${keyText(key, false)}:`
  const { inline, lines } = blockValue(value, { column, isElement: key === undefined }, style)
  return { inline: inline === '' ? start : `${start} ${inline}`, lines }
}
