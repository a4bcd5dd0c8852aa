import type { Clock } from '#core'

/** The room of a process, for work of different sizes that runs at the same time. */
export interface Room {
  /**
   * Work that fits begins at once; other work waits, and smaller work may pass it. Resolves with a function that gives the
   * room back, or with `undefined` if there was no room for `waitMs` milliseconds. What is larger than the whole room has it
   * alone.
   */
  enter(size: number, waitMs: number): Promise<(() => void) | undefined>
}

interface WaitsForRoom {
  readonly size: number
  readonly begin: () => void
}

export const createRoom = (capacity: number, clock: Pick<Clock, 'after'>): Room => {
  let free = capacity
  const waiting = new Set<WaitsForRoom>()

  const admit = (): void => {
    for (const one of waiting) {
      if (one.size > free) continue
      waiting.delete(one)
      free -= one.size
      one.begin()
    }
  }
  const enter: Room['enter'] = (asked, waitMs) =>
    new Promise((resolve) => {
      const size = Math.min(asked, capacity)
      const leave = (): void => {
        free += size
        admit()
      }
      const cancel = clock.after(waitMs, () => {
        if (waiting.delete(one)) resolve(undefined)
      })
      const begin = (): void => {
        cancel()
        resolve(leave)
      }
      const one = { size, begin }
      waiting.add(one)
      admit()
    })
  return { enter }
}
