import { defined } from '../../../../engine/values/defined.ts'
import type { HiddenKind, TofuScalar } from '../report.ts'
import {
  arrow,
  cell,
  deeper,
  forces,
  indentOf,
  lineStart,
  nullSuffix,
  type Of,
  type RenderContext,
  show,
} from './context.ts'
import { quote } from './quote.ts'

const scalarText = (value: TofuScalar, { mark }: RenderContext): string => {
  if (value === null) return mark`[dark_gray]null[reset]`
  if (typeof value === 'string') return quote(value)
  return typeof value === 'boolean' ? String(value) : value.number
}

export const renderScalar = ({ action, replace, before, after }: Of<'scalar'>, context: RenderContext): string => {
  const forced = forces(replace, context)
  if (action === 'update')
    return `${scalarText(before, context)} ${arrow(context)} ${scalarText(after, context)}${forced}`
  if (action !== 'delete') return scalarText(after, context) + forced
  return scalarText(before, context) + (before === null ? '' : nullSuffix(action, context)) + forced
}

export const renderLines = ({ action, replace, lines }: Of<'lines'>, context: RenderContext): string =>
  [
    `<<-EOT${forces(replace, context)}`,
    ...lines.map((line) => lineStart(line.action, deeper(context)) + line.text),
    `${lineStart('no-op', context)}EOT${nullSuffix(action, context)}`,
  ].join('\n')

export const renderJson = ({ action, replace, inner, spaceOnly }: Of<'json'>, context: RenderContext): string => {
  const shown = show(
    inner,
    deeper(context, { withoutNull: true, ...defined({ showUnchanged: spaceOnly ? true : undefined }) }),
  )
  const why = spaceOnly ? ` # whitespace changes${replace ? ' force replacement' : ''}` : ''
  const forced = spaceOnly ? '' : forces(replace, context)
  if (!shown.includes('\n')) return `jsonencode(${shown})${why}${forced}`
  const symbol = cell(action === 'update' && !spaceOnly ? 'update' : 'no-op', context)
  const start = `jsonencode(${why}\n${indentOf(deeper(context))}${symbol}${shown}${forced}`
  return `${start}\n${lineStart('no-op', context)})${nullSuffix(action, context)}`
}

export const renderTypeChange = ({ before, after }: Of<'type-change'>, context: RenderContext): string => {
  const operand = { ...context, withoutNull: true }
  return `${show(before, operand)} ${arrow(context)} ${show(after, operand)}`
}

export const renderUnknown = ({ action, replace, before }: Of<'unknown'>, context: RenderContext): string => {
  const known = `(known after apply)${forces(replace, context)}`
  if (action === 'create' || before === undefined) return known
  return `${show(before, { ...context, withoutNull: true })} -> ${known}`
}

export const renderSensitive = ({ action, replace }: Of<HiddenKind>, context: RenderContext): string =>
  `(sensitive value)${nullSuffix(action, context)}${forces(replace, context)}`

export const renderWriteOnly = ({ action, replace, sensitive }: Of<'write-only'>, context: RenderContext): string => {
  const { tellsSensitiveWriteOnly, writeOnlyGoesFirst } = context.product
  const value = sensitive && tellsSensitiveWriteOnly ? '(sensitive, write-only attribute)' : '(write-only attribute)'
  const ends = [forces(replace, context), nullSuffix(action, context)]
  return value + (writeOnlyGoesFirst ? ends.toReversed() : ends).join('')
}

export const renderSensitiveBlock = ({ replace }: Of<HiddenKind>, context: RenderContext): string => {
  const start = lineStart('no-op', context)
  return [
    `{${forces(replace, context)}`,
    `${start}  # At least one attribute in this block is (or was) sensitive,`,
    `${start}  # so its contents will not be displayed.`,
    `${start}}`,
  ].join('\n')
}
