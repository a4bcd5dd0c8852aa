import { isFailure, type Walked, walkCommands } from '../apply/walk-commands.ts'
import { AppError, asAppError, failureOf } from '../errors.ts'
import type { Change, Plan } from '../schema/plan.ts'
import type { Apply, CommandOutcome } from '../schema/records.ts'
import { checkWorkspace } from './check-workspace.ts'
import type { ReadyCommands } from './commands-to-send.ts'
import type { Deps } from './deps.ts'
import type { HeldLock } from './hold-lock.ts'
import type { Session } from './open-session.ts'
import { walkPorts } from './walk-ports.ts'

export interface Execution {
  readonly apply: Apply
  readonly ready: ReadyCommands
  readonly session: Session
  readonly lock: HeldLock
  /** Asked between two commands. `hand over`: the rest waits for the next worker. `stop`: the apply ends here. */
  readonly ending: () => 'hand over' | 'stop' | undefined
  /** Approved changes of which an earlier worker sent commands that are known to be done by now. */
  readonly waited: readonly Change[]
}

/** Sends the commands. The apply as it is then: with a status that ends it, or `queued` for the next worker. */
export const executeCommands = async (execution: Execution, deps: Deps): Promise<Apply> => {
  const { apply, ready, ending } = execution
  let asked: ReturnType<typeof ending>
  const shouldStop = (): boolean => {
    asked = ending()
    return asked !== undefined
  }
  const ports = walkPorts({ ...execution, total: ready.commands.length, shouldStop }, deps)
  const left = new Set(ready.commands.map(({ address }) => address))
  for (const { address } of execution.waited) if (!left.has(address)) await ports.settled(address)
  const walked = await walkCommands(ready.commands, ready.outcomes, ports)
  const outcomes = [...walked.outcomes]
  if (!walked.finished && asked === 'hand over') return { ...apply, status: 'queued', outcomes }
  // What is under way at the target cannot be stopped: the same apply goes on from here when it is called again.
  if (walked.waiting !== undefined) return { ...apply, status: 'running', outcomes }
  return { ...apply, ...(await judge(walked, execution, deps)), outcomes }
}

/** Reads all again: whether the touched resources are now as they should be, whatever the answers said. */
const judge = async (walked: Walked, execution: Execution, deps: Deps): Promise<Pick<Apply, 'status' | 'error'>> => {
  const left = await stillDifferent(execution, deps)
  const failed = walked.outcomes.find(isFailure)
  if (failed !== undefined) {
    const why = failed.detail ?? `it answered ${failed.httpStatus}`
    return {
      status: 'failed',
      error: failureOf(new AppError('APPLY_FAILED', { command: failed.command, detail: `${failed.status}, ${why}` })),
    }
  }
  if (!walked.finished) {
    const command = execution.ready.commands[walked.outcomes.length]?.id ?? 'the rest'
    return {
      status: 'failed',
      error: failureOf(new AppError('APPLY_FAILED', { command, detail: 'stopped before it' })),
    }
  }
  if (left.length === 0) return { status: 'succeeded' }
  return { status: 'not_converged', error: failureOf(new AppError('NOT_CONVERGED', { addresses: left })) }
}

const stillDifferent = async ({ apply, ready, lock }: Execution, deps: Deps): Promise<readonly string[]> => {
  const touched = new Set([...ready.commands.map(({ address }) => address), ...ready.outcomes.map(addressOf)])
  try {
    const { workspace, actor } = apply
    const { plan, run } = await checkWorkspace({ workspace, trigger: 'apply', actor, lock: lock.current() }, deps)
    return plan === undefined ? [run.error?.message ?? 'the check after it failed'] : leftOf(plan, touched)
  } catch (error) {
    return [`the check after it failed: ${asAppError(error).message}`]
  }
}

/** A command's id begins with its resource's address. */
const addressOf = ({ command }: CommandOutcome): string => command.slice(0, command.lastIndexOf('#'))

const leftOf = ({ changes, unchecked }: Plan, touched: ReadonlySet<string>): readonly string[] =>
  [...changes, ...unchecked].flatMap(({ address }) => (touched.has(address) ? [address] : []))
