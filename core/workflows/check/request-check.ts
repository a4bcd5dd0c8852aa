import { AppError } from '../../errors.ts'
import type { Actor } from '../../schema/actor.ts'
import { isPending, withAsked, withoutPending } from '../../state/workspaces/pending-check.ts'
import { editWorkspace, getWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { messageRefused } from '../words.ts'

export interface RequestedCheck {
  /** The `scheduledFor` of its run. */
  readonly scheduledFor: string
  /** Whether this request queued it; otherwise a check was already pending. */
  readonly queued: boolean
}

/** Queues a check, unless one is pending. Throws WORKSPACE_NOT_FOUND, and QUEUE_UNAVAILABLE without a pending check. */
export const requestCheck = async (
  { workspace, actor }: { readonly workspace: string; readonly actor: Actor },
  deps: Deps,
): Promise<RequestedCheck> => {
  const { store, queue, clock } = deps
  await getWorkspace(store, workspace)
  const at = clock.now().toISOString()
  const own = { scheduledFor: at, at, actor }
  let marked = false
  const found = await editWorkspace(store, workspace, (current) => {
    marked = !isPending(current, clock.now())
    return marked ? withAsked(current, own) : undefined
  })
  if (found === 'absent') throw new AppError('WORKSPACE_NOT_FOUND', { workspace })
  if (!marked) return { scheduledFor: found.workspace.pendingCheck?.scheduledFor ?? at, queued: false }
  try {
    const refused = await queue.checks([{ workspace, scheduledFor: at, actor, ...defined({ lineage: found.lineage }) }])
    if (refused.length > 0) throw new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: messageRefused })
  } catch (error) {
    await editWorkspace(store, workspace, (current) => withoutPending(current, at), { known: found })
    throw error
  }
  return { scheduledFor: at, queued: true }
}
