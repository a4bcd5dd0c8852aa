import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { advanceEpisodes } from '../../../core/engine/alert/episode.ts'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { verify } from '../../../core/engine/ledger/verify.ts'
import type { RecordedResource } from '../../../core/engine/schema/resource.ts'
import { appendLedger, getLedgerHead, readWholeLedger } from '../../../core/engine/state/ledger.ts'
import { listEpisodes, pendingAlerts } from '../../../core/engine/state/outbox.ts'
import { loadRecorded, loadSettled, saveRecorded } from '../../../core/engine/state/runs/recorded.ts'
import { replaceRecorded } from '../../../core/engine/state/runs/replace-recorded.ts'
import { getPlan, listRuns, saveRun } from '../../../core/engine/state/runs/runs.ts'
import { eachItem, mustCommit } from '../../../core/engine/state/store/commit.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { listWorkspaces } from '../../../core/engine/state/workspaces/list-workspaces.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import { getWorkspace, loadBundle } from '../../../core/engine/state/workspaces/workspaces.ts'
import { lawCases, lawStep } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aBundle, aChange, aDraft, aPlan, aResource, aRun, aWorkspace } from '../../builders/values/records.ts'

const noise = (characters: number): string => randomBytes((characters * 3) / 4).toString('base64')

interface Crashing {
  readonly store: Store
  /** From now on the process ends at its nth write: before it, or after it with the answer lost. */
  crashAt(write: number, after: boolean): void
}

const crashing = (): Crashing => {
  const inner = memoryStore(testClock())
  let left = Number.POSITIVE_INFINITY
  let written = false
  return {
    crashAt: (write, after) => {
      left = write
      written = after
    },
    store: {
      ...inner,
      write: async (writes) => {
        left -= 1
        if (left > 0) return inner.write(writes)
        if (left === 0 && written) await inner.write(writes)
        throw new AppError('STORE_UNAVAILABLE', { detail: 'crashed' })
      },
    },
  }
}

/**
 * Runs the work once for each write it does, with a crash there; then checks what is left, runs it again and checks
 * that it came to its end.
 */
const atEveryWrite = async (
  prepare: (store: Store) => Promise<unknown>,
  work: (store: Store) => Promise<unknown>,
  between: (store: Store) => Promise<unknown>,
  after: (store: Store) => Promise<unknown>,
): Promise<number> => {
  let crashes = 0
  for (const answerLost of [false, true]) {
    for (let write = 1; ; write += lawStep(3)) {
      const { store, crashAt } = crashing()
      await prepare(store)
      crashAt(write, answerLost)
      const done = await work(store).then(
        () => true,
        () => false,
      )
      crashAt(Number.POSITIVE_INFINITY, false)
      await between(store)
      if (!done) await work(store)
      await after(store)
      if (done) break
      crashes += 1
    }
  }
  return crashes
}

describe('after a crash at any write', () => {
  it('a workspace has its old files or its new ones, and a second push succeeds', async () => {
    const [old, next] = [aBundle(noise(5_200_000)), aBundle(noise(5_200_000))]
    const crashes = await atEveryWrite(
      (store) => saveWorkspace(store, aWorkspace(), old),
      (store) => saveWorkspace(store, aWorkspace({ schedule: 'rate(1 hour)' }), next),
      async (store) => {
        const bundle = (await getWorkspace(store, 'acme')).schedule === 'rate(1 hour)' ? next : old
        expect(await loadBundle(store, 'acme')).toEqual(bundle)
      },
      async (store) => {
        expect(await loadBundle(store, 'acme')).toEqual(next)
        expect((await listWorkspaces(store, { limit: 9 })).items).toHaveLength(1)
        const chunks = await store.query({ pk: 'W#acme', prefix: 'BLOB#', limit: 99 })
        expect(chunks.items).toHaveLength(Math.ceil((5_200_000 * 3) / 4 / 348_000))
      },
    )
    expect(crashes).toBeGreaterThan(4 / lawStep(3))
  })

  it.each(lawCases([3, 400]))(
    'a record of %i resources can be read and written again, and holds only old and new resources',
    async (size) => {
      const many = (value: string): RecordedResource[] =>
        Array.from({ length: size }, (_, n) =>
          aResource(`r${n}`, { value, ...(n === 0 ? { text: noise(600_000) } : {}) }),
        )
      const [old, next] = [many('old'), many('new')]
      const save = async (store: Store, put: RecordedResource[]) =>
        saveRecorded(store, await loadRecorded(store, 'acme'), { put, remove: [] }, { lineage: 'first' })
      await atEveryWrite(
        (store) => save(store, old),
        (store) => save(store, next),
        async (store) => {
          const { resources } = await loadRecorded(store, 'acme')
          const known = new Set([...old, ...next].map((one) => JSON.stringify(one)))
          expect(resources).toHaveLength(size)
          expect(resources.every((one) => known.has(JSON.stringify(one)))).toBe(true)
        },
        async (store) => {
          const { resources } = await loadRecorded(store, 'acme')
          expect(resources).toEqual(next.toSorted((left, right) => (left.address < right.address ? -1 : 1)))
          expect((await store.query({ pk: 'W#acme', prefix: 'BLOB#', limit: 99 })).items).toHaveLength(2)
        },
      )
    },
  )

  it.each(lawCases([3, 400]))('%i records that are replaced at once are all old or all new', async (size) => {
    const many = (value: string): RecordedResource[] =>
      Array.from({ length: size }, (_, n) =>
        aResource(`r${n}`, { value, ...(n === 0 ? { text: noise(600_000) } : {}) }),
      )
    const [old, next] = [many('old'), many('new').slice(1)]
    const remove = ['pdns_zone.r0']
    let generation = 0
    const replace = async (store: Store) => {
      generation += 1
      const base = await loadRecorded(store, 'acme')
      const options = { lineage: 'first', generation: `g${generation}` }
      const { changes } = await replaceRecorded(store, base, { put: next, remove }, options)
      await mustCommit(store, changes, 'it')
    }
    const valuesIn = async (store: Store) => {
      const { resources, serial } = await loadRecorded(store, 'acme')
      const values = [...new Set(resources.map(({ attributes }) => String(attributes['value'])))]
      return { values, count: resources.length, serial }
    }
    const isOld = { values: ['old'], count: size }
    const isNew = { values: ['new'], count: size - 1 }
    const crashes = await atEveryWrite(
      async (store) =>
        saveRecorded(store, await loadRecorded(store, 'acme'), { put: old, remove: [] }, { lineage: 'x' }),
      replace,
      async (store) => {
        const { serial, ...found } = await valuesIn(store)
        expect([isOld, isNew]).toContainEqual(found)
        expect(await loadSettled(store, 'acme')).toMatchObject({ serial })
      },
      async (store) => {
        expect(await valuesIn(store)).toMatchObject(isNew)
        const kept = (await Array.fromAsync(eachItem(store, { pk: 'W#acme' }))).map(({ sk }) => sk)
        expect(kept.filter((sk) => sk.startsWith('BLOB#'))).toEqual([])
        expect(kept.filter((sk) => sk !== 'STATE')).toHaveLength(size - 1)
      },
    )
    if (size > 100) expect(crashes).toBeGreaterThan(8 / lawStep(3))
  })

  it.each(lawCases([1, 4000]))(
    'a run with %i changes is stored together with its plan and its alert, or not at all',
    async (size) => {
      const plan = aPlan(Array.from({ length: size }, (_, n) => aChange(`x.r${n}`, { after: { text: noise(1300) } })))
      const run = aRun(1, plan, { scheduledFor: '2026-03-01T06:00:00.000Z' })
      const save = (store: Store) =>
        saveRun(store, {
          run,
          plan,
          advance: (open) =>
            advanceEpisodes({
              workspace: 'acme',
              plan,
              run,
              open,
              rules: { minSeverity: 'low' },
              at: run.finishedAt,
              newId: () => noise(20),
            }),
        })
      await atEveryWrite(
        (store) => saveWorkspace(store, aWorkspace(), aBundle()),
        save,
        async (store) => {
          const there = (await listRuns(store, 'acme', { limit: 9 })).items.length
          expect(await pendingAlerts(store, 'acme')).toHaveLength(there)
          expect(await listEpisodes(store, 'acme')).toHaveLength(there)
          expect((await getWorkspace(store, 'acme')).lastRun?.id).toBe(there === 0 ? undefined : run.id)
          if (there === 1) expect(await getPlan(store, 'acme', run.id)).toEqual(plan)
        },
        async (store) => {
          expect((await listRuns(store, 'acme', { limit: 9 })).items).toEqual([run])
          expect(await pendingAlerts(store, 'acme')).toHaveLength(1)
        },
      )
    },
  )

  it('a ledger verifies against its head', long, async () => {
    const drafts = [1, 2, 3].map((n) => aDraft(n, { command: { address: 'x.a', body: noise(1_600_000) } }))
    await atEveryWrite(
      (store) => appendLedger(store, 'acme', [aDraft(0)]),
      (store) => appendLedger(store, 'acme', drafts),
      async (store) => {
        const head = await getLedgerHead(store, 'acme')
        const verdict = await verify(readWholeLedger(store, 'acme'))
        expect(verdict).toMatchObject({ ok: true, entries: head.seq })
        expect([1, 4]).toContain(head.seq)
      },
      async (store) => expect((await getLedgerHead(store, 'acme')).seq).toBeGreaterThanOrEqual(4),
    )
  })
})
