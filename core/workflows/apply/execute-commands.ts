import { AppError, asAppError, failureOf } from '../../errors.ts'
import { findLeft } from '../../plan/commands/find-left.ts'
import type { Change, Plan } from '../../schema/plan.ts'
import type { Apply, CommandOutcome, Left } from '../../schema/records.ts'
import { checkWorkspace } from '../check/check-workspace.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import type { ReadyCommands } from './approved/commands-to-send.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import type { ApplyFence } from './lock/open-fence.ts'
import { isFailure, type Walked, type WalkPorts, walkCommands } from './walk-commands.ts'
import { walkPorts } from './walk-ports.ts'

export interface Execution {
  readonly apply: Apply
  readonly ready: ReadyCommands
  readonly session: Session
  readonly lock: HeldLock
  readonly fence: ApplyFence
  /** Of each command, by earlier workers. */
  readonly attempts: ReadonlyMap<string, number>
  /** Nothing came before it in its invocation: another worker would not have more time. */
  readonly hasAllTime: boolean
  /** Asked between two commands. `hand over`: the rest waits for the next worker. `stop`: the apply ends here. */
  readonly ending: () => 'hand over' | 'stop' | undefined
  /** Approved changes of which an earlier worker sent commands that are known to be done by now. */
  readonly waited: readonly Change[]
  /** What the apply is for. */
  readonly approved: Plan
}

/** Sends the commands. The apply as it is then: with a status that ends it, or `queued` for the next worker. */
export const executeCommands = async (execution: Execution, deps: Deps): Promise<Apply> => {
  const { apply, ready, ending } = execution
  let asked: ReturnType<typeof ending>
  const shouldStop = (): boolean => {
    asked = ending()
    return asked !== undefined
  }
  const ports = walkPorts({ ...execution, outcomes: ready.outcomes, total: ready.commands.length, shouldStop }, deps)
  const left = new Set(ready.commands.map(({ address }) => address))
  for (const { address } of execution.waited) if (!left.has(address)) await ports.settled(address)
  const walked = await walkCommands(ready.commands, ready.outcomes, ports)
  const outcomes = [...walked.outcomes]
  const isOver = !walked.finished && (asked === 'hand over' || walked.unsent !== undefined)
  const isStuck = execution.hasAllTime && outcomes.length === ready.outcomes.length
  if (isOver && !isStuck) return { ...apply, status: 'queued', outcomes }
  // What is under way at the target cannot be stopped: the same apply goes on from here when it is called again.
  if (walked.waiting !== undefined) return { ...apply, status: 'running', outcomes }
  outcomes.push(...(await closeUnsent(walked, ready, ports)))
  const judged = { ...apply, ...(await judge({ ...walked, outcomes }, execution, deps)), outcomes }
  // What could not be read for want of time is left to a worker that has all of its own.
  const isCut = deps.deadline?.left() === 0 && ready.commands.length > 0 && judged.status === 'not_converged'
  return isCut ? { ...apply, status: 'queued', outcomes } : judged
}

/** Its intent stands in the ledger, and so does what became of it. */
const closeUnsent = async (
  { unsent }: Walked,
  { commands }: ReadyCommands,
  ports: Pick<WalkPorts, 'result'>,
): Promise<readonly CommandOutcome[]> => {
  const command = commands.find(({ id }) => id === unsent)
  if (command === undefined) return []
  const detail = 'it was not sent: reading what comes before it leaves too little time for it'
  const outcome = { command: command.id, status: 'failed' as const, detail }
  await ports.result(command, outcome)
  return [outcome]
}

/** Reads all again: whether everything is now as it should be, whatever the answers said. */
const judge = async (
  walked: Walked,
  execution: Execution,
  deps: Deps,
): Promise<Pick<Apply, 'status' | 'error' | 'left'>> => {
  const found = await readAgain(execution, deps)
  const left = found.length === 0 ? {} : { left: [...found] }
  const failed = walked.outcomes.find(isFailure)
  if (failed !== undefined) {
    const why = failed.detail ?? `it answered ${failed.httpStatus}`
    return {
      status: 'failed',
      ...left,
      error: failureOf(new AppError('APPLY_FAILED', { command: failed.command, detail: `${failed.status}, ${why}` })),
    }
  }
  if (!walked.finished) {
    const command = execution.ready.commands[walked.outcomes.length]?.id ?? 'the rest'
    return {
      status: 'failed',
      ...left,
      error: failureOf(new AppError('APPLY_FAILED', { command, detail: 'stopped before it' })),
    }
  }
  const own = found.filter(({ touched }) => touched)
  if (own.length === 0) return { status: 'succeeded', ...left }
  return { status: 'not_converged', ...left, error: failureOf(new AppError('NOT_CONVERGED', { left: own })) }
}

const readAgain = async ({ apply, ready, lock }: Execution, deps: Deps): Promise<readonly Left[]> => {
  const touched = new Set([...ready.commands.map(({ address }) => address), ...ready.outcomes.map(addressOf)])
  const { workspace, actor } = apply
  try {
    const { plan, run } = await checkWorkspace({ workspace, trigger: 'apply', actor, lock: lock.current() }, deps)
    return plan === undefined ? nothingRead(apply, run.error?.message ?? 'it failed') : findLeft(plan, touched)
  } catch (error) {
    return nothingRead(apply, asAppError(error).message)
  }
}

/** Then nobody knows of any resource, those that were touched among them. */
const nothingRead = ({ workspace }: Apply, why: string): readonly Left[] => [
  { address: workspace, kind: 'unchecked', touched: true, paths: [], detail: `the check after it: ${why}` },
]

/** A command's id begins with its resource's address. */
const addressOf = ({ command }: CommandOutcome): string => command.slice(0, command.lastIndexOf('#'))
