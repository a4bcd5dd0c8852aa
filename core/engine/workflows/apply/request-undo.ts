import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import { findLineage } from '../../state/workspaces/lineage.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { CheckMessage, Deps } from '../deps.ts'
import { messageRefused } from '../words.ts'
import { loadUndone } from './undo/load-undone.ts'

interface UndoRequest {
  readonly workspace: string
  readonly applyId: string
  readonly actor: Actor
}

/**
 * Queues the planning of an undo; its run has the returned time in `scheduledFor`. Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED,
 * APPLY_NOT_FOUND, UNDO_IMPOSSIBLE, QUEUE_UNAVAILABLE.
 */
export const requestUndo = async (
  { workspace, applyId, actor }: UndoRequest,
  deps: Deps,
): Promise<{ readonly scheduledFor: string }> => {
  await requireWorkspace(deps.store, workspace)
  await loadUndone(workspace, applyId, deps)
  const scheduledFor = deps.clock.now().toISOString()
  const lineage = await findLineage(deps.store, workspace)
  const message: CheckMessage = { workspace, scheduledFor, actor, undo: applyId, ...defined({ lineage }) }
  const refused = await deps.queue.checks([message])
  if (refused.length > 0) throw new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: messageRefused })
  return { scheduledFor }
}
