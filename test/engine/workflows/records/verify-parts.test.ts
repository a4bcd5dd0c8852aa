import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerPlace, LedgerVerdict } from '../../../../core/engine/schema/stored/records.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Item, Store } from '../../../../core/engine/state/store/store.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger, verifyLedgerPart } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { actor, movableClock, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* A ledger that is verified in parts, or from a head that was verified before. */

const workspace = 'parts'
const room = temporaryFolder()
let items: readonly Item[] = []
let entries: readonly Item[] = []

const bundle = yaml(
  [
    `workspace: ${workspace}`,
    `providers: { host: { source: host, with: { root: ${JSON.stringify(room.path)} } } }`,
    'resources:',
    ...['a', 'b'].map((name) => `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: ${name} } }`),
  ].join('\n'),
)

const storeOf = async (all: readonly Item[]): Promise<Store> => {
  const store = memoryStore(movableClock())
  for (const item of all) await store.write([{ kind: 'put', item }])
  return store
}

type Head = { readonly seq: number; readonly hash: string }

const verifyInParts = async (all: readonly Item[], most: number, from?: Head) => {
  const store = await storeOf(all)
  let parts = 0
  for (let place: LedgerPlace | undefined; ; ) {
    const result: LedgerVerdict | { next: LedgerPlace } = await verifyLedgerPart(
      { workspace, place, most, from },
      { store },
    )
    parts += 1
    if ('ok' in result) return { verdict: result, parts }
    place = JSON.parse(JSON.stringify(result.next))
  }
}

const headAt = (seq: number): Head => {
  const { hash } = (entries[seq - 1]?.['body'] ?? { hash: `sha256:${'0'.repeat(64)}` }) as unknown as Head
  return { seq, hash }
}

const edited = (item: Item): Item => ({ ...item, body: { ...(item['body'] as object), reason: 'other' } })

beforeAll(async () => {
  const clock = movableClock()
  const { deps } = testDeps({ bundle, clock })
  const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  for (const mode of ['check', 'check', 'execute'] as const) {
    const asked = { workspace, mode, digest: plan?.digests.commands ?? '', reason: 'parts', actor }
    const { id } = await requestApply(asked, deps)
    expect(await runApply({ workspace, applyId: id }, deps)).toMatchObject({ status: 'succeeded' })
    clock.forward(24 * 3_600_000)
  }
  entries = (await deps.store.query({ pk: `L#${workspace}`, from: '0', to: '9' })).items
  items = [
    ...entries,
    ...(await deps.store.query({ pk: `L#${workspace}`, prefix: 'HEAD' })).items,
    ...(await deps.store.query({ pk: `A#${workspace}`, prefix: 'APPLY#' })).items,
    ...(await deps.store.query({ pk: `W#${workspace}`, prefix: 'META' })).items,
  ]
})
afterAll(room.remove)

describe('a verification in parts', () => {
  it('has the verdict of the whole one, however short its parts are', async () => {
    const whole = await verifyLedger({ workspace }, { store: await storeOf(items) })
    expect(whole).toEqual({ ok: true, workspace, entries: entries.length, head: headAt(entries.length).hash })
    expect(await verifyInParts(items, 1_000)).toEqual({ verdict: whole, parts: 1 })
    for (let most = 1; most <= entries.length; most += 1) {
      const { verdict, parts } = await verifyInParts(items, most)
      expect(verdict).toEqual(whole)
      expect(parts).toBeGreaterThanOrEqual(entries.length / most)
    }
  })

  it('finds every entry or record that is missing, and every entry that was edited, in whichever part it is', async () => {
    for (const [at, item] of items.entries()) {
      if (item.sk === 'META') continue
      const { verdict } = await verifyInParts(items.toSpliced(at, 1), 2)
      expect(verdict, item.sk).toMatchObject({ ok: false })
      if (!entries.some(({ sk }) => sk === item.sk)) continue
      const seq = Number(item.sk)
      expect((await verifyInParts(items.with(at, edited(item)), 2)).verdict).toMatchObject({ ok: false, seq })
    }
  })

  it('finds what changes between two of its parts at the place where they meet', async () => {
    const store = await storeOf(items)
    const first = await verifyLedgerPart({ workspace, most: 3 }, { store })
    if ('ok' in first) throw new Error('it has ended')
    expect(first.verified).toBe(3)
    await store.write([{ kind: 'put', item: edited(entries[2] as Item) }])
    const second = await verifyLedgerPart({ workspace, most: 3, place: first.next }, { store })
    expect(second).toMatchObject({ ok: false, seq: 3 })
  })
})

describe('a verification from a head that was verified before', () => {
  it('says that it has not read what is older', async () => {
    for (let seq = 1; seq <= entries.length; seq += 1) {
      const { verdict } = await verifyInParts(items, 4, headAt(seq))
      expect(verdict).toMatchObject({ ok: true, entries: entries.length, from: seq })
    }
    expect((await verifyInParts(items, 4, headAt(0))).verdict).not.toHaveProperty('from')
  })

  it('finds an edit of the head itself and of all that follows, and nothing before it', async () => {
    const seq = 5
    for (const [at, item] of entries.entries()) {
      const changed = items.map((one) => (one.sk === item.sk ? edited(item) : one))
      const { verdict } = await verifyInParts(changed, 4, headAt(seq))
      expect(verdict.ok, item.sk).toBe(at + 1 < seq)
    }
  })

  it.each<[string, () => Head, number]>([
    ['another hash', () => ({ ...headAt(4), hash: headAt(5).hash }), 4],
    ['a number that no entry has yet', () => ({ seq: 1_000, hash: headAt(1).hash }), 1_000],
    ['another beginning', () => ({ seq: 0, hash: headAt(1).hash }), 1],
  ])('refuses %s', async (_, head, seq) => {
    expect((await verifyInParts(items, 4, head())).verdict).toMatchObject({ ok: false, seq })
  })

  it('compares the applies that ended since, and not those that ended long before', async () => {
    const applies = items.filter(({ sk }) => sk.startsWith('APPLY#'))
    const head = headAt(Math.max(...entries.filter(({ body }) => isOf(body, applies[1])).map(({ sk }) => Number(sk))))
    for (const [at, apply] of applies.entries()) {
      const record = apply['body'] as object
      const forged = { ...apply, body: { ...record, reason: 'forged' } } as Item
      const changed = items.map((one) => (one.sk === apply.sk ? forged : one))
      expect((await verifyInParts(changed, 1_000)).verdict.ok).toBe(false)
      expect((await verifyInParts(changed, 1_000, head)).verdict.ok, `apply ${at}`).toBe(at === 0)
    }
  })
})

const isOf = (body: unknown, apply: Item | undefined): boolean =>
  `APPLY#${(body as { readonly applyId?: string }).applyId}` === apply?.sk
