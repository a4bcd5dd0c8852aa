import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digest as digestOfValue } from '../../../../core/engine/json/digest.ts'
import type { Plan } from '../../../../core/engine/schema/stored/plan.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { aChange, aPlan, object } from '../../../builders/values/plans.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }',
  '{ type: shop_label, name: sale, spec: { name: sale, text: all } }',
  '{ type: shop_label, name: old, spec: { name: old, text: none } }',
]
const addresses = ['shop_list.main', 'shop_item.tea', 'shop_label.sale', 'shop_label.old']

const open = (shop: Awaited<ReturnType<typeof startShop>>) => {
  const drive = driveShop(shop, resources)
  const planned = async (): Promise<Plan> => {
    const { plan } = await drive.check()
    if (plan === undefined) throw new Error('not planned')
    return plan
  }
  const request = (digest: string, targets: readonly string[], mode: 'check' | 'execute' = 'execute') =>
    requestApply({ workspace, mode, digest, targets, reason: 'r', actor }, drive.deps)
  return { ...drive, planned, request }
}

describe('an apply of targets', () => {
  it('law: shows, approves, logs and sends the same commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(addresses, { minLength: 1 }), async (targets) => {
        await using shop = await startShop()
        const { planned, request, runAgain, entries } = open(shop)
        const narrow = narrowPlan(await planned(), { targets })
        const ids = narrow.commands.map(({ id }) => id)
        expect(narrow.digests.commands).toBe(digestOfValue(narrow.commands))
        const shown = renderPlan(narrow, { format: 'text' })
        expect(addresses.filter((address) => shown.includes(`# ${address}#1`))).toEqual(
          addresses.filter((address) => ids.includes(`${address}#1`)),
        )
        expect(shown).toContain(
          `--digest ${narrow.digests.commands}${targets.map((each) => ` --target ${each}`).join('')}`,
        )
        for (const mode of ['check', 'execute'] as const) {
          const { id } = await request(narrow.digests.commands, targets, mode)
          expect(await runAgain(id)).toMatchObject({ status: 'succeeded', digest: narrow.digests.commands })
          const kind = mode === 'check' ? 'logged' : 'attempt'
          const own = (await entries()).filter((entry) => entry.applyId === id && entry.kind === kind)
          expect(own.map(({ command }) => command?.['id'])).toEqual(ids)
          expect(shop.writes()).toHaveLength(mode === 'check' ? 0 : ids.length)
        }
      }),
      lawRuns(15),
    )
  })

  it('is not approved by the digest of all commands, and names its own digest', async () => {
    await using shop = await startShop()
    const { planned, request } = open(shop)
    const plan = await planned()
    const narrow = narrowPlan(plan, { targets: ['shop_label.sale'] }).digests.commands
    await expect(request(plan.digests.commands, ['shop_label.sale'])).rejects.toMatchObject({
      code: 'APPROVAL_DIFFERS',
      payload: { narrow, commands: 1 },
    })
    await expect(request(narrow, ['shop_label.old'])).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' })
    await expect(request(narrow, [])).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' })
    await expect(request(narrow, ['shop_label.other'])).rejects.toMatchObject({ code: 'TARGET_UNKNOWN' })
    expect(await request(plan.digests.commands, addresses)).toMatchObject({ status: 'queued' })
  })

  it.each<[string, Partial<Plan>, string]>([
    ['nothing is known of it', {}, 'the plan has no commands for "x_y.z"'],
    [
      'its change is blocked',
      {
        changes: [
          aChange({
            address: 'x_y.z',
            action: 'delete',
            diff: object({}),
            blocked: { reason: 'prevent_destroy', detail: 'it says preventDestroy' },
          }),
        ],
      },
      'the plan has no commands for "x_y.z": its change is blocked, prevent_destroy: it says preventDestroy',
    ],
    [
      'it could not be read',
      { unchecked: [{ address: 'x_y.z', reason: 'timeout', detail: 'no answer in 30 s' }] },
      'the plan has no commands for "x_y.z": it is unchecked, timeout: no answer in 30 s',
    ],
  ])('is refused with its reason where %s', (_, plan, message) => {
    expect(() => narrowPlan(aPlan(plan), { targets: ['x_y.z'] })).toThrow(
      expect.objectContaining({ code: 'TARGET_UNKNOWN', message }),
    )
  })

  it('is stale exactly where its own commands changed', async () => {
    await using shop = await startShop()
    const { planned, request, runAgain } = open(shop)
    const narrow = narrowPlan(await planned(), { targets: ['shop_label.sale'] }).digests.commands
    shop.state.labels.set('old', { name: 'old', text: 'moved' })
    expect(await runAgain((await request(narrow, ['shop_label.sale'])).id)).toMatchObject({ status: 'succeeded' })
    expect(shop.writes()).toHaveLength(1)
    const again = await request(narrow, ['shop_label.sale'])
    expect(await runAgain(again.id)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(shop.writes()).toHaveLength(1)
  })
})
