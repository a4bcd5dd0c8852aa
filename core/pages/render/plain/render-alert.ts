import type { UnknownReason } from '../../../engine/schema/resource.ts'
import type { Alert, Finding } from '../../../engine/schema/stored/findings.ts'
import { present } from '../../../engine/values/defined.ts'
import { shorten } from '../../../engine/values/texts/shorten.ts'
import { padEnd, widest } from '../characters/measure.ts'
import { thousands } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'
import { changerWords } from '../report/author-words.ts'
import { uncheckedWords, unknownWords } from '../shared/unread-words.ts'
import { actionNames, actions, amounts, count } from '../shared/words.ts'
import { versionWords } from './version-words.ts'

export type AlertForm = 'subject' | 'text' | 'sms'

/** A mail with more findings would be too long; the plan has all of them. */
const shownFindings = 25
/** If at least this many could not be read for one reason, the reason is written once. */
const fewAlike = 3
/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
const subjectCharacters = 100
/** One message of 140 bytes holds 160 characters of the alphabet of GSM, and each message costs. SNS takes 1,600 in total. */
const smsUnits = 160
const lineCharacters = 80
const causeCharacters = 300

/** For people. Holds paths and reasons, never a value. A resolved alert lists what was resolved and asks for no action. */
export const renderAlert = (alert: Alert, { form }: { readonly form: AlertForm }): string => {
  if (form === 'subject') return ascii(`[${mark(alert)}] ${inShort(alert)}`, subjectCharacters)
  if (form === 'sms') return oneSms(`plumbline [${mark(alert)}] ${inShort(alert)}`)
  return `${[heading(alert), ...findingLines(alert), ...causeLines(alert), ...nextSteps(alert)].join('\n')}\n`
}

const ascii = (text: string, most: number): string => shorten(text.replaceAll(/[^\x20-\x7e]/gu, '?'), most)

/**
 * A backtick is not in the alphabet of GSM: with one of them a message holds 70 characters. Brackets and others count twice.
 * https://docs.aws.amazon.com/sms-voice/latest/userguide/sms-limitations-character.html
 */
const oneSms = (text: string): string => {
  const plain = text.replaceAll('`', "'")
  for (let most = smsUnits; ; most -= 1) {
    const shown = ascii(plain, most)
    if (shown.length + (shown.match(/[[\\\]^{|}~]/g)?.length ?? 0) <= smsUnits) return shown
  }
}

const sentences: Readonly<Record<Alert['about'], Readonly<Record<Alert['kind'], string>>>> = {
  drift: {
    opened: 'differs from its configuration',
    changed: 'differs from its configuration in another way',
    reminder: 'still differs from its configuration',
    resolved: 'matches its configuration again',
  },
  unchecked: {
    opened: 'cannot be checked completely',
    changed: 'cannot be checked completely, for other reasons',
    reminder: 'still cannot be checked completely',
    resolved: 'can be checked completely again',
  },
}

/** A resolved alert has no severity, unless something still differs. */
const mark = (alert: Alert): string => {
  if (alert.kind !== 'resolved') return alert.severity
  return stillDiffers(alert) ? 'closed' : 'resolved'
}

/** It was resolved by a rule or a severity, and not because the values agree. */
const stillDiffers = ({ kind, findings }: Alert): boolean =>
  kind === 'resolved' && findings.some(({ left }) => left !== undefined)

const leftWords = {
  ignored: 'now ignored by a rule',
  below_severity: 'below minSeverity',
  removed: 'no longer checked, because the workspace was removed',
} as const

/** `: 2 now ignored by a rule, 1 below minSeverity` */
const leftOver = ({ findings }: Alert): string => {
  const parts = (['ignored', 'below_severity', 'removed'] as const).map(
    (left) => [findings.filter((finding) => finding.left === left).length, leftWords[left]] as const,
  )
  return `: ${amounts(parts).join(', ')}`
}

/** `acme-dns still differs: 2 to destroy, 1 to create`. */
const inShort = (alert: Alert): string => `${what(alert).replace(' from its configuration', '')}${found(alert)}`

/** Of a workspace that was not read as a whole nobody knows that all of it matches. */
const openIn = ({ about, kind, counts }: Alert): number =>
  about === 'drift' && kind === 'resolved' ? (counts?.unchecked ?? 0) : 0

const partly = 'differs no more in what was checked'

const what = (alert: Alert): string => {
  const { workspace, about, kind } = alert
  if (openIn(alert) > 0 && !stillDiffers(alert)) return `${workspace} ${partly}`
  return `${workspace} ${sentences[about][stillDiffers(alert) ? 'reminder' : kind]}`
}

const findingCount = (alert: Alert): number => alert.findings.length + alert.findingsLeftOut

const unseen = ({ about, counts }: Alert): string => {
  const unobserved = about === 'drift' ? (counts?.unobserved ?? 0) : 0
  return unobserved === 0 ? '' : `: ${count(unobserved, 'attribute')} cannot be read back`
}

/** `: 1 to destroy, 2 to change`, by what is known of all findings. */
const found = (alert: Alert): string => {
  if (stillDiffers(alert)) return leftOver(alert)
  const open = openIn(alert)
  if (open > 0) return `: ${thousands(open)} could not be checked`
  if (alert.kind === 'resolved') return unseen(alert)
  if (alert.about === 'unchecked') return `: ${count(findingCount(alert), 'resource')}`
  const { counts } = alert
  const parts = amounts([
    ...actions.map((action) => [counts?.[action] ?? 0, `to ${actionNames[action]}`] as const),
    [counts?.orphaned ?? 0, 'orphaned'],
  ])
  return `: ${parts.length === 0 ? count(findingCount(alert), 'finding') : parts.join(', ')}`
}

const heading = (alert: Alert): string => {
  const { kind, since, at, paused } = alert
  const rows = present(
    kind !== 'resolved' && ['severity', alert.severity],
    ['workspace', alert.workspace],
    since !== undefined && since !== at && ['since', since],
    [kind === 'resolved' ? 'ended at' : 'found at', at],
    ['by check', alert.runId],
    alert.page !== undefined && ['page', alert.page],
    alert.commit !== undefined && ['configured', versionWords(alert)],
    paused && ['paused', `since ${paused.at} by ${paused.by.subject}: ${paused.reason}`],
    alert.anchored && ['anchored', `${alert.anchored.seq}:${alert.anchored.hash}`],
  )
  return [
    `${visible(what(alert))}${found(alert)}.`,
    '',
    ...rows.map(([label = '', value = '']) => `  ${padEnd(label, 10)} ${visible(value)}`),
  ].join('\n')
}

/** Of resources that could not be read for the same reason only the first is shown, with a count. */
const foldUnchecked = (findings: readonly Finding[]): readonly (Finding & { readonly others: number })[] => {
  const groups = Map.groupBy(findings, (finding) =>
    finding.kind === 'unchecked' && isReason(finding.summary)
      ? JSON.stringify([finding.summary, finding.permission, finding.left])
      : finding,
  )
  return [...groups.values()].flatMap((group) =>
    group.length < fewAlike
      ? group.map((finding) => ({ ...finding, others: 0 }))
      : group.slice(0, 1).map((finding) => ({ ...finding, others: group.length - 1 })),
  )
}

const findingLines = (alert: Alert): readonly string[] => {
  if (findingCount(alert) === 0) return []
  const shown = foldUnchecked(alert.findings).slice(0, shownFindings)
  const addresses = Math.min(40, widest(shown.map((finding) => visible(finding.address))))
  const rest = findingCount(alert) - shown.reduce((sum, { others }) => sum + 1 + others, 0)
  return present(
    '',
    alert.kind === 'resolved' ? 'Resolved findings:' : 'Findings:',
    '',
    ...shown.map((finding) => findingLine(finding, addresses)),
    rest > 0 && `  ... and ${thousands(rest)} more`,
  )
}

const symbols: Readonly<Record<Finding['kind'], string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  unchecked: '?',
  orphaned: '!',
}

const isReason = (text: string): text is UnknownReason => Object.hasOwn(unknownWords, text)

const accessWords = {
  wider: ' (gives more access than configured)',
  narrower: ' (a repair gives more access)',
} as const

const findingLine = (
  {
    kind,
    address,
    summary,
    access,
    attributes,
    permission,
    left,
    others,
    ...finding
  }: Finding & { readonly others: number },
  room: number,
): string => {
  const more = others === 0 ? '' : `, and ${thousands(others)} others for the same reason`
  const unread = uncheckedWords(attributes, permission)
  const said = `${isReason(summary) ? unknownWords[summary] : visible(summary)}${visible(unread)}${more}`
  const authors = changerWords({ ...finding, summary })
    .map((words) => `, ${visible(words)}`)
    .join('')
  const known = `${said}${access === undefined ? '' : accessWords[access]}${authors}`
  const words = left === undefined ? known : `${known} (still differs: ${leftWords[left]})`
  return `  ${padEnd(symbols[kind], 3)} ${padEnd(visible(address), room)}  ${words}`.trimEnd()
}

/** `  3 resources: ssm:/plumbline/acme/token: ParameterNotFound` */
const causeLines = ({ causes = [] }: Alert): readonly string[] =>
  causes.length === 0
    ? []
    : [
        '',
        'Because of:',
        '',
        ...causes.map(
          (cause) => `  ${count(cause.count, 'resource')}: ${shorten(visible(cause.detail), causeCharacters)}`,
        ),
      ]

/** A mail has lines of about 80 characters, and a digest is nearly as long as that. */
const commandLines = ({ endpoint }: Alert, ...parts: readonly string[]): readonly string[] => {
  const at = endpoint === undefined ? [] : [`--endpoint ${visible(endpoint)}`]
  return [...at, ...parts].reduce<readonly string[]>(
    (lines, part) => {
      const last = lines.at(-1) ?? ''
      const longer = `${last} ${part}`
      return longer.length < lineCharacters
        ? [...lines.slice(0, -1), longer]
        : [...lines.slice(0, -1), `${last} \\`, `    ${part}`]
    },
    ['  plumbline'],
  )
}

const nextSteps = (alert: Alert): readonly string[] => {
  const [workspace, run] = [visible(alert.workspace), visible(alert.runId)]
  const show = commandLines(alert, `show ${run} --workspace ${workspace}`)
  const see = ['', 'To see everything that the check found:', '', ...show]
  const isRepairable = alert.kind !== 'resolved' && alert.about === 'drift' && alert.counts?.commands !== 0
  if (!isRepairable || alert.digest === undefined) return see
  return [
    '',
    'To see the plan with the exact requests that would repair it:',
    '',
    ...show,
    '',
    'To apply exactly these requests, after reading them:',
    '',
    ...commandLines(alert, `apply ${workspace} --digest`, visible(alert.digest)),
  ]
}
