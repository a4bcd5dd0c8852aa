import { beforeAll, describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { forgetRecorded } from '../../../../core/engine/state/runs/replace-recorded.ts'
import { formatName, kindOf } from '../../../../core/engine/state/store/kinds.ts'
import { keyOf } from '../../../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Item, Store, Write } from '../../../../core/engine/state/store/store.ts'
import { verified } from '../../../../core/engine/state/store/verified.ts'
import { kindNames } from '../../../../core/engine/state/store/words.ts'
import { verifyLedgerPart } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'
import { allItems, hurt, isHurt, now, storeFleet } from './fleet.ts'
import { serve, storeOf } from './serve.ts'

const kinds = Object.keys(kindNames)
const later = 2

let items: readonly Item[] = []
let sound: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  const store = memoryStore(movableClock(now))
  await storeFleet(store)
  items = await allItems(store)
  sound = await serve(await storeOf(items))
})

const itemOf = (kind: string): Item => items.filter(isHurt).find((one) => kindOf(one) === kind) ?? expect.unreachable()

/** A store with one item that a later version wrote, in a form that nobody knows yet. */
const withNewer = async (kind: string) => {
  const item = itemOf(kind)
  const key = { pk: item.pk, sk: item.sk }
  const newer = { ...key, [formatName]: later, form: 'of tomorrow' }
  const store = await storeOf(items.map((one) => (one === item ? newer : one)))
  return { store, key, newer }
}

/** Only a later version may look: the planted item has the form that it was written in. */
const isThere = async (store: Store, { pk, sk }: Item): Promise<boolean> => {
  const { damaged = [] } = await store.query({ pk, from: sk, to: sk })
  return damaged.some(({ error }) => isAppError(error, 'STATE_NEWER'))
}

const refusal = { code: 'STATE_NEWER', payload: { found: '2', known: '1' }, hint: 'update plumbline' }

describe.each(kinds)('a later %s', (kind) => {
  it('is refused by each read, which names it', async () => {
    const { store, key } = await withNewer(kind)
    await expect(store.get(key)).rejects.toMatchObject(refusal)
    const page = await store.query({ pk: key.pk, from: key.sk, to: key.sk })
    expect(page).toMatchObject({ items: [], damaged: [{ key, kind, error: refusal }] })
  })
  it('is neither replaced, nor deleted, nor checked, and nothing that is written with it is written', async () => {
    const { store, key, newer } = await withNewer(kind)
    const other = { pk: 'other', sk: 'item' }
    const writes: readonly Write[] = [
      { kind: 'put', item: key },
      { kind: 'put', item: key, if: [{ kind: 'exists' }] },
      { kind: 'put', item: key, if: [{ kind: 'absent' }] },
      { kind: 'delete', key },
      { kind: 'check', key, if: [{ kind: 'exists' }] },
    ]
    for (const write of writes)
      await expect(store.write([{ kind: 'put', item: other }, write])).rejects.toMatchObject(refusal)
    expect(await store.get(other)).toBeUndefined()
    expect(await isThere(store, newer)).toBe(true)
  })
  it('stays whatever serves many, which goes on with all others', async () => {
    const { store, newer } = await withNewer(kind)
    const served = await serve(store)
    expect(served.others).toEqual(sound.others)
    expect(served.failures.filter((code) => code !== 'STATE_NEWER')).toEqual([])
    expect(await isThere(store, newer)).toBe(true)
  })
  it('outlives a push, and a removal and its sweeps, of its workspace', async () => {
    const { store, newer } = await withNewer(kind)
    const { deps } = testDeps({ store, clock: movableClock(now) })
    const change = async (work: () => Promise<unknown>) =>
      work().catch((error: unknown) => expect(error).toMatchObject({ code: 'STATE_NEWER' }))
    const bundle = yaml(`workspace: ${hurt}\nschedule: rate(15 minutes)\n`)
    await change(() => putWorkspace({ bundle, actor }, deps))
    await change(() => removeWorkspace({ workspace: hurt, actor, reason: 'gone' }, deps))
    await change(() => forgetRecorded(store, hurt))
    expect(await isThere(store, newer)).toBe(true)
  })
})

it.each(['entry', 'apply'])('a ledger with a later %s is not called changed, nor intact', async (kind) => {
  const { store } = await withNewer(kind)
  await expect(verifyLedgerPart({ workspace: hurt, most: 1_000 }, { store })).rejects.toMatchObject(refusal)
})

it('a workspace of a later format stays due, and does not go into quarantine', async () => {
  const { store } = await withNewer('workspace')
  const before = await serve(store)
  expect(before.failures).toContain('STATE_NEWER')
  const { damaged = [] } = await store.query({ pk: itemOf('due').pk, prefix: '2026' })
  expect(damaged).toEqual([])
  expect(await store.get(itemOf('due'))).toMatchObject({ sk: itemOf('due').sk })
})

describe('the format of an item', () => {
  const seen: Write[] = []
  const watched = (): Store => {
    const inner = memoryStore(movableClock(now))
    return verified({
      ...inner,
      write: (writes) => {
        seen.push(...writes)
        return inner.write(writes)
      },
    })
  }
  it('is in everything that is written, and in nothing that is read', async () => {
    const store = watched()
    await storeFleet(store)
    const put = seen.flatMap((write) => (write.kind === 'put' ? [write.item] : []))
    expect(put.filter((item) => item[formatName] !== 1)).toEqual([])
    expect((await allItems(store)).filter((item) => formatName in item)).toEqual([])
    expect(new Set(seen.map((write) => kindOf(keyOf(write))))).not.toContain(undefined)
  })
  it.each([['text'], [{}], [null]])('that is no number is damage: %j', async (format) => {
    const store = await storeOf([{ ...itemOf('run'), [formatName]: format }])
    await expect(store.get(itemOf('run'))).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })
})
