import { expect, it } from 'vitest'
import { appendLedger } from '../../../core/engine/state/ledger.ts'
import { queryLedger } from '../../../core/engine/state/ledger-query.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import { meteredStore } from '../../builders/time/metered-store.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aDraft } from '../../builders/values/records.ts'

/* The chain of a workspace has no end; a page of it must not cost as much as all of it. */

const filled = async (count: number) => {
  const { store, take } = meteredStore(memoryStore(testClock()))
  for (let n = 0; n < count; n += 10)
    await appendLedger(
      store,
      'acme',
      Array.from({ length: 10 }, (_, each) => aDraft(n + each + 1)),
    )
  take()
  return { store, take }
}

it.each([
  ['the first ones', {}],
  ['those after a number', { after: '500' }],
])('reading ten of a thousand entries, %s, costs as much as reading ten of ten', async (_, query) => {
  const { store, take } = await filled(1000)
  const page = await queryLedger(store, 'acme', { ...query, limit: 10 })
  expect(page.items).toHaveLength(10)
  expect(page.next).toBe(String(page.items.at(-1)?.seq))
  const { read } = take()
  expect(read).toBeLessThanOrEqual(5)
})

it('a filter finds matching entries however far away they are, and says where the next page begins', async () => {
  const { store } = await filled(400)
  await appendLedger(store, 'acme', [aDraft(401, { actor: { subject: 'mona', via: 'api' } })])
  await appendLedger(store, 'acme', [aDraft(402, { actor: { subject: 'mona', via: 'api' } })])
  const first = await queryLedger(store, 'acme', { actor: 'mona', limit: 1 })
  expect(first).toMatchObject({ items: [{ seq: 401 }], next: '401' })
  expect(await queryLedger(store, 'acme', { actor: 'mona', limit: 1, after: '401' })).toMatchObject({
    items: [{ seq: 402 }],
  })
})
