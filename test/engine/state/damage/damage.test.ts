import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { kindOf } from '../../../../core/engine/state/store/kinds.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Item, Store } from '../../../../core/engine/state/store/store.ts'
import { unreadable } from '../../../../core/engine/state/store/verified.ts'
import { kindNames } from '../../../../core/engine/state/store/words.ts'
import { lawCases } from '../../../builders/laws.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'
import { allItems, fleet, hurt, isHurt, now, storeFleet } from './fleet.ts'
import { serve, storeOf } from './serve.ts'

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
      queued: ['acme', 'crab'].flatMap((workspace) => [{ workspace }, { workspace, tell: true }]),
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
    const { of } = await damageOf(sk, list === 'applies' ? `A#${hurt}` : undefined)
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
