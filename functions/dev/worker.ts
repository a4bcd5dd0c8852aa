import { setTimeout as pause } from 'node:timers/promises'

export interface Worker {
  /** Starts nothing new, and waits for the running work. */
  stop(): Promise<void>
}

/** The least pause after failed work, in milliseconds. */
const afterFailureMs = 1_000

/** Repeats the work with a pause after each, never twice at once. A failure is reported and does not end the loop. */
export const repeat = (pauseMs: number, work: () => Promise<void>, failed: (error: unknown) => void): Worker => {
  const stopping = new AbortController()
  const { signal } = stopping
  const once = async (): Promise<number> => {
    try {
      await work()
      return pauseMs
    } catch (error) {
      if (!signal.aborted) failed(error)
      return Math.max(pauseMs, afterFailureMs)
    }
  }
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const ms = await once()
      // `stop` ends the pause with an error, which is expected.
      await pause(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }
  const ended = loop()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}
