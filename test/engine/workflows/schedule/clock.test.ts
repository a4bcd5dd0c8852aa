import { expect, it } from 'vitest'
import { acquireLock } from '../../../../core/engine/state/applies/lock.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'

const hours = (count: number): number => count * 3_600_000
const label = '{ type: shop_label, name: sale, spec: { name: sale, text: all } }'

it.each([
  ['by a year', hours(9_000)],
  ['by the hours of a time zone', hours(9)],
])('a clock that was set back %s delays no alert', async (_, ahead) => {
  await using shop = await startShop()
  const { check, clock, alerts } = driveShop(shop, [label])
  clock.forward(ahead)
  await check()
  shop.state.labels.set('sale', { name: 'sale', text: 'all' })
  clock.forward(-ahead)
  clock.forward(60_000)
  await check()
  shop.state.labels.set('sale', { name: 'sale', text: 'nothing' })
  clock.forward(60_000)
  await check()
  clock.forward(60_000)
  await check()
  expect(alerts.map(({ kind }) => kind)).toEqual(['opened', 'resolved', 'opened'])
})

it('a clock that was set back leaves no lock behind', async () => {
  await using shop = await startShop()
  const { check, apply, clock, deps } = driveShop(shop, [label])
  clock.forward(hours(9))
  await acquireLock(deps.store, { workspace, holder: 'a worker that died', leaseMs: 30_000, now: clock.now() })
  clock.forward(-hours(9))
  const { run } = await check()
  expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded' })
})
