import type { StateChanged } from '../../schema/stored/state.ts'
import type { StateChange, StateChangeKind } from '../../schema/stored/state-change.ts'
import { backupChanges } from '../../state/backups.ts'
import { appendLedger } from '../../state/ledger.ts'
import { loadRecorded, type Recorded, type RecordedChange } from '../../state/runs/recorded.ts'
import { replaceRecorded } from '../../state/runs/replace-recorded.ts'
import { documentOf } from '../../state/runs/state-document.ts'
import { againOnConflict, finalChanges, joinChanges } from '../../state/store/commit.ts'
import { findLineage, stillOf } from '../../state/workspaces/lineage.ts'
import { getWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined, present } from '../../values/defined.ts'
import { closeDead } from '../apply/close-apply.ts'
import { type HeldLock, withIdleLock } from '../apply/lock/hold-lock.ts'
import type { Deps } from '../deps.ts'
import type { WorkspaceRequest } from '../workspace/manage-workspace.ts'

export interface StateEdit extends Pick<StateChange, 'addresses' | 'digest'>, Pick<StateChanged, 'doubted'> {
  readonly change: RecordedChange
  /**
   * For an import: the new serial is also larger than this serial, and a state without a history takes this lineage.
   */
  readonly from?: { readonly serial: number; readonly lineage: string }
}

/**
 * Changes the recorded state for a user, under the lock, in one transaction with its ledger entry and a backup of the
 * former state. `edit` may be called again, with another state. Nothing is sent to a target. Throws LOCKED and
 * APPLY_UNFINISHED while an apply runs, WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED, and what `edit` throws.
 */
export const changeState = async (
  kind: StateChangeKind,
  request: WorkspaceRequest,
  edit: (base: Recorded) => StateEdit,
  deps: Deps,
): Promise<StateChanged> => {
  const { workspace } = request
  await getWorkspace(deps.store, workspace)
  return withIdleLock(workspace, deps, async (lock) => {
    await closeDead(workspace, lock, deps)
    // A check that ends at the same time writes the same records, so this is tried again.
    return againOnConflict(() => changeOnce(kind, request, edit, lock, deps))
  })
}

const changeOnce = async (
  kind: StateChangeKind,
  request: WorkspaceRequest,
  edit: (base: Recorded) => StateEdit,
  lock: HeldLock,
  { store, clock, ids, retention }: Deps,
): Promise<StateChanged> => {
  const { workspace, actor, reason } = request
  const sameWorkspace = stillOf(workspace, await findLineage(store, workspace))
  const base = await loadRecorded(store, workspace)
  const { change, from, addresses, digest, doubted } = edit(base)
  const at = clock.now().toISOString()
  const { changes, next } = await replaceRecorded(store, base, change, {
    lineage: from?.lineage ?? ids.uuid(),
    generation: ids.ulid(),
    lock: lock.current(),
    ...defined({ above: from?.serial }),
  })
  const kept =
    base.lineage === undefined
      ? undefined
      : await backupChanges({
          ...{ id: ids.ulid(), at, before: kind, actor, reason, document: documentOf(base) },
          ...defined({ keptDays: retention?.backupDays }),
        })
  const backup = kept && { id: kept.backup.id, until: kept.backup.until }
  const { lineage = '' } = next
  const told = { lineage, before: base.serial, after: next.serial, ...defined({ addresses, digest }) }
  const entry = { workspace, at, kind, actor, reason, state: { ...told, ...defined({ backup: backup?.id }) } }
  await appendLedger(
    store,
    workspace,
    [entry],
    joinChanges(present(changes, kept?.changes, finalChanges(sameWorkspace))),
  )
  return { workspace, change: kind, ...told, ...defined({ backup, doubted }) }
}
