import { AppError } from '../../errors/errors.ts'
import { hasEnded } from '../../schema/stored/records.ts'
import { forgetAnswers } from '../../state/answers/pack-store.ts'
import { eachApply } from '../../state/applies/applies.ts'
import { holdsLock } from '../../state/applies/lock.ts'
import { appendLedger } from '../../state/ledger.ts'
import { episodeChanges, loadEpisodes, outboxWrites } from '../../state/outbox.ts'
import { forgetReadHistory } from '../../state/runs/reads.ts'
import { forgetRecorded } from '../../state/runs/replace-recorded.ts'
import { againOnConflict } from '../../state/store/commit.ts'
import { forgetHoldings } from '../../state/workspaces/holdings.ts'
import { type Removal, removedError } from '../../state/workspaces/lineage.ts'
import { listWorkspaces } from '../../state/workspaces/list-workspaces.ts'
import { forgetVersions } from '../../state/workspaces/versions.ts'
import { findReplaced, removalWrites } from '../../state/workspaces/workspaces.ts'
import { endApply } from '../apply/close-apply.ts'
import { type HeldLock, withIdleLock } from '../apply/lock/hold-lock.ts'
import type { Deps } from '../deps.ts'
import { lifeEntry, removeLeftover, type WorkspaceRequest } from './manage-workspace.ts'

/**
 * Removes a workspace: it is not checked, alerted on or applied any more. Its ledger and its runs stay, and its name
 * stays reserved. Open episodes are closed with an alert, which waits in the outbox. Waiting applies are refused. The
 * recorded state is deleted. Throws LOCKED while an apply runs, WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED, and
 * WORKSPACE_HAS_PREVIEWS for the base of a preview.
 */
export const removeWorkspace = async (request: WorkspaceRequest, deps: Deps): Promise<void> => {
  const { workspace } = request
  const { store, clock } = deps
  if ((await findReplaced(store, workspace)) === undefined) return removeLeftover(workspace, deps)
  await refusePreviews(workspace, deps)
  await withIdleLock(workspace, deps, async (lock) => {
    const removal = { at: clock.now().toISOString(), by: request.actor, reason: request.reason }
    // A check that ends at the same time writes the same records, so this is tried again.
    await againOnConflict(() => writeRemoval(request, removal, lock, deps))
    await clearFormer(workspace, removal, lock, deps)
  })
}

const shownPreviews = 20

/** A preview without its base can only be destroyed, and only an approved apply deletes its objects. */
const refusePreviews = async (workspace: string, { store }: Deps): Promise<void> => {
  const { items, damaged = [] } = await listWorkspaces(store, { previewOf: workspace, limit: shownPreviews })
  const sound = items.map(({ id, preview }) => `${id} (branch ${preview?.branch})`)
  const previews = [...sound, ...damaged.map(({ workspace: id }) => id)]
  if (previews.length > 0) throw new AppError('WORKSPACE_HAS_PREVIEWS', { workspace, previews })
}

/** Clears the data of a removed workspace that a new one must not get. Nobody adds to it after the removal. */
export const clearFormer = async (workspace: string, removal: Removal, lock: HeldLock, deps: Deps): Promise<void> => {
  for (const apply of await Array.fromAsync(eachApply(deps.store, workspace))) {
    if (!hasEnded(apply)) await endApply(apply, removedError(workspace, removal), lock, deps)
  }
  await forgetRecorded(deps.store, workspace)
  await forgetVersions(deps.store, workspace)
  await forgetAnswers(deps.store, workspace)
  await forgetReadHistory(deps.store, workspace)
  await forgetHoldings(deps.store, workspace)
}

const writeRemoval = async (request: WorkspaceRequest, removal: Removal, lock: HeldLock, deps: Deps): Promise<void> => {
  const { workspace } = request
  const { store, ids } = deps
  const stored = await findReplaced(store, workspace)
  if (stored === undefined) return removeLeftover(workspace, deps)
  const before = await loadEpisodes(store, workspace)
  const { closeEpisodes } = await import('../../alert/episode.ts')
  const { episodes, alerts } = closeEpisodes({
    workspace,
    run: { id: stored === 'damaged' ? '' : (stored.workspace.lastRun?.id ?? '') },
    open: before.map(({ episode }) => episode),
    at: removal.at,
    newId: ids.ulid,
  })
  const routes = stored === 'damaged' ? undefined : stored.workspace.alertRoutes
  const { ahead, final, behind } = await episodeChanges(before, episodes)
  for (const write of ahead) await store.write([write])
  const writes = [...removalWrites(workspace, stored, removal), ...final, ...behind, ...outboxWrites(alerts, routes)]
  const entry = lifeEntry('removed', request, removal.at)
  await appendLedger(store, workspace, [entry], [holdsLock(lock.current()), ...writes])
}
