import { AppError } from '../../../core/engine/errors/errors.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import type { CheckMessage, Deps } from '../../../core/engine/workflows/deps.ts'
import { scheduleHandler } from '../../../functions/schedule.ts'
import { lambdaContext } from '../aws/api-event.ts'
import { aBundle, aWorkspace } from '../values/records.ts'
import { testDeps } from '../workspaces/workspace.ts'
import { simulatedTime } from './simulated-time.ts'

const callMs = 10
/** As in the stack. */
const lifetimeMs = 50_000

/** What a queue does with one call: all, all but some places, or nothing. */
export type QueueAnswer = 'taken' | 'down' | readonly number[]

/** What a tick may meet. */
export interface TickLife {
  /** When it is killed, after its begin: nothing that it has under way is answered any more. */
  readonly killedAtMs?: number
  /** How the store answers each of its calls, by their number. */
  readonly storeFails?: (call: number) => boolean
}

/** A store and a queue of 10 ms a call, in a time that only they make pass. */
export const tickWorld = (answers: (call: number) => QueueAnswer = () => 'taken') => {
  const time = simulatedTime()
  const sent: (CheckMessage & { readonly at: number })[] = []
  const store = memoryStore(time.clock)
  let calls = 0
  const base = testDeps({ store, clock: time.clock })

  /** The world as one tick reaches it. */
  const reached = ({ killedAtMs = Number.POSITIVE_INFINITY, storeFails = () => false }: TickLife): Deps => {
    const dies = time.passed() + killedAtMs
    let asked = 0
    const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await time.clock.sleep(callMs / 2)
      if (time.passed() > dies) await new Promise(() => {})
      const result = await work()
      await time.clock.sleep(callMs / 2)
      if (time.passed() > dies) await new Promise(() => {})
      return result
    }
    const ofStore = <Result>(work: () => Promise<Result>): Promise<Result> =>
      call(async () => {
        asked += 1
        if (storeFails(asked)) throw new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
        return work()
      })
    const slow: Store = {
      get: (key) => ofStore(() => store.get(key)),
      query: (query) => ofStore(() => store.query(query)),
      write: (writes) => ofStore(() => store.write(writes)),
    }
    const checks = (messages: readonly CheckMessage[]) =>
      call(async () => {
        if (messages.length > 10) throw new Error(`${messages.length} messages in one call`)
        calls += 1
        const answer = answers(calls)
        if (answer === 'down') throw new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: 'time-out' })
        const refused = answer === 'taken' ? [] : answer.filter((place) => place < messages.length)
        const taken = messages.filter((_, place) => !refused.includes(place))
        sent.push(...taken.map((message) => ({ ...message, at: time.passed() })))
        return refused
      })
    return { ...base.deps, store: slow, queue: { ...base.deps.queue, checks } }
  }

  /** The real handler; answers at its end or its death. */
  const tick = async (life: TickLife = {}): Promise<void> => {
    const ends = time.passed() + lifetimeMs
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => ends - time.passed() }
    const deps = reached(life)
    const done = scheduleHandler(async () => deps)({}, context)
    const dead = life.killedAtMs === undefined ? [] : [time.clock.sleep(life.killedAtMs)]
    await Promise.race([done, ...dead])
  }

  const add = async (id: string, more: Partial<Parameters<typeof aWorkspace>[0]> = {}): Promise<void> => {
    const nextCheckAt = time.clock.now().toISOString()
    await saveWorkspace(store, aWorkspace({ id, schedule: 'rate(1 hour)', nextCheckAt, ...more }), aBundle())
  }
  return { ...base, time, store, sent, tick, add, calls: () => calls }
}
