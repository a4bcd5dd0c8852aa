import { AppError } from '../../errors.ts'
import { type Alert, type Episode, hasEnded } from '../../schema/records.ts'
import { eachApply } from '../../state/applies/applies.ts'
import { getLock, holdsLock } from '../../state/applies/lock.ts'
import { appendLedger } from '../../state/ledger.ts'
import { episodeChanges, loadEpisodes, outboxWrites } from '../../state/outbox.ts'
import { forgetRecorded } from '../../state/recorded.ts'
import { type Removal, removedError } from '../../state/workspaces/lineage.ts'
import { findStored, removalWrites, type StoredWorkspace } from '../../state/workspaces/workspaces.ts'
import { againOnConflict } from '../again-on-conflict.ts'
import { endApply } from '../apply/close-apply.ts'
import { type HeldLock, holdLock } from '../apply/lock/hold-lock.ts'
import type { Deps } from '../deps.ts'
import { lifeEntry, removeLeftover, type WorkspaceWish } from './manage-workspace.ts'

/** For how long a lock is watched whose holder may be dead; what was watched is kept for the next try. */
const patienceMs = 10_000

/**
 * Removes a workspace: nothing of it is checked, alerted on or applied any more. Its ledger and its runs stay, and its name
 * is not free. What is told of it waits in the outbox. Open episodes are closed and say so, applies that wait are refused, what is recorded is forgotten. Throws
 * LOCKED while an apply runs, WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED.
 */
export const removeWorkspace = async (wish: WorkspaceWish, deps: Deps): Promise<void> => {
  const { workspace } = wish
  const { store, clock } = deps
  if ((await findStored(store, workspace)) === undefined) return removeLeftover(workspace, deps)
  const running = await getLock(store, workspace, clock.now())
  if (running !== undefined) throw new AppError('LOCKED', { workspace, holder: running.holder, until: running.until })
  const until = clock.monotonic() + patienceMs
  const shouldStop = (): boolean => clock.monotonic() >= until
  const lock = await holdLock({ workspace, holder: deps.ids.ulid(), patient: true, shouldStop }, deps)
  try {
    const at = clock.now().toISOString()
    // A check that ends meanwhile writes the same records.
    await againOnConflict(() => bury(wish, at, lock, deps))
    await clearFormer(workspace, { at, by: wish.actor, reason: wish.reason }, lock, deps)
  } finally {
    await lock.release()
  }
}

/** What is left of a removed workspace and must not be another one's. From its removal on nobody adds to that. */
export const clearFormer = async (workspace: string, removal: Removal, lock: HeldLock, deps: Deps): Promise<void> => {
  for (const apply of await Array.fromAsync(eachApply(deps.store, workspace))) {
    if (!hasEnded(apply)) await endApply(apply, removedError(workspace, removal), lock, deps)
  }
  await forgetRecorded(deps.store, workspace)
}

/** The one transaction that makes it a removed one. */
const bury = async (wish: WorkspaceWish, at: string, lock: HeldLock, deps: Deps): Promise<void> => {
  const { workspace, actor: by, reason } = wish
  const { store } = deps
  const stored = await findStored(store, workspace)
  if (stored === undefined) return removeLeftover(workspace, deps)
  const before = await loadEpisodes(store, workspace)
  const open = before.map(({ episode }) => episode).filter(({ status }) => status === 'open')
  const closed = open.map((episode) => closedBy(episode, at))
  const { ahead, final, behind } = await episodeChanges(before, closed)
  for (const write of ahead) await store.write([write])
  const alerts = closed.map((episode) => alertOf(episode, stored, at, deps))
  const writes = [...removalWrites(stored, { at, by, reason }), ...final, ...behind, ...outboxWrites(alerts)]
  await appendLedger(store, workspace, [lifeEntry('removed', wish, at)], [holdsLock(lock.current()), ...writes])
}

/** It is over, and not because anything is as configured. */
const closedBy = (episode: Episode, at: string): Episode => ({
  ...episode,
  findings: episode.findings.map((finding) => ({ ...finding, left: 'removed' })),
  status: 'resolved',
  resolvedAt: at,
  changedAt: at,
  toldAt: at,
})

/** Findings of an alert: the count tells of the others. */
const shown = 200

const alertOf = (episode: Episode, { workspace }: StoredWorkspace, at: string, { ids }: Deps): Alert => ({
  version: '2',
  id: ids.ulid(),
  workspace: workspace.id,
  episodeId: episode.id,
  kind: 'resolved',
  about: episode.key,
  severity: 'low',
  at,
  since: episode.openedAt,
  runId: workspace.lastRun?.id ?? '',
  findings: episode.findings.slice(0, shown),
  findingsLeftOut: Math.max(0, episode.findings.length - shown),
})
