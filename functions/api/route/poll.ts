import type { Deps } from '#core'

const firstPauseMs = 100
const longestPauseMs = 1_000

/** Polls with growing pauses until there is an answer, `waitMs` have passed, or the invocation must answer. */
export const poll = async <Found>(
  look: () => Promise<Found | undefined>,
  waitMs: number,
  { deadline, clock }: Pick<Deps, 'clock'> & { readonly deadline: Date },
): Promise<Found | undefined> => {
  const until = Math.min(clock.now().getTime() + waitMs, deadline.getTime())
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const found = await look()
    const left = until - clock.now().getTime()
    if (found !== undefined || left <= 0) return found
    await clock.sleep(Math.min(pause, left))
  }
}
