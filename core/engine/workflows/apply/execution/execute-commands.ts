import { AppError, asAppError, isAppError } from '../../../errors/errors.ts'
import { type Command, isSuccess, type Response } from '../../../schema/command.ts'
import { type CommandOutcome, isFailure } from '../../../schema/stored/outcome.ts'
import { meantStatus, refusalWords } from '../../../transport/answer/answer-errors.ts'
import { permissionFor } from '../../../transport/answer/permission-words.ts'
import { defined } from '../../../values/defined.ts'
import { firstWaiter } from '../approved/evaluate-poll.ts'
import { oneByOne, type Schedule, schedule, type Traffic } from '../waves/schedule.ts'
import { beginWaiting, type WaitPorts } from './wait-for.ts'
import { commandWords } from './words.ts'

/** The effects of executing commands. They are called in the promised order: intent, precondition, send, result. */
export interface ExecutionPorts extends WaitPorts {
  /** Recorded before anything else happens; rejects if the lock is lost. */
  intent(command: Command): Promise<void>
  /** Reads again if the precondition of the command needs it. `undefined`: still as planned. Throws if the time is over. */
  changedSince(command: Command): Promise<string | undefined>
  /** Rejects with LOCK_LOST, without sending anything, if another worker has taken over. */
  send(command: Command): Promise<Response>
  /** Whether it may have been sent without an answer. */
  isOut(command: Command): boolean
  /** Recorded if the time was over before it was sent, although attempts are recorded: it is still to be sent. */
  unsent(command: Command): Promise<void>
  result(command: Command, outcome: CommandOutcome): Promise<void>
  /** All commands of a resource are done, the last one with success. */
  applied(address: string): Promise<void>
}

export interface Executed {
  /** Those from before, then the new ones in the order of the plan. */
  readonly outcomes: readonly CommandOutcome[]
  /** False if something ended it; the commands without an outcome remain. */
  readonly finished: boolean
  /** It ended while it waited for these commands; everything that the next worker needs is recorded. */
  readonly waiting: readonly string[]
  /** It ended before these commands, which have their intents, because there was not enough time to send them. */
  readonly unsent: readonly string[]
}

/**
 * Independent commands are carried out at the same time, as the traffic allows. A failure skips only the commands that
 * depend on it. A write without an answer is `unknown`: only a new read can show its effect. An error that is not about a
 * command starts nothing more; it is thrown when what was under way has ended, because the lock may be released then.
 */
export const executeCommands = async (
  commands: readonly Command[],
  before: readonly CommandOutcome[],
  given: ExecutionPorts,
  traffic: Traffic<Command> = oneByOne,
): Promise<Executed> => {
  const outcomes = new Map(before.map((outcome) => [outcome.command, outcome]))
  const failed = new Map(before.filter(isFailure).map((outcome) => [outcome.command, rootOf(outcome)]))
  const last = new Map(commands.map((command) => [command.address, command.id]))
  const open = commands.filter(({ id }) => !outcomes.has(id))
  const ended = { waiting: new Set<string>(), unsent: new Set<string>(), errors: new Map<string, unknown>() }
  const isHalted = (): boolean => Object.values(ended).some(({ size }) => size > 0)
  const ports = { ...given, shouldStop: () => isHalted() || given.shouldStop() }
  const carryOutOne = async (command: Command): Promise<void> => {
    const { id, address } = command
    const [because] = command.dependsOn.flatMap((needed) => failed.get(needed) ?? [])
    const outcome = because === undefined ? await carryOut(command, ports) : skipped(id, because)
    if (outcome === 'unsent') return void ended.unsent.add(id)
    if (outcome === undefined) return void ended.waiting.add(id)
    outcomes.set(id, outcome)
    await ports.result(command, outcome)
    if (isFailure(outcome)) failed.set(id, rootOf(outcome))
    else if (last.get(address) === id) await ports.applied(address)
  }
  await runScheduled(schedule(open, traffic), ports.shouldStop, async (command) => {
    await carryOutOne(command).catch((error: unknown) => void ended.errors.set(command.id, error))
  })
  throwFirst(open, ended.errors)
  const inOrder = (ids: ReadonlySet<string>) => open.flatMap(({ id }) => (ids.has(id) ? [id] : []))
  return {
    outcomes: [...before, ...open.flatMap(({ id }) => outcomes.get(id) ?? [])],
    finished: open.every(({ id }) => outcomes.has(id)),
    waiting: inOrder(ended.waiting),
    unsent: inOrder(ended.unsent),
  }
}

/** Ends when nothing more can start and nothing is under way. */
const runScheduled = async (
  { next, finish }: Schedule<Command>,
  shouldStop: () => boolean,
  run: (command: Command) => Promise<void>,
): Promise<void> => {
  const underWay = new Set<Promise<void>>()
  let isStopped = false
  for (;;) {
    for (
      let command = isStopped ? undefined : next();
      command !== undefined;
      command = isStopped ? undefined : next()
    ) {
      const one = command
      isStopped = shouldStop()
      if (isStopped) break
      const running = run(one).then(() => {
        underWay.delete(running)
        finish(one)
      })
      underWay.add(running)
    }
    if (underWay.size === 0) return
    await Promise.race(underWay)
  }
}

/** A lost lock explains all other errors; otherwise the first one in the order of the plan. */
const throwFirst = (commands: readonly Command[], errors: ReadonlyMap<string, unknown>): void => {
  const all = commands.flatMap(({ id }) => (errors.has(id) ? [errors.get(id)] : []))
  if (all.length > 0) throw all.find((error) => isAppError(error, 'LOCK_LOST')) ?? all[0]
}

/** The command that failed: itself, or the one that it was skipped because of. */
const rootOf = ({ command, because = command }: CommandOutcome): string => because

/** The outcome of a command that is not sent because another one failed, which it waits for directly or not. */
export const skipped = (command: string, because: string): CommandOutcome => ({
  command,
  status: 'skipped',
  detail: commandWords.skipped(because),
  because,
})

/** Ids of the commands that others may build on. */
export const doneIn = (outcomes: readonly CommandOutcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.command]))

/** Whether an error says only that the time was over before the command was sent, so that it is still to be sent. */
const isUnsent = (error: unknown): boolean => isAppError(error, 'DEADLINE_REACHED') || isAppError(error, 'INTERRUPTED')

/** `undefined`: it was accepted, and waiting was stopped. `unsent`: the time was over before it was sent. */
const carryOut = async (command: Command, ports: ExecutionPorts): Promise<CommandOutcome | 'unsent' | undefined> => {
  await ports.intent(command)
  try {
    return await carryOutNow(command, ports)
  } catch (error) {
    if (!isUnsent(error)) throw error
    if (ports.isOut(command)) return { command: command.id, status: 'unknown', detail: asAppError(error).message }
    await ports.unsent(command)
    return 'unsent'
  }
}

const carryOutNow = async (command: Command, ports: ExecutionPorts): Promise<CommandOutcome | undefined> => {
  const changed = await ports.changedSince(command)
  if (changed !== undefined) return { command: command.id, status: 'failed', detail: changed }
  const sent = await send(command, ports)
  if (!('response' in sent)) return sent
  const { response } = sent
  const waiter = firstWaiter(command.wait ?? [], response)
  return waiter === undefined
    ? { command: command.id, status: 'succeeded', httpStatus: response.status }
    : beginWaiting(command, waiter, response, ports)
}

/** The answer of a success, or otherwise the outcome. */
const send = async (
  command: Command,
  ports: ExecutionPorts,
): Promise<{ readonly response: Response } | CommandOutcome> => {
  try {
    const response = await ports.send(command)
    const { status, body } = response
    if (isSuccess(command, meantStatus(command, response))) return { response }
    const told = ports.excerpt({ ...response, body: refusalWords(command.errors, body) ?? body })
    const lacking = permissionFor(command, response)
    const needed = lacking === undefined ? '' : ports.excerpt({ ...response, body: lacking })
    const detail = commandWords.lacking(staleWords(command, status, told) ?? told, status, needed)
    return {
      command: command.id,
      status: 'failed',
      httpStatus: status,
      ...defined({ detail: detail === '' ? undefined : detail }),
    }
  } catch (error) {
    const { code, fault, message } = asAppError(error)
    // An error that is not about the target says nothing about the command: the next worker finds out what happened.
    if (code === 'LOCK_LOST' || code.startsWith('STORE_') || fault === 'ours' || isUnsent(error)) throw error
    // Without an answer it is unknown whether the target did it; a request that could not be built was not sent.
    const status = isAppError(error, 'REQUEST_FAILED') || isAppError(error, 'RESPONSE_INVALID') ? 'unknown' : 'failed'
    return { command: command.id, status, detail: message }
  }
}

/** The message for a write that carried a version and was refused, because the object has another version now. */
export const staleWords = (command: Command, status: number, told: string): string | undefined => {
  if (!isRefusal(command, status)) return undefined
  const { address, id } = command
  const { message } = new AppError('TARGET_STALE', { address, command: id, status })
  return told === '' ? message : `${message}: ${told}`
}

const isRefusal = ({ precondition, request }: Command, status: number): boolean => {
  if (precondition?.kind === 'absent') {
    return status === 412 && Object.keys(request.headers ?? {}).some((name) => /^if-none-match$/i.test(name))
  }
  const isLater = precondition?.kind === 'chained' || precondition?.kind === 'made'
  const hasVersion = isLater ? precondition.object !== undefined : /^(etag|field)$/.test(precondition?.kind ?? '')
  return hasVersion && (status === 412 || status === 409)
}
