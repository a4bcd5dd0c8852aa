import { describe, expect, it } from 'vitest'
import { pendingAlerts } from '../../../../core/engine/state/outbox.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { deliverAlerts, deliverLeftovers } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import type { Deps } from '../../../../core/engine/workflows/deps.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { turns } from '../../../builders/time/turns.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

const resources = ['{ type: shop_label, name: sale, spec: { name: sale, text: all } }']
const scheduledFor = '2026-11-21T06:00:00.000Z'
const never = (): Promise<never> => new Promise(() => {})
const scheduled = (deps: Deps) =>
  checkWorkspace(
    { workspace, trigger: 'schedule', actor: { subject: 'schedule', via: 'schedule' }, scheduledFor },
    deps,
  )

/** As far away as a real one, so that those who come together stay together. */
const distant = (inner: Store): Store => ({
  get: (key) => turns(5).then(() => inner.get(key)),
  query: (query) => turns(5).then(() => inner.query(query)),
  write: (writes) => turns(5).then(() => inner.write(writes)),
})

describe('a run and its alert', () => {
  it.each([2, 5])('exist once for a scheduled time that arrives %d times at once', async (times) => {
    await using shop = await startShop()
    const clock = movableClock()
    const { deps, alerts } = driveShop(shop, resources, { clock, store: distant(memoryStore(clock)) })
    const checked = await Promise.all(Array.from({ length: times }, () => scheduled(deps)))
    const again = await scheduled(deps)
    expect(new Set([...checked, again].map(({ run }) => run.id)).size).toBe(1)
    for (const { plan } of [...checked, again]) expect(plan).toEqual(again.plan)
    expect((await listRuns(deps.store, workspace, { limit: 10 })).items).toHaveLength(1)
    expect(alerts.map(({ kind }) => kind)).toEqual(['opened'])
  })

  it('are published later, once and under the same id, where the channel was down', async () => {
    await using shop = await startShop()
    const { deps, alerts, warnings } = driveShop(shop, resources)
    const down: Deps = { ...deps, alerts: { publish: () => Promise.reject(new Error('down')) } }
    expect((await scheduled(down)).run.status).toBe('changes')
    const [waiting] = await pendingAlerts(deps.store, workspace)
    expect(await deliverAlerts({ workspace }, down)).toBe(0)
    expect(warnings).toMatchObject([1, 2].map(() => ({ kind: 'alert_waits', workspace, alert: { id: waiting?.id } })))
    expect(await Promise.all([deliverAlerts({ workspace }, deps), deliverAlerts({ workspace }, deps)])).toEqual(
      expect.arrayContaining([0, 1]),
    )
    expect(await deliverLeftovers(deps)).toBe(0)
    expect(alerts).toEqual([waiting])
    expect(await pendingAlerts(deps.store, workspace)).toEqual([])
  })

  it('are published later, once and under the same id, where the process died between storing and publishing', async () => {
    await using shop = await startShop()
    const { deps, alerts, clock } = driveShop(shop, resources)
    const publishing = Promise.withResolvers<void>()
    const dying: Deps = {
      ...deps,
      alerts: {
        publish: () => {
          publishing.resolve()
          return never()
        },
      },
    }
    void scheduled(dying)
    await publishing.promise
    const [waiting] = await pendingAlerts(deps.store, workspace)
    clock.forward(5 * 60_000)
    // The message comes again, and so does the tick.
    await scheduled(deps)
    await Promise.all([deliverLeftovers(deps), deliverLeftovers(deps)])
    await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    expect(alerts).toEqual([waiting])
  })

  it('keep the same id where the process died after publishing', async () => {
    await using shop = await startShop()
    const { deps, alerts, clock } = driveShop(shop, resources)
    const published = Promise.withResolvers<void>()
    const dying: Deps = {
      ...deps,
      alerts: {
        publish: async (alert) => {
          await deps.alerts.publish(alert)
          published.resolve()
          return never()
        },
      },
    }
    void scheduled(dying)
    await published.promise
    clock.forward(5 * 60_000)
    await deliverLeftovers(deps)
    expect(alerts).toHaveLength(2)
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(1)
  })
})
