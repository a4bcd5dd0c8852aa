import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { listRuns } from '../../core/engine/state/runs/runs.ts'
import { getWorkspace } from '../../core/engine/state/workspaces/workspaces.ts'
import type { CheckMessage } from '../../core/engine/workflows/deps.ts'
import { checkHandler } from '../../functions/check.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'
import { lawCount, lawRuns } from '../builders/laws.ts'
import { long } from '../builders/long.ts'
import { type QueueAnswer, tickWorld } from '../builders/time/tick-world.ts'

const minute = 60_000

beforeAll(async () => {
  // Loaded when they are first needed, which is no time of the simulated kind.
  await import('../../core/engine/config/schedule/schedule.ts')
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `w${String(n).padStart(5, '0')}`)
const messageKey = ({ workspace, scheduledFor }: CheckMessage) => `${workspace} ${scheduledFor}`

const worldOf = async (count: number, answers?: (call: number) => QueueAnswer) => {
  const world = tickWorld(answers)
  for (const id of names(count)) await world.add(id)
  const workspaces = () => new Set(world.sent.map(({ workspace }) => workspace))
  return { ...world, workspaces }
}

describe(`${lawCount(5_000)} workspaces that are due in one minute, at 10 ms a call`, () => {
  const count = lawCount(5_000)
  it('are queued within it, each once', async () => {
    const { tick, time, sent, workspaces } = await worldOf(count)
    await time.until(tick())
    expect(sent).toHaveLength(count)
    expect(workspaces().size).toBe(count)
    expect(Math.max(...sent.map(({ at }) => at))).toBeLessThan(minute)
  })
  it('are queued once by two ticks at once', long, async () => {
    const { tick, time, sent, workspaces } = await worldOf(count)
    await time.until(Promise.all([tick(), tick()]))
    expect(sent).toHaveLength(count)
    expect(workspaces().size).toBe(count)
    expect(Math.max(...sent.map(({ at }) => at))).toBeLessThan(minute)
  })
})

/** What one round of the law does: one tick or two at once, each with its own fate. */
const life = fc.record(
  {
    killedAtMs: fc.integer({ min: 0, max: 400 }),
    storeFails: fc.infiniteStream(fc.integer({ min: 0, max: 9 })).map((dice) => {
      const thrown: number[] = []
      return (call: number): boolean => {
        while (thrown.length < call) thrown.push(dice.next().value ?? 9)
        return thrown[call - 1] === 0
      }
    }),
  },
  { requiredKeys: [] },
)
const answer: fc.Arbitrary<QueueAnswer> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('taken' as const) },
  { weight: 1, arbitrary: fc.constant('down' as const) },
  { weight: 2, arbitrary: fc.uniqueArray(fc.integer({ min: 0, max: 9 })) },
)
const scenario = fc.record({
  workspaces: fc.integer({ min: 1, max: 35 }),
  answers: fc.array(answer, { maxLength: 12 }),
  rounds: fc.array(fc.record({ ticks: fc.array(life, { minLength: 1, maxLength: 2 }), checked: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
})

describe('a fleet whose ticks, store and queue fail', () => {
  it('has each due time queued, and checked exactly once; only a tick that died, or got no answer, queues twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ workspaces, answers, rounds }) => {
        const world = await worldOf(workspaces, (call) => answers[call - 1] ?? 'taken')
        const { deps, time, tick, sent } = world
        const due = time.clock.now().toISOString()
        let delivered = 0
        const check = async (): Promise<void> => {
          const bodies = sent.slice(delivered).map(({ at: _, ...body }) => ({ body }))
          delivered += bodies.length
          if (bodies.length > 0)
            await checkHandler(async () => deps, testDelivery().delivery)(sqsEvent(bodies), lambdaContext())
        }
        for (const { ticks, checked } of rounds) {
          await time.until(Promise.all(ticks.map((one) => tick(one).catch(() => {}))))
          if (checked) await time.until(check())
          await time.forward(minute)
        }
        // From here on nothing fails any more.
        for (let left = 5; left > 0; left -= 1) {
          await time.until(tick())
          await time.forward(minute)
        }
        await time.until(check())
        const first = sent.filter(({ scheduledFor }) => scheduledFor === due)
        expect(new Set(first.map(({ workspace }) => workspace))).toEqual(new Set(names(workspaces)))
        const isCalm = rounds.every(({ ticks }) =>
          ticks.every(({ killedAtMs, storeFails }) => killedAtMs === undefined && storeFails === undefined),
        )
        if (isCalm) expect(new Set(sent.map(messageKey)).size).toBe(sent.length)
        for (const id of names(workspaces)) {
          const runs = (await listRuns(deps.store, id, { limit: 50 })).items
          expect(runs.filter(({ scheduledFor }) => scheduledFor === due)).toHaveLength(1)
          const { nextCheckAt, pendingCheck } = await getWorkspace(deps.store, id)
          expect(nextCheckAt).toBe('2026-11-21T07:00:00.000Z')
          expect(pendingCheck).toBeUndefined()
        }
      }),
      lawRuns(60),
    )
  })
})
