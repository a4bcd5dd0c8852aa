import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '#core'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import type { Store } from '../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import { enqueueDue } from '../../core/engine/workflows/schedule/enqueue-due.ts'
import { systemClock } from '../../functions/adapters/clock.ts'
import { aBundle, aWorkspace } from '../builders/values/records.ts'
import { testDeps } from '../builders/workspaces/workspace.ts'

const count = 10_000
const callMs = 10

/** How long a tick takes to queue as many workspaces as are due at once, in real time. */
export const benchTick = async (write: (line: string) => void): Promise<void> => {
  const store = memoryStore(systemClock)
  const nextCheckAt = systemClock.now().toISOString()
  for (let n = 0; n < count; n += 1) {
    await saveWorkspace(store, aWorkspace({ id: `w${n}`, schedule: 'rate(1 hour)', nextCheckAt }), aBundle())
  }
  const slowly = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await pause(callMs)
    return work()
  }
  const slow: Store = {
    get: (key) => slowly(() => store.get(key)),
    query: (query) => slowly(() => store.query(query)),
    write: (writes) => slowly(() => store.write(writes)),
  }
  let sent = 0
  const checks: Deps['queue']['checks'] = (messages) =>
    slowly(async () => {
      sent += messages.length
      return []
    })
  const { deps } = testDeps({ store: slow, clock: systemClock })
  const start = performance.now()
  await enqueueDue({}, { ...deps, queue: { ...deps.queue, checks } })
  write(`${sent} of ${count} queued in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
