import { plain } from '../../characters/prose.ts'
import { fails, findingsOf, type ReportFinding, unchangedIn } from '../../report/findings.ts'
import type { Report } from '../../report/report.ts'
import { count } from '../../shared/words.ts'
import { type Html, html, nothing } from '../html/html.ts'

/**
 * JUnit's XML, as Jenkins, GitLab and Azure read it: a suite for each workspace, a case for each resource. A difference is a
 * failure; what could not be checked is an error. A case that passes stands for all resources that are as they should be. Notes
 * fail nothing, and are what the suite printed.
 */
export const renderJunit = (reports: readonly Report[]): string => {
  const suites = reports.map(suiteOf)
  return `${
    html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="plumbline"${totals(suites.flatMap(({ cases }) => cases))}>
${suites.map(writeSuite)}</testsuites>
`.html
  }`
}

interface Case extends Pick<ReportFinding, 'what' | 'words' | 'details' | 'place'> {
  /** Absent: it passes. */
  readonly finding?: ReportFinding
}

interface Suite {
  readonly name: string
  readonly at?: string | undefined
  readonly cases: readonly Case[]
  readonly notes: readonly ReportFinding[]
}

const suiteOf = (report: Report): Suite => {
  const found = findingsOf(report)
  const failed = found.filter(fails)
  return {
    name: report.title,
    at: report.at,
    cases: [...failed.map(failedCase), ...passedCases(report, failed.length)],
    notes: found.filter((each) => !fails(each)),
  }
}

const failedCase = (finding: ReportFinding): Case => ({ ...finding, finding })

/** Without a failure there is one all the same: a suite without a case would look as if nothing had run. */
const passedCases = (report: Report, failed: number): readonly Case[] => {
  const n = unchangedIn(report)
  if (failed > 0 && n === 0) return []
  const what = failed === 0 ? plain(report.headline) : `${count(n, 'resource')} unchanged`
  return [{ what, words: '', details: [] }]
}

const totals = (cases: readonly Case[]): Html => {
  const levels = cases.map(({ finding }) => finding?.level)
  const of = (level: string): string => String(levels.filter((each) => each === level).length)
  return html` tests="${String(cases.length)}" failures="${of('difference')}" errors="${of('error')}"`
}

const writeSuite = ({ name, at, cases, notes }: Suite): Html => html`  <testsuite name="${name}"${totals(cases)}${
  at === undefined ? nothing : html` timestamp="${at}"`
}>
${cases.map((each) => writeCase(each, name))}${writeNotes(notes)}  </testsuite>
`

const writeNotes = (notes: readonly ReportFinding[]): Html =>
  notes.length === 0
    ? nothing
    : html`    <system-out>${notes.map(({ what, words }) => html`${what}: ${words}\n`)}</system-out>\n`

const writeCase = ({ what, words, details, place, finding }: Case, suite: string): Html => {
  const open = html`    <testcase classname="${suite}" name="${what}"${
    place === undefined ? nothing : html` file="${place.file}" line="${String(place.line)}"`
  }`
  if (finding === undefined) return html`${open}/>\n`
  const tag = { html: finding.level === 'error' ? 'error' : 'failure' }
  const lines = details.map((line) => html`${line}\n`)
  return html`${open}>
      <${tag} type="${finding.rule}" message="${words}">${lines}</${tag}>
    </testcase>
`
}
