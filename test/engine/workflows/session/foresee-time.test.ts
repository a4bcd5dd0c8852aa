import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSpacer } from '../../../../core/engine/transport/limits/spacing.ts'
import { foreseeTime } from '../../../../core/engine/workflows/session/read/foresee-time.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aSleepingClock } from '../../../builders/values/transports.ts'

describe('the forecast of how long requests take', () => {
  it('counts them one after the other, within the limit of a minute', async () => {
    const world = fc.record({
      count: fc.integer({ min: 1, max: 400 }),
      ms: fc.nat(900),
      perMinute: fc.integer({ min: 20, max: 120 }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ count, ms, perMinute }) => {
        const clock = aSleepingClock()
        const spacer = createSpacer({ points: { perMinute, read: 1, write: 5 } }, clock)
        for (let n = 0; n < count; n += 1) {
          const answered = await spacer.take(false)
          await clock.sleep(ms)
          answered()
        }
        const told = foreseeTime(count, { ms, perMinute }, 0)
        // The next minute begins with an answer, so that each of them is longer by that.
        expect(clock.monotonic()).toBeGreaterThanOrEqual(told)
        expect(clock.monotonic()).toBeLessThanOrEqual(told + ms * Math.ceil(count / perMinute))
      }),
      lawRuns(100),
    )
  })

  it('counts what was used within the last minute', () => {
    const pace = { ms: 10, perMinute: 100 }
    expect(foreseeTime(50, { ...pace, spent: [[0, 80]] }, 20_000)).toBe(40_000 + 30 * 10)
    expect(foreseeTime(20, { ...pace, spent: [[0, 80]] }, 20_000)).toBe(200)
    expect(foreseeTime(50, { ...pace, spent: [[0, 80]] }, 60_000)).toBe(500)
  })
})
