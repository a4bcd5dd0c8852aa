import { canonicalJson } from '../json/canonical.ts'
import type { AlertRules } from '../schema/alert-route.ts'
import type { Severity } from '../schema/rules.ts'
import type { Alert, Episode, Finding } from '../schema/stored/findings.ts'
import type { Plan } from '../schema/stored/plan.ts'
import type { Run } from '../schema/stored/records.ts'
import { ranAhead } from '../values/clock-skew.ts'
import { defined } from '../values/defined.ts'
import { atLeast, highest } from '../values/severity.ts'
import { coveredAt, driftFindings, failureFinding, fingerprintOf, placesOf, uncheckedFindings } from './finding.ts'
import { quietOf, withoutQuiet } from './quiet.ts'

interface EpisodeContext {
  readonly workspace: string
  /** Absent if the run failed. */
  readonly plan?: Plan
  readonly run: Pick<Run, 'id' | 'configurationVersion' | 'commit' | 'causes'>
  /** The latest stored episode of each key, open or resolved. */
  readonly open: readonly Episode[]
  /** When the run read the targets, in ISO 8601. */
  readonly at: string
  readonly newId: () => string
}

interface EpisodeInput extends EpisodeContext {
  readonly run: Run
  readonly rules: AlertRules
}

export interface EpisodeOutcome {
  readonly episodes: readonly Episode[]
  readonly alerts: readonly Alert[]
}

/** SNS accepts 256 KB for all bodies together; the rest is for the texts. */
const findingsBytes = 190_000

type EpisodeKey = Episode['key']

const cutFindings = (findings: readonly Finding[]): Pick<Alert, 'findings' | 'findingsLeftOut'> => {
  let bytes = 0
  const kept = findings.filter((finding) => {
    bytes += Buffer.byteLength(JSON.stringify(finding)) + 1
    return bytes <= findingsBytes
  })
  return { findings: kept, findingsLeftOut: findings.length - kept.length }
}

/** The highest severity that it has had; `undefined` if that is the present one. */
const peakOf = (peak: Severity | undefined, findings: readonly Finding[]): Severity | undefined =>
  peak === undefined || atLeast(highest(findings), peak) ? undefined : peak

const alertOf = (input: EpisodeContext, episode: Episode, kind: Alert['kind']): Alert => ({
  version: '2',
  id: input.newId(),
  workspace: input.workspace,
  episodeId: episode.id,
  kind,
  about: episode.key,
  severity: highest(episode.findings),
  at: input.at,
  since: episode.openedAt,
  runId: input.run.id,
  ...defined({
    peak: peakOf(episode.peak, episode.findings),
    configurationVersion: input.run.configurationVersion,
    commit: input.run.commit,
    counts: input.plan?.counts,
    causes: episode.key === 'unchecked' && kind !== 'resolved' ? input.run.causes : undefined,
    digest: input.plan === undefined || episode.key !== 'drift' ? undefined : input.plan.digests.commands,
  }),
  ...cutFindings(episode.findings),
})

const outcome = (input: EpisodeInput, episode: Episode, kind: Alert['kind']): EpisodeOutcome => ({
  episodes: [episode],
  alerts: [alertOf(input, episode, kind)],
})

const noOutcome: EpisodeOutcome = { episodes: [], alerts: [] }

/**
 * The differing paths by address, for findings that are resolved later. An address that could not be read keeps its
 * previous paths.
 */
const placesFor = (
  { plan }: EpisodeInput,
  key: EpisodeKey,
  findings: readonly Finding[],
  last?: Episode,
): Pick<Episode, 'places'> => {
  if (key !== 'drift' || plan === undefined) return {}
  const all = { ...last?.places, ...placesOf(plan) }
  return { places: Object.fromEntries(findings.map(({ address }) => [address, [...(all[address] ?? [])]])) }
}

const openNew = (input: EpisodeInput, key: EpisodeKey, findings: readonly Finding[]): EpisodeOutcome => {
  const { workspace, at, newId } = input
  const episode: Episode = {
    id: newId(),
    workspace,
    key,
    status: 'open',
    openedAt: at,
    changedAt: at,
    toldAt: at,
    findings: [...findings],
    ...placesFor(input, key, findings),
    fingerprint: fingerprintOf(findings),
  }
  return outcome(input, episode, 'opened')
}

const isReminderDue = ({ rules, at }: EpisodeInput, { toldAt }: Episode): boolean =>
  rules.renotifyMs !== undefined && Date.parse(at) - Date.parse(toldAt) >= rules.renotifyMs

/**
 * A finding of a resolved episode may still differ: a rule ignores it now, or its severity is too low. Marks such
 * findings.
 */
const markUnresolved = ({ plan }: EpisodeInput, episode: Episode, found: readonly Finding[]): readonly Finding[] => {
  if (episode.key !== 'drift' || plan === undefined) return episode.findings
  const quiet = new Set(found.map(({ address }) => address))
  const covered = coveredAt(plan, episode.places ?? {})
  return episode.findings.map((finding) => {
    if (quiet.has(finding.address)) return { ...finding, left: 'below_severity' }
    return covered.has(finding.address) ? { ...finding, left: 'ignored' } : finding
  })
}

const resolved = (episode: Episode, findings: readonly Finding[], at: string): Episode => ({
  ...episode,
  findings: [...findings],
  status: 'resolved',
  resolvedAt: at,
  changedAt: at,
  toldAt: at,
})

/** Whether more is known now about who changed what. */
const isMoreKnown = (findings: readonly Finding[], before: readonly Finding[]): boolean => {
  const known = new Map(before.map(({ address, changed = null }) => [address, canonicalJson(changed)]))
  return findings.some(({ address, changed = null }) => canonicalJson(changed) !== known.get(address))
}

/** `found` has all findings, `findings` those that reach `minSeverity`. */
const advanceOpen = (
  input: EpisodeInput,
  episode: Episode,
  found: readonly Finding[],
  findings: readonly Finding[],
): EpisodeOutcome => {
  const { at } = input
  if (findings.length === 0) {
    return outcome(input, resolved(episode, markUnresolved(input, episode, found), at), 'resolved')
  }
  const fingerprint = fingerprintOf(findings)
  const isChanged = fingerprint !== episode.fingerprint
  const places = placesFor(input, episode.key, findings, episode)
  const changedAt = isChanged ? at : episode.changedAt
  const { peak: before = highest(episode.findings), ...rest } = episode
  const peak = peakOf(before, findings)
  const now = { ...rest, findings: [...findings], ...places, fingerprint, changedAt, ...defined({ peak }) }
  const quiet = quietOf(episode, findings, at)
  if (quiet !== 'quiet') {
    const told = { ...withoutQuiet(now), toldAt: at }
    if (isChanged) return outcome(input, told, 'changed')
    if (quiet === 'ended' || isReminderDue(input, episode)) return outcome(input, told, 'reminder')
  }
  // New facts about the same findings are stored, but send no alert.
  return isChanged || isMoreKnown(findings, episode.findings) ? { episodes: [now], alerts: [] } : noOutcome
}

/**
 * Whether a run that was stored late read the targets before the last change of the episode. It says nothing about the
 * present.
 */
const isLate = (episode: Episode, at: string): boolean =>
  [episode.changedAt, episode.toldAt].some((time) => Date.parse(at) < Date.parse(time) && !ranAhead(time, at))

const advance = (input: EpisodeInput, key: EpisodeKey, find: (last: Episode | undefined) => readonly Finding[]) => {
  const last = input.open.find((episode) => episode.key === key)
  if (last !== undefined && isLate(last, input.at)) return noOutcome
  const current = last?.status === 'open' ? last : undefined
  const found = find(current)
  const findings = found.filter(({ severity = 'medium' }) => atLeast(severity, input.rules.minSeverity))
  if (current !== undefined) return advanceOpen(input, current, found, findings)
  return findings.length === 0 ? noOutcome : openNew(input, key, findings)
}

/** A finding stays if its resource, or something that the resource depends on, could not be read. */
const withCarriedOver = (plan: Plan, last: Episode | undefined): readonly Finding[] => {
  const uncertain = new Set([
    ...plan.unchecked.map(({ address }) => address),
    ...plan.changes.flatMap(({ address, blocked }) => (blocked?.reason === 'dependency_unknown' ? [address] : [])),
  ])
  const carried = (last?.findings ?? []).filter(({ address }) => uncertain.has(address))
  const known = new Set(carried.map(({ address }) => address))
  const fresh = driftFindings(plan).filter(({ address }) => !known.has(address))
  return [...fresh, ...carried]
}

/**
 * What a run means for the two alerts of a workspace. The function is pure: the same run a second time changes nothing,
 * and neither does a run that is stored late. A failed run does not change the drift episode, and is itself a finding
 * of `unchecked`.
 */
export const advanceEpisodes = (input: EpisodeInput): EpisodeOutcome => {
  const { plan, run } = input
  const drift = plan === undefined ? noOutcome : advance(input, 'drift', (last) => withCarriedOver(plan, last))
  const unchecked = advance(input, 'unchecked', () =>
    plan === undefined ? [failureFinding(run)] : uncheckedFindings(plan),
  )
  return { episodes: [...drift.episodes, ...unchecked.episodes], alerts: [...drift.alerts, ...unchecked.alerts] }
}

export const closeEpisodes = (input: EpisodeContext): EpisodeOutcome => {
  const open = input.open.filter(({ status }) => status === 'open')
  const episodes = open.map((episode) =>
    resolved(
      episode,
      episode.findings.map((finding) => ({ ...finding, left: 'removed' })),
      input.at,
    ),
  )
  return { episodes, alerts: episodes.map((each) => closing(alertOf(input, each, 'resolved'))) }
}

/** Nothing needs a person any more; the peak still tells who was told of it. */
const closing = (alert: Alert): Alert => {
  const { peak = alert.severity } = alert
  return { ...alert, severity: 'low', ...(peak !== 'low' && { peak }) }
}
