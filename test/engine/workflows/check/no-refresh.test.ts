import { describe, expect, it } from 'vitest'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { checkRecorded } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { requestCheck } from '../../../../core/engine/workflows/check/request-check.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const list = '{ type: shop_list, name: main, spec: { name: groceries } }'
const item = '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }'
const label = (text: string): string => `{ type: shop_label, name: sale, spec: { name: sale, text: ${text} } }`

const open = async () => {
  const shop = await startShop()
  const drive = driveShop(shop, [list, item, label('all')])
  await drive.apply(digestOf(await drive.check()))
  const begin = shop.received.length
  const look = async () => {
    drive.clock.forward(60_000)
    const { run, plan } = await checkRecorded({ workspace, trigger: 'cli', actor }, drive.deps)
    if (plan === undefined) throw new Error(run.error?.message)
    return { run, plan, page: renderPlan(plan, { format: 'text' }) }
  }
  return {
    ...{ shop, drive, look, asked: () => shop.received.length - begin },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

describe('a plan without a refresh', () => {
  it('asks the target nothing, never says "in sync", and has nothing to approve', async () => {
    await using here = await open()
    const { run, plan, page } = await here.look()
    expect([plan.changes, plan.unchecked, plan.commands]).toEqual([[], [], []])
    expect([run.status, plan.inSync, plan.complete]).toEqual(['incomplete', false, false])
    expect(page).toContain('shop: by the records alone, no changes')
    expect(page).toContain('nothing live was read')
    expect(page).not.toContain('in sync')
    expect(page).not.toContain('--digest')
    expect(here.asked()).toBe(0)
    const asked = { workspace, mode: 'execute', digest: plan.digests.commands, reason: 'r', actor } as const
    await expect(requestApply({ ...asked, runId: run.id }, here.drive.deps)).rejects.toMatchObject({
      code: 'PLAN_NOT_FOUND',
    })
  })

  it('plans the configuration against the records, and does not see outside changes', async () => {
    await using here = await open()
    here.shop.state.labels.delete('sale')
    here.drive.configure([list, label('some'), '{ type: shop_label, name: new, spec: { name: new, text: all } }'])
    const { plan } = await here.look()
    expect(plan.changes.map(({ address, action, blocked }) => [address, action, blocked]).toSorted()).toEqual([
      ['shop_item.tea', 'delete', undefined],
      ['shop_label.new', 'create', undefined],
      ['shop_label.sale', 'update', undefined],
    ])
    expect(plan.counts).toMatchObject({ create: 1, update: 1, delete: 1, blocked: 0, commands: 0 })
    expect(here.asked()).toBe(0)
  })

  it('is stored apart from the checks: it is found by its id, and changes no list, no record and no alert', async () => {
    await using here = await open()
    const { store } = here.drive.deps
    const state = async () => [
      await listRuns(store, workspace, { limit: 50 }),
      await loadRecorded(store, workspace),
      here.drive.alerts.length,
    ]
    const before = await state()
    here.drive.configure([list])
    const { run, plan } = await here.look()
    expect(await state()).toEqual(before)
    const records = await openRecords(store, workspace)
    expect(await records.run(run.id)).toEqual(run)
    expect(await records.plan(run.id)).toEqual(plan)
  })

  it('is queued at an endpoint beside a pending check, and is found by the time of its request', async () => {
    await using here = await open()
    const { deps, queued, current } = here.drive
    await putWorkspace({ bundle: current.bundle, actor }, deps)
    queued.check.length = 0
    await requestCheck({ workspace, actor }, deps)
    here.drive.clock.forward(1_000)
    const { scheduledFor, queued: isQueued } = await requestCheck({ workspace, actor, refresh: false }, deps)
    expect([isQueued, queued.check.map(({ refresh }) => refresh)]).toEqual([true, [undefined, false]])
    const before = here.asked()
    for (let n = 0; n < 2; n += 1) {
      const taken = await takeCheck(queued.check[1] ?? { workspace }, deps)
      expect(taken).toMatchObject({ kind: 'checked', run: { view: 'recorded', status: 'incomplete' } })
      const records = await openRecords(deps.store, workspace)
      expect(await records.scheduledRun(scheduledFor)).toMatchObject({ id: taken.kind === 'checked' && taken.run.id })
    }
    expect(here.asked()).toBe(before)
    expect(await takeCheck(queued.check[0] ?? { workspace }, deps)).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('stores a failed run where the configuration is invalid', async () => {
    await using here = await open()
    here.drive.configure(['{ type: shop_lable, name: x, spec: {} }'])
    const { run } = await checkRecorded({ workspace, trigger: 'cli', actor }, here.drive.deps)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'CONFIG_INVALID' }, view: 'recorded' })
  })
})
