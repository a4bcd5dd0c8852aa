import { expect, it } from 'vitest'
import { startShop } from '../builders/fake-api.ts'
import { driveShop } from '../builders/shop-workspace.ts'

const label = '{ type: shop_label, name: sale, spec: { name: sale, password: { secret: "env:PASSWORD" } } }'

it('a secret that is replaced between check and apply makes another plan', async () => {
  await using shop = await startShop()
  const { check, apply, secrets } = driveShop(shop, [label])
  secrets['env:PASSWORD'] = 'the approved one'
  const { run } = await check()
  secrets['env:PASSWORD'] = 'another one'
  expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
  expect(shop.writes()).toEqual([])
})

it('a secret that is replaced between the comparison and the request is sent as it was compared', async () => {
  await using shop = await startShop()
  const { check, apply, secrets, deps } = driveShop(shop, [label])
  secrets['env:PASSWORD'] = 'the approved one'
  const { run } = await check()
  // The comparison is over once the first command is announced.
  const announced: string[] = []
  Object.assign(deps, {
    progress: ({ step }: { readonly step: string }) => {
      announced.push(step)
      if (step === 'command') secrets['env:PASSWORD'] = 'another one'
    },
  })
  await apply(run.digests?.commands ?? '')
  expect(announced).toContain('command')
  expect(shop.writes().map(({ body }) => body)).toEqual(['{"password":"the approved one"}'])
})
