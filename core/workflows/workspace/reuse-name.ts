import type { Workspace } from '../../schema/records.ts'
import { holdsLock } from '../../state/applies/lock.ts'
import { findRemoval } from '../../state/workspaces/lineage.ts'
import type { Beginning } from '../../state/workspaces/workspaces.ts'
import { holdLock } from '../apply/lock/hold-lock.ts'
import type { Deps } from '../deps.ts'
import { lifeEntry, type WorkspaceWish } from './manage-workspace.ts'
import { clearFormer } from './remove-workspace.ts'

/** For how long a lock is watched whose holder may be dead; what was watched is kept for the next try. */
const patienceMs = 10_000

/**
 * Begins another workspace under the name of a removed one, with an entry of its ledger; `save` stores it. Where no such one
 * was removed it is stored as any other. Throws LOCKED and what `save` throws.
 */
export const reuseName = async (
  wish: WorkspaceWish,
  save: (begins?: Beginning) => Promise<Workspace>,
  deps: Deps,
): Promise<Workspace> => {
  const { workspace } = wish
  const { store, clock, ids } = deps
  if ((await findRemoval(store, workspace)) === undefined) return save()
  const until = clock.monotonic() + patienceMs
  const shouldStop = (): boolean => clock.monotonic() >= until
  const lineage = ids.ulid()
  const lock = await holdLock({ workspace, holder: lineage, patient: true, shouldStop }, deps)
  try {
    // Of two who ask for it at once, the second finds that the name is taken.
    const removal = await findRemoval(store, workspace)
    if (removal === undefined) return await save()
    await clearFormer(workspace, removal, lock, deps)
    const entry = lifeEntry('reused', wish, clock.now().toISOString())
    return await save({ lineage, entry, guard: [holdsLock(lock.current())] })
  } finally {
    await lock.release()
  }
}
