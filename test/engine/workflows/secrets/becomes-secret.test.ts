import { expect, it } from 'vitest'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop } from '../../../builders/workspaces/shop-workspace.ts'

const list = (note: string) => `{ type: shop_list, name: main, spec: { name: groceries, colour: ${note} } }`

it.each([
  ['another value', 'quite another note', { changes: [{ causes: [{ cause: 'pending' }] }], drift: [] }],
  ['the same value', 'a note in clear', { changes: [], drift: [] }],
])('a value that becomes a secret with %s is no drift: nobody touched the target', async (_, value, expected) => {
  await using shop = await startShop()
  const { check, apply, secrets, configure } = driveShop(shop, [list('a note in clear')])
  await apply(digestOf(await check()))
  configure([list('{ secret: "env:NOTE" }')])
  secrets['env:NOTE'] = value
  const { plan } = await check()
  expect(plan).toMatchObject(expected)
  expect((await check()).plan).toMatchObject(expected)
})

it('a value that becomes a secret, and was changed outside as well, is a conflict', async () => {
  await using shop = await startShop()
  const { check, apply, secrets, configure } = driveShop(shop, [list('a note in clear')])
  await apply(digestOf(await check()))
  for (const [id, one] of shop.state.lists) shop.state.lists.set(id, { ...one, colour: 'of somebody' })
  configure([list('{ secret: "env:NOTE" }')])
  secrets['env:NOTE'] = 'quite another note'
  expect((await check()).plan).toMatchObject({ changes: [{ causes: [{ cause: 'conflict' }] }], drift: [{}] })
})
