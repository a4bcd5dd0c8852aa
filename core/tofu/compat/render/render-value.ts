import { defined } from '../../../values/defined.ts'
import type { TofuNode, TofuScalar } from '../page.ts'
import { arrow, cell, deeper, forces, indentOf, lineStart, type Manner, nullSuffix, type Render } from './frame.ts'
import { quote } from './quote.ts'

type Of<Kind extends TofuNode['kind']> = Extract<TofuNode, { readonly kind: Kind }>

const scalarText = (value: TofuScalar, { mark }: Manner): string => {
  if (value === null) return mark`[dark_gray]null[reset]`
  if (typeof value === 'string') return quote(value)
  return typeof value === 'boolean' ? String(value) : value.number
}

export const renderScalar = ({ action, replace, before, after }: Of<'scalar'>, manner: Manner): string => {
  const forced = forces(replace, manner)
  if (action === 'update') return `${scalarText(before, manner)} ${arrow(manner)} ${scalarText(after, manner)}${forced}`
  if (action !== 'delete') return scalarText(after, manner) + forced
  return scalarText(before, manner) + (before === null ? '' : nullSuffix(action, manner)) + forced
}

export const renderLines = ({ action, replace, lines }: Of<'lines'>, manner: Manner): string =>
  [
    `<<-EOT${forces(replace, manner)}`,
    ...lines.map((line) => lineStart(line.action, deeper(manner)) + line.text),
    `${lineStart('no-op', manner)}EOT${nullSuffix(action, manner)}`,
  ].join('\n')

export const renderJson = (
  { action, replace, inner, spaceOnly }: Of<'json'>,
  manner: Manner,
  render: Render,
): string => {
  const shown = render(
    inner,
    deeper(manner, { withoutNull: true, ...defined({ showUnchanged: spaceOnly ? true : undefined }) }),
  )
  const why = spaceOnly ? ` # whitespace changes${replace ? ' force replacement' : ''}` : ''
  const forced = spaceOnly ? '' : forces(replace, manner)
  if (!shown.includes('\n')) return `jsonencode(${shown})${why}${forced}`
  const symbol = cell(action === 'update' && !spaceOnly ? 'update' : 'no-op', manner)
  const start = `jsonencode(${why}\n${indentOf(deeper(manner))}${symbol}${shown}${forced}`
  return `${start}\n${lineStart('no-op', manner)})${nullSuffix(action, manner)}`
}

export const renderTypeChange = ({ before, after }: Of<'type-change'>, manner: Manner, render: Render): string => {
  const operand = { ...manner, withoutNull: true }
  return `${render(before, operand)} ${arrow(manner)} ${render(after, operand)}`
}

export const renderUnknown = ({ action, replace, before }: Of<'unknown'>, manner: Manner, render: Render): string => {
  const known = `(known after apply)${forces(replace, manner)}`
  if (action === 'create' || before === undefined) return known
  return `${render(before, { ...manner, withoutNull: true })} -> ${known}`
}

export const renderSensitive = ({ action, replace }: Of<'sensitive' | 'sensitive-block'>, manner: Manner): string =>
  `(sensitive value)${nullSuffix(action, manner)}${forces(replace, manner)}`

export const renderWriteOnly = ({ action, replace, sensitive }: Of<'write-only'>, manner: Manner): string => {
  const { tellsSensitiveWriteOnly, writeOnlyGoesFirst } = manner.product
  const value = sensitive && tellsSensitiveWriteOnly ? '(sensitive, write-only attribute)' : '(write-only attribute)'
  const ends = [forces(replace, manner), nullSuffix(action, manner)]
  return value + (writeOnlyGoesFirst ? ends.toReversed() : ends).join('')
}

export const renderSensitiveBlock = ({ replace }: Of<'sensitive' | 'sensitive-block'>, manner: Manner): string => {
  const start = lineStart('no-op', manner)
  return [
    `{${forces(replace, manner)}`,
    `${start}  # At least one attribute in this block is (or was) sensitive,`,
    `${start}  # so its contents will not be displayed.`,
    `${start}}`,
  ].join('\n')
}
