import type { Deps } from '#core'

const firstPauseMs = 100
const longestPauseMs = 1_000

/** Looks again and again, ever more seldom, until there is an answer or the time is over. */
export const poll = async <Found>(
  look: () => Promise<Found | undefined>,
  until: Date,
  { clock }: Pick<Deps, 'clock'>,
): Promise<Found | undefined> => {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const found = await look()
    const left = until.getTime() - clock.now().getTime()
    if (found !== undefined || left <= 0) return found
    await clock.sleep(Math.min(pause, left))
  }
}

/** The earlier of what the caller waits for and what the invocation has left. */
export const waitUntil = (waitMs: number, deadline: Date, { clock }: Pick<Deps, 'clock'>): Date =>
  new Date(Math.min(clock.now().getTime() + waitMs, deadline.getTime()))
