import { describe, expect, it } from 'vitest'
import type { Run } from '../../../core/engine/schema/stored/records.ts'
import type { Retention } from '../../../core/engine/state/retention.ts'
import { getPlan, getRun, saveAside, saveRun } from '../../../core/engine/state/runs/runs.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Item, Store } from '../../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import { defined } from '../../../core/engine/values/defined.ts'
import { checkRecorded, checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aBundle, aPlan, aRun, aWorkspace } from '../../builders/values/records.ts'
import { actor, testDeps } from '../../builders/workspaces/workspace.ts'

const finishedAt = '2026-01-01T00:00:00.000Z'

const week = { inSyncDays: 7, otherDays: 14, backupDays: 1 }

it.each<[string, typeof saveRun | typeof saveAside, Run['status'], string, string, Retention?]>([
  ['a check', saveRun, 'changes', '2027-02-05', '2027-05-16'],
  ['an incomplete check', saveRun, 'incomplete', '2027-02-05', '2027-05-16'],
  ['a check in sync', saveRun, 'in_sync', '2026-01-31', '2026-05-11'],
  ['a run that is no check', saveAside, 'changes', '2027-02-05', '2027-05-16'],
  ['a check, of other settings,', saveRun, 'changes', '2026-01-15', '2026-04-25', week],
  ['a check in sync, of other settings,', saveRun, 'in_sync', '2026-01-08', '2026-04-18', week],
  ['a run that is no check, of other settings,', saveAside, 'changes', '2026-01-15', '2026-04-25', week],
])('%s is stored for its time, and its plan for longer', async (_, save, status, end, planEnd, retention) => {
  const inner = memoryStore(testClock())
  await saveWorkspace(inner, aWorkspace(), aBundle())
  const written: Item[] = []
  const store: Store = {
    ...inner,
    write: (writes) => {
      written.push(...writes.flatMap((write) => (write.kind === 'put' ? [write.item] : [])))
      return inner.write(writes)
    },
  }
  const plan = aPlan()
  const run = aRun(1, plan, { finishedAt, scheduledFor: finishedAt, status })
  await save(store, { run, plan, ...defined({ retention }), advance: () => ({ episodes: [], alerts: [] }) })
  const ends = written.flatMap(({ sk, ttl }) =>
    ttl === undefined ? [] : [[sk, new Date(Number(ttl) * 1000).toISOString()]],
  )
  const isPlan = ([sk]: readonly (string | undefined)[]): boolean => sk?.startsWith('PLAN#') === true
  expect(new Set(ends.filter(isPlan).map(([, at]) => at))).toEqual(new Set([`${planEnd}T00:00:00.000Z`]))
  expect(new Set(ends.filter((each) => !isPlan(each)).map(([, at]) => at))).toEqual(new Set([`${end}T00:00:00.000Z`]))
})

it.each(['check', 'look'] as const)(
  'a %s of a deployment with settings of its own is kept as they say',
  async (kind) => {
    const { deps, clock } = testDeps()
    const input = { workspace: 'acme', trigger: 'schedule', actor } as const
    const given = { ...deps, retention: week }
    const { run } = await (kind === 'check' ? checkWorkspace(input, given) : checkRecorded(input, given))
    clock.forward(14 * 86_400_000 - 2_000)
    expect(await getRun(deps.store, 'acme', run.id)).toMatchObject({ id: run.id })
    clock.forward(2_000)
    await expect(getRun(deps.store, 'acme', run.id)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  },
)

describe('a plan that several runs share', () => {
  const quiet = { advance: () => ({ episodes: [], alerts: [] }) }
  const day = 86_400_000
  const at = (days: number): string => new Date(Date.parse(finishedAt) + days * day).toISOString()

  it('is stored once, and stored again before it would expire', async () => {
    const inner = memoryStore(testClock())
    await saveWorkspace(inner, aWorkspace(), aBundle())
    const plans: Item[] = []
    const store: Store = {
      ...inner,
      write: (writes) => {
        plans.push(
          ...writes.flatMap((write) => (write.kind === 'put' && write.item.sk.startsWith('PLAN#') ? [write.item] : [])),
        )
        return inner.write(writes)
      },
    }
    const plan = aPlan()
    const stored = async (n: number, days: number): Promise<number> => {
      const run = aRun(n, plan, { finishedAt: at(days), scheduledFor: at(days), status: 'changes' })
      await saveRun(store, { run, plan, ...quiet })
      expect(await getPlan(store, run.workspace, run.id)).toEqual(plan)
      return plans.length
    }
    expect([await stored(1, 0), await stored(2, 1), await stored(3, 100), await stored(4, 101)]).toEqual([1, 1, 1, 2])
  })
})
