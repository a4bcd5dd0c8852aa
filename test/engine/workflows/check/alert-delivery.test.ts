import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Alert } from '../../../../core/engine/schema/stored/findings.ts'
import { oldestUndelivered, outboxWrites, pendingAlerts } from '../../../../core/engine/state/outbox.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { deliverAlerts, deliverLeftovers } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import type { Warning } from '../../../../core/engine/workflows/deps.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { anAlert } from '../../../builders/values/records.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

const workspaces = ['acme', 'beta', 'gamma'] as const

/** What becomes of one publish: `lost` was heard, and nobody learns of it; with `dies` the process ends there. */
type Fate = 'heard' | 'refused' | 'lost' | 'dies'
const fates = fc.array(fc.constantFrom<Fate>('heard', 'refused', 'lost', 'dies'), { maxLength: 6 })

type Step =
  | { readonly kind: 'found'; readonly workspace: string; readonly count: number }
  | { readonly kind: 'passed'; readonly ms: number }
  /** A check of one workspace or the tick over all; `faults`: which of its calls of the store fail, counted from 0. */
  | { readonly kind: 'told'; readonly by: string; readonly fates: readonly Fate[]; readonly faults: readonly number[] }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('found' as const),
    workspace: fc.constantFrom(...workspaces),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant('passed' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({
    kind: fc.constant('told' as const),
    by: fc.constantFrom(...workspaces, 'tick'),
    fates,
    faults: fc.array(fc.nat(12), { maxLength: 3 }),
  }),
)

const faulty = (store: Store, faults: ReadonlySet<number>): Store => {
  let calls = 0
  const meet = <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1
    return faults.has(calls - 1) ? Promise.reject(new RangeError('the store is away')) : call()
  }
  return {
    get: (key) => meet(() => store.get(key)),
    query: (query) => meet(() => store.query(query)),
    write: (writes) => meet(() => store.write(writes)),
  }
}

const world = (random: () => number) => {
  const clock = movableClock()
  const store = memoryStore(clock)
  const found: Alert[] = []
  const heard: Alert[] = []
  const refused = new Set<string>()
  const warnings: Warning[] = []
  const ids = { ulid: () => '', uuid: () => '', random }

  const find = async (workspace: string, count: number): Promise<void> => {
    const alerts = Array.from({ length: count }, (_, n) =>
      anAlert(found.length + n + 1, { workspace, at: clock.now().toISOString() }),
    )
    await store.write(outboxWrites(alerts))
    found.push(...alerts)
  }

  /** Resolves where its process ended too. */
  const tell = async (by: string, given: readonly Fate[], faults: readonly number[] = []): Promise<void> => {
    const rest = [...given]
    const death = Promise.withResolvers<void>()
    const publish = async (alert: Alert): Promise<void> => {
      const fate = rest.shift() ?? 'heard'
      if (fate !== 'refused') heard.push(alert)
      if (fate === 'heard') return
      if (fate === 'dies') {
        death.resolve()
        await new Promise(() => {})
      }
      refused.add(alert.id)
      throw new RangeError('not taken')
    }
    const warn = (warning: Warning): void => void warnings.push(warning)
    const deps = { store: faulty(store, new Set(faults)), alerts: { publish }, clock, ids, warn }
    const telling = by === 'tick' ? deliverLeftovers(deps) : deliverAlerts({ workspace: by }, deps)
    // The tick says by failing that it could not even read the list; everything else is told alert by alert.
    await Promise.race([telling.catch((error) => expect(error).toBeInstanceOf(RangeError)), death.promise])
    // What was under way beside the one that died comes to its end before anybody judges.
    await new Promise((resolve) => setImmediate(resolve))
  }

  const waiting = async (): Promise<readonly Alert[]> =>
    (await Promise.all(workspaces.map((workspace) => pendingAlerts(store, workspace)))).flat()

  return { clock, store, found, heard, refused, warnings, find, tell, waiting }
}

type World = ReturnType<typeof world>

const judge = async ({ store, found, heard, refused, warnings, waiting }: World): Promise<void> => {
  const left = await waiting()
  const known = new Set([...heard, ...left].map(({ id }) => id))
  expect(found.filter(({ id }) => !known.has(id))).toEqual([])
  const oldest = left.map(({ at }) => at).toSorted()[0]
  expect(await oldestUndelivered(store)).toBe(oldest)
  const told = new Set(warnings.map(({ alert }) => alert?.id))
  expect([...refused].filter((id) => !told.has(id))).toEqual([])
}

describe('an alert', () => {
  it('is never lost, is reported while it waits, and arrives in the end, whatever topic, store and processes do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (steps, random) => {
          const here = world(() => random)
          for (const one of steps) {
            if (one.kind === 'found') await here.find(one.workspace, one.count)
            else if (one.kind === 'passed') here.clock.forward(one.ms)
            else await here.tell(one.by, one.fates, one.faults)
            await judge(here)
          }
          // Whoever died while it was handing one over has a minute's claim on it.
          here.clock.forward(61_000)
          await here.tell('tick', [])
          expect(await here.waiting()).toEqual([])
          expect(new Set(here.heard.map(({ id }) => id))).toEqual(new Set(here.found.map(({ id }) => id)))
        },
      ),
      lawRuns(300),
    )
  })

  it('that is refused each time does not delay others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...workspaces), fc.boolean()), { minLength: 1 }),
        async (given) => {
          const clock = movableClock()
          const store = memoryStore(clock)
          const all = given.map(([workspace, bad], n) => ({ bad, alert: anAlert(n + 1, { workspace }) }))
          await store.write(outboxWrites(all.map(({ alert }) => alert)))
          const bad = new Set(all.filter((one) => one.bad).map(({ alert }) => alert.id))
          const warned: (string | undefined)[] = []
          const publish = (alert: Alert) =>
            bad.has(alert.id) ? Promise.reject(new RangeError('bad')) : Promise.resolve()
          const ids = { ulid: () => '', uuid: () => '', random: () => 0 }
          const warn = ({ alert }: Warning): void => void warned.push(alert?.id)
          expect(await deliverLeftovers({ store, clock, ids, warn, alerts: { publish } })).toBe(all.length - bad.size)
          expect(new Set(warned)).toEqual(bad)
          const left = await Promise.all(workspaces.map((workspace) => pendingAlerts(store, workspace)))
          expect(new Set(left.flat().map(({ id }) => id))).toEqual(bad)
        },
      ),
    )
  })

  it('is left for the next time when the time is over, in a fair order', async () => {
    const clock = movableClock()
    const store = memoryStore(clock)
    const many = Array.from({ length: 40 }, (_, n) => anAlert(n + 1, { workspace: `w${n}` }))
    await store.write(outboxWrites(many))
    let turn = 0
    const ids = { ulid: () => '', uuid: () => '', random: () => (turn++ % 4) / 4 }
    const publish = async (): Promise<void> => clock.forward(1_000)
    const told = []
    for (let round = 0; round < 4; round += 1) {
      const until = new Date(clock.now().getTime() + 10_000)
      const deps = { store, clock, ids, warn: () => {}, alerts: { publish } }
      told.push(await deliverLeftovers(deps, { until }))
    }
    expect(told.every((count) => count > 0 && count < 40)).toBe(true)
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(40)
    expect(await oldestUndelivered(store)).toBeUndefined()
  })
})
