import pLimit from 'p-limit'
import type { Alert } from '../../schema/stored/findings.ts'
import { claimAlert, listUndelivered, markSent, pendingAlerts, unclaimAlert } from '../../state/outbox.ts'
import type { Deps } from '../deps.ts'

type Needed = Pick<Deps, 'store' | 'alerts' | 'clock' | 'warn' | 'routes'>

/**
 * Publishes the alerts in the outbox of a workspace, the oldest first, sends those for its routes, and returns their number. An alert leaves the
 * outbox only after it was published: after a crash in between it is published again, with the same id. Never rejects:
 * an alert that cannot be published is reported to `deps.warn`, stays in the outbox, and does not delay the others.
 */
export const deliverAlerts = async ({ workspace }: { readonly workspace: string }, deps: Needed): Promise<number> => {
  let delivered = deps.routes === undefined ? 0 : await sendRouted(workspace, deps)
  for (const alert of await waitingIn(workspace, deps)) if (await deliver(alert, deps)) delivered += 1
  return delivered
}

const sendRouted = async (workspace: string, deps: Needed): Promise<number> =>
  (await import('./deliver-routed.ts')).deliverRouted(workspace, deps)

const waitingIn = async (workspace: string, { store, warn }: Needed): Promise<readonly Alert[]> => {
  try {
    return await pendingAlerts(store, workspace)
  } catch (error) {
    warn({ kind: 'alert_waits', workspace, error })
    return []
  }
}

/** Also returns false if another caller is publishing the alert. */
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

/** Workspaces whose alerts are published at the same time. */
const atOnce = 10

/** Starts at a random position of the list, so that if the time is too short, not always the same workspaces wait. */
const fromAnywhere = <Item>(items: readonly Item[], random: number): readonly Item[] => {
  const start = Math.floor(random * items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

/**
 * Publishes the waiting alerts of every workspace; starts nothing after `until`. What waits for routes that are not reached
 * from here is left to the queue of checks. Rejects only if the list cannot be read.
 */
export const deliverLeftovers = async (
  deps: Needed & Pick<Deps, 'ids'> & Partial<Pick<Deps, 'queue'>>,
  { until }: { readonly until?: Date } = {},
): Promise<number> => {
  const workspaces = fromAnywhere(await listUndelivered(deps.store), deps.ids.random())
  const limit = pLimit(atOnce)
  const isOver = (): boolean => until !== undefined && deps.clock.now() >= until
  const delivered = await Promise.all(
    workspaces.map((workspace) => limit(async () => (isOver() ? 0 : deliverAlerts({ workspace }, deps)))),
  )
  const { queue } = deps
  if (deps.routes === undefined && queue !== undefined && workspaces.length > 0) {
    const { leaveRouted } = await import('./deliver-routed.ts')
    await leaveRouted(workspaces, { ...deps, queue, isOver })
  }
  return delivered.reduce((sum, each) => sum + each, 0)
}
