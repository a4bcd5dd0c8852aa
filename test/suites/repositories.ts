import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceEpisodes } from '../../core/engine/alert/episode.ts'
import { digest } from '../../core/engine/json/digest.ts'
import { verify } from '../../core/engine/ledger/verify.ts'
import type { Alert, Episode } from '../../core/engine/schema/stored/findings.ts'
import type { Plan } from '../../core/engine/schema/stored/plan.ts'
import type { Run } from '../../core/engine/schema/stored/records.ts'
import { createApply, getApply, listApplies, updateApply } from '../../core/engine/state/applies/applies.ts'
import {
  acquireLock,
  getLock,
  holdsLock,
  readLock,
  releaseLock,
  renewLock,
  withLease,
} from '../../core/engine/state/applies/lock.ts'
import { appendLedger, getLedgerHead, readLedger, readWholeLedger } from '../../core/engine/state/ledger.ts'
import { queryLedger } from '../../core/engine/state/ledger-query.ts'
import { listEpisodes, listUndelivered, markSent, pendingAlerts } from '../../core/engine/state/outbox.ts'
import { getRunByCommands } from '../../core/engine/state/runs/find-by-commands.ts'
import { loadRecorded, loadSettled, saveRecorded } from '../../core/engine/state/runs/recorded.ts'
import { replaceRecorded } from '../../core/engine/state/runs/replace-recorded.ts'
import {
  findScheduledRun,
  getPlan,
  getRun,
  listRuns,
  type RunToSave,
  saveRun,
} from '../../core/engine/state/runs/runs.ts'
import { mustCommit } from '../../core/engine/state/store/commit.ts'
import { duePartitions, keys } from '../../core/engine/state/store/keys.ts'
import type { Item, Store, Write } from '../../core/engine/state/store/store.ts'
import { listDue, listQuarantined, quarantine } from '../../core/engine/state/workspaces/due-list.ts'
import { describeWorkspace, listWorkspaces } from '../../core/engine/state/workspaces/list-workspaces.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import {
  editWorkspace,
  findStored,
  getWorkspace,
  loadBundle,
  replaceStored,
} from '../../core/engine/state/workspaces/workspaces.ts'
import { defined } from '../../core/engine/values/defined.ts'
import { eachOf, long } from '../builders/long.ts'
import { type CreateStore, type TestStore, testClock } from '../builders/time/stores.ts'
import {
  aBundle,
  aChange,
  aDraft,
  anApply,
  anId,
  aPlan,
  aResource,
  aRun,
  aWorkspace,
} from '../builders/values/records.ts'

/** Text that does not compress below its entropy: three quarters of a byte a character. */
const noise = (characters: number): string =>
  randomBytes(Math.ceil(characters * 0.75))
    .toString('base64')
    .slice(0, characters)

const collect = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

/** What every repository must do, on whatever store. Each case has a workspace of its own. */
export const describeRepositories = (name: string, create: CreateStore): void => {
  describe(`repositories ${name}`, () => {
    const clock = testClock()
    let opened: TestStore
    let store: Store
    let count = 0
    const aName = () => {
      count += 1
      return `w${count}`
    }
    beforeAll(async () => {
      opened = await create(clock)
      store = opened.store
    })
    afterAll(() => opened.stop())

    /** Every item of a partition, as it lies there. */
    const partition = async (pk: string) => (await store.query({ pk, limit: 1000 })).items

    /** The store, with something that happens once, right before its nth write. */
    const interrupted = (write: number, happen: () => Promise<unknown>): Store => {
      let left = write
      return {
        ...store,
        write: async (writes) => {
          left -= 1
          if (left === 0) await happen()
          return store.write(writes)
        },
      }
    }

    const breakBlob = async (pk: string) => {
      const item = (await partition(pk)).find(({ sk }) => sk.startsWith('BLOB#'))
      const bytes = new Uint8Array(item?.['bytes'] as Uint8Array)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await store.write([{ kind: 'put', item: { pk, sk: item?.sk ?? '', bytes } }])
    }

    describe('workspaces', () => {
      it('gives back what was saved, with its files', async () => {
        const id = aName()
        const saved = await saveWorkspace(store, aWorkspace({ id }), aBundle('ä'))
        expect(saved).toEqual({ ...aWorkspace({ id }), configurationVersion: 1 })
        expect(await getWorkspace(store, id)).toEqual(saved)
        expect(await loadBundle(store, id)).toEqual(aBundle('ä'))
        await expect(getWorkspace(store, 'none')).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
        await expect(loadBundle(store, 'none')).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
      })

      eachOf(it, 1)([10, 2_000_000, 6_600_000])('keeps files of %i characters, and only the newest', async (size) => {
        const id = aName()
        await saveWorkspace(store, aWorkspace({ id }), aBundle(noise(size)))
        const newest = aBundle(noise(size))
        await saveWorkspace(store, aWorkspace({ id }), newest)
        expect(await loadBundle(store, id)).toEqual(newest)
        const items = await partition(`W#${id}`)
        const meta = items.find(({ sk }) => sk === 'META') as Item
        const { chunks } = meta['bundle'] as { chunks: number }
        expect(items.filter(({ sk }) => sk.startsWith('BLOB#'))).toHaveLength(chunks)
        expect(chunks).toBeGreaterThanOrEqual(Math.ceil((size * 0.75) / 350_000))
      })

      it('says when the files are damaged or gone', async () => {
        const id = aName()
        await saveWorkspace(store, aWorkspace({ id }), aBundle(noise(1000)))
        const chunk = (await partition(`W#${id}`)).find(({ sk }) => sk.startsWith('BLOB#')) as Item
        const damaged = (detail: RegExp) =>
          expect(loadBundle(store, id)).rejects.toMatchObject({
            code: 'STORE_CORRUPT',
            payload: { what: `configuration of ${id}`, detail: expect.stringMatching(detail) },
          })
        await breakBlob(`W#${id}`)
        await damaged(/digest|decompressed/)
        const other = new Uint8Array(gzipSync(JSON.stringify(aBundle('other'))))
        await store.write([{ kind: 'put', item: { ...chunk, bytes: other } }])
        await damaged(/digest/)
        await store.write([{ kind: 'delete', key: chunk }])
        await damaged(/1 of 1 chunks are missing/)
      })

      it('lists them by name, page by page', async () => {
        const ids = ['z1', 'z2', 'z3', 'z4', 'z5']
        for (const id of ids) await saveWorkspace(store, aWorkspace({ id }), aBundle())
        const first = await listWorkspaces(store, { limit: 2, after: 'z0' })
        expect(first).toMatchObject({ items: [aWorkspace({ id: 'z1' }), aWorkspace({ id: 'z2' })], next: 'z2' })
        const rest = await listWorkspaces(store, { limit: 3, after: 'z2' })
        expect(rest.items.map(({ id }) => id)).toEqual(['z3', 'z4', 'z5'])
        expect(rest.next).toBeUndefined()
      })

      it('finds those that are due, where each of them stands', async () => {
        const [early, late, never] = [aName(), aName(), aName()]
        const time = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString()
        const due = async (minute: number) => {
          const now = new Date(time(minute))
          const pages = await Promise.all(duePartitions.map((pk) => listDue(store, pk, { now, limit: 10 })))
          return pages
            .flatMap(({ entries }) => entries)
            .map(({ workspace, time: at }) => `${at} ${workspace}`)
            .sort()
        }
        await saveWorkspace(store, aWorkspace({ id: late, nextCheckAt: time(5) }), aBundle())
        await saveWorkspace(store, aWorkspace({ id: early, nextCheckAt: time(1) }), aBundle())
        const { nextCheckAt: _, ...unscheduled } = aWorkspace({ id: never })
        await saveWorkspace(store, unscheduled, aBundle())
        expect(await due(0)).toEqual([])
        expect(await due(1)).toEqual([`${time(1)} ${early}`])
        const move = (id: string, nextCheckAt: string) =>
          editWorkspace(store, id, (current) => ({ ...current, nextCheckAt }))
        await move(early, time(9))
        expect(await due(10)).toEqual([`${time(5)} ${late}`, `${time(9)} ${early}`])
        await move(late, time(20))
        await saveWorkspace(store, aWorkspace({ id: early, nextCheckAt: time(20) }), aBundle())
        expect(await due(10)).toEqual([])
      })

      it('lets exactly one of many who saw the same version write the next one', async () => {
        const id = aName()
        await saveWorkspace(store, aWorkspace({ id }), aBundle())
        const seen = await findStored(store, id)
        if (seen === undefined) throw new Error('it is not there')
        const next = { ...seen.workspace, schedule: 'rate(1 hour)' }
        const writes = await Promise.all(Array.from({ length: 20 }, () => replaceStored(store, seen, next)))
        expect(writes.filter((written) => written !== undefined)).toHaveLength(1)
      })

      it('puts what cannot be queued aside, and tells it of the workspace', async () => {
        const id = aName()
        const time = '2020-01-01T00:00:00.000Z'
        await saveWorkspace(store, aWorkspace({ id, nextCheckAt: time }), aBundle())
        const error = { code: 'SCHEDULE_INVALID', message: 'no meaning', hint: 'store it again' }
        const now = new Date('2020-01-01T00:05:00.000Z')
        await quarantine(
          store,
          { key: keys.due(id, time), workspace: id, time, asRead: [{ kind: 'exists' }] },
          error,
          now,
        )
        expect(await store.get(keys.due(id, time))).toBeUndefined()
        const since = now.toISOString()
        const again = '2020-01-01T01:05:00.000Z'
        const aside = { key: keys.quarantine(id), workspace: id, time, since, again, error }
        expect(await listQuarantined(store, { from: id, to: id })).toMatchObject([aside])
        expect(await describeWorkspace(store, id)).toMatchObject({ id, quarantined: { since, error } })
        await saveWorkspace(store, aWorkspace({ id, nextCheckAt: time }), aBundle())
        expect(await listQuarantined(store, { from: id, to: id })).toEqual([])
        expect(await store.get(keys.due(id, time))).toBeDefined()
      })
    })

    it('changes a workspace also while something else of it changes', async () => {
      const id = aName()
      await saveWorkspace(store, aWorkspace({ id }), aBundle())
      const change = () => saveWorkspace(store, aWorkspace({ id }), aBundle('new'))
      await editWorkspace(interrupted(1, change), id, (current) => ({ ...current, schedule: 'rate(1 hour)' }))
      expect(await loadBundle(store, id)).toEqual(aBundle('new'))
      expect(await getWorkspace(store, id)).toMatchObject({ schedule: 'rate(1 hour)' })
    })

    describe('what is recorded', () => {
      const options = { lineage: 'first' }

      it('starts empty, and counts every write', async () => {
        const workspace = aName()
        const empty = await loadRecorded(store, workspace)
        expect(empty).toEqual({ workspace, serial: 0, resources: [], blobs: {} })
        const one = await saveRecorded(store, empty, { put: [aResource('a')], remove: [] }, options)
        const two = await saveRecorded(store, one, { put: [aResource('b')], remove: ['pdns_zone.a'] }, { lineage: 'x' })
        expect(two).toEqual({ workspace, lineage: 'first', serial: 2, resources: [aResource('b')], blobs: {} })
        expect(await loadRecorded(store, workspace)).toEqual(two)
        expect(await saveRecorded(store, two, { put: [], remove: [] }, options)).toEqual(two)
      })

      it('lets exactly one of many who read the same serial write', async () => {
        const workspace = aName()
        const base = await loadRecorded(store, workspace)
        const saves = await Promise.allSettled(
          Array.from({ length: 10 }, (_, n) =>
            saveRecorded(store, base, { put: [aResource(`r${n}`)], remove: [] }, options),
          ),
        )
        const lost = saves.filter((save) => save.status === 'rejected')
        expect(lost).toHaveLength(9)
        for (const save of lost) expect(save.reason).toMatchObject({ code: 'STORE_CONFLICT' })
        expect((await loadRecorded(store, workspace)).resources).toHaveLength(1)
      })

      it('takes more resources than one transaction, and never mixes two writers', async () => {
        const workspace = aName()
        const many = (value: number) =>
          Array.from({ length: 250 }, (_, n) => aResource(`r${String(n).padStart(3, '0')}`, { value }))
        const base = await saveRecorded(
          store,
          await loadRecorded(store, workspace),
          { put: many(0), remove: [] },
          options,
        )
        const saves = await Promise.allSettled([
          saveRecorded(store, base, { put: many(1), remove: [] }, options),
          saveRecorded(store, base, { put: many(2), remove: [] }, options),
        ])
        expect(saves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
        const { resources } = await loadRecorded(store, workspace)
        expect(resources).toHaveLength(250)
        expect(new Set(resources.map(({ attributes }) => attributes['value'])).size).toBe(1)
      })

      it('stops writing many where somebody takes over between two transactions', async () => {
        const workspace = aName()
        const many = Array.from({ length: 250 }, (_, n) => aResource(`r${n}`, { value: 'slow' }))
        const quick = async () =>
          saveRecorded(
            store,
            await loadRecorded(store, workspace),
            { put: many.map((one) => ({ ...one, attributes: { value: 'quick' } })), remove: [] },
            options,
          )
        const slow = saveRecorded(
          interrupted(3, quick),
          await loadRecorded(store, workspace),
          { put: many, remove: [] },
          options,
        )
        await expect(slow).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
        const { resources } = await loadRecorded(store, workspace)
        expect(new Set(resources.map(({ attributes }) => attributes['value']))).toEqual(new Set(['quick']))
      })

      it('moves large resources into chunks, and takes old chunks away', async () => {
        const workspace = aName()
        const large = (seed: string) => aResource('large', { text: seed + noise(1_060_000) })
        const chunks = async () => (await partition(`W#${workspace}`)).filter(({ sk }) => sk.startsWith('BLOB#')).length
        const put = (resource: ReturnType<typeof aResource>) => ({ put: [resource], remove: [] })
        const one = await saveRecorded(store, await loadRecorded(store, workspace), put(large('a')), options)
        const second = large('b')
        const two = await saveRecorded(store, one, put(second), options)
        expect(two.resources).toEqual([second])
        expect(await loadRecorded(store, workspace)).toEqual(two)
        expect(await chunks()).toBe(3)
        await breakBlob(`W#${workspace}`)
        await expect(loadRecorded(store, workspace)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
        await saveRecorded(store, two, { put: [], remove: ['pdns_zone.large'] }, options)
        expect(await chunks()).toBe(0)
        expect((await loadRecorded(store, workspace)).resources).toEqual([])
      })

      it('refuses a newer format', async () => {
        const workspace = aName()
        const item = { pk: `W#${workspace}`, sk: 'STATE', lineage: 'a', serial: 1, formatVersion: '4' }
        await store.write([{ kind: 'put', item }])
        await expect(loadRecorded(store, workspace)).rejects.toMatchObject({
          code: 'STATE_NEWER',
          payload: { found: '4', known: '3' },
        })
      })

      it.each(['1', '2'])('reads records of format %s, and writes the current one over them', async (former) => {
        const workspace = aName()
        const header = { pk: `W#${workspace}`, sk: 'STATE', lineage: 'a', serial: 1, formatVersion: former }
        const record = { pk: `W#${workspace}`, sk: 'R#pdns_zone.a', body: JSON.parse(JSON.stringify(aResource('a'))) }
        await store.write([
          { kind: 'put', item: header },
          { kind: 'put', item: record },
        ])
        const base = await loadRecorded(store, workspace)
        expect(base).toEqual({ workspace, lineage: 'a', serial: 1, resources: [aResource('a')], blobs: {} })
        await saveRecorded(store, base, { put: [aResource('b')], remove: [] }, options)
        expect(await store.get(keys.state(workspace))).toMatchObject({ lineage: 'a', serial: 2, formatVersion: '3' })
        expect((await loadRecorded(store, workspace)).resources).toEqual([aResource('a'), aResource('b')])
      })

      it('replaces records at once, whatever their number, and deletes what was there', long, async () => {
        const workspace = aName()
        const many = (value: string) =>
          Array.from({ length: 250 }, (_, n) => aResource(`r${String(n).padStart(3, '0')}`, { value }))
        const large = aResource('r000', { text: noise(1_060_000) })
        const replace = async (put: ReturnType<typeof many>, remove: string[], generation: string) => {
          const base = await loadRecorded(store, workspace)
          const { changes, next } = await replaceRecorded(store, base, { put, remove }, { ...options, generation })
          await mustCommit(store, changes, 'it')
          expect(await loadRecorded(store, workspace)).toEqual({
            ...next,
            resources: next.resources.toSorted((left, right) => (left.address < right.address ? -1 : 1)),
          })
          return next
        }
        await replace(many('one'), [], 'first')
        const two = await replace([large, ...many('two').slice(1)], [], 'second')
        expect(two).toMatchObject({ serial: 2, generation: 'second', lineage: 'first' })
        const three = await replace([aResource('b')], ['pdns_zone.r001'], 'third')
        expect(three).toMatchObject({ serial: 3, generation: 'second' })
        expect(three.resources).toHaveLength(250)
        const kept = await partition(`W#${workspace}`)
        expect(kept.filter(({ sk }) => sk.startsWith('R#') || sk.startsWith('G#first#'))).toEqual([])
        const four = await replace(
          [],
          three.resources.map(({ address }) => address),
          'fourth',
        )
        expect(four).toMatchObject({ serial: 4, resources: [] })
        expect((await partition(`W#${workspace}`)).map(({ sk }) => sk)).toEqual(['STATE'])
      })

      it('deletes nothing any more once somebody writes what it would delete', async () => {
        const workspace = aName()
        const many = Array.from({ length: 250 }, (_, n) => aResource(`r${n}`))
        const large = aResource('large', { text: noise(1_060_000) })
        const put = [large, ...many]
        const base = await saveRecorded(store, await loadRecorded(store, workspace), { put, remove: [] }, options)
        const change = { put: many.map((one) => ({ ...one, attributes: { ttl: 2 } })), remove: [large.address] }
        const { changes, next } = await replaceRecorded(store, base, change, { ...options, generation: 'next' })
        let isFirst = true
        const slow: Store = {
          ...store,
          write: async (writes) => {
            const result = await store.write(writes)
            if (isFirst && writes.some((write) => write.kind === 'put' && write.item.sk === 'STATE')) {
              isFirst = false
              await saveRecorded(store, next, { put: [large], remove: [] }, options)
            }
            return result
          },
        }
        await mustCommit(slow, changes, 'it')
        expect(isFirst).toBe(false)
        const { resources } = await loadRecorded(store, workspace)
        expect(resources).toHaveLength(251)
        expect(resources).toContainEqual(large)
      })

      it('reads again where other records took the place of those it was reading', async () => {
        const workspace = aName()
        const many = (value: number) => Array.from({ length: 250 }, (_, n) => aResource(`r${n}`, { value }))
        await saveRecorded(store, await loadRecorded(store, workspace), { put: many(1), remove: [] }, options)
        const base = await loadRecorded(store, workspace)
        let reads = 0
        const slow: Store = {
          ...store,
          query: async (query) => {
            reads += 1
            if (reads > 1) return store.query(query)
            const change = { put: many(2), remove: [] }
            const { changes } = await replaceRecorded(store, base, change, { ...options, generation: 'next' })
            await mustCommit(store, changes, 'it')
            return store.query(query)
          },
        }
        const { resources } = await loadRecorded(slow, workspace)
        expect(new Set(resources.map(({ attributes }) => attributes['value']))).toEqual(new Set([2]))
        expect(resources).toHaveLength(250)
      })

      it('is not settled while many records are written, until somebody writes again', async () => {
        const workspace = aName()
        const many = (value: number) => Array.from({ length: 250 }, (_, n) => aResource(`r${n}`, { value }))
        const base = await saveRecorded(
          store,
          await loadRecorded(store, workspace),
          { put: many(1), remove: [] },
          options,
        )
        const died = interrupted(3, async () => {
          throw new Error('died')
        })
        await expect(saveRecorded(died, base, { put: many(2), remove: [] }, options)).rejects.toThrow('died')
        await expect(loadSettled(store, workspace)).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
        const half = await loadRecorded(store, workspace)
        expect(half).toMatchObject({ isPartial: true, serial: base.serial + 1 })
        await saveRecorded(store, half, { put: [], remove: [] }, options)
        expect(await loadSettled(store, workspace)).toMatchObject({ serial: base.serial + 2 })
      })

      it('writes nothing once the lock is lost, in one transaction or in many', async () => {
        const workspace = aName()
        const lock = await acquireLock(store, { workspace, holder: 'a', leaseMs: 10, now: new Date(0) })
        const base = await saveRecorded(
          store,
          await loadRecorded(store, workspace),
          { put: [aResource('a')], remove: [] },
          { ...options, lock },
        )
        await acquireLock(store, { workspace, holder: 'b', leaseMs: 10, now: new Date(20), dead: lock })
        for (const size of [1, 150]) {
          const put = Array.from({ length: size }, (_, n) => aResource(`late${n}`))
          await expect(saveRecorded(store, base, { put, remove: [] }, { ...options, lock })).rejects.toMatchObject({
            code: 'LOCK_LOST',
            payload: { workspace },
          })
        }
        expect(await loadRecorded(store, workspace)).toEqual(base)
      })
    })

    describe('the lock', () => {
      const lease = (now: number) => ({ leaseMs: 100, now: new Date(now) })
      const check = async (write: Write) => (await store.write([write])).ok

      it('has one holder, goes to whoever has watched it end, and its fence only grows', async () => {
        const workspace = aName()
        expect(await getLock(store, workspace, new Date(0))).toBeUndefined()
        const first = await acquireLock(store, { workspace, holder: 'a', ...lease(0) })
        const until = new Date(100).toISOString()
        expect(first).toEqual({ workspace, holder: 'a', fence: 1, beat: 0, leaseMs: 100, until })
        expect(await readLock(store, workspace)).toEqual(first)
        expect(await getLock(store, workspace, new Date(99))).toEqual(first)
        expect(await getLock(store, workspace, new Date(100))).toBeUndefined()
        // A time that has passed by another machine's clock is no reason to take it over.
        for (const [holder, now] of [
          ['a', 99],
          ['b', 99],
          ['b', 9_999_999],
        ] as const) {
          await expect(acquireLock(store, { workspace, holder, ...lease(now) })).rejects.toMatchObject({
            code: 'LOCKED',
            payload: { workspace, holder: 'a', until: first.until },
          })
        }
        const second = await acquireLock(store, { workspace, holder: 'b', ...lease(0), dead: first })
        expect(second.fence).toBe(2)
        expect(await check(holdsLock(first))).toBe(false)
        expect(await check(holdsLock(second))).toBe(true)
        await expect(renewLock(store, withLease(first, 1, lease(101)))).rejects.toMatchObject({ code: 'LOCK_LOST' })
        await releaseLock(store, first)
        expect(await check(holdsLock(second))).toBe(true)
        await releaseLock(store, second)
        expect(await check(holdsLock(second))).toBe(false)
        expect((await acquireLock(store, { workspace, holder: 'c', ...lease(102) })).fence).toBe(3)
      })

      it('may be renewed, also late, as long as nobody took over', async () => {
        const workspace = aName()
        const first = await acquireLock(store, { workspace, holder: 'a', ...lease(0) })
        const renewed = withLease(first, 1, lease(500))
        await renewLock(store, renewed)
        expect(await readLock(store, workspace)).toEqual({ ...first, beat: 1, until: new Date(600).toISOString() })
        const late = acquireLock(store, { workspace, holder: 'b', ...lease(599), dead: first })
        await expect(late).rejects.toMatchObject({ code: 'LOCKED' })
      })

      it('goes to one of many who want it at once', async () => {
        const workspace = aName()
        const wants = Array.from({ length: 20 }, (_, n) =>
          acquireLock(store, { workspace, holder: `${n}`, ...lease(0) }),
        )
        const got = (await Promise.allSettled(wants)).filter(({ status }) => status === 'fulfilled')
        expect(got).toHaveLength(1)
      })
    })

    describe('runs', () => {
      const quiet: RunToSave['advance'] = () => ({ episodes: [], alerts: [] })
      const advanceWith = (run: Run, plan: Plan | undefined): RunToSave['advance'] => {
        return (open) =>
          advanceEpisodes({
            workspace: run.workspace,
            ...(plan === undefined ? {} : { plan }),
            run,
            open,
            rules: { minSeverity: 'low' },
            at: run.finishedAt,
            newId: randomUUID,
          })
      }
      const runIn = (workspace: string, n: number, plan?: Plan, more: Partial<Run> = {}): Run =>
        aRun(n, plan, {
          workspace,
          startedAt: clock.now().toISOString(),
          finishedAt: new Date(clock.now().getTime() + n).toISOString(),
          ...more,
        })
      const drifted = aPlan([aChange('pdns_zone.a')])

      it('stores a run with its plan, its place in the workspace and its commands', async () => {
        const workspace = aName()
        await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle())
        const plan = { ...drifted, workspace }
        const run = runIn(workspace, 1, plan)
        expect(await saveRun(store, { run, plan, advance: quiet })).toEqual({ run, stored: true })
        expect(await getRun(store, workspace, run.id)).toEqual(run)
        expect(await getPlan(store, workspace, run.id)).toEqual(plan)
        expect(await getRunByCommands(store, workspace, plan.digests.commands)).toEqual(run)
        const { id, status, finishedAt, counts, digests } = run
        expect((await getWorkspace(store, workspace)).lastRun).toEqual({ id, status, finishedAt, counts, digests })
        await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle('changed'))
        expect((await getWorkspace(store, workspace)).lastRun?.id).toBe(id)
      })

      it('finds a plan without commands among the latest runs, without an item that points to it', async () => {
        const workspace = aName()
        const some = aPlan([], [], { workspace })
        const plan = { ...some, digests: { ...some.digests, commands: digest([]) } }
        const run = runIn(workspace, 1, plan)
        await saveRun(store, { run, plan, advance: quiet })
        expect(await getRunByCommands(store, workspace, plan.digests.commands)).toEqual(run)
        const all = await partition(`W#${workspace}`)
        expect(all.filter(({ sk }) => sk.startsWith('DIGEST#'))).toEqual([])
      })

      it('leaves a damaged pointer to the commands of a plan as it is, and stores the run', async () => {
        const workspace = aName()
        const plan = { ...drifted, workspace }
        const key = keys.commands(workspace, plan.digests.commands)
        await saveRun(store, { run: runIn(workspace, 1, plan), plan, advance: quiet })
        await store.write([{ kind: 'put', item: { ...key, workspace } }])
        const later = runIn(workspace, 2, plan)
        expect(await saveRun(store, { run: later, plan, advance: quiet })).toMatchObject({ stored: true })
        expect(await getRun(store, workspace, later.id)).toEqual(later)
        const approved = getRunByCommands(store, workspace, plan.digests.commands)
        await expect(approved).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
      })

      it('stores a failed run without a plan, also of a workspace whose files lie elsewhere', async () => {
        const workspace = aName()
        const run = runIn(workspace, 1)
        await saveRun(store, { run, advance: quiet })
        expect(await getRun(store, workspace, run.id)).toEqual(run)
        expect(await getPlan(store, workspace, run.id)).toBeUndefined()
        await expect(getPlan(store, workspace, anId(9))).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
        await expect(getRunByCommands(store, workspace, digest('x'))).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' })
      })

      it('has one run for a scheduled time, and one for an id', async () => {
        const workspace = aName()
        const scheduledFor = '2026-03-01T06:00:00Z'
        const save = (n: number) =>
          saveRun(store, { run: runIn(workspace, n, drifted, { scheduledFor }), plan: drifted, advance: quiet })
        const saved = await Promise.all([save(1), save(2), save(3)])
        expect(saved.filter(({ stored }) => stored)).toHaveLength(1)
        expect(new Set(saved.map(({ run }) => run.id)).size).toBe(1)
        expect((await listRuns(store, workspace, { limit: 9 })).items).toHaveLength(1)
        expect(await findScheduledRun(store, workspace, '2026-03-01T06:00:00.000Z')).toEqual(saved[0]?.run)
        expect(await findScheduledRun(store, workspace, '2026-03-01T06:15:00Z')).toBeUndefined()
      })

      it('answers the same run again with what it was, also where it recorded something', async () => {
        const workspace = aName()
        const change = { put: Array.from({ length: 150 }, (_, n) => aResource(`r${n}`)), remove: [] }
        const recorded = { base: await loadRecorded(store, workspace), change, lineage: 'first' }
        const save: RunToSave = { run: runIn(workspace, 1, drifted), plan: drifted, recorded, advance: quiet }
        expect((await saveRun(store, save)).stored).toBe(true)
        expect(await saveRun(store, save)).toEqual({ run: save.run, stored: false })
      })

      it('stores nothing once the lock is lost', async () => {
        const workspace = aName()
        const lock = await acquireLock(store, { workspace, holder: 'a', leaseMs: 1, now: new Date(0) })
        await releaseLock(store, lock)
        const change = { put: [aResource('a')], remove: [] }
        const recorded = { base: await loadRecorded(store, workspace), change, lineage: 'first' }
        const late = saveRun(store, { run: runIn(workspace, 1), recorded, lock, advance: quiet })
        await expect(late).rejects.toMatchObject({ code: 'LOCK_LOST' })
        expect((await listRuns(store, workspace, { limit: 1 })).items).toEqual([])
      })

      it('lists them newest first, page by page', async () => {
        const workspace = aName()
        for (const n of [1, 2, 3, 4, 5]) await saveRun(store, { run: runIn(workspace, n), advance: quiet })
        const first = await listRuns(store, workspace, { limit: 2 })
        expect(first.items.map(({ id }) => id)).toEqual([anId(5), anId(4)])
        const rest = await listRuns(store, workspace, { limit: 9, after: first.next ?? '' })
        expect(rest.items.map(({ id }) => id)).toEqual([anId(3), anId(2), anId(1)])
        expect(rest.next).toBeUndefined()
      })

      it.each([true, false])(
        'opens one episode and writes one alert, however many checks come at once (files stored: %s)',
        async (pushed) => {
          const workspace = aName()
          if (pushed) await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle())
          const save = (n: number) => {
            const run = runIn(workspace, n, drifted)
            return saveRun(store, { run, plan: drifted, advance: advanceWith(run, drifted) })
          }
          await Promise.all([1, 2, 3, 4].map(save))
          const told = await pendingAlerts(store, workspace)
          expect(told).toHaveLength(1)
          expect(await listEpisodes(store, workspace)).toMatchObject([{ key: 'drift', status: 'open' }])
          expect(await listUndelivered(store)).toContain(workspace)
          await markSent(store, told[0] as Alert)
          expect(await pendingAlerts(store, workspace)).toEqual([])
          expect(await listUndelivered(store)).not.toContain(workspace)
          const calm = runIn(workspace, 9, aPlan())
          await saveRun(store, { run: calm, plan: aPlan(), advance: advanceWith(calm, aPlan()) })
          expect(await pendingAlerts(store, workspace)).toMatchObject([{ kind: 'resolved', about: 'drift' }])
        },
      )

      it('shows of a workspace what is open and how its days were, also under a new configuration', async () => {
        const workspace = aName()
        await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle())
        const save = (n: number, found?: Plan) => {
          const plan = found && { ...found, workspace }
          const run = runIn(workspace, n, plan)
          return saveRun(store, { run, ...defined({ plan }), advance: advanceWith(run, plan) })
        }
        const seen = async () => {
          const [found] = (await listWorkspaces(store, { limit: 500 })).items.filter(({ id }) => id === workspace)
          return { open: found?.openEpisodes, today: found?.days?.worst.at(-1), until: found?.days?.until }
        }
        const until = clock.now().toISOString().slice(0, 10)
        expect(await seen()).toEqual({})
        await save(1, aPlan())
        expect(await seen()).toEqual({ until, today: 'in_sync' })
        await save(2, drifted)
        expect(await seen()).toEqual({ until, today: 'changes', open: { count: 1, severity: 'medium', differ: 1 } })
        await save(3)
        await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle('changed'))
        expect(await seen()).toEqual({ until, today: 'failed', open: { count: 2, severity: 'high', differ: 1 } })
        await save(5, drifted)
        expect(await seen()).toEqual({ until, today: 'failed', open: { count: 1, severity: 'medium', differ: 1 } })
        await save(4, aPlan())
        expect((await seen()).open).toEqual({ count: 1, severity: 'medium', differ: 1 })
        await save(6, aPlan())
        expect(await seen()).toEqual({ until, today: 'failed' })
      })

      it('says nothing about now with a run that comes in after a later one', async () => {
        const workspace = aName()
        await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle())
        const later = runIn(workspace, 5, aPlan())
        await saveRun(store, { run: later, plan: aPlan(), advance: advanceWith(later, aPlan()) })
        const late = runIn(workspace, 4, drifted)
        const saved = await saveRun(store, { run: late, plan: drifted, advance: advanceWith(late, drifted) })
        expect(saved).toMatchObject({ stored: true })
        expect(await pendingAlerts(store, workspace)).toEqual([])
        expect(await listEpisodes(store, workspace)).toEqual([])
        expect((await getWorkspace(store, workspace)).lastRun?.id).toBe(later.id)
      })

      it.each([2, 500])('records %i resources together with the run, or neither', async (size) => {
        const workspace = aName()
        const put = Array.from({ length: size }, (_, n) => aResource(`r${n}`))
        const base = await loadRecorded(store, workspace)
        const recorded = { base, change: { put, remove: [] }, lineage: 'first' }
        const run = runIn(workspace, 1, drifted)
        expect(await saveRun(store, { run, plan: drifted, recorded, advance: quiet })).toMatchObject({ stored: true })
        const saved = await loadRecorded(store, workspace)
        expect(saved.resources).toHaveLength(size)
        expect(saved.serial).toBeGreaterThan(base.serial)
        const stale = saveRun(store, { run: runIn(workspace, 2, drifted), plan: drifted, recorded, advance: quiet })
        await expect(stale).rejects.toMatchObject({
          code: 'STORE_CONFLICT',
          payload: { what: `what is recorded of ${workspace}` },
        })
        await expect(getRun(store, workspace, anId(2))).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
      })

      it('keeps a plan of any size, with episodes to match, and items that end by themselves', long, async () => {
        const workspace = aName()
        const changes = Array.from({ length: 6000 }, (_, n) =>
          aChange(`pdns_zone.r${n}`, { after: { text: noise(660) } }),
        )
        const plan = aPlan(changes, [], { workspace })
        const run = runIn(workspace, 7, plan, { id: anId(7) })
        await saveRun(store, { run, plan, advance: advanceWith(run, plan) })
        expect(await getPlan(store, workspace, run.id)).toEqual(plan)
        const items = (await partition(`W#${workspace}`)).filter(({ sk }) => /^(PLAN|RUN|SCHED|DIGEST)#/.test(sk))
        expect(items.length).toBeGreaterThan(2)
        for (const item of items) expect(item.ttl).toBeGreaterThan(clock.now().getTime() / 1000)
        const chunks = (await partition(`W#${workspace}`)).filter(({ sk }) => sk.startsWith('BLOB#'))
        expect(chunks.length).toBeGreaterThan(2)
        expect((await listEpisodes(store, workspace))[0]?.findings).toHaveLength(6000)
        expect((await pendingAlerts(store, workspace))[0]?.findingsLeftOut).toBeGreaterThan(1000)
      })
    })

    describe('applies', () => {
      it('gives back what was created, newest first, and knows no others', async () => {
        const workspace = aName()
        for (const n of [1, 2, 3]) await createApply(store, anApply(n, { workspace }))
        expect(await getApply(store, workspace, anId(2))).toEqual(anApply(2, { workspace }))
        const first = await listApplies(store, workspace, { limit: 2 })
        expect(first).toEqual({ items: [anApply(3, { workspace }), anApply(2, { workspace })], next: anId(2) })
        expect((await listApplies(store, workspace, { limit: 2, after: anId(2) })).items).toHaveLength(1)
        await expect(getApply(store, workspace, anId(9))).rejects.toMatchObject({ code: 'APPLY_NOT_FOUND' })
      })

      it('answers a repeated request with the first apply, and refuses the key for another request', async () => {
        const workspace = aName()
        const requests = [1, 2, 3, 4].map((n) =>
          createApply(store, anApply(n, { workspace }), { idempotencyKey: 'key' }),
        )
        const ids = new Set((await Promise.all(requests)).map(({ id }) => id))
        expect(ids.size).toBe(1)
        expect((await listApplies(store, workspace, { limit: 9 })).items).toHaveLength(1)
        const others: Partial<ReturnType<typeof anApply>>[] = [
          { mode: 'check' },
          { reason: 'other' },
          { targets: ['pdns_zone.a'] },
          { digest: digest('other') },
          { actor: { subject: 'eve', via: 'api' } },
        ]
        for (const other of others) {
          const again = createApply(store, anApply(5, { workspace, ...other }), { idempotencyKey: 'key' })
          await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_REUSED', payload: { key: 'key' } })
        }
        expect((await createApply(store, anApply(6, { workspace }), { idempotencyKey: 'another' })).id).toBe(anId(6))
      })

      it('is updated by the holder of the lock only', async () => {
        const workspace = aName()
        await createApply(store, anApply(1, { workspace }))
        const first = await acquireLock(store, { workspace, holder: 'a', leaseMs: 1, now: new Date(0) })
        await updateApply(store, anApply(1, { workspace, status: 'running' }), first)
        const second = await acquireLock(store, { workspace, holder: 'b', leaseMs: 1, now: new Date(9), dead: first })
        const late = updateApply(store, anApply(1, { workspace, status: 'failed' }), first)
        await expect(late).rejects.toMatchObject({ code: 'LOCK_LOST' })
        expect((await getApply(store, workspace, anId(1))).status).toBe('running')
        const outcomes = Array.from({ length: 9000 }, (_, n) => ({
          command: `pdns_zone.r${n}#1`,
          status: 'succeeded' as const,
          detail: noise(100),
        }))
        await updateApply(store, anApply(1, { workspace, status: 'succeeded', outcomes }), second)
        expect((await getApply(store, workspace, anId(1))).outcomes).toEqual(outcomes)
        await updateApply(store, anApply(1, { workspace, status: 'succeeded' }), second)
        expect((await partition(`W#${workspace}`)).filter(({ sk }) => sk.startsWith('BLOB#'))).toEqual([])
      })
    })

    describe('the ledger', () => {
      const append = (workspace: string, ...numbers: number[]) =>
        appendLedger(
          store,
          workspace,
          numbers.map((n) => aDraft(n, { workspace })),
        )

      it('links entry to entry, whoever appends', async () => {
        const workspace = aName()
        expect(await getLedgerHead(store, workspace)).toMatchObject({ seq: 0 })
        expect(await append(workspace)).toEqual([])
        await append(workspace, 1, 2)
        await Promise.all([append(workspace, 3), append(workspace, 4, 5), append(workspace, 6)])
        const entries = await collect(readLedger(store, workspace))
        expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
        const head = await getLedgerHead(store, workspace)
        const verdict = await verify(readWholeLedger(store, workspace), { workspace })
        expect(verdict).toEqual({ ok: true, workspace, entries: 6, head: head.hash })
      })

      it('adds nothing where what belongs to it does not hold', async () => {
        const workspace = aName()
        const lock = await acquireLock(store, { workspace, holder: 'a', leaseMs: 1, now: new Date(0) })
        await appendLedger(store, workspace, [aDraft(1, { workspace })], [holdsLock(lock)])
        await releaseLock(store, lock)
        const late = appendLedger(store, workspace, [aDraft(2, { workspace })], [holdsLock(lock)])
        await expect(late).rejects.toMatchObject({ code: 'LOCK_LOST' })
        expect(await collect(readLedger(store, workspace))).toHaveLength(1)
      })

      it('keeps commands of any size, and the hash covers them', async () => {
        const workspace = aName()
        const command = { address: 'pdns_zone.big', body: noise(800_000) }
        const [entry] = await appendLedger(store, workspace, [aDraft(1, { workspace, command })])
        const [found] = await collect(readLedger(store, workspace))
        expect(found).toEqual(entry)
        expect(await verify(readWholeLedger(store, workspace))).toMatchObject({ ok: true })
      })

      it('answers by time, actor, address, run and apply, page by page', long, async () => {
        const workspace = aName()
        const by = (n: number, more: object) => aDraft(n, { workspace, ...more })
        await appendLedger(store, workspace, [
          by(10, { actor: { subject: 'eve', via: 'api' } }),
          by(20, { command: { address: 'pdns_zone.other' } }),
          by(30, { runId: anId(7) }),
          by(40, { applyId: anId(8) }),
          by(50, { command: { address: 'module.dns.pdns_zone.other["a.b"]' } }),
          by(45, {}),
        ])
        const time = (n: number) => aDraft(n).at
        const seqs = async (query: object) => {
          const { items, next } = await queryLedger(store, workspace, { limit: 9, ...query })
          return [items.map(({ seq }) => seq), next]
        }
        expect(await seqs({})).toEqual([[1, 2, 3, 4, 5, 6], undefined])
        expect(await seqs({ actor: 'eve' })).toEqual([[1], undefined])
        expect(await seqs({ address: 'pdns_zone.other' })).toEqual([[2], undefined])
        expect(await seqs({ address: 'module.dns.pdns_zone.other' })).toEqual([[5], undefined])
        expect(await seqs({ address: 'module.dns' })).toEqual([[5], undefined])
        expect(await seqs({ address: '*other*' })).toEqual([[2, 5], undefined])
        expect(await seqs({ address: 'other' })).toEqual([[], undefined])
        expect(await seqs({ runId: anId(7) })).toEqual([[3], undefined])
        expect(await seqs({ applyId: anId(8) })).toEqual([[4], undefined])
        expect(await seqs({ from: time(20), to: time(40) })).toEqual([[2, 3, 4], undefined])
        expect(await seqs({ from: time(21) })).toEqual([[3, 4, 5, 6], undefined])
        expect(await seqs({ to: time(9) })).toEqual([[], undefined])
        expect(await seqs({ from: time(99) })).toEqual([[], undefined])
        expect(await seqs({ limit: 2 })).toEqual([[1, 2], '2'])
        expect(await seqs({ limit: 4, after: '2' })).toEqual([[3, 4, 5, 6], undefined])
        expect(await seqs({ limit: 1, actor: 'ada', after: '2' })).toEqual([[3], '3'])
      })

      it('answers the same entries the other way round, page by page', long, async () => {
        const workspace = aName()
        const minutes = [10, 20, 20, 20, 30, 40, 40, 50]
        const actors = ['eve', 'ada', 'eve', 'eve', 'ada', 'eve', 'ada', 'ada']
        const drafts = minutes.map((n, k) => aDraft(n, { workspace, actor: { subject: actors[k] ?? '', via: 'api' } }))
        await appendLedger(store, workspace, drafts)
        const all = async (query: object, limit: number) => {
          const found: number[] = []
          for (let after: string | undefined; ; ) {
            const { items, next } = await queryLedger(store, workspace, { limit, ...query, ...defined({ after }) })
            found.push(...items.map(({ seq }) => seq))
            if (next === undefined) return found
            after = next
          }
        }
        const times = [undefined, 5, 10, 20, 25, 40, 50, 60].map((n) => (n === undefined ? n : aDraft(n).at))
        for (const from of times)
          for (const to of times)
            for (const actor of [undefined, 'eve']) {
              const filter = defined({ from, to, actor })
              const oldest = await all(filter, 3)
              const expected = drafts.flatMap(({ at, actor: by }, k) =>
                (from ?? '') <= at && at <= (to ?? '9') && (actor ?? by.subject) === by.subject ? [k + 1] : [],
              )
              expect(oldest).toEqual(expected)
              expect(await all({ ...filter, order: 'newest' }, 3)).toEqual(expected.toReversed())
            }
      })
    })

    it('has episodes of its own for each workspace', async () => {
      const [one, other] = [aName(), aName()]
      const run = aRun(1, undefined, { workspace: one })
      const seen: (readonly Episode[])[] = []
      const advance: RunToSave['advance'] = (stored) => {
        seen.push(stored)
        return { episodes: [], alerts: [] }
      }
      await saveRun(store, { run, advance })
      expect(seen).toEqual([[]])
      expect(await listEpisodes(store, other)).toEqual([])
    })
  })
}
