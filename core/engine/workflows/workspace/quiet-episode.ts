import { acknowledge, snooze, unsnooze } from '../../alert/quiet.ts'
import { AppError } from '../../errors/errors.ts'
import type { Episode } from '../../schema/stored/findings.ts'
import { appendLedger } from '../../state/ledger.ts'
import { episodeChanges, loadEpisodes } from '../../state/outbox.ts'
import { againOnConflict, finalChanges, joinChanges } from '../../state/store/commit.ts'
import { openIn } from '../../state/workspaces/pending-check.ts'
import { findStored, getWorkspace, rewrites } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import { highest } from '../../values/severity.ts'
import type { Deps } from '../deps.ts'
import { lifeEntry, type WorkspaceRequest } from './manage-workspace.ts'

export interface EpisodeRequest extends WorkspaceRequest {
  /** Its id. */
  readonly episode: string
}

export interface SnoozeRequest extends EpisodeRequest {
  /** An ISO time. */
  readonly until: string
}

const mostDays = 30
const dayMs = 24 * 60 * 60_000

/** Throws EPISODE_NOT_FOUND, EPISODE_RESOLVED. */
const openOne = (episodes: readonly Episode[], { workspace, episode: id }: EpisodeRequest): Episode => {
  const found = episodes.find((one) => one.id === id)
  if (found === undefined) throw new AppError('EPISODE_NOT_FOUND', { workspace, episode: id })
  const { status, resolvedAt: at = found.changedAt } = found
  if (status === 'resolved') throw new AppError('EPISODE_RESOLVED', { episode: id, at })
  return found
}

/** The entry and the change are one transaction; `edit` returns `undefined` if nothing changes. */
const changeEpisode = (
  kind: 'acknowledged' | 'snoozed' | 'unsnoozed',
  request: EpisodeRequest,
  edit: (episode: Episode, at: string) => Episode | undefined,
  { store, clock }: Deps,
): Promise<Episode> =>
  againOnConflict(async () => {
    const { workspace } = request
    const stored = await findStored(store, workspace)
    if (stored === undefined) await getWorkspace(store, workspace)
    const before = await loadEpisodes(store, workspace)
    const episode = openOne(
      before.map((one) => one.episode),
      request,
    )
    const at = clock.now().toISOString()
    const next = edit(episode, at)
    if (next === undefined) return episode
    const { id, key: about, findings } = next
    const until = kind === 'snoozed' ? next.snoozed?.until : undefined
    const named = { id, about, severity: highest(findings), ...defined({ until }) }
    const entry = { ...lifeEntry(kind, request, at), episode: named }
    const openEpisodes = openIn(before.map((one) => (one.episode.id === id ? next : one.episode)))
    const rewritten = stored && rewrites(stored, { ...stored.workspace, ...defined({ openEpisodes }) })
    const changes = joinChanges([await episodeChanges(before, [next]), finalChanges(rewritten ?? [])])
    await appendLedger(store, workspace, [entry], changes)
    return next
  })

/**
 * Somebody has seen it: only a higher severity, drift of another resource and the end of the episode send an alert from now on. Throws
 * EPISODE_NOT_FOUND, EPISODE_RESOLVED, WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED.
 */
export const acknowledgeEpisode = (request: EpisodeRequest, deps: Deps): Promise<Episode> => {
  const { actor: by, reason } = request
  return changeEpisode('acknowledged', request, (episode, at) => acknowledge(episode, { at, by, reason }), deps)
}

/**
 * No alert until then; the first check after that tells the episode again if it is still open. Throws SNOOZE_INVALID for a time that is
 * not ahead or further away than 30 days, and as `acknowledgeEpisode`.
 */
export const snoozeEpisode = (request: SnoozeRequest, deps: Deps): Promise<Episode> => {
  const { actor: by, reason, until } = request
  const edit = (episode: Episode, at: string): Episode | undefined => {
    const ahead = Date.parse(until) - Date.parse(at)
    if (ahead <= 0 || ahead > mostDays * dayMs) throw new AppError('SNOOZE_INVALID', { until, now: at, days: mostDays })
    return snooze(episode, { at, by, reason, until })
  }
  return changeEpisode('snoozed', request, edit, deps)
}

/** Ends the snooze: the next check tells the episode again if it is still open. Throws as `acknowledgeEpisode`. */
export const unsnoozeEpisode = (request: EpisodeRequest, deps: Deps): Promise<Episode> =>
  changeEpisode('unsnoozed', request, unsnooze, deps)
