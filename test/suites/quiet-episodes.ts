import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceEpisodes } from '../../core/engine/alert/episode.ts'
import { verify } from '../../core/engine/ledger/verify.ts'
import type { Episode } from '../../core/engine/schema/stored/findings.ts'
import type { Plan } from '../../core/engine/schema/stored/plan.ts'
import { readLedger, readWholeLedger } from '../../core/engine/state/ledger.ts'
import { listEpisodes, pendingAlerts } from '../../core/engine/state/outbox.ts'
import { saveRun } from '../../core/engine/state/runs/runs.ts'
import type { Store } from '../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import { findStored } from '../../core/engine/state/workspaces/workspaces.ts'
import {
  acknowledgeEpisode,
  snoozeEpisode,
  unsnoozeEpisode,
} from '../../core/engine/workflows/workspace/quiet-episode.ts'
import { removeWorkspace } from '../../core/engine/workflows/workspace/remove-workspace.ts'
import { eachOf } from '../builders/long.ts'
import { type CreateStore, type TestStore, testClock } from '../builders/time/stores.ts'
import { aBundle, aChange, anId, aPlan, aRun, aWorkspace } from '../builders/values/records.ts'
import { actor, testDeps } from '../builders/workspaces/workspace.ts'

/** What it means on whatever store that somebody acknowledges or snoozes an episode. */
export const describeQuietEpisodes = (name: string, create: CreateStore): void => {
  describe(`an open episode ${name}`, () => {
    const clock = testClock()
    let opened: TestStore
    let store: Store
    let count = 0
    beforeAll(async () => {
      opened = await create(clock)
      store = opened.store
    })
    afterAll(() => opened.stop())

    const dayMs = 24 * 60 * 60_000
    const later = (days: number): string => new Date(clock.now().getTime() + days * dayMs).toISOString()

    /** A workspace with an open episode about drift. */
    const aWorld = async (changes = 1) => {
      count += 1
      const workspace = `quiet${count}`
      const { deps } = testDeps({ store, clock })
      let runs = 0
      const check = async (found?: Plan, within = store) => {
        runs += 1
        const plan = found && { ...found, workspace }
        const at = clock.now().toISOString()
        const run = aRun(runs, plan, { workspace, id: anId(count * 1_000 + runs), startedAt: at, finishedAt: at })
        const base = { workspace, run, rules: { minSeverity: 'low' }, at, newId: randomUUID } as const
        const advance = (open: readonly Episode[]) => advanceEpisodes({ ...base, open, ...(plan && { plan }) })
        await saveRun(within, { run, ...(plan && { plan }), advance })
      }
      await saveWorkspace(store, aWorkspace({ id: workspace }), aBundle())
      await check(aPlan(Array.from({ length: changes }, (_, n) => aChange(`pdns_zone.r${n}`))))
      const [first] = await listEpisodes(store, workspace)
      const request = { workspace, actor, reason: 'I am on it', episode: first?.id ?? '' }
      const entries = async () =>
        (await Array.fromAsync(readLedger(store, workspace))).map(({ kind, reason, episode }) => ({
          kind,
          reason,
          episode,
        }))
      const seen = async () => (await listEpisodes(store, workspace))[0]
      const told = async () => (await pendingAlerts(store, workspace)).map(({ kind }) => kind).toSorted()
      return { workspace, deps, check, request, entries, seen, told }
    }

    eachOf(it, 1)([1, 6_000])('of %d findings is acknowledged once, whoever asks how often', async (changes) => {
      const { workspace, deps, request, entries, seen, told, check } = await aWorld(changes)
      const all = await Promise.all([1, 2, 3].map(() => acknowledgeEpisode(request, deps)))
      for (const one of all) expect(one.acknowledged).toEqual(all[0]?.acknowledged)
      expect(await seen()).toEqual(all[0])
      expect((await findStored(store, workspace))?.workspace.openEpisodes).toMatchObject({
        acknowledged: 1,
        differ: changes,
      })
      expect(all[0]?.acknowledged).toMatchObject({ by: actor, reason: 'I am on it', severity: 'medium' })
      const episode = { id: request.episode, about: 'drift', severity: 'medium' }
      expect(await entries()).toEqual([{ kind: 'acknowledged', reason: 'I am on it', episode }])
      expect(await verify(readWholeLedger(store, workspace), { workspace })).toMatchObject({ ok: true })
      await check(aPlan([aChange('pdns_zone.r0')]))
      expect(await told()).toEqual(['opened'])
      await check(aPlan([aChange('pdns_zone.other')]))
      expect(await told()).toEqual(['changed', 'opened'])
      await check(aPlan())
      expect(await told()).toEqual(['changed', 'opened', 'resolved'])
    })

    it('is snoozed until a time, until another one, and no longer', async () => {
      const { deps, request, entries, seen } = await aWorld()
      const until = later(1)
      await snoozeEpisode({ ...request, until }, deps)
      await snoozeEpisode({ ...request, until }, deps)
      const longest = later(30)
      await snoozeEpisode({ ...request, until: longest, reason: 'longer' }, deps)
      expect(await seen()).toMatchObject({ status: 'open', snoozed: { by: actor, reason: 'longer', until: longest } })
      await unsnoozeEpisode({ ...request, reason: 'done' }, deps)
      await unsnoozeEpisode({ ...request, reason: 'done' }, deps)
      expect(Date.parse((await seen())?.snoozed?.until ?? '')).toBeLessThanOrEqual(clock.now().getTime())
      const episode = { id: request.episode, about: 'drift', severity: 'medium' }
      expect(await entries()).toEqual([
        { kind: 'snoozed', reason: 'I am on it', episode: { ...episode, until } },
        { kind: 'snoozed', reason: 'longer', episode: { ...episode, until: longest } },
        { kind: 'unsnoozed', reason: 'done', episode },
      ])
    })

    it.each([
      ['now', 0],
      ['yesterday', -1],
      ['in 31 days', 31],
    ])('is not snoozed until %s', async (_, days) => {
      const { deps, request, entries, seen } = await aWorld()
      const snoozed = snoozeEpisode({ ...request, until: later(days) }, deps)
      await expect(snoozed).rejects.toMatchObject({ code: 'SNOOZE_INVALID', payload: { days: 30 } })
      expect(await seen()).not.toHaveProperty('snoozed')
      expect(await entries()).toEqual([])
    })

    it('stays as a check left it that ended at the same time', async () => {
      const { deps, request, check, seen, entries } = await aWorld()
      let isFirst = true
      const racing: Store = {
        ...store,
        write: async (writes) => {
          if (isFirst) {
            isFirst = false
            await check(aPlan([aChange('pdns_zone.r0'), aChange('pdns_zone.late')]))
          }
          return store.write(writes)
        },
      }
      await acknowledgeEpisode(request, { ...deps, store: racing })
      expect((await seen())?.findings).toHaveLength(2)
      expect(await seen()).toHaveProperty('acknowledged')
      expect(await entries()).toHaveLength(1)
    })

    it('is told apart from one that is unknown or has ended, and from a workspace that is gone', async () => {
      const { workspace, deps, request, check, entries } = await aWorld()
      const unknown = acknowledgeEpisode({ ...request, episode: anId(9) }, deps)
      await expect(unknown).rejects.toMatchObject({ code: 'EPISODE_NOT_FOUND' })
      const nowhere = acknowledgeEpisode({ ...request, workspace: 'nowhere' }, deps)
      await expect(nowhere).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
      await check(aPlan())
      for (const change of [acknowledgeEpisode, unsnoozeEpisode])
        await expect(change(request, deps)).rejects.toMatchObject({ code: 'EPISODE_RESOLVED' })
      expect(await entries()).toEqual([])
      await removeWorkspace({ workspace, actor, reason: 'gone' }, deps)
      await expect(acknowledgeEpisode(request, deps)).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    })
  })
}
