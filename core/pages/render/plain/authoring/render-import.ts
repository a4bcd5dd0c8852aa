import type { JsonObject } from '../../../../engine/schema/json.ts'
import type { ImportReport } from '../../../../engine/schema/reports/import-report.ts'
import { present } from '../../../../engine/values/defined.ts'
import { spellValue } from '../../../../engine/values/spell-value.ts'
import { palette } from '../../characters/palette.ts'
import { visible } from '../../characters/visible.ts'
import { count } from '../../shared/words.ts'

/** The report of an import: what its configuration lacks, what a plan of it shows, and a summary line. */
export const renderImport = (report: ImportReport, { color = false }: { readonly color?: boolean } = {}): string => {
  const paint = palette(color)
  const fixed = (fix: string | undefined): string =>
    fix === undefined ? '' : `\n  ${paint.green('fix:')} ${visible(fix)}`
  const lines = [
    ...report.unlisted.map(
      ({ type, detail, fix }) => `${paint.cyan('not listed')}  ${visible(type)}: ${visible(detail)}${fixed(fix)}`,
    ),
    ...report.unread.map(
      ({ type, identity, detail }) =>
        `${paint.cyan('not read')}  ${visible(type)} ${identityText(identity)}: ${visible(detail)}`,
    ),
    ...report.issues.map(
      ({ message, fix }) => `${paint.red('not valid')}  the configuration with it: ${visible(message)}${fixed(fix)}`,
    ),
    ...report.unchecked.map(
      ({ address, detail }) => `${paint.cyan('not planned')}  ${visible(address)}: ${visible(detail)}`,
    ),
    ...report.differing.map(
      ({ address, paths, blocked }) =>
        `${paint.yellow('differs')}  ${visible(address)} would be changed by the first apply${visible(blocked === undefined ? `: ${paths.join(', ')}` : `, which is blocked: ${blocked}`)}`,
    ),
    summary(report, paint.bold),
  ]
  return `${lines.join('\n')}\n`
}

const identityText = (identity: JsonObject): string =>
  Object.entries(identity)
    .map(([name, value]) => `${visible(name)}=${visible(spellValue(value))}`)
    .join(' ')

const summary = (report: ImportReport, bold: (text: string) => string): string => {
  const { resources, managed, differing, unchecked, issues, unlisted, unread } = report
  const types = new Set(resources.map(({ type }) => type)).size
  const differs = differing.length + unchecked.length + issues.length > 0
  const isWhole = unlisted.length + unread.length === 0
  const plan = resources.length === 0 ? '' : differs ? '; a plan of them is not empty' : isWhole ? emptyPlan : ''
  const missing = present(
    unlisted.length > 0 && `${count(new Set(unlisted.map(typeOf)).size, 'type')} not listed in full`,
    unread.length > 0 && `${count(unread.length, 'object')} not read`,
  )
  const there = managed === 0 ? '' : `; ${count(managed, 'object')} managed already`
  const rest = isWhole ? '' : `; this is not everything: ${missing.join(', ')}`
  return `${bold(count(resources.length, 'resource'))} of ${count(types, 'type')}${plan}${there}${rest}`
}

const emptyPlan = '; a plan of them is empty'

const typeOf = ({ provider, type }: { readonly provider: string; readonly type: string }): string =>
  `${provider} ${type}`
