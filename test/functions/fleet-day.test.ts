import { expect, it } from 'vitest'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import { liveDay } from '../bench/fleet-day/day.ts'
import { lawCount } from '../builders/laws.ts'
import { movableClock } from '../builders/workspaces/workspace.ts'

it('through outages of the store, the queue and the topic no check and no alert is lost or doubled', async () => {
  const clock = movableClock()
  const day = await liveDay({ workspaces: lawCount(40), hours: 12, clock, store: memoryStore(clock) })
  expect(day.problems).toEqual([])
  expect(day.alerts).toBe(2 * lawCount(40))
  expect(day.checks).toBeGreaterThanOrEqual(lawCount(40) * 12)
})
