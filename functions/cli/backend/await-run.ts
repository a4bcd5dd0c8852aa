import { AppError, type Clock, type Run } from '#core'

/** As long as the endpoint counts a queued check as pending. */
const patienceMs = 30 * 60_000
const pauseMs = 1_000

/** A requested check of the endpoint. */
export interface AskedCheck {
  readonly workspace: string
  /** The time of its run. */
  readonly requestedAt: string
  readonly findRun: () => Promise<Run | undefined>
  /** The time of the check that is pending there now. */
  readonly findPending: () => Promise<string | undefined>
}

type Waiting = Pick<Clock, 'monotonic' | 'sleep'> & { readonly signal: AbortSignal }

/**
 * Waits for the run of a check. Throws CHECK_LOST if the check is not pending and has no run, or after half an hour, and USAGE
 * when the user stops the waiting.
 */
export const awaitRun = async (asked: AskedCheck, { signal, monotonic, sleep }: Waiting): Promise<Run> => {
  const { workspace, requestedAt, findRun, findPending } = asked
  const until = monotonic() + patienceMs
  for (;;) {
    if (signal.aborted)
      throw new AppError('USAGE', {
        detail: 'stopped waiting; the check continues on the server, see `plumbline runs`',
      })
    // In this order: one transaction stores the run and ends the pending check.
    const isPending = (await findPending()) === requestedAt
    const run = await findRun()
    if (run !== undefined) return run
    if (!isPending || monotonic() >= until) throw new AppError('CHECK_LOST', { workspace, requestedAt })
    await sleep(pauseMs)
  }
}
