import type { ProviderFinding, ProviderReport } from '../../../../engine/schema/reports/provider-report.ts'
import type { Position } from '../../../../engine/schema/resource.ts'
import { present } from '../../../../engine/values/defined.ts'
import { type Palette, palette } from '../../characters/palette.ts'
import { visible } from '../../characters/visible.ts'
import { count } from '../../shared/words.ts'
import type { PrintOptions } from '../render-commands.ts'

/** Findings in the order of the document, what could not be compared, and a summary line. */
export const renderProviderReport = (report: ProviderReport, { color }: PrintOptions = {}): string => {
  const paint = palette(color)
  const blocks = [
    ...report.findings.map((finding) => findingText(finding, paint)),
    ...report.uncompared.map(
      (one) =>
        `${placeText(one, paint)}: ${paint.cyan('not compared:')} ${visible(one.reason)}${pointerText(one, paint)}`,
    ),
    ...report.notes.map(
      ({ pointer, message }) => `${visible(report.description ?? '')}#${visible(pointer)}: ${visible(message)}`,
    ),
    summary(report, paint),
  ]
  return `${blocks.join('\n')}\n`
}

const placeText = ({ file, line, column }: Position, paint: Palette): string =>
  paint.bold(visible(`${file}:${line}:${column}`))

const pointerText = ({ pointer }: { readonly pointer?: string }, paint: Palette): string =>
  pointer === undefined ? '' : `\n  ${paint.dim('described at')} ${visible(pointer)}`

const findingText = (finding: ProviderFinding, paint: Palette): string => {
  const severity = finding.severity === 'error' ? paint.red('error:') : paint.yellow('warning:')
  const value = finding.value === undefined ? '' : ` (is: ${visible(finding.value)})`
  const kind =
    finding.code === undefined || finding.severity === 'error' ? '' : ` ${paint.dim(`[${visible(finding.code)}]`)}`
  const fix = `\n  ${paint.green('fix:')} ${visible(finding.fix)}`
  return `${placeText(finding, paint)}: ${severity} ${visible(finding.message)}${value}${kind}${fix}${pointerText(finding, paint)}`
}

const summary = (
  { document, description, types, findings, waived, uncompared }: ProviderReport,
  paint: Palette,
): string => {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const beside = description === undefined ? 'compared with no description' : `compared with ${visible(description)}`
  const said = present(
    errors > 0 && paint.red(count(errors, 'error')),
    warnings > 0 && paint.yellow(count(warnings, 'warning')),
    uncompared.length > 0 && paint.cyan(`${count(uncompared.length, 'place')} not compared`),
  )
  const verdict = said.length === 0 ? paint.green('valid') : said.join(', ')
  const compared = present(
    count(types.length, 'type'),
    beside,
    waived.length > 0 && `${count(waived.length, 'warning')} waived`,
  ).join(', ')
  return `${verdict}  ${paint.bold(visible(document))}  ${paint.dim(errors > 0 ? '' : compared)}`.trimEnd()
}
