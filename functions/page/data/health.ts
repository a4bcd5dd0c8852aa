import type { Workspace } from '../../../core/index.ts'

/**
 * The state of a workspace, the one that needs somebody first. `silent`: its check is overdue, so nothing is known. `changes`: it
 * differs from its files, and nothing has drifted.
 */
export const states = ['failed', 'silent', 'drifted', 'unchecked', 'changes', 'new', 'in_sync'] as const
export type FleetState = (typeof states)[number]

export const stateWords: Readonly<Record<FleetState, string>> = {
  failed: 'failed',
  silent: 'silent',
  drifted: 'drifted',
  unchecked: 'unchecked',
  changes: 'changes',
  new: 'not checked yet',
  in_sync: 'in sync',
}

/** A shape for each state, so that colour is not all that tells them apart. */
export const stateSigns: Readonly<Record<FleetState, string>> = {
  failed: '✕',
  silent: '◌',
  drifted: '●',
  unchecked: '?',
  changes: '±',
  new: '·',
  in_sync: '✓',
}

/** How long a check may be late before its workspace counts as silent. */
const lateMs = 30 * 60_000

const isSilent = ({ nextCheckAt, paused }: Workspace, now: number): boolean =>
  paused === undefined && nextCheckAt !== undefined && Date.parse(nextCheckAt) + lateMs < now

type Counts = NonNullable<NonNullable<Workspace['lastRun']>['counts']>

/** Resources that differ from the files, also those whose change is blocked. */
export const changesIn = ({ create, update, replace, delete: deleted, blocked }: Counts): number =>
  create + update + replace + deleted + blocked

interface HealthFacts {
  readonly status: NonNullable<Workspace['lastRun']>['status']
  readonly counts?: Counts | undefined
}

/** The state that a run alone tells. What differs needs somebody, also where not all could be read. */
export const stateOfRun = ({ status, counts }: HealthFacts): FleetState => {
  if (status === 'failed' || status === 'in_sync') return status
  if (counts !== undefined && counts.drifted > 0) return 'drifted'
  return status === 'changes' || (counts !== undefined && changesIn(counts) > 0) ? 'changes' : 'unchecked'
}

export const stateOf = (workspace: Workspace, now: number): FleetState => {
  if (isSilent(workspace, now)) return 'silent'
  return workspace.lastRun === undefined ? 'new' : stateOfRun(workspace.lastRun)
}

/** The part of its resources that the latest check has compared, from 0 to 1; `undefined` if there are none. */
export const coverageOf = ({ lastRun }: Workspace): number | undefined => {
  if (lastRun?.counts === undefined) return undefined
  const { unchanged, unchecked } = lastRun.counts
  const checked = changesIn(lastRun.counts) + unchanged
  return checked + unchecked === 0 ? undefined : checked / (checked + unchecked)
}

const severities = ['high', 'medium', 'low'] as const
export type EpisodeSeverity = (typeof severities)[number]

export const severityOf = ({ openEpisodes }: Workspace): EpisodeSeverity | undefined => openEpisodes?.severity

/** What could not be read may be anything, so it comes before what is known to do little harm. */
const harmOf = (state: FleetState, workspace: Workspace): number => {
  if (state === 'failed' || state === 'silent') return 0
  if (state === 'new' || state === 'in_sync') return 5
  const severity = severityOf(workspace)
  if (severity === 'high') return 1
  if (severity === 'medium') return 2
  return workspace.lastRun?.status === 'incomplete' ? 3 : 4
}

const rank = (workspace: Workspace, now: number): readonly number[] => {
  const state = stateOf(workspace, now)
  const severity = severityOf(workspace)
  const counts = workspace.lastRun?.counts
  return [
    harmOf(state, workspace),
    states.indexOf(state),
    severity === undefined ? severities.length : severities.indexOf(severity),
    -((counts?.drifted ?? 0) + (counts?.unchecked ?? 0)),
  ]
}

/** The most harmful first, then by name. */
export const byHarm = (workspaces: readonly Workspace[], now: number): readonly Workspace[] =>
  workspaces
    .map((workspace) => ({ workspace, rank: rank(workspace, now) }))
    .sort((one, other) => {
      const place = one.rank.findIndex((value, n) => value !== other.rank[n])
      const difference = place < 0 ? 0 : (one.rank[place] ?? 0) - (other.rank[place] ?? 0)
      return difference || (one.workspace.id < other.workspace.id ? -1 : 1)
    })
    .map(({ workspace }) => workspace)

interface SeenFacts {
  readonly counts: Counts
  readonly differ: number | undefined
}

/** How many of those that could not be read differed when that was possible: their alert is open. */
export const seenBefore = ({ counts, differ = 0 }: SeenFacts): number =>
  Math.max(0, Math.min(counts.unchecked, differ - changesIn(counts) - (counts.orphaned ?? 0)))

/** `2 alerts, 1 acknowledged`; empty: none is open. */
export const alertWords = ({ openEpisodes }: Workspace): string => {
  if (openEpisodes === undefined) return ''
  const { count, acknowledged = 0, snoozed = 0 } = openEpisodes
  const part = (n: number, word: string) => (n === 0 ? [] : [n === count ? word : `${n} ${word}`])
  return [
    `${count} ${count === 1 ? 'alert' : 'alerts'}`,
    ...part(acknowledged, 'acknowledged'),
    ...part(snoozed, 'snoozed'),
  ].join(', ')
}

/** `3 to change, 1 of them blocked, 1 unchecked`, or why there is no number. */
export const findingWords = ({
  lastRun,
  openEpisodes,
}: {
  readonly lastRun?: Pick<NonNullable<Workspace['lastRun']>, 'counts' | 'code'>
  readonly openEpisodes?: Workspace['openEpisodes']
}): string => {
  if (lastRun?.counts === undefined) return lastRun?.code ?? ''
  const { drifted, unchecked, blocked } = lastRun.counts
  const seen = seenBefore({ counts: lastRun.counts, differ: openEpisodes?.differ })
  const changes = changesIn(lastRun.counts)
  return [
    changes > 0 && `${changes} to change`,
    blocked > 0 && `${blocked} of them blocked`,
    drifted > 0 && `${drifted} drifted`,
    unchecked > 0 && `${unchecked} unchecked`,
    seen > 0 && `${seen} of them differed when last read`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}
