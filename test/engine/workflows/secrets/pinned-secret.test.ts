import { describe, expect, it } from 'vitest'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { type Shop, startShop } from '../../../builders/servers/fake-api.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { handingOverIn, movableClock } from '../../../builders/workspaces/workspace.ts'

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

describe('a secret inside of a text that waits for an id', () => {
  const resources = [
    '{ type: shop_list, name: main, spec: { name: groceries } }',
    '{ type: shop_label, name: key, spec: { name: key, password: { secret: "env:PASSWORD" } } }',
    '{ type: shop_label, name: door, spec: { name: door, password: "${resource.shop_list.main.id}:${resource.shop_label.key.password}" } }',
  ]
  const start = async (shop: Shop) => {
    const clock = movableClock()
    const driven = driveShop(shop, resources, {
      clock,
      // Each write takes a second.
      wire: (inner) => ({
        send: async (request, signal) => {
          if (request.effect === 'write') clock.forward(1_000)
          return inner.send(request, signal)
        },
      }),
    })
    const setPassword = (password: string): void => {
      driven.secrets['env:PASSWORD'] = password
      shop.state.labels.set('key', { name: 'key', password })
    }
    setPassword('the approved one')
    const { run } = await driven.check()
    return { ...driven, clock, setPassword, digest: run.digests?.commands ?? '' }
  }

  it('makes another plan where it is replaced between check and apply', async () => {
    await using shop = await startShop()
    const { apply, digest, setPassword } = await start(shop)
    setPassword('another one')
    expect(await apply(digest)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(shop.writes()).toEqual([])
  })

  it.each([
    ['as it was approved', 'the approved one', 'succeeded', ['/lists', '/labels/door']],
    ['not at all once it was replaced', 'another one', 'refused', ['/lists']],
  ])('is sent by the next worker %s', async (_, password, status, writes) => {
    await using shop = await startShop()
    const { request, runAgain, digest, setPassword, deps } = await start(shop)
    const { id } = await request(digest)
    expect(await runApply({ workspace, applyId: id }, handingOverIn(500, deps))).toMatchObject({ status: 'queued' })
    setPassword(password)
    expect(await runAgain(id)).toMatchObject({ status })
    expect(shop.writes().map(({ url }) => url)).toEqual(writes)
  })
})
