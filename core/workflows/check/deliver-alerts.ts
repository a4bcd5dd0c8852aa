import pLimit from 'p-limit'
import type { Alert } from '../../schema/records.ts'
import { claimAlert, listUndelivered, markSent, pendingAlerts, unclaimAlert } from '../../state/outbox.ts'
import type { Deps } from '../deps.ts'

type Needed = Pick<Deps, 'store' | 'alerts' | 'clock' | 'warn'>

/**
 * Hands over what waits in a workspace's outbox, the oldest first, and answers how many. An alert leaves the outbox only
 * when it was taken over: after a crash in between it goes out again, under the same id. Never rejects: each one that could
 * not be handed over is told to `deps.warn`, waits for the next time, and keeps no other waiting.
 */
export const deliverAlerts = async ({ workspace }: { readonly workspace: string }, deps: Needed): Promise<number> => {
  let delivered = 0
  for (const alert of await waitingIn(workspace, deps)) if (await deliver(alert, deps)) delivered += 1
  return delivered
}

const waitingIn = async (workspace: string, { store, warn }: Needed): Promise<readonly Alert[]> => {
  try {
    return await pendingAlerts(store, workspace)
  } catch (error) {
    warn({ kind: 'alert_waits', workspace, error })
    return []
  }
}

/** False also where somebody else is handing it over. */
const deliver = async (alert: Alert, deps: Needed): Promise<boolean> => {
  try {
    if (!(await claimAlert(deps.store, alert, deps.clock.now()))) return false
    await publish(alert, deps)
    await markSent(deps.store, alert)
    return true
  } catch (error) {
    const { workspace, id, at } = alert
    deps.warn({ kind: 'alert_waits', workspace, alert: { id, at }, error })
    return false
  }
}

const publish = async (alert: Alert, deps: Needed): Promise<void> => {
  try {
    await deps.alerts.publish(alert)
  } catch (error) {
    await unclaimAlert(deps.store, alert)
    throw error
  }
}

/** Workspaces whose alerts are handed over at once. */
const atOnce = 10

/** From somewhere in the list on: where there is no time for all, it is not always the same ones that wait. */
const fromAnywhere = <Item>(items: readonly Item[], random: number): readonly Item[] => {
  const start = Math.floor(random * items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Delivers what waits in every workspace; begins nothing after `until`. Rejects only where the list cannot be read. */
export const deliverLeftovers = async (
  deps: Needed & Pick<Deps, 'ids'>,
  { until }: { readonly until?: Date } = {},
): Promise<number> => {
  const workspaces = fromAnywhere(await listUndelivered(deps.store), deps.ids.random())
  const limit = pLimit(atOnce)
  const isOver = (): boolean => until !== undefined && deps.clock.now() >= until
  const delivered = await Promise.all(
    workspaces.map((workspace) => limit(async () => (isOver() ? 0 : deliverAlerts({ workspace }, deps)))),
  )
  return delivered.reduce((sum, each) => sum + each, 0)
}
