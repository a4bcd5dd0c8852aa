import { AppError } from '../../errors/errors.ts'
import { renewPending } from '../../state/workspaces/pending-check.ts'
import type { CheckMessage, CheckPart, Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { isLimited } from '../session/read/is-limited.ts'
import { messageRefused } from '../words.ts'

/**
 * The next part, if this invocation has no time left for the remaining reads and has read something new. Without new
 * reads there is no next part, so a check ends when its time, which is counted over all parts, is over.
 */
export const nextPart = (
  { plan, earlier }: Pick<Session, 'earlier' | 'plan'>,
  { part, deadline }: Deps,
): CheckPart | undefined => {
  if (part === undefined || earlier === undefined || deadline === undefined || deadline.left() > 0) return undefined
  const isCut = plan.unchecked.some(({ reason }) => reason === 'deadline')
  return isCut && earlier.kept() > 0 ? { since: part.since, number: part.number + 1 } : undefined
}

/**
 * Keeps what was read and queues the next part. Returns false after a failure, which is reported: then the check ends
 * with this part.
 */
export const handOver = async (
  message: Omit<CheckMessage, 'part'>,
  part: CheckPart,
  session: Session,
  deps: Deps,
): Promise<boolean> => {
  const { workspace, scheduledFor } = message
  try {
    await session.transports.saveAnswers()
    await session.earlier?.save()
    if (isLimited(session.loaded)) {
      const { rememberLimits } = await import('./remember-reads.ts')
      await rememberLimits(workspace, session, deps)
    }
    if (scheduledFor !== undefined) await renewPending(deps.store, workspace, scheduledFor, deps.clock.now())
    const [refused] = await deps.queue.checks([{ ...message, part }])
    if (refused !== undefined) throw new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: messageRefused })
    return true
  } catch (error) {
    deps.warn({ kind: 'check_cut', workspace, error })
    return false
  }
}
