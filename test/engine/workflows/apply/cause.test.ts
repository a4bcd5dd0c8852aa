import { describe, expect, it } from 'vitest'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop } from '../../../builders/workspaces/shop-workspace.ts'

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_label, name: of-list, spec: { name: of-list, list: "${resource.shop_list.main.id}", text: old } }',
  '{ type: shop_label, name: sale, spec: { name: sale, password: { secret: "env:SHOP_PASSWORD" } } }',
  '{ type: shop_label, name: plain, spec: { name: plain, text: all } }',
]

type Drive = ReturnType<typeof driveShop>
type Shop = Awaited<ReturnType<typeof startShop>>

/** What fails between the check and the apply, and what is said of it. */
const causes: Record<
  string,
  { fail: (shop: Shop, drive: Drive) => void; says: RegExp; mend: (shop: Shop, drive: Drive) => void }
> = {
  'the target is down': {
    fail: (shop) => {
      shop.behaviour.fault = () => ({ kind: 'reset' })
    },
    says: /^\S+ and 3 more could not be read for this apply: .*http:\/\/127\.0\.0\.1:\d+\S* (failed:|does not respond) .*; nothing was sent$/,
    mend: (shop) => {
      shop.behaviour.fault = () => undefined
    },
  },
  'one object fails': {
    fail: (shop) => {
      shop.behaviour.fault = ({ url }) => (url === '/labels/plain' ? { kind: 'answer', status: 500 } : undefined)
    },
    says: /^shop_label\.plain could not be read for this apply: .*500.*; nothing was sent$/,
    mend: (shop) => {
      shop.behaviour.fault = () => undefined
    },
  },
  'a dependency fails, and what follows from it comes after it': {
    fail: (shop) => {
      shop.behaviour.fault = ({ url }) => (url.startsWith('/lists') ? { kind: 'answer', status: 503 } : undefined)
    },
    says: /^shop_list\.main( and \d more)? could not be read for this apply: .*503.*; nothing was sent$/,
    mend: (shop) => {
      shop.behaviour.fault = () => undefined
    },
  },
  'a secret is missing': {
    fail: (_, { secrets }) => {
      delete secrets['env:SHOP_PASSWORD']
    },
    says: /^shop_label\.sale could not be read for this apply: env:SHOP_PASSWORD, it is not set; nothing was sent$/,
    mend: (_, { secrets }) => {
      secrets['env:SHOP_PASSWORD'] = 'a password'
    },
  },
}

describe('an apply that cannot read its objects', () => {
  it.each(Object.entries(causes))(
    'names the cause instead of calling the plan stale: %s',
    async (_, { fail, says, mend }) => {
      await using shop = await startShop()
      const drive = driveShop(shop, resources)
      drive.secrets['env:SHOP_PASSWORD'] = 'a password'
      const digest = digestOf(await drive.check())
      fail(shop, drive)
      const refused = await drive.apply(digest)
      expect(refused).toMatchObject({ status: 'refused', error: { code: 'TARGET_UNREAD' } })
      expect(refused.error?.message).toMatch(says)
      expect(shop.writes()).toEqual([])
      mend(shop, drive)
      expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    },
  )

  it('names a dependency that cannot be read, although it has no command', async () => {
    await using shop = await startShop()
    const drive = driveShop(shop, resources.slice(0, 2))
    expect(await drive.apply(digestOf(await drive.check()))).toMatchObject({ status: 'succeeded' })
    const label =
      '{ type: shop_label, name: of-list, spec: { name: of-list, list: "${resource.shop_list.main.id}", text: new } }'
    drive.configure([...resources.slice(0, 1), label])
    const digest = digestOf(await drive.check())
    shop.behaviour.fault = ({ url }) => (url.startsWith('/lists') ? { kind: 'answer', status: 503 } : undefined)
    const { error } = await drive.apply(digest)
    expect(error?.code).toBe('TARGET_UNREAD')
    expect(error?.message).toMatch(/^shop_list\.main and 1 more could not be read for this apply: .*503/)
  })

  it('names no cause that has nothing to do with it', async () => {
    await using shop = await startShop()
    const drive = driveShop(shop, resources.slice(0, 1))
    const digest = digestOf(await drive.check())
    drive.configure([...resources.slice(1), '{ type: shop_list, name: main, spec: { name: other } }'])
    expect(await drive.apply(digest)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
  })
})
