import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../../../core/engine/schema/stored/records.ts'
import { appendLedger, readLedger } from '../../../core/engine/state/ledger.ts'
import { type LedgerFilter, ledgerOrders, queryLedger } from '../../../core/engine/state/ledger-query.ts'
import { keys } from '../../../core/engine/state/store/keys.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { lawRuns } from '../../builders/laws.ts'
import { eachOf } from '../../builders/long.ts'
import { meteredStore } from '../../builders/time/metered-store.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aDraft } from '../../builders/values/records.ts'

/* The entries of an apply or an actor are found by an index, whoever wrote the ledger. */

interface Append {
  readonly apply?: string | undefined
  readonly actor: string
  readonly count: number
  /** Written by a version without an index. */
  readonly isOld: boolean
}

const anAppend: fc.Arbitrary<Append> = fc.record({
  apply: fc.constantFrom('a', 'b', undefined),
  actor: fc.constantFrom('ada', 'bo'),
  count: fc.integer({ min: 1, max: 4 }),
  isOld: fc.boolean(),
})

/** Takes away what a version without an index would not have written. */
const withoutIndex = async (store: Store, from: number): Promise<void> => {
  const { items } = await store.query({ pk: keys.head('acme').pk })
  for (const { pk, sk, index: _, ...head } of items) {
    if (sk === 'HEAD') await store.write([{ kind: 'put', item: { ...head, pk, sk } }])
    const isNew = /^A/.test(sk) && Number(sk.slice(sk.lastIndexOf('#') + 1)) >= from
    if (isNew) await store.write([{ kind: 'delete', key: { pk, sk } }])
  }
}

const fill = async (store: Store, appends: readonly Append[]): Promise<readonly LedgerEntry[]> => {
  let n = 0
  for (const { apply, actor, count, isOld } of appends) {
    const more = { actor: { subject: actor, via: 'api' as const }, ...(apply === undefined ? {} : { applyId: apply }) }
    const drafts = Array.from({ length: count }, (_, at) => {
      const { applyId: _old, ...draft } = aDraft(n + at)
      return { ...draft, ...more }
    })
    await appendLedger(store, 'acme', drafts)
    if (isOld) await withoutIndex(store, n + 1)
    n += count
  }
  return Array.fromAsync(readLedger(store, 'acme'))
}

const filters: readonly LedgerFilter[] = [
  { applyId: 'a' },
  { applyId: 'b', actor: 'ada' },
  { actor: 'bo' },
  { applyId: 'none' },
  { applyId: 'a', from: aDraft(5).at },
  { actor: 'ada', to: aDraft(7).at },
]

const isWanted = ({ applyId, actor, from = '', to = 'Z' }: LedgerFilter, entry: LedgerEntry): boolean =>
  (applyId === undefined || entry.applyId === applyId) &&
  (actor === undefined || entry.actor.subject === actor) &&
  entry.at >= from &&
  entry.at <= to

describe('a query by apply or actor', () => {
  it('finds the same entries as a search of all of them, in both orders, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAppend, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), async (appends, limit) => {
        const store = memoryStore(testClock())
        const all = await fill(store, appends)
        for (const filter of filters)
          for (const order of ledgerOrders) {
            const wanted = all.filter((entry) => isWanted(filter, entry)).map(({ seq }) => seq)
            const found: number[] = []
            let after: string | undefined
            do {
              const paging = after === undefined ? {} : { after }
              const page = await queryLedger(store, 'acme', { ...filter, order, limit, ...paging })
              found.push(...page.items.map(({ seq }) => seq))
              after = page.next
            } while (after !== undefined)
            expect(found).toEqual(order === 'oldest' ? wanted : wanted.reverse())
          }
      }),
      lawRuns(400),
    )
  })

  eachOf(it, 1)(ledgerOrders)('reads what it answers, in a ledger of any length, %s first', async (order) => {
    const { store, take } = meteredStore(memoryStore(testClock()))
    const of = (apply: string, actor: string, count: number) => ({ apply, actor, count, isOld: false })
    const many = Array.from({ length: 30 }, () => of('a', 'ada', 50))
    await fill(store, [...many, of('b', 'bo', 3), ...many])
    take()
    for (const filter of [{ applyId: 'b' }, { actor: 'bo' }]) {
      const { items } = await queryLedger(store, 'acme', { ...filter, order, limit: 10 })
      expect(items).toHaveLength(3)
    }
    expect(take().read).toBeLessThan(100)
  })

  it('writes an item more where an apply or an actor begins, and none for each further entry', async () => {
    const { store, take } = meteredStore(memoryStore(testClock()))
    await fill(store, [{ apply: 'a', actor: 'ada', count: 1, isOld: false }])
    expect(take().put.sort()).toEqual(['000000000001', 'ACTOR', 'APPLY', 'HEAD'])
    await appendLedger(store, 'acme', [aDraft(2, { applyId: 'a', actor: { subject: 'ada', via: 'api' } })])
    expect(take().put.sort()).toEqual(['000000000002', 'HEAD'])
  })
})
