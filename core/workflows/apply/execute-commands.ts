import { AppError, asAppError, isAppError } from '../../errors.ts'
import { type Command, isSuccess, type Response } from '../../schema/command.ts'
import type { CommandOutcome } from '../../schema/records.ts'
import { failureWords, meantStatus } from '../../transport/answer/answer-errors.ts'
import { defined } from '../../values/defined.ts'
import { firstWaiter } from './approved/evaluate-poll.ts'
import { beginWaiting, type WaitPorts } from './wait-for.ts'
import { commandWords } from './words.ts'

/** What carrying out commands touches. Each call is made in the order of the promise: intent, precondition, send, result. */
export interface ExecutionPorts extends WaitPorts {
  /** Written down before anything else happens; rejects when the lock is lost. */
  intent(command: Command): Promise<void>
  /** Reads again where the command's precondition asks for it. `undefined`: still as planned. Throws where its time was over. */
  changedSince(command: Command): Promise<string | undefined>
  /** Rejects with LOCK_LOST, and has sent nothing, where somebody else took over. */
  send(command: Command): Promise<Response>
  /** Whether it may have left without an answer. */
  isOut(command: Command): boolean
  /** Written down where its time was over before it left, though attempts are noted: it is still to be sent. */
  unsent(command: Command): Promise<void>
  result(command: Command, outcome: CommandOutcome): Promise<void>
  /** All commands of a resource are through, the last with success. */
  applied(address: string): Promise<void>
}

export interface Executed {
  readonly outcomes: readonly CommandOutcome[]
  /** False when `shouldStop` ended it; the commands without an outcome are left. */
  readonly finished: boolean
  /** It ended while this command was waited for; all that is needed to go on is written down. */
  readonly waiting?: string
  /** It ended before this command, which has its intent, because there was not enough time to send it. */
  readonly unsent?: string
}

/** A failure skips only what depends on it. A write without an answer is `unknown`: only reading again can tell. */
export const executeCommands = async (
  commands: readonly Command[],
  before: readonly CommandOutcome[],
  ports: ExecutionPorts,
): Promise<Executed> => {
  const outcomes = new Map(before.map((outcome) => [outcome.command, outcome]))
  const failed = new Set(before.filter(isFailure).map((outcome) => outcome.command))
  const last = new Map(commands.map((command) => [command.address, command.id]))
  for (const command of commands) {
    if (outcomes.has(command.id)) continue
    if (ports.shouldStop()) return { outcomes: [...outcomes.values()], finished: false }
    const blocker = command.dependsOn.find((id) => failed.has(id))
    const outcome = blocker === undefined ? await carryOut(command, ports) : skipped(command.id, blocker)
    if (outcome === 'unsent') return { outcomes: [...outcomes.values()], finished: false, unsent: command.id }
    if (outcome === undefined) return { outcomes: [...outcomes.values()], finished: false, waiting: command.id }
    outcomes.set(command.id, outcome)
    await ports.result(command, outcome)
    if (isFailure(outcome)) failed.add(command.id)
    else if (last.get(command.address) === command.id) await ports.applied(command.address)
  }
  return { outcomes: [...outcomes.values()], finished: true }
}

/** What is not sent because of another command. */
export const skipped = (command: string, because: string): CommandOutcome => ({
  command,
  status: 'skipped',
  detail: commandWords.skipped(because),
})

/** True where what depends on it must not be sent; `unknown` too, for it may not have happened. */
export const isFailure = (outcome: CommandOutcome): boolean =>
  outcome.status === 'failed' || outcome.status === 'skipped' || outcome.status === 'unknown'

/** Ids of the commands on which others may build. */
export const doneIn = (outcomes: readonly CommandOutcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.command]))

/** What an error says of a command: nothing where the time was over before it left, so that it is still to be sent. */
const isUnsent = (error: unknown): boolean => isAppError(error, 'DEADLINE_REACHED') || isAppError(error, 'INTERRUPTED')

/** `undefined`: it was accepted, and it was stopped while it was waited for; or the time was over before it was sent. */
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

/** The answer of a success, or what became of it otherwise. */
const send = async (
  command: Command,
  ports: ExecutionPorts,
): Promise<{ readonly response: Response } | CommandOutcome> => {
  try {
    const response = await ports.send(command)
    const { status, body } = response
    if (isSuccess(command, meantStatus(command, response))) return { response }
    const told = ports.excerpt({ ...response, body: failureWords(command.errors, body) ?? body })
    const detail = staleWords(command, status, told) ?? told
    return {
      command: command.id,
      status: 'failed',
      httpStatus: status,
      ...defined({ detail: detail === '' ? undefined : detail }),
    }
  } catch (error) {
    const { code, fault, message } = asAppError(error)
    // What is about us and not about the target says nothing of the command: the next worker looks what became of it.
    if (code === 'LOCK_LOST' || code.startsWith('STORE_') || fault === 'ours' || isUnsent(error)) throw error
    // Without an answer nobody knows whether the target did it; a request that was never built was not sent.
    const status = isAppError(error, 'REQUEST_FAILED') || isAppError(error, 'RESPONSE_INVALID') ? 'unknown' : 'failed'
    return { command: command.id, status, detail: message }
  }
}

/** What is said of a write that carries a version and was refused, because the object has another one by now. */
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
