import type { Alert } from '../schema/records.ts'
import { claimAlert, listUndelivered, markSent, pendingAlerts, unclaimAlert } from '../state/outbox.ts'
import type { Deps } from './deps.ts'

/**
 * Hands over what waits in a workspace's outbox, the oldest first, and answers how many. An alert leaves the outbox only
 * when it was taken over: after a crash in between it goes out again, under the same id. Rejects with the first failure.
 */
export const deliverAlerts = async ({ workspace }: { readonly workspace: string }, deps: Deps): Promise<number> => {
  let delivered = 0
  for (const alert of await pendingAlerts(deps.store, workspace)) {
    if (!(await claimAlert(deps.store, alert, deps.clock.now()))) continue
    await publish(alert, deps)
    await markSent(deps.store, alert)
    delivered += 1
  }
  return delivered
}

const publish = async (alert: Alert, deps: Deps): Promise<void> => {
  try {
    await deps.alerts.publish(alert)
  } catch (error) {
    await unclaimAlert(deps.store, alert)
    throw error
  }
}

/** What a crash or a channel that was down left behind, in every workspace. One that still fails keeps no other waiting. */
export const deliverLeftovers = async (deps: Deps): Promise<number> => {
  let delivered = 0
  for (const workspace of await listUndelivered(deps.store)) {
    delivered += await deliverAlerts({ workspace }, deps).catch(() => 0)
  }
  return delivered
}
