import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import type { Deps } from '../../../../core/engine/workflows/deps.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { eachOf } from '../../../builders/long.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { turns } from '../../../builders/time/turns.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }',
  '{ type: shop_item, name: oats, spec: { list: "${resource.shop_list.main.id}", title: oats } }',
  '{ type: shop_label, name: sale, spec: { name: sale, text: all } }',
]

/** The ports of one worker: what it writes to the target goes by `wire` first. */
const worker = (deps: Deps, wire: (inner: Transport) => Transport): Deps => ({
  ...deps,
  transport: (confines) => wire(deps.transport(confines)),
})

/** Small and repeatable: https://en.wikipedia.org/wiki/Linear_congruential_generator */
const randomOf = (seed: number) => {
  let value = seed
  return () => {
    value = (value * 1_103_515_245 + 12_345) % 2 ** 31
    return value / 2 ** 31
  }
}

const seeds = Array.from({ length: 10 }, (_, index) => index + 1)

describe('two workers on one workspace', () => {
  eachOf(it, 2)(seeds)(
    'never write at the same time: one works and the other waits or is told to, seed %d',
    async (seed) => {
      await using shop = await startShop()
      const drive = driveShop(shop, resources, { clock: systemClock, limits: { concurrency: 4, leaseMs: 3_000 } })
      const digest = digestOf(await drive.check())
      const random = randomOf(seed)
      const applies = [await drive.request(digest), await drive.request(digest)]
      const writers: string[] = []
      const ends = await Promise.all(
        applies.map(async ({ id }, index) => {
          const deps = worker(drive.deps, (inner) => ({
            send: async (request, signal) => {
              await turns(random() * 30)
              if (request.effect === 'write') writers.push(id)
              return inner.send(request, signal)
            },
          }))
          await turns(random() * 80)
          const patient = (seed + index) % 2 === 0
          return runApply({ workspace, applyId: id, patient }, deps).catch((error: unknown) => error)
        }),
      )
      // Whoever came second found nothing to do any more, or was not let in.
      expect(new Set(writers).size).toBe(1)
      expect(writers).toHaveLength(resources.length)
      const told = ends.map((end) => (isAppError(end) ? end.code : (end as { status: string }).status))
      expect(told.toSorted()).toEqual([expect.stringMatching(/^(LOCKED|refused)$/), 'succeeded'])
      expect(shop.state.lists.size + shop.state.items.size).toBe(3)
      expect(await verifyLedger({ workspace }, drive.deps)).toMatchObject({ ok: true })
    },
  )

  const isCreate = (url: string) => url.includes('/items')
  it.each(['the read before its write', 'the write itself'] as const)(
    'send nothing more after a sleep in %s beyond the lease',
    async (moment) => {
      await using shop = await startShop()
      const clock = movableClock()
      const drive = driveShop(shop, resources, { clock })
      const digest = digestOf(await drive.check())
      const [first, second] = [await drive.request(digest), await drive.request(digest)]
      const asleep = Promise.withResolvers<void>()
      const wake = Promise.withResolvers<void>()
      let planned = false
      const sleeper = worker(drive.deps, (inner) => ({
        send: async (request, signal) => {
          planned ||= request.effect === 'write'
          const here = request.effect === (moment === 'the write itself' ? 'write' : 'read')
          if (planned && here && isCreate(request.url)) {
            asleep.resolve()
            await wake.promise
          }
          return inner.send(request, signal)
        },
      }))
      const end = runApply({ workspace, applyId: first.id }, sleeper).catch((error: unknown) => error)
      await asleep.promise
      const before = shop.writes().length
      const other = await runApply({ workspace, applyId: second.id, patient: true }, drive.deps)
      wake.resolve()
      expect(await end).toMatchObject({ code: 'LOCK_LOST' })
      // Not even what had its leave already: that is asked for once more when the bytes are about to go.
      expect(shop.writes()).toHaveLength(before)
      expect(other.status).toBe('refused')
      expect(await verifyLedger({ workspace }, drive.deps)).toMatchObject({ ok: true })
    },
  )
})
