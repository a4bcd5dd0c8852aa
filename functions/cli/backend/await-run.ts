import { AppError, type Clock, type Run } from '#core'

/** The endpoint counts a queued check as pending for the same time. */
const patienceMs = 30 * 60_000
const pauseMs = 1_000

export interface AskedCheck {
  readonly workspace: string
  readonly requestedAt: string
  readonly findRun: () => Promise<Run | undefined>
  /** Returns the time of the check that is now pending at the endpoint. */
  readonly findPending: () => Promise<string | undefined>
}

type Waiting = Pick<Clock, 'monotonic' | 'sleep'> & { readonly signal: AbortSignal }

/**
 * Waits for the run of a check. Throws CHECK_LOST if the check is not pending and has no run, or after half an hour,
 * and USAGE if the user interrupts.
 */
export const awaitRun = async (asked: AskedCheck, { signal, monotonic, sleep }: Waiting): Promise<Run> => {
  const { workspace, requestedAt, findRun, findPending } = asked
  const until = monotonic() + patienceMs
  for (;;) {
    if (signal.aborted)
      throw new AppError('USAGE', {
        detail: 'stopped waiting; the check continues on the server, see `plumbline runs`',
      })
    // The order matters: one transaction stores the run and ends the pending check.
    const isPending = (await findPending()) === requestedAt
    const run = await findRun()
    if (run !== undefined) return run
    if (!isPending || monotonic() >= until) throw new AppError('CHECK_LOST', { workspace, requestedAt })
    await sleep(pauseMs)
  }
}
