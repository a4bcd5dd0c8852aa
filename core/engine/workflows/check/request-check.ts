import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import { findLineage } from '../../state/workspaces/lineage.ts'
import { withAsked, withFollowing, withoutPending } from '../../state/workspaces/pending-check.ts'
import { editWorkspace, getWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import { isPending } from '../../values/pending.ts'
import type { CheckMessage, Deps } from '../deps.ts'
import { messageRefused } from '../words.ts'

export interface RequestedCheck {
  readonly scheduledFor: string
  /** Whether this request queued the check; otherwise a check was already pending. */
  readonly queued: boolean
}

interface CheckRequest {
  readonly workspace: string
  readonly actor: Actor
  /** False: nothing live is read. Such a run is not a check: it waits for no check, and no check waits for it. */
  readonly refresh?: boolean | undefined
  /** If a check is pending that began before this request, another check follows it at once. */
  readonly follows?: true
}

/** Queues a check, unless one is pending. Throws WORKSPACE_NOT_FOUND, and QUEUE_UNAVAILABLE without a pending check. */
export const requestCheck = async (
  { workspace, actor, refresh = true, follows }: CheckRequest,
  deps: Deps,
): Promise<RequestedCheck> => {
  const { store, queue, clock } = deps
  await getWorkspace(store, workspace)
  const at = clock.now().toISOString()
  const own = { scheduledFor: at, at, actor }
  if (!refresh) return { scheduledFor: at, queued: await queueRecorded({ workspace, actor, scheduledFor: at }, deps) }
  let marked = false
  const found = await editWorkspace(store, workspace, (current) => {
    marked = !isPending(current, clock.now())
    if (marked) return withAsked(current, own)
    return follows ? withFollowing(current, at) : undefined
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

const queueRecorded = async (message: CheckMessage, { store, queue }: Deps): Promise<true> => {
  const lineage = await findLineage(store, message.workspace)
  const refused = await queue.checks([{ ...message, refresh: false, ...defined({ lineage }) }])
  if (refused.length > 0) throw new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: messageRefused })
  return true
}
