import { describe, expect, it } from 'vitest'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { long } from '../../../builders/long.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { handingOverIn, movableClock } from '../../../builders/workspaces/workspace.ts'

const labels = Array.from({ length: 29 }, (_, index) => `label-${String(index).padStart(2, '0')}`)
const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  ...labels.map(
    (name) =>
      `{ type: shop_label, name: ${name}, spec: { name: ${name}, text: "of ${'${resource.shop_list.main.id}'}" } }`,
  ),
]

/** Each write takes a second; a worker has five of them. */
const start = (shop: Awaited<ReturnType<typeof startShop>>) => {
  const clock = movableClock()
  const drive = driveShop(shop, resources, {
    clock,
    wire: (inner) => ({
      send: async (request, signal) => {
        if (request.effect === 'write') clock.forward(1_000)
        return inner.send(request, signal)
      },
    }),
  })
  const work = async (id: string) => {
    for (let invocations = 1; ; invocations += 1) {
      const apply = await runApply({ workspace, applyId: id }, handingOverIn(5_000, drive.deps))
      if (apply.finishedAt !== undefined) return { apply, invocations }
      expect(apply.status).toBe('queued')
      expect(drive.queued.apply).toHaveLength(invocations + 1)
      const { outcomes, results = { applied: -1, remaining: -1 } } = apply
      if (outcomes.every(({ status }) => status === 'succeeded'))
        expect([results.applied, results.remaining]).toEqual([outcomes.length, resources.length - outcomes.length])
    }
  }
  return { ...drive, work }
}

describe('an apply that is longer than its worker', () => {
  it('continues from worker to worker and sends each command once', long, async () => {
    await using shop = await startShop()
    const { check, request, work, deps } = start(shop)
    const { id } = await request(digestOf(await check()))
    const { apply, invocations } = await work(id)
    expect(apply).toMatchObject({ status: 'succeeded' })
    expect(apply.outcomes).toHaveLength(resources.length)
    expect(apply.results).toEqual({ applied: resources.length, failed: 0, skipped: 0, remaining: 0 })
    expect(invocations).toBe(6)
    expect(shop.writes().map(({ url }) => url)).toEqual(['/lists', ...labels.map((name) => `/labels/${name}`)])
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
    expect(await verifyLedger({ workspace }, deps)).toMatchObject({ ok: true })
    const entries = await Array.fromAsync(readLedger(deps.store, workspace))
    for (const kind of ['intent', 'result']) {
      expect(entries.filter((entry) => entry.kind === kind)).toHaveLength(resources.length)
    }
  })

  it('does not repeat a command that an earlier worker saw fail', long, async () => {
    await using shop = await startShop()
    shop.behaviour.fault = ({ method, url }) =>
      method === 'PUT' && url === '/labels/label-01' ? { kind: 'answer', status: 422 } : undefined
    const { check, request, work } = start(shop)
    const { id } = await request(digestOf(await check()))
    const { apply } = await work(id)
    expect(apply).toMatchObject({ status: 'failed', error: { code: 'APPLY_FAILED' } })
    expect(apply.error?.message).toContain('shop_label.label-01#1')
    expect(shop.writes().map(({ url }) => url)).toEqual(['/lists', ...labels.map((name) => `/labels/${name}`)])
    expect(shop.state.labels.size).toBe(labels.length - 1)
  })

  it('skips the dependents of a failure of an earlier worker', async () => {
    await using shop = await startShop()
    shop.behaviour.fault = ({ method }) => (method === 'POST' ? { kind: 'answer', status: 422 } : undefined)
    const { check, request, work } = start(shop)
    const { id } = await request(digestOf(await check()))
    const { apply } = await work(id)
    expect(apply.outcomes.map(({ status }) => status)).toEqual(['failed', ...labels.map(() => 'skipped')])
    expect(apply.results).toEqual({ applied: 0, failed: 1, skipped: labels.length, remaining: 0 })
    expect(new Set(apply.resources?.flatMap(({ because = [] }) => because))).toEqual(new Set(['shop_list.main']))
    expect(shop.writes()).toHaveLength(1)
  })
})
