import { expect, it } from 'vitest'
import { saveAside, saveRun } from '../../core/state/runs.ts'
import { memoryStore } from '../../core/state/store/memory.ts'
import type { Item, Store } from '../../core/state/store/store.ts'
import { saveWorkspace } from '../../core/state/workspaces/save-workspace.ts'
import { testClock } from '../builders/time/stores.ts'
import { aBundle, aPlan, aRun, aWorkspace } from '../builders/values/records.ts'

const finishedAt = '2026-01-01T00:00:00.000Z'

it.each<[string, typeof saveRun | typeof saveAside]>([
  ['a check', saveRun],
  ['a run that is no check', saveAside],
])('%s is kept with its plan for 400 days after its end', async (_, save) => {
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
  const run = aRun(1, plan, { finishedAt, scheduledFor: finishedAt })
  await save(store, { run, plan, advance: () => ({ episodes: [], alerts: [] }) })
  const ends = written.flatMap(({ ttl }) => (ttl === undefined ? [] : [new Date(Number(ttl) * 1000).toISOString()]))
  expect(new Set(ends)).toEqual(new Set(['2027-02-05T00:00:00.000Z']))
})
