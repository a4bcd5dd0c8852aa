import { AppError, asAppError, type ErrorPayload, failureOf } from '../../errors/errors.ts'
import { findLeft } from '../../plan/commands/find-left.ts'
import { type CommandOutcome, isFailure, type Left } from '../../schema/stored/outcome.ts'
import type { Apply } from '../../schema/stored/records.ts'
import { addressOf } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import { checkSeen } from '../check/check-workspace.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import type { ReadyCommands } from './approved/commands-to-send.ts'
import { type FoundAgain, inPlanOrder, withVerdicts } from './approved/resource-results.ts'
import { changedBesides } from './changed-besides.ts'
import type { Ending, Execution } from './execution/apply-run.ts'
import { type Executed, type ExecutionPorts, executeCommands } from './execution/execute-commands.ts'
import { commandWords, endWords } from './execution/words.ts'
import { executionPorts } from './execution-ports.ts'
import { lostBy } from './undo/done-by.ts'
import { judgeUndone } from './undo/judge-undone.ts'
import { trafficOf } from './waves/traffic.ts'

/** Sends the commands. Returns the apply with a final status, or with `queued` or `running` for the next call. */
export const executeApply = async (execution: Execution, deps: Deps): Promise<Apply> => {
  const { apply, ready, waited, hasAllTime } = execution
  let ended: ReturnType<Ending>
  const ending: Ending = () => {
    ended = execution.ending()
    return ended
  }
  const ports = executionPorts({ ...execution, ending }, deps)
  const open = new Set(ready.commands.map(({ address }) => address))
  for (const { address } of waited) if (!open.has(address)) await ports.applied(address)
  const executed = await executeCommands(
    ready.commands,
    ready.outcomes,
    ports,
    trafficOf(ready.commands, execution.session, deps),
  )
  const outcomes = [...executed.outcomes]
  const isOver = !executed.finished && (ended === 'hand over' || executed.unsent.length > 0)
  const isStuck = hasAllTime && outcomes.length === ready.outcomes.length && executed.waiting.length === 0
  if (isOver && !isStuck) return { ...apply, status: 'queued', outcomes }
  // An operation in progress at the target cannot be stopped: the next call for the same apply continues from here.
  if (executed.waiting.length > 0) return { ...apply, status: 'running', outcomes }
  for (const unsent of await closeUnsent(executed, ready, ports)) outcomes.push(unsent)
  const verified = { ...apply, ...(await verifyConverged({ ...executed, outcomes }, execution, deps)), outcomes }
  // If there was no time to read everything, the next worker reads with its own time.
  const isCut = deps.deadline?.left() === 0 && ready.commands.length > 0 && verified.status === 'not_converged'
  return isCut ? { ...apply, status: 'queued', outcomes } : verified
}

const closeUnsent = async (
  { unsent }: Executed,
  { commands }: ReadyCommands,
  ports: Pick<ExecutionPorts, 'result'>,
): Promise<readonly CommandOutcome[]> => {
  const outcomes: CommandOutcome[] = []
  for (const command of commands.filter(({ id }) => unsent.includes(id))) {
    const outcome = { command: command.id, status: 'failed' as const, detail: commandWords.noTime }
    await ports.result(command, outcome)
    outcomes.push(outcome)
  }
  return outcomes
}

const verifyConverged = async (
  executed: Executed,
  execution: Execution,
  deps: Deps,
): Promise<Pick<Apply, 'status' | 'error' | 'left' | 'resources'>> => {
  const { apply } = execution
  const again = await readAgain(execution, executed.outcomes, deps)
  const found = 'left' in again ? again.left : nothingRead(apply, again.unread)
  const read = 'left' in again ? again : undefined
  const resources = apply.resources && [...withVerdicts(apply.resources, read)]
  const left = defined({ left: unlessEmpty([...found]), resources })
  const failure = failureIn(executed, execution)
  if (failure !== undefined)
    return { status: 'failed', ...left, error: failureOf(new AppError('APPLY_FAILED', failure)) }
  const own = found.filter(({ touched }) => touched)
  if (own.length === 0) return { status: 'succeeded', ...left }
  return { status: 'not_converged', ...left, error: failureOf(new AppError('NOT_CONVERGED', { left: own })) }
}

const failureIn = (
  { outcomes, finished }: Executed,
  { ready, apply }: Execution,
): ErrorPayload<'APPLY_FAILED'> | undefined => {
  const failed = inPlanOrder(outcomes, apply).find(isFailure)
  if (failed !== undefined) {
    const { command, status, running, detail = commandWords.answered(failed.httpStatus) } = failed
    const result = running ? 'running' : status === 'unknown' ? status : undefined
    return { command, detail: status === 'skipped' ? `${status}, ${detail}` : detail, ...defined({ result }) }
  }
  const known = new Set(outcomes.map(({ command }) => command))
  const command = ready.commands.find(({ id }) => !known.has(id))?.id ?? endWords.rest
  return finished ? undefined : { command, detail: endWords.stopped }
}

type ReadAgain = FoundAgain | { readonly unread: string | undefined }

const readAgain = async (
  { apply, ready, log, undone, approved }: Execution,
  outcomes: readonly CommandOutcome[],
  deps: Deps,
): Promise<ReadAgain> => {
  const touched = new Set([
    ...ready.commands.map(({ address }) => address),
    ...ready.outcomes.map(({ command }) => addressOf(command)),
  ])
  const done = new Set(outcomes.flatMap(({ command, status }) => (status === 'succeeded' ? [command] : [])))
  const { workspace, actor } = apply
  try {
    let now: Pick<Session, 'resources'> = { resources: new Map() }
    const { plan, run } = await checkSeen({ workspace, trigger: 'apply', actor, lock: log.lock() }, deps, (seen) => {
      now = seen
    })
    if (plan === undefined) return { unread: run.error?.message }
    const left = findLeft(plan, touched)
    return {
      ...(undone === undefined ? { left } : { ...judgeUndone(approved, touched, left, now), lost: lostBy(undone) }),
      unobserved: plan.unobserved,
      besides: changedBesides(approved, done, now),
    }
  } catch (error) {
    return { unread: asAppError(error).message }
  }
}

const nothingRead = ({ workspace }: Apply, why: string | undefined): readonly Left[] => [
  { address: workspace, kind: 'unchecked', touched: true, paths: [], detail: endWords.unchecked(why) },
]
