import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digest } from '../../../core/engine/json/digest.ts'
import { driftOnly } from '../../../core/engine/plan/drift-view.ts'
import { viewHeadline } from '../../../core/pages/render/report/view-words.ts'
import { lawRuns } from '../../builders/laws.ts'
import { startShop } from '../../builders/servers/fake-api.ts'
import { renderPlan } from '../../builders/values/rendered.ts'
import { digestOf, driveShop } from '../../builders/workspaces/shop-workspace.ts'
import { somePlan } from '../../pages/render/arbitrary-plan.ts'

describe('a plan that shows drift only', () => {
  it('law: has the drift and the unreadable parts, no changes and no commands, and never says "in sync"', () => {
    fc.assert(
      fc.property(somePlan, (plan) => {
        const view = driftOnly(plan)
        expect([view.changes, view.commands, view.inSync]).toEqual([[], [], false])
        expect(view.digests.commands).toBe(digest([]))
        expect([view.drift, view.unchecked, view.complete]).toEqual([plan.drift, plan.unchecked, plan.complete])
        expect(viewHeadline(view)).not.toContain('in sync')
        const page = renderPlan(view, { format: 'text' })
        expect(page).not.toContain('--digest')
      }),
      lawRuns(200),
    )
  })

  it('shows the recorded and the observed value, whatever the configuration wants', async () => {
    await using shop = await startShop()
    const label = (text: string): string => `{ type: shop_label, name: sale, spec: { name: sale, text: ${text} } }`
    const drive = driveShop(shop, [label('all')])
    await drive.apply(digestOf(await drive.check()))
    const see = async () => {
      drive.clock.forward(60_000)
      const { plan } = await drive.check()
      if (plan === undefined) throw new Error('not planned')
      return renderPlan(driftOnly(plan), { format: 'text' })
    }
    drive.configure([label('some')])
    expect(await see()).toContain('shop: no drift, 1 recorded resource compared')
    shop.state.labels.set('sale', { name: 'sale', text: 'none' })
    const page = await see()
    expect(page).toContain('shop: 1 drifted resource')
    expect(page).toMatch(/"all" -> "none"|all -> none/)
    expect(page).not.toContain('some')
  })
})
