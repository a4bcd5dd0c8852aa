import { markSent, pendingAlerts } from '../state/outbox.ts'
import type { Deps } from './deps.ts'

/**
 * Hands over what waits in a workspace's outbox, the oldest first, and answers how many. An alert leaves the outbox only
 * when it was taken over: after a crash in between it goes out again, under the same id. Rejects with the first failure.
 */
export const deliverAlerts = async ({ workspace }: { readonly workspace: string }, deps: Deps): Promise<number> => {
  const waiting = await pendingAlerts(deps.store, workspace)
  for (const alert of waiting) {
    await deps.alerts.publish(alert)
    await markSent(deps.store, alert)
  }
  return waiting.length
}
