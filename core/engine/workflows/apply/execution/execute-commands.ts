import { AppError, asAppError, isAppError } from '../../../errors/errors.ts'
import { type Command, isSuccess, type Response } from '../../../schema/command.ts'
import { isObject, type Json } from '../../../schema/json.ts'
import { type CommandOutcome, isFailure } from '../../../schema/stored/outcome.ts'
import { meantStatus, refusalWords } from '../../../transport/answer/answer-errors.ts'
import { permissionFor } from '../../../transport/answer/permission-words.ts'
import type { SentBack } from '../../../transport/secrets/sent-back.ts'
import { defined } from '../../../values/defined.ts'
import { urlWords } from '../../../values/url.ts'
import { firstWaiter } from '../approved/evaluate-poll.ts'
import { oneByOne, type Schedule, schedule, type Traffic } from '../waves/schedule.ts'
import { beginWaiting, type WaitPorts } from './wait-for.ts'
import { commandWords } from './words.ts'

/**
 * The effects of executing commands. For each command they are called in this order: intent, precondition, send,
 * result.
 */
export interface ExecutionPorts extends WaitPorts {
  /** Called before anything else happens to the command. Rejects if the lock is lost. */
  intent(command: Command): Promise<void>
  /**
   * Reads again if the precondition of the command needs it. `undefined`: still as planned. Throws if the time is over.
   */
  changedSince(command: Command): Promise<string | undefined>
  /** Rejects with LOCK_LOST, without sending anything, if another worker has taken over. */
  send(command: Command): Promise<Response>
  /** What a refused request has sent back only because it was read. */
  sentBack(command: Command): SentBack | undefined
  /** Whether the command may have been sent without an answer. */
  isOut(command: Command): boolean
  /**
   * Records that the command is still to be sent: its attempts are recorded, but the time was over before it was sent.
   */
  unsent(command: Command): Promise<void>
  result(command: Command, outcome: CommandOutcome): Promise<void>
  /** Called when all commands of a resource are done and the last one succeeded. */
  applied(address: string): Promise<void>
}

export interface Executed {
  /** The given outcomes, then the new ones in the order of the plan. */
  readonly outcomes: readonly CommandOutcome[]
  /** False if the work ended early; the remaining commands have no outcome. */
  readonly finished: boolean
  /** Commands that were waited for at the end. Everything that the next worker needs is recorded. */
  readonly waiting: readonly string[]
  /** Commands with an intent that were not sent, because the time was over. */
  readonly unsent: readonly string[]
}

/**
 * Carries out independent commands at the same time, as `traffic` allows. A failure skips only the commands that depend
 * on it. A write without an answer is `unknown`: only a new read can show its effect. After an error that is not about
 * a command, nothing more is started. It is thrown when all running commands have ended, because the lock may be
 * released then.
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

/**
 * Throws LOCK_LOST if it occurred, because it explains all other errors; otherwise the first error in the order of the
 * plan.
 */
const throwFirst = (commands: readonly Command[], errors: ReadonlyMap<string, unknown>): void => {
  const all = commands.flatMap(({ id }) => (errors.has(id) ? [errors.get(id)] : []))
  if (all.length > 0) throw all.find((error) => isAppError(error, 'LOCK_LOST')) ?? all[0]
}

const rootOf = ({ command, because = command }: CommandOutcome): string => because

/** The outcome of a command that is not sent because another one, which it directly or indirectly waits for, failed. */
export const skipped = (command: string, because: string): CommandOutcome => ({
  command,
  status: 'skipped',
  detail: commandWords.skipped(because),
  because,
})

export const doneIn = (outcomes: readonly CommandOutcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.command]))

const isUnsent = (error: unknown): boolean => isAppError(error, 'DEADLINE_REACHED') || isAppError(error, 'INTERRUPTED')

/** `undefined`: the command was accepted, and waiting was stopped. `unsent`: the time was over before it was sent. */
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

/** What a program of a machine said when it failed: for people, instead of the whole of its answer. */
const programWords = ({ request: { url } }: Command, body: Json): string | undefined => {
  const [, program] = /^exec:\/\/\/(.+)$/.exec(urlWords(url)) ?? []
  const detail = isObject(body) ? body['detail'] : undefined
  return program !== undefined && typeof detail === 'string' ? commandWords.program(program, detail) : undefined
}

const send = async (
  command: Command,
  ports: ExecutionPorts,
): Promise<{ readonly response: Response } | CommandOutcome> => {
  try {
    const response = await ports.send(command)
    const { status, body } = response
    if (isSuccess(command, meantStatus(command, response))) return { response }
    const told = ports.excerpt({
      ...response,
      body: refusalWords(command.errors, body) ?? programWords(command, body) ?? body,
    })
    const lacking = permissionFor(command, response)
    const needed = lacking === undefined ? '' : ports.excerpt({ ...response, body: lacking })
    const back = refusesBody(status) ? ports.sentBack(command) : undefined
    const words = back === undefined || back.places.length === 0 ? told : commandWords.sentBack(told, back)
    const detail = commandWords.lacking(staleWords(command, status, words) ?? words, status, needed)
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

const refusesBody = (status: number): boolean => status === 400 || status === 422

/**
 * The message for a refused write that carried a version: the object has another version now. `undefined` for any other
 * refusal.
 */
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
