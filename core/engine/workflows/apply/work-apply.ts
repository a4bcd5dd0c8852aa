import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { blockedOutcomes, withBlocked } from './approved/policy.ts'
import { withResults } from './approved/resource-results.ts'
import { executeApply } from './execute-apply.ts'
import type { ApplyEntry, ApplyLog } from './execution/apply-log.ts'
import { compareAgain, type Ending, type Execution, openRun } from './execution/apply-run.ts'
import { endWords } from './execution/words.ts'
import { resumeWaiting } from './waiting/resume-waiting.ts'

/*
 * Loaded with the first apply that is due: comparing needs the YAML library, and a function starts faster without it.
 */

/**
 * Reads, plans, compares and sends, as far as `ending` allows. Throws errors that end the apply, and errors that end
 * only this try.
 */
export const workApply = async (queued: Apply, log: ApplyLog, ending: Ending, deps: Deps): Promise<Apply> => {
  const run = await openRun(queued, log, ending, deps)
  const progress = await resumeWaiting(run, deps)
  if (progress === undefined)
    return keep({ ...run.apply, status: ending() === 'hand over' ? 'queued' : 'running' }, log)
  const execution = await compareAgain(run, progress, deps)
  if (run.apply.mode === 'check') return logCommands(execution, deps)
  const executed = await executeApply(execution, deps)
  return hasEnded(executed) ? finish(executed, [], execution, deps) : keep(executed, log)
}

const keep = async (worked: Apply, log: ApplyLog): Promise<Apply> => {
  const apply = withResults(worked)
  await log.write([], apply)
  return apply
}

/** Check mode: every command is in the ledger as it would be sent, and none is sent. */
const logCommands = (execution: Execution, deps: Deps): Promise<Apply> => {
  const { commands } = execution.ready
  const entries = commands.map((command) => ({ kind: 'logged' as const, command }))
  const outcomes = commands.map(({ id }) => ({ command: id, status: 'logged' as const }))
  return finish({ ...execution.apply, status: 'succeeded', outcomes }, entries, execution, deps)
}

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
