import { describe, expect, it } from 'vitest'
import { describeGraph } from '../../../../core/engine/workflows/records/describe-graph.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'

const list = '{ type: shop_list, name: main, spec: { name: groceries } }'
const item = '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }'
const label = '{ type: shop_label, name: sale, dependsOn: [shop_list.main], spec: { name: sale, text: all } }'

describe('the graph that is stored', () => {
  it('follows references and dependsOn, shows the latest plan, and sends nothing to the target', async () => {
    await using shop = await startShop()
    const drive = driveShop(shop, [list, item, label])
    const first = await drive.check()
    const graph = await describeGraph({ workspace }, drive.deps)
    expect(graph.runId).toBe(first.run.id)
    expect(graph.nodes.map(({ address, action }) => `${address} ${action}`)).toEqual([
      'shop_item.tea create',
      'shop_label.sale create',
      'shop_list.main create',
    ])
    expect(graph.edges).toEqual([
      { from: 'shop_item.tea', to: 'shop_list.main' },
      { from: 'shop_label.sale', to: 'shop_list.main' },
    ])
    await drive.apply(digestOf(first))
    drive.clock.forward(60_000)
    drive.configure([])
    await drive.check()
    const before = shop.received.length
    const left = await describeGraph({ workspace }, drive.deps)
    expect(left.edges).toEqual([
      { from: 'shop_list.main', to: 'shop_item.tea' },
      { from: 'shop_list.main', to: 'shop_label.sale' },
    ])
    expect(left.nodes.every(({ action, orphan }) => action === 'delete' && orphan)).toBe(true)
    expect(shop.received).toHaveLength(before)
    const earlier = await describeGraph({ workspace, run: first.run.id }, drive.deps)
    expect(earlier.nodes.every(({ action }) => action === 'create')).toBe(true)
    await expect(describeGraph({ workspace, run: 'none' }, drive.deps)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  })
})
