import { describe, expect, it } from 'vitest'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { driveShop } from '../../../builders/workspaces/shop-workspace.ts'

const resources = [
  '{ type: shop_label, name: sale, spec: { name: sale, text: all } }',
  '{ type: shop_label, name: other, spec: { name: other, text: all } }',
]
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const startWith = async (body: string, status = 200) => {
  const shop = await startShop()
  shop.state.labels.set('other', { name: 'other', text: 'nothing' })
  shop.behaviour.fault = ({ url }) => (url === '/labels/sale' ? { kind: 'answer', status, body } : undefined)
  return shop
}

describe('an answer that no later step can use', () => {
  it.each([
    ['half of a surrogate pair', '{"name":"sale","text":"\\ud83d"}'],
    ['half of a surrogate pair as a name', '{"name":"sale","text":{"\\udc00":1}}'],
    ['2,000 levels', `{"name":"sale","text":${nested(2_000)}}`],
    ['10,000 levels', `{"name":"sale","text":${nested(10_000)}}`],
    ['10,000 levels beside what is managed', `{"name":"sale","text":"all","more":${nested(10_000)}}`],
  ])('with %s leaves its resource unchecked, and no other', async (_, body) => {
    await using shop = await startWith(body)
    const { run, plan } = await driveShop(shop, resources).check()
    expect(run).toMatchObject({ status: 'incomplete' })
    expect(plan?.unchecked).toHaveLength(1)
    expect(plan?.unchecked).toMatchObject([
      { address: 'shop_label.sale', reason: 'bad_body', detail: expect.stringMatching(/surrogate|deep/) },
    ])
    expect(plan?.changes.map(({ address }) => address)).toEqual(['shop_label.other'])
  })

  it('does not hide its neighbours in a list', async () => {
    await using shop = await startShop()
    shop.state.lists.set(1, { id: 1, name: 'cut \ud83d', colour: 'red' })
    shop.state.lists.set(2, { id: 2, name: 'whole 🛒', colour: 'red' })
    const { run, plan } = await driveShop(shop, [
      '{ type: shop_list, name: main, spec: { name: "whole 🛒", colour: red } }',
    ]).check()
    expect([run.status, plan?.unchecked]).toEqual(['in_sync', []])
  })

  it('is recorded like any other failure when it answers a write', async () => {
    await using shop = await startShop()
    const { check, apply, entries } = driveShop(shop, [resources[0] ?? ''])
    const { run } = await check()
    shop.behaviour.fault = ({ method }) =>
      method === 'PUT' ? { kind: 'answer', status: 400, body: '"cut \\ud83d"' } : undefined
    expect(await apply(run.digests?.commands ?? '')).toMatchObject({
      status: 'failed',
      error: { code: 'APPLY_FAILED' },
      outcomes: [{ status: 'failed', httpStatus: 400, detail: 'cut �' }],
    })
    expect((await entries()).at(-1)).toMatchObject({ kind: 'finished' })
  })
})

describe('members with names that every JavaScript object has', () => {
  it('are ordinary members in an answer', async () => {
    await using shop = await startWith('{"name":"sale","__proto__":{"text":"all"},"constructor":{"text":"all"}}')
    const { plan } = await driveShop(shop, resources).check()
    expect(plan?.unchecked.find(({ address }) => address === 'shop_label.sale')).toMatchObject({
      attributes: ['text'],
      detail: expect.stringMatching(/^the answer has no text;/),
    })
    expect({}).not.toHaveProperty('text')
  })

  it.each([
    ['as an attribute', ['{ type: shop_label, name: a, spec: { name: a, constructor: x } }'], ''],
    ['as a source', [], 'variables: {}'],
  ])('are refused with a reason as %s', async (_, given) => {
    await using shop = await startShop()
    const { check, current } = driveShop(shop, given)
    if (given.length === 0) {
      const text = 'workspace: shop\nproviders: { p: { source: toString } }\nresources: []\n'
      current.bundle = { entry: 'plumbline.yaml', files: { 'plumbline.yaml': text } }
    }
    expect((await check()).run).toMatchObject({ status: 'failed', error: { code: 'CONFIG_INVALID' } })
  })
})
