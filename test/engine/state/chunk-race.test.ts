import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import { acquireLock, type Lock } from '../../../core/engine/state/applies/lock.ts'
import { loadRecorded, saveRecorded } from '../../../core/engine/state/runs/recorded.ts'
import { replaceRecorded } from '../../../core/engine/state/runs/replace-recorded.ts'
import { saveRun } from '../../../core/engine/state/runs/runs.ts'
import { againOnConflict, mustCommit } from '../../../core/engine/state/store/commit.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import { loadBundle } from '../../../core/engine/state/workspaces/workspaces.ts'
import { lawCases } from '../../builders/laws.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aBundle, aChange, aPlan, aResource, aRun, aWorkspace } from '../../builders/values/records.ts'

/*
 * Chunks of large documents are named by their content. One writer replaces X by Y and deletes the chunks of X; another
 * one writes X again. Whatever the order of their writes, what a document names must be there.
 */

const noise = (characters: number): string => randomBytes((characters * 3) / 4).toString('base64')

type Work = (store: Store) => Promise<unknown>

/** A store that stops before its nth write until `go` is called; `reached` tells that it stopped or ended. */
const stopping = (inner: Store, at: number) => {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let left = at
  const store: Store = {
    ...inner,
    write: async (writes) => {
      left -= 1
      if (left === 0) {
        arrived.resolve()
        await released.promise
      }
      return inner.write(writes)
    },
  }
  return { store, arrived, go: () => released.resolve() }
}

const refusals = ['STORE_CONFLICT', 'LOCK_LOST', 'LOCKED'] as const

/** A conflict is an answer: the other writer was first, and nothing is half-written. */
const unlessRefused = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (!refusals.some((code) => isAppError(error, code))) throw error
  })

/** The former stops before its nth write, the latter before its mth; then the former ends, and then the latter. */
const interleaved = async (store: Store, [former, n]: [Work, number], [latter, m]: [Work, number]): Promise<void> => {
  const one = stopping(store, n)
  const two = stopping(store, m)
  const first = unlessRefused(former(one.store)).finally(one.arrived.resolve)
  await one.arrived.promise
  const second = unlessRefused(latter(two.store)).finally(two.arrived.resolve)
  await two.arrived.promise
  one.go()
  await first
  two.go()
  await second
}

const writesOf = 7
const orders = Array.from({ length: writesOf * writesOf }, (_, index): [number, number] => [
  1 + Math.floor(index / writesOf),
  1 + (index % writesOf),
])

const options = { lineage: 'first' }
const x = aResource('large', { text: noise(1_200_000) })
const y = aResource('large', { text: 'y' })
const others = Array.from({ length: 120 }, (_, n) => aResource(`r${n}`))

const record =
  (resource: typeof x): Work =>
  (store) =>
    againOnConflict(async () => {
      const base = await loadRecorded(store, 'acme')
      return saveRecorded(store, base, { put: [resource], remove: [] }, options)
    })

/** It is so large that the run does not fit into one transaction with the record. */
const plan = aPlan([aChange('pdns_zone.a', { before: { text: noise(5_000_000) } })])
let runs = 0

const check =
  (resource: typeof x): Work =>
  (store) =>
    againOnConflict(async () => {
      runs += 1
      const base = await loadRecorded(store, 'acme')
      const recorded = { base, change: { put: [resource], remove: [] }, ...options }
      await saveRun(store, { run: aRun(runs, plan), plan, recorded, advance: () => ({ episodes: [], alerts: [] }) })
    })

/** A user's change, under a lock that it takes even from a worker that still believes to hold it. */
const replaceAll =
  (resource: typeof x, locks: Lock[]): Work =>
  async (store) => {
    const dead = locks.at(-1)
    const wish = {
      workspace: 'acme',
      holder: `user ${locks.length}`,
      leaseMs: 1_000,
      now: new Date(locks.length * 500),
    }
    const lock = await acquireLock(store, dead === undefined ? wish : { ...wish, dead })
    locks.push(lock)
    return againOnConflict(async () => {
      generations += 1
      const base = await loadRecorded(store, 'acme')
      const change = { put: [resource, ...others], remove: [] }
      const generation = `g${generations}`
      const { changes } = await replaceRecorded(store, base, change, { ...options, generation, lock })
      await mustCommit(store, changes, 'it')
    })
  }

let generations = 0

describe('a chunk that is deleted by one writer and written again by another', () => {
  const checks = [
    [2, 2],
    [2, 3],
    [3, 1],
    [3, 2],
    [3, 3],
    [4, 1],
    [4, 2],
    [4, 3],
  ] as const
  it.each(lawCases(checks))('survives two checks, in the order %i, %i', async (n, m) => {
    const store = memoryStore(testClock())
    await record(x)(store)
    await interleaved(store, [check(y), n], [check(x), m])
    expect((await loadRecorded(store, 'acme')).resources).toHaveLength(1)
  })

  it.each(lawCases(orders))('survives a change by a user and a check, in the order %i, %i', async (n, m) => {
    const store = memoryStore(testClock())
    const locks: Lock[] = []
    await replaceAll(x, locks)(store)
    await interleaved(store, [replaceAll(y, locks), n], [record(x), m])
    expect((await loadRecorded(store, 'acme')).resources).toHaveLength(121)
  })

  it.each(lawCases(orders))('survives changes by two users, in the order %i, %i', async (n, m) => {
    const store = memoryStore(testClock())
    const locks: Lock[] = []
    await replaceAll(x, locks)(store)
    await interleaved(store, [replaceAll(y, locks), n], [replaceAll(x, locks), m])
    expect((await loadRecorded(store, 'acme')).resources).toHaveLength(121)
  })

  const pushes = [
    [2, 2],
    [3, 2],
    [4, 2],
    [3, 3],
    [4, 3],
    [4, 4],
  ] as const
  it.each(lawCases(pushes))(
    'survives two configurations that are pushed at once, in the order %i, %i',
    async (n, m) => {
      const store = memoryStore(testClock())
      const large = aBundle(noise(5_000_000))
      const push =
        (bundle: typeof large): Work =>
        (into) =>
          saveWorkspace(into, aWorkspace(), bundle)
      await push(large)(store)
      await interleaved(store, [push(aBundle(noise(5_000_000))), n], [push(large), m])
      expect((await loadBundle(store, 'acme')).entry).toBe('plumbline.yaml')
    },
  )
})
