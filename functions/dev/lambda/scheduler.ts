import { Cron } from 'croner'

export interface Scheduler {
  stop(): Promise<void>
}

/** Calls `tick` each so many seconds, never twice at once. */
export const startScheduler = (
  seconds: number,
  tick: () => Promise<void>,
  failed: (error: unknown) => void,
): Scheduler => {
  let running = Promise.resolve()
  const job = new Cron(`*/${Math.min(59, seconds)} * * * * *`, { protect: true, catch: failed, unref: true }, () => {
    running = tick()
    return running
  })
  return {
    stop: async () => {
      job.stop()
      await running.catch(() => {})
    },
  }
}
