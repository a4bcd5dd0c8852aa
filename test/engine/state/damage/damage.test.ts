import { beforeAll, describe, expect, it } from 'vitest'
import { AppError, isAppError } from '../../../../core/engine/errors/errors.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { kindOf } from '../../../../core/engine/state/store/kinds.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Damaged, Item, Store } from '../../../../core/engine/state/store/store.ts'
import { reporting, unreadable } from '../../../../core/engine/state/store/verified.ts'
import { kindNames } from '../../../../core/engine/state/store/words.ts'
import { loadHoldings } from '../../../../core/engine/state/workspaces/holdings.ts'
import { listWorkspaces } from '../../../../core/engine/state/workspaces/list-workspaces.ts'
import { listVersions } from '../../../../core/engine/state/workspaces/versions.ts'
import { resendApplies } from '../../../../core/engine/workflows/apply/resend-applies.ts'
import { deliverLeftovers } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { findOverdue, oldestWaitSeconds } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { lawCases } from '../../../builders/laws.ts'
import { movableClock, testDeps } from '../../../builders/workspaces/workspace.ts'
import { allItems, fleet, home, hurt, isHurt, now, storeFleet } from './fleet.ts'

type Attributes = Record<string, Json | Uint8Array>

const bodyless = ({ body: _, packed: __, blob: ___, ...rest }: Attributes): Attributes => rest

/** Ways in which an item can be damaged. Not each of them damages each item. */
const waysOf = (item: Item): readonly (readonly [string, Attributes])[] => {
  const { pk: _, sk: __, ...attributes } = item as Attributes
  const { body } = attributes
  const members = typeof body === 'object' && !(body instanceof Uint8Array) ? Object.keys(body ?? {}) : []
  const withMember = (name: string, value: Json | undefined): Attributes =>
    JSON.parse(JSON.stringify({ ...attributes, body: { ...(body as object), [name]: value } }))
  return [
    ['cut', { [unreadable]: true }],
    ['empty', {}],
    ['a text', { ...bodyless(attributes), body: 'garbage' }],
    ['a number', { ...bodyless(attributes), body: 7 }],
    ['a foreign object', { ...bodyless(attributes), body: { garbage: 'garbage' } }],
    ['cut bytes', { ...bodyless(attributes), packed: new Uint8Array([31, 139, 3]) }],
    ['a missing blob', { ...bodyless(attributes), blob: { digest: 'sha256:00', chunks: 1 } }],
    ['a blob of no form', { ...bodyless(attributes), blob: 'garbage' }],
    ...Object.keys(attributes).flatMap((name) => {
      const { [name]: ___, ...rest } = attributes
      return [
        [`without ${name}`, rest],
        [`a number as ${name}`, { ...attributes, [name]: 7 }],
        [`a text as ${name}`, { ...attributes, [name]: 'garbage' }],
        [`an object as ${name}`, { ...attributes, [name]: {} }],
      ] as const
    }),
    ...members.flatMap(
      (name) =>
        [
          [`without its ${name}`, withMember(name, undefined)],
          [`a number as its ${name}`, withMember(name, 7)],
          [`a text as its ${name}`, withMember(name, 'garbage')],
        ] as const,
    ),
  ]
}

const storeOf = async (items: readonly Item[]): Promise<Store> => {
  const store = memoryStore(movableClock(now))
  for (let start = 0; start < items.length; start += 100)
    await store.write(items.slice(start, start + 100).map((item) => ({ kind: 'put', item })))
  return store
}

/** Where one workspace is read alone, its damage ends the read. A later format looks like that of a newer version. */
const orCorrupt = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT') || isAppError(error, 'STATE_NEWER')) return error.message
    throw error
  }
}

const readWorkspace = async (store: Store, id: string) => {
  const records = await openRecords(store, id)
  const page = { limit: 10 }
  return {
    runs: await records.runs(page),
    applies: await records.applies(page),
    versions: await listVersions(store, id, page),
    ledger: await records.ledger(page),
    later: await records.ledger({ ...page, from: '2026-03-01T06:00:05.000Z' }),
    exported: await Array.fromAsync(records.exportLedger({})),
    verdict: await records.verifyLedger(),
    episodes: await records.episodes(),
    backups: await records.backups(),
    state: await orCorrupt(() => records.state()),
  }
}

/** Calls everything that serves many, and returns what it said about all other workspaces. */
const serve = async (inner: Store) => {
  const told: Damaged[] = []
  const store = reporting(inner, (damaged) => told.push(damaged))
  const { deps, queued, alerts } = testDeps({ store })
  const isOther = ({ workspace }: { readonly workspace: string }) => workspace !== hurt
  const ids = <One extends { readonly id: string }>(all: readonly One[]) => all.filter(({ id }) => id !== hurt)
  const list = await listWorkspaces(store, { limit: 10 })
  const overdue = await findOverdue({ marginMs: -1 }, deps)
  const oldest = await oldestWaitSeconds(deps)
  const of = await Promise.all(fleet.map(async (id) => [id, await readWorkspace(store, id)] as const))
  const holdings = await loadHoldings(store, home)
  const due = await enqueueDue({}, deps)
  const resent = await resendApplies(deps)
  await deliverLeftovers(deps)
  const failures = [...due.failures, ...resent.failures].map(({ error }) => error.code)
  return {
    told,
    failures,
    list,
    of: new Map(of),
    others: {
      list: ids(list.items),
      overdue: overdue.filter(isOther),
      oldest,
      of: of.filter(([id]) => id !== hurt),
      holdings: holdings.filter(isOther),
      queued: queued.check.filter(isOther).toSorted((left, right) => (left.workspace < right.workspace ? -1 : 1)),
      quarantined: due.quarantined.filter(isOther),
      resent: resent.resent.filter(isOther),
      alerts: new Set(alerts.filter(isOther).map(({ workspace, id }) => `${workspace} ${id}`)),
    },
  }
}

let items: readonly Item[] = []
let sound: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  const store = memoryStore(movableClock(now))
  await storeFleet(store)
  items = await allItems(store)
  sound = await serve(await storeOf(items))
})

const damage = async (item: Item, attributes: Attributes) => {
  const { pk, sk } = item
  const damaged = { ...attributes, pk, sk, planted: true } as Item
  const store = await storeOf(items.map((one) => (one === item ? damaged : one)))
  const isRefused = (await store.get({ pk, sk }).catch((error: unknown) => error)) instanceof AppError
  return { store, isRefused, served: await serve(store) }
}

const isAsPlanted = (store: Store, { pk, sk }: Item) =>
  store.write([{ kind: 'check', key: { pk, sk }, if: [{ kind: 'equals', attribute: 'planted', value: true }] }])

describe('one damaged item', () => {
  it('can be of each kind', () => {
    const there = new Set(items.filter(isHurt).map(kindOf))
    expect(Object.keys(kindNames).filter((kind) => !there.has(kind as keyof typeof kindNames))).toEqual([])
  })
  it('is not there in a sound fleet', () => {
    expect(sound).toMatchObject({ told: [], failures: [], list: { items: fleet.map((id) => ({ id })) } })
    expect(sound.others).toMatchObject({
      queued: [{ workspace: 'acme' }, { workspace: 'crab' }],
      resent: { length: 4 },
    })
    expect(sound.others.alerts.size).toBe(2)
  })
  it('hides nothing else, ends in no defect, and stays as it is', async () => {
    const all = items.filter(isHurt).flatMap((item) => waysOf(item).map(([name, way]) => ({ item, name, way })))
    for (const { item, name, way } of lawCases(all, 150)) {
      const { store, isRefused, served } = await damage(item, way)
      const about = `${item.pk} ${item.sk}: ${name}`
      expect({ about, ...served.others }).toEqual({ about, ...sound.others })
      // A text may be a schedule of no meaning, and that is told as such.
      const known = ['STORE_CORRUPT', 'SCHEDULE_INVALID']
      expect(served.failures.filter((code) => !known.includes(code)).map((code) => `${about} ${code}`)).toEqual([])
      // The mark of a waiting alert ends with the delivery of its alert.
      if (isRefused && kindOf(item) !== 'undelivered')
        expect({ about, ...(await isAsPlanted(store, item)) }).toEqual({ about, ok: true })
    }
  })
})

/** Kinds of which many are read together. */
const listed = [
  'workspace',
  'run',
  'apply',
  'version',
  'entry',
  'recorded',
  'backup',
  'episode',
  'alert',
  'undelivered',
  'unfinished',
  'holdings',
]

describe.each(listed)('a damaged %s', (kind) => {
  it.each(['cut', 'empty'])(
    'that is %s is told by its kind and id, and the rest of its list is served',
    async (how) => {
      const item = items.filter(isHurt).find((one) => kindOf(one) === kind && !one.sk.startsWith('ASIDE')) as Item
      const [, way] = waysOf(item).find(([name]) => name === how) ?? expect.unreachable()
      const { served } = await damage(item, way)
      const found = served.told.find((one) => one.key.pk === item.pk && one.key.sk === item.sk)
      expect(found).toMatchObject({ kind, workspace: hurt, error: { code: 'STORE_CORRUPT' } })
      expect(found?.error.message).toContain(found?.id)
    },
  )
})

describe('a list', () => {
  const damageOf = async (sk: string, pk = `W#${hurt}`) => {
    const item = items.find((one) => one.pk === pk && one.sk.startsWith(sk)) as Item
    return (await damage(item, { body: 'garbage' })).served
  }
  it('of workspaces names the damaged one, with its error', async () => {
    const { list } = await damageOf('META')
    expect(list.items.map(({ id }) => id)).toEqual(['acme', 'crab'])
    expect(list.damaged).toMatchObject([{ kind: 'workspace', id: hurt, error: { code: 'STORE_CORRUPT' } }])
  })
  it.each([
    ['runs', 'RUN#', 1],
    ['applies', 'APPLY#', 1],
    ['versions', 'VERSION#', 0],
  ] as const)('of %s has the others, and names the damaged one', async (list, sk, others) => {
    const { of } = await damageOf(sk)
    const page = of.get(hurt)?.[list]
    expect(page?.items).toHaveLength(others)
    expect(page?.damaged).toMatchObject([{ error: { code: 'STORE_CORRUPT' } }])
  })
  it('of the ledger has the others, is exported without it, and its verification names its number', async () => {
    const { of } = await damageOf('000000000002', `L#${hurt}`)
    const read = of.get(hurt)
    expect(read?.ledger).toMatchObject({
      items: [{ seq: 1 }, { seq: 3 }],
      damaged: [{ kind: 'entry', id: '000000000002' }],
    })
    expect(read?.exported).toMatchObject([{ seq: 1 }, { seq: 3 }, { entries: 3 }])
    expect(read?.verdict).toMatchObject({ ok: false, seq: 2 })
  })
})
