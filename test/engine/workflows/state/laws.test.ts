import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import type { RecordedResource } from '../../../../core/engine/schema/resource.ts'
import { stateChangeKinds } from '../../../../core/engine/schema/stored/state-change.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { keyOf } from '../../../../core/engine/state/store/limits.ts'
import type { Store, Write } from '../../../../core/engine/state/store/store.ts'
import { isKey } from '../../../../core/engine/values/addresses/declarable.ts'
import { escapeMarks } from '../../../../core/engine/values/marks/marks.ts'
import type { Deps } from '../../../../core/engine/workflows/deps.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { forgetRecords } from '../../../../core/engine/workflows/state/forget-records.ts'
import { importState } from '../../../../core/engine/workflows/state/import-state.ts'
import { moveRecord } from '../../../../core/engine/workflows/state/move-record.ts'
import { taintRecords, untaintRecords } from '../../../../core/engine/workflows/state/taint-records.ts'
import { anyJson } from '../../../builders/generators/arbitraries.ts'
import { lawCases, lawRuns } from '../../../builders/laws.ts'
import { untilDeath } from '../../../builders/time/crash-point.ts'
import { aResource } from '../../../builders/values/records.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

const workspace = 'acme'
const wish = { workspace, actor: approver, reason: 'why' }
const entriesOf = (store: Store) => Array.fromAsync(readLedger(store, workspace))
const changesIn = async (store: Store) =>
  (await entriesOf(store)).flatMap(({ state, kind }) => (state === undefined ? [] : [{ kind, ...state }]))
const backupsIn = async (store: Store) => (await openRecords(store, workspace)).backups()
const exportedFrom = async (store: Store) => (await openRecords(store, workspace)).exportState()

const within = async <Result>(
  names: readonly string[],
  work: (world: StateWorld) => Promise<Result>,
): Promise<Result> => {
  const world = await stateWorld(names)
  try {
    return await work(world)
  } finally {
    world.folder.remove()
  }
}

/** Values as a read records them: foreign JSON, seals, and numbers that JavaScript would spell otherwise. */
const recordedValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: anyJson.map(escapeMarks) },
  { weight: 1, arbitrary: fc.stringMatching(/^hmac-sha256:[0-9a-f]{4}:[0-9a-f]{8}$/).map(($sealed) => ({ $sealed })) },
  { weight: 1, arbitrary: fc.constantFrom({ $number: '1e400' }, { $number: '-0.10' }) },
)
const values = fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), recordedValue, {
  maxKeys: 4,
}) as fc.Arbitrary<JsonObject>

const record = fc
  .record(
    {
      key: fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isKey),
      attributes: values,
      ids: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 2 }),
      refs: values,
      refersBy: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
      doubted: fc.constantFrom<NonNullable<RecordedResource['doubted']>>('several', 'sent', 'strayed'),
      neverAgreed: fc.array(fc.string(), { maxLength: 2 }),
      lastApplied: fc.constant({ applyId: 'a', runId: 'r', actor: approver, at: '2026-11-22T18:00:00.000Z' }),
    },
    { requiredKeys: ['key', 'attributes'] },
  )
  .map(
    ({ key, ...more }): RecordedResource => ({
      ...aResource('x'),
      ...more,
      address: `pdns_zone.x[${JSON.stringify(key)}]`,
    }),
  )
const someRecords = fc.uniqueArray(record, { selector: ({ address }) => address, maxLength: 6 })

describe('a state that is exported and imported', () => {
  it('is the same as before, in the same store and in an empty one', () =>
    fc.assert(
      fc.asyncProperty(someRecords, async (resources) => {
        await within([], async ({ deps: { store }, deps }) => {
          const base = await loadRecorded(store, workspace)
          await saveRecorded(store, base, { put: resources, remove: [] }, { lineage: 'first' })
          if (resources.length === 0) return
          const exported = JSON.parse(JSON.stringify(await exportedFrom(store)))
          const addresses = resources.map(({ address }) => address)
          const { backup } = await forgetRecords({ ...wish, addresses }, deps)
          await importState({ ...wish, source: { backup: backup?.id ?? '' } }, deps)
          expect((await exportedFrom(store)).resources).toEqual(exported.resources)
          await within([], async (other) => {
            await importState({ ...wish, source: { document: exported } }, other.deps)
            const copy = await exportedFrom(other.deps.store)
            const kept = (await loadRecorded(other.deps.store, workspace)).resources
            const byAddress = (left: RecordedResource, right: RecordedResource) =>
              left.address < right.address ? -1 : 1
            expect(kept.toSorted(byAddress)).toEqual(resources.toSorted(byAddress))
            expect({ ...copy, digest: exported.digest }).toEqual({ ...exported, serial: exported.serial + 1 })
          })
        })
      }),
      lawRuns(40),
    ))
})

/** Refuses what breaks the law of the serial: a visible record changes only in a write that moves it. */
const watched = (inner: Store): { readonly store: Store; readonly serials: number[] } => {
  const serials: number[] = []
  const check = async (writes: readonly Write[], write: () => ReturnType<Store['write']>) => {
    const header = await inner.get(keys.state(workspace))
    const prefix = keys.recorded(workspace, '', header?.['generation'] as string | undefined).sk
    const result = await write()
    if (!result.ok) return result
    const isVisible = writes.some((each) => each.kind !== 'check' && keyOf(each).sk.startsWith(prefix))
    const after = await inner.get(keys.state(workspace))
    const [before, now] = [Number(header?.['serial'] ?? 0), Number(after?.['serial'] ?? 0)]
    const moves = writes.some((each) => each.kind === 'put' && each.item.sk === keys.state(workspace).sk)
    if (moves) {
      expect(now).toBeGreaterThan(before)
      serials.push(now)
    } else if (isVisible && after?.['isPartial'] !== true) {
      // What a new generation replaced is not visible any more.
      expect(after?.['generation']).not.toBe(header?.['generation'])
    }
    return result
  }
  return { serials, store: { ...inner, write: (writes) => check(writes, () => inner.write(writes)) } }
}

const doings = [
  'check',
  'drift',
  'configure',
  'forget',
  'move',
  'taint',
  'untaint',
  'import',
  'restore',
  'race',
] as const
type Step = (typeof doings)[number]

/** One of the addresses that are recorded. */
const pick = async (store: Store, n: number): Promise<string | undefined> => {
  const { resources } = await loadRecorded(store, workspace)
  return resources[n % Math.max(1, resources.length)]?.address
}

const act = async (step: Step, n: number, world: StateWorld, deps: Deps): Promise<void> => {
  const { store } = deps
  const names = ['a', 'b', 'c', 'd'].filter((_, bit) => (n >> bit) % 2 === 0)
  const address = await pick(store, n)
  switch (step) {
    case 'check':
      return void (await world.check())
    case 'configure':
      await world.configure(names)
      return void (await world.check())
    case 'drift': {
      for (const name of names) world.write(name, n % 3 === 0 ? 'right' : 'wrong')
      const { run } = await world.check()
      if (run.status !== 'changes') return
      return void (await world.execute((await world.request()).id))
    }
    case 'forget':
      return void (address && (await forgetRecords({ ...wish, addresses: [address] }, deps)))
    case 'move':
      return void (address && (await moveRecord({ ...wish, from: address, to: `host_file.m${n}` }, deps)))
    case 'taint':
      return void (address && (await taintRecords({ ...wish, addresses: [address] }, deps)))
    case 'untaint':
      return void (address && (await untaintRecords({ ...wish, addresses: [address] }, deps)))
    case 'import': {
      const document = await exportedFrom(store)
      return void (await importState({ ...wish, source: { document } }, deps))
    }
    case 'restore': {
      const backups = await backupsIn(store)
      const backup = backups[n % Math.max(1, backups.length)]?.id
      return void (backup && (await importState({ ...wish, source: { backup } }, deps)))
    }
    case 'race':
      await Promise.allSettled([
        world.check(),
        address === undefined ? undefined : forgetRecords({ ...wish, addresses: [address] }, deps),
        address === undefined ? undefined : moveRecord({ ...wish, from: address, to: `host_file.r${n}` }, deps),
      ])
  }
}

const expected = new Set(['STATE_NOT_FOUND', 'MOVE_REFUSED', 'LOCKED'])

describe('any sequence of writers', () => {
  it('increases the serial with every write, and each change by a user is in the ledger with both serials', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom<Step>(...doings), fc.nat({ max: 15 })), { minLength: 4, maxLength: 14 }),
        (steps) =>
          within(['a', 'b', 'c', 'd'], async (world) => {
            const { store, serials } = watched(world.deps.store)
            Object.assign(world.deps, { store })
            for (const [step, n] of steps) {
              world.clock.forward(1_000)
              await act(step, n, world, world.deps).catch((error: unknown) => {
                if (!isAppError(error) || !expected.has(error.code)) throw error
              })
            }
            expect(serials).toEqual([...new Set(serials)].toSorted((left, right) => left - right))
            const changes = await changesIn(store)
            for (const { before, after } of changes) {
              expect(after).toBeGreaterThan(before)
              expect(serials).toContain(after)
            }
            expect(new Set(changes.map(({ after }) => after)).size).toBe(changes.length)
            const backups = await backupsIn(store)
            expect(backups.map(({ id }) => id).sort()).toEqual(changes.flatMap(({ backup }) => backup ?? []).sort())
            expect(await verify(readWholeLedger(store, workspace), { workspace })).toMatchObject({ ok: true })
          }),
      ),
      lawRuns(40),
    ))

  it('includes a step for each change that a user can make', () => expect(stateChangeKinds).toHaveLength(5))
})

describe('a process that dies before or after any of its writes leaves the old state or the new one', () => {
  const many = Array.from({ length: 300 }, (_, n) => aResource(`r${String(n).padStart(3, '0')}`, { ttl: n }))
  const works = {
    forget: (deps: Deps) => forgetRecords({ ...wish, addresses: ['pdns_zone.r001'] }, deps),
    'forget many': (deps: Deps) =>
      forgetRecords({ ...wish, addresses: many.slice(0, 150).map(({ address }) => address) }, deps),
    move: (deps: Deps) => moveRecord({ ...wish, from: 'pdns_zone.r001', to: 'pdns_zone.other' }, deps),
    restore: async (deps: Deps) => {
      const [backup] = await backupsIn(deps.store)
      return importState({ ...wish, source: { backup: backup?.id ?? '' } }, deps)
    },
  }

  it.each(lawCases(Object.entries(works), 2))('whichever command it runs: %s', async (name, work) => {
    let deaths = 0
    for (const when of ['before', 'after'] as const) {
      for (let n = 1; ; n += 1) {
        const isOver = await within([], async ({ deps, clock }) => {
          const { store } = deps
          await saveRecorded(
            store,
            await loadRecorded(store, workspace),
            { put: many, remove: [] },
            { lineage: 'first' },
          )
          if (name === 'restore')
            await forgetRecords({ ...wish, addresses: many.slice(50).map(({ address }) => address) }, deps)
          const look = async () => {
            const { resources, serial } = await loadRecorded(store, workspace)
            return { resources, serial, changes: await changesIn(store), backups: await backupsIn(store) }
          }
          const old = await look()
          const ended = await untilDeath(deps, { at: 'store', n, when }, work)
          const left = await look()
          const isNew = left.serial !== old.serial
          if (isNew) {
            expect(left.serial).toBe(old.serial + 1)
            expect([left.changes.length, left.backups.length]).toEqual([old.changes.length + 1, old.backups.length + 1])
          } else expect(left).toEqual(old)
          if (ended !== 'died') return true
          deaths += 1
          // Whoever comes next takes the lock once it has stood still for its whole lease.
          for (let tries = 0; !isNew && tries < 6; tries += 1) {
            clock.forward(40_000)
            const done = await work(deps).catch((error: unknown) => error)
            if (!isAppError(done, 'LOCKED')) break
          }
          const after = await look()
          expect(after.serial).toBe(old.serial + 1)
          const kept = (await store.query({ pk: keys.state(workspace).pk, prefix: 'G#' })).items.map(({ sk }) => sk)
          const { generation = '' } = await loadRecorded(store, workspace)
          if (!isNew) expect(kept.filter((sk) => !sk.startsWith(`G#${generation}#`))).toEqual([])
          return false
        })
        if (isOver) break
      }
    }
    expect(deaths).toBeGreaterThanOrEqual(name === 'forget many' || name === 'restore' ? 10 : 6)
  })
})
