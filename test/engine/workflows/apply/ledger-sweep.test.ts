import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledgerLine } from '../../../../core/engine/ledger/chain.ts'
import { verifyLines } from '../../../../core/engine/ledger/verify.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { exportLedger } from '../../../../core/engine/state/ledger-query.ts'
import { kindOf } from '../../../../core/engine/state/store/kinds.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Item, Store } from '../../../../core/engine/state/store/store.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { long } from '../../../builders/long.ts'
import { actor, movableClock, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Whatever is done to one item of a stored ledger, or to one line of its export, is found. Every case is tried. */

const workspace = 'sweep'
const room = temporaryFolder()
let items: readonly Item[] = []
let lines: readonly string[] = []

const bundle = yaml(
  [
    `workspace: ${workspace}`,
    `providers: { host: { source: host, with: { root: ${JSON.stringify(room.path)} } } }`,
    'resources:',
    ...['a', 'b'].map((name) => `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: ${name} } }`),
  ].join('\n'),
)

/** Without the index, which is no evidence. */
const withoutIndex = (items: readonly Item[]): readonly Item[] =>
  items.flatMap(({ index: _, ...item }) => (kindOf(item) === 'stretch' ? [] : [item]))

const itemsOf = async (store: Store): Promise<readonly Item[]> => [
  ...withoutIndex((await store.query({ pk: `L#${workspace}` })).items),
  ...(await store.query({ pk: `A#${workspace}`, prefix: 'APPLY#' })).items,
]

/** A store that holds exactly these. */
const storeOf = async (all: readonly Item[]): Promise<Store> => {
  const store = memoryStore(movableClock())
  for (const item of all) await store.write([{ kind: 'put', item }])
  return store
}

const verdictOf = async (all: readonly Item[]) => verifyLedger({ workspace }, { store: await storeOf(all) })

beforeAll(async () => {
  const { deps } = testDeps({ bundle })
  const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  for (const mode of ['check', 'execute'] as const) {
    const asked = { workspace, mode, digest: plan?.digests.commands ?? '', reason: 'sweep', actor }
    const { id } = await requestApply(asked, deps)
    expect(await runApply({ workspace, applyId: id }, deps)).toMatchObject({ status: 'succeeded' })
  }
  items = await itemsOf(deps.store)
  lines = (await Array.fromAsync(exportLedger(deps.store, workspace, {}))).map(ledgerLine)
})
afterAll(room.remove)

const isOfLedger = ({ pk }: Item): boolean => pk.startsWith('L#')

/** The value with one leaf changed or one member or element taken out, in every way. */
const edits = (value: Json): readonly Json[] => {
  if (isArray(value)) {
    return [
      ...value.map((_, at) => value.toSpliced(at, 1)),
      ...value.flatMap((each, at) => edits(each).map((edited) => value.with(at, edited))),
    ]
  }
  if (isObject(value)) {
    const names = Object.keys(value)
    const without = names.map((name): JsonObject => {
      const { [name]: _, ...rest } = value
      return rest
    })
    const changed = names.flatMap((name) => edits(value[name] ?? null).map((edited) => ({ ...value, [name]: edited })))
    return [...without, ...changed, { ...value, more: 1 }]
  }
  if (typeof value === 'string') return [`${value}x`, value.slice(1)]
  if (typeof value === 'number') return [value + 1, value - 1]
  return [value === null ? 'null' : !value]
}

/** The items with one of them edited in one place, in every way; its place in the table included. */
const editedItems = (): readonly (readonly Item[])[] =>
  items.flatMap((item, at) => {
    if (!isOfLedger(item)) return []
    const { pk, sk, ...attributes } = item
    const values = edits(attributes as JsonObject).filter((value) => !(isObject(value) && 'more' in value))
    return [...values.map((value) => ({ ...(value as JsonObject), pk, sk })), { ...item, sk: `${sk}5` }].map((edited) =>
      items.with(at, edited),
    )
  })

const pairs = (count: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, (_, left) =>
    Array.from({ length: count - left - 1 }, (__, more) => [left, left + more + 1] as const),
  ).flat()

describe('a stored ledger', () => {
  it('verifies as it was written', async () => {
    expect(items.length).toBeGreaterThan(10)
    expect(await verdictOf(items)).toMatchObject({ ok: true, workspace })
  })

  it('does not verify without any one of its items: entry, head, or apply', async () => {
    for (const [at, { sk }] of items.entries()) {
      expect(await verdictOf(items.toSpliced(at, 1)), sk).toMatchObject({ ok: false })
    }
  })

  it('does not verify after any edit of one item', long, async () => {
    const all = editedItems()
    expect(all.length).toBeGreaterThan(500)
    for (const edited of all) {
      const [old, now] = edited.flatMap((item, at) => (item === items[at] ? [] : [items[at], item]))
      expect(await verdictOf(edited), `${JSON.stringify(old)} -> ${JSON.stringify(now)}`).toMatchObject({ ok: false })
    }
  })

  it('does not verify after any swap of two items', async () => {
    const ledger = items.filter(isOfLedger)
    for (const [left, right] of pairs(ledger.length)) {
      const [one, other] = [ledger[left] as Item, ledger[right] as Item]
      const swapped = items.map((item) => {
        if (item === one) return { ...other, sk: one.sk }
        return item === other ? { ...one, sk: other.sk } : item
      })
      expect(await verdictOf(swapped), `${one.sk} and ${other.sk}`).toMatchObject({ ok: false })
    }
  })

  it('does not verify after any cut, even where the head is adjusted or deleted', async () => {
    const entries = items.filter((item) => isOfLedger(item) && item.sk !== 'HEAD')
    const others = items.filter((item) => !isOfLedger(item))
    const head = items.find(({ sk }) => sk === 'HEAD') as Item
    for (const kept of entries.keys()) {
      const left = entries.slice(0, kept)
      const { seq, hash, at } = (left.at(-1)?.['body'] ?? {}) as JsonObject
      const fitting = left.length === 0 ? [] : [{ ...head, seq, hash, at } as Item]
      for (const heads of [[head], [], fitting]) {
        expect(await verdictOf([...left, ...heads, ...others]), `${kept} left`).toMatchObject({ ok: false })
      }
    }
  })

  it('does not exist for an unknown workspace', async () => {
    await expect(verdictOf([])).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
    const foreign = items.map((item) => ({ ...item, pk: item.pk.replace(workspace, 'other') }))
    await expect(verdictOf(foreign)).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
    const moved = await storeOf(foreign.filter(isOfLedger))
    expect(await verifyLedger({ workspace: 'other' }, { store: moved })).toMatchObject({ ok: false })
  })
})

describe('an exported ledger', () => {
  const verdict = (all: readonly string[]) => verifyLines(all)

  it('verifies as it was written, and names its workspace', async () => {
    expect(await verdict(lines)).toMatchObject({ ok: true, workspace, entries: lines.length - 1 })
    expect(await verifyLines(lines, { workspace: 'other' })).toMatchObject({ ok: false })
  })

  it('does not verify after any deletion, repetition, cut, swap or edit of a line', long, async () => {
    const cases = [
      ...lines.map((_, at) => lines.toSpliced(at, 1)),
      ...lines.map((line, at) => lines.toSpliced(at, 0, line)),
      ...lines.map((_, at) => lines.slice(0, at)),
      ...lines.map((line, at) => [...lines.slice(0, at), line.slice(0, -1)]),
      ...pairs(lines.length).map(([left, right]) =>
        lines.with(left, lines[right] ?? '').with(right, lines[left] ?? ''),
      ),
      ...lines.flatMap((line, at) =>
        edits(JSON.parse(line) as Json).map((edited) => lines.with(at, JSON.stringify(edited))),
      ),
    ]
    expect(cases.length).toBeGreaterThan(500)
    for (const changed of cases) expect(await verdict(changed), changed.join('\n')).toMatchObject({ ok: false })
  })
})
