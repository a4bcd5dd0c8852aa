import type { Clock } from '../../../core/engine/schema/ports.ts'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A turn of the event loop: whatever needs no time has happened after it. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Time that passes only where everybody sleeps, and then to the next one who wakes: what takes an hour of it takes no time,
 * and nothing depends on how fast the machine is.
 */
export const simulatedTime = (start = '2026-11-21T06:00:00.000Z') => {
  const begin = Date.parse(start)
  let now = begin
  let sleepers: Sleeper[] = []
  /** Time does not run to these: they ring where it passes them. */
  const alarms = new Set<Sleeper>()
  const clock: Clock = {
    now: () => new Date(now),
    monotonic: () => now - begin,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ at: now + milliseconds, wake: resolve })
        signal?.addEventListener('abort', () => reject(new Error('stopped')))
      }),
    after: (milliseconds, ring) => {
      const alarm = { at: now + milliseconds, wake: ring }
      alarms.add(alarm)
      return () => void alarms.delete(alarm)
    },
  }
  const wakeNext = (): void => {
    if (sleepers.length === 0) return
    const at = sleepers.reduce((least, one) => Math.min(least, one.at), Number.POSITIVE_INFINITY)
    now = Math.max(now, at)
    const awake = sleepers.filter((one) => one.at <= at)
    sleepers = sleepers.filter((one) => one.at > at)
    for (const { wake } of awake) wake()
    for (const alarm of [...alarms].filter((one) => one.at <= now)) if (alarms.delete(alarm)) alarm.wake()
  }
  /** Lets time pass until this has ended. */
  const until = async <Result>(work: Promise<Result>): Promise<Result> => {
    let ended = false
    const end = () => {
      ended = true
    }
    work.then(end, end)
    for (;;) {
      await turn()
      if (ended) return work
      wakeNext()
    }
  }
  const forward = (milliseconds: number): Promise<void> => until(clock.sleep(milliseconds))
  return { clock, until, forward, passed: () => now - begin }
}
