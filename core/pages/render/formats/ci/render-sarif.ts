import type { Position } from '../../../../engine/schema/resource.ts'
import { engineVersion } from '../../../../engine/schema/stored/saved-plan.ts'
import { visible } from '../../characters/visible.ts'
import { findingRules, findingsOf, type ReportFinding } from '../../report/findings.ts'
import type { FindingLevel } from '../../report/lists.ts'
import type { Report } from '../../report/report.ts'

/**
 * SARIF 2.1.0, for code scanning: one run for each workspace, so that the results of one do not close those of another.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export const renderSarif = (reports: readonly Report[]): string =>
  `${JSON.stringify(
    {
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: reports.map(runOf),
    },
    null,
    2,
  )}\n`

const runOf = (report: Report) => {
  const findings = findingsOf(report)
  const title = visible(report.title)
  return {
    tool: { driver: { name: 'plumbline', semanticVersion: engineVersion, rules: ruleList } },
    automationDetails: { id: `plumbline/${title}/` },
    invocations: [
      {
        executionSuccessful: findings.every(({ level }) => level !== 'error'),
        ...(report.at !== undefined && { endTimeUtc: report.at }),
      },
    ],
    results: findings.map((finding) => resultOf(finding, report, title)),
  }
}

const ruleList = Object.entries(findingRules).map(([id, { means, help }]) => ({
  id,
  shortDescription: { text: means },
  fullDescription: { text: means },
  help: { text: help },
}))

const levels: Readonly<Record<FindingLevel, string>> = { error: 'error', difference: 'warning', note: 'note' }

const resultOf = (finding: ReportFinding, report: Report, title: string) => {
  const { level, rule, what, words, details, place = entryOf(report) } = finding
  return {
    ruleId: rule,
    level: levels[level],
    message: { text: plainText([`${what} ${words}`, ...details].join('\n')) },
    locations: [
      { physicalLocation: locationOf(place), logicalLocations: [{ fullyQualifiedName: what, kind: 'resource' }] },
    ],
    // The same finding in the next check: what changed in it does not make it another one.
    partialFingerprints: { 'plumbline/v1': `${title}/${rule}/${what}` },
  }
}

/** `[words](address)` in a message is a link: what a target says must not become one. SARIF 2.1.0, 3.11.6. */
const plainText = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')

/** Code scanning takes no result without a file: what no line declares is a matter of the whole configuration. */
const entryOf = ({ folder }: Report): Position => ({
  file: folder === undefined || folder === '' ? 'plumbline.yaml' : `${folder}/plumbline.yaml`,
  line: 1,
  column: 1,
})

const locationOf = ({ file, line, column }: Position) => ({
  artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
  region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
})
