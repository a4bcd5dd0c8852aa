import { visible } from '../../characters/visible.ts'
import { findingsOf, type ReportFinding } from '../../report/findings.ts'
import type { FindingLevel } from '../../report/lists.ts'
import type { Report } from '../../report/report.ts'
import { renderSummary } from '../text/render-summary.ts'

/**
 * Workflow commands of GitHub Actions: an annotation at each line that declares what differs, and the summary for the log.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export const renderAnnotations = (reports: readonly Report[]): string =>
  reports
    .map((report) => `${findingsOf(report).map(annotation(report)).join('')}${inert(renderSummary(report))}`)
    .join('')

const commands: Readonly<Record<FindingLevel, string>> = { error: 'error', difference: 'warning', note: 'notice' }

const annotation =
  ({ title }: Report) =>
  ({ level, what, words, details, place }: ReportFinding): string => {
    const at = place === undefined || place.line === 0 ? {} : { line: place.line, col: place.column }
    const properties = { ...(place && { file: place.file }), ...at, title: `${visible(title)}: ${what}` }
    const listed = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`)
    return `::${commands[level]} ${listed.join(',')}::${message([words, ...details].join('\n'))}\n`
  }

/** The runner takes a line for a command if it begins with `::`, or holds `##[` anywhere: a text of ours must not be one. */
const inert = (text: string): string => text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '# #[')

/** The runner decodes these; without them a value could end the command and start one of its own. */
const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
