import { asAppError, isAppError } from '../../errors.ts'
import { type Apply, hasEnded } from '../../schema/records.ts'
import { getApply } from '../../state/applies/applies.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { type ApplyEntry, type ApplyLog, openApplyLog } from './apply-log.ts'
import { compareAgain, type Ending, type Execution, openRun } from './apply-run.ts'
import { blockedOutcomes, withBlocked } from './approved/policy.ts'
import { withResults } from './approved/resource-results.ts'
import { closeAbandoned, endApply } from './close-apply.ts'
import { executeApply } from './execute-apply.ts'
import { type HeldLock, withLock } from './lock/hold-lock.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { endWords } from './words.ts'

export interface RunApplyInput {
  readonly workspace: string
  readonly applyId: string
  /** Called between two commands: true to stop there. */
  readonly shouldStop?: () => boolean
  /** Waits for a lock whose holder may be dead, instead of throwing LOCKED. */
  readonly patient?: boolean
}

/**
 * The worker: it reads again, plans again, compares with the approved commands, and only then sends. It may be killed
 * at any point and called again for the same apply. An apply that has ended is returned unchanged; a refused apply has
 * `error` and sent nothing more. It stops between two commands before `deps.deadline`, and the next worker continues.
 * Throws LOCKED, LOCK_LOST, and what the store throws: then try again.
 */
export const runApply = async (input: RunApplyInput, deps: Deps): Promise<Apply> => {
  const { workspace, applyId, patient = false } = input
  const found = await getApply(deps.store, workspace, applyId)
  if (hasEnded(found)) return found
  const ending = endingOf(input, deps)
  const request = { workspace, holder: applyId, patient, shouldStop: () => ending() !== undefined }
  return withLock(request, deps, async (lock) => {
    // Another worker may have ended it while this one waited.
    const apply = await getApply(deps.store, workspace, applyId)
    if (hasEnded(apply)) return apply
    await closeAbandoned(apply, lock, deps)
    const worked = await work(apply, openApplyLog(apply, lock, deps), ending, deps).catch((error: unknown) =>
      refuse(apply, error, lock, deps),
    )
    if (worked.status === 'queued') await deps.queue.apply({ workspace, applyId })
    return worked
  })
}

const work = async (queued: Apply, log: ApplyLog, ending: Ending, deps: Deps): Promise<Apply> => {
  const run = await openRun(queued, log, ending, deps)
  const progress = await resumeWaiting(run, deps)
  if (progress === undefined)
    return keep({ ...run.apply, status: ending() === 'hand over' ? 'queued' : 'running' }, log)
  const execution = await compareAgain(run, progress, deps)
  if (run.apply.mode === 'check') return logCommands(execution, deps)
  const executed = await executeApply(execution, deps)
  return hasEnded(executed) ? finish(executed, [], execution, deps) : keep(executed, log)
}

/** Time to read the changed resources again, in milliseconds; a quarter of the time if that is less. */
const verifyingMs = 40_000

const endingOf =
  ({ shouldStop }: RunApplyInput, { deadline }: Deps): Ending =>
  () => {
    if (shouldStop?.()) return 'stop'
    const isNear = deadline !== undefined && deadline.left() <= Math.min(verifyingMs, deadline.wholeMs / 4)
    return isNear ? 'hand over' : undefined
  }

/** It has not ended: the next call continues. */
const keep = async (worked: Apply, log: ApplyLog): Promise<Apply> => {
  const apply = withResults(worked)
  await log.write([], apply)
  return apply
}

/** Check mode: every command is in the ledger as it would be sent, and none was sent. */
const logCommands = (execution: Execution, deps: Deps): Promise<Apply> => {
  const { commands } = execution.ready
  const entries = commands.map((command) => ({ kind: 'logged' as const, command }))
  const outcomes = commands.map(({ id }) => ({ command: id, status: 'logged' as const }))
  return finish({ ...execution.apply, status: 'succeeded', outcomes }, entries, execution, deps)
}

/** Ends the apply: writes `entries`, what was left out, the last entry, and the record. */
const finish = async (
  worked: Apply,
  entries: readonly ApplyEntry[],
  { session, log }: Execution,
  deps: Deps,
): Promise<Apply> => {
  const blocked = blockedOutcomes(session.plan.changes, worked)
  const apply = withResults({ ...withBlocked(worked, blocked), finishedAt: deps.clock.now().toISOString() })
  const kind = apply.status === 'refused' ? 'refused' : 'finished'
  const left = blocked.map((outcome) => ({ kind: 'blocked' as const, outcome }))
  const detail = apply.error?.message ?? doneWords(apply)
  const last: ApplyEntry = { kind, detail, ...defined({ results: apply.results }) }
  await log.write([...entries, ...left, last], apply)
  for (const { command: id, status, detail = '' } of blocked) deps.progress?.({ step: 'outcome', id, status, detail })
  return apply
}

const doneWords = ({ mode, outcomes, left = [] }: Apply): string => {
  if (mode === 'check') return endWords.logged(outcomes.filter(({ status }) => status === 'logged').length)
  return endWords.done(left)
}

/** Errors that the user can correct end the apply; retryable ones are thrown, so that the worker is called again. */
const refuse = async (apply: Apply, cause: unknown, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const error = asAppError(cause)
  if (error.retryable || isAppError(error, 'LOCK_LOST')) throw error
  return endApply(apply, error, lock, deps)
}
