import { asAppError, isAppError } from '../../../errors/errors.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { Command, Response, Waiter } from '../../../schema/command.ts'
import type { CommandOutcome } from '../../../schema/stored/outcome.ts'
import type { Waiting } from '../../../schema/stored/waiting.ts'
import { answerUrl } from '../../../transport/answer/answer-url.ts'
import { askedPause } from '../../../transport/limits/retry.ts'
import { defined } from '../../../values/defined.ts'
import { unlessEmpty } from '../../../values/members.ts'
import { urlParts } from '../../../values/url.ts'
import { evaluatePoll, type Polled } from '../approved/evaluate-poll.ts'
import { waits } from './words.ts'

export interface WaitPorts {
  now(): Date
  sleep(milliseconds: number): Promise<void>
  /** Records the waiting before the first poll, so that any worker can continue it. Rejects with LOCK_LOST. */
  waiting(command: Command, waiting: Waiting): Promise<void>
  /** Sends the request of a waiter. Rejects as transports do, and with LOCK_LOST. */
  poll(command: Command, waiting: Waiting): Promise<Response>
  polled(command: Command, words: string): void
  /** True if waiting must end; also called during pauses. */
  shouldStop(): boolean
  /** A short part of an answer, for people, without secrets. */
  excerpt(response: Response): string
}

/** The longest pause of a backoff, in seconds. */
const longestPause = 300
/** Milliseconds. Pauses are divided into parts of this length, so that `shouldStop` is noticed soon. */
const slice = 1_000

/**
 * Starts with one of the waiters of a command and continues to the last one. `undefined`: stopped, and can be
 * continued.
 */
export const beginWaiting = async (
  command: Command,
  waiter: number,
  answer: Response,
  ports: WaitPorts,
): Promise<CommandOutcome | undefined> => {
  const begun = begin(command, waiter, answer, ports)
  if ('problem' in begun) return { command: command.id, status: 'unknown', detail: begun.problem }
  await ports.waiting(command, begun)
  const first = command.wait?.[waiter]
  const pause = first === undefined ? 0 : Math.min(first.timeoutSeconds * 1000, pauseAfter(first, 0, answer, ports))
  return (await rest(pause, ports)) ? goOnWaiting(command, begun, ports) : undefined
}

export const goOnWaiting = async (
  command: Command,
  waiting: Waiting,
  ports: WaitPorts,
): Promise<CommandOutcome | undefined> => {
  const waiter = command.wait?.[waiting.waiter]
  if (waiter === undefined) return { command: command.id, status: 'succeeded' }
  const end = await pollUntilEnd(command, waiter, waiting, ports)
  if (end === undefined || !('answer' in end)) return end
  const isLast = command.wait?.[waiting.waiter + 1] === undefined
  if (isLast && waiter.produces === undefined) return { command: command.id, status: 'succeeded' }
  const next = begin(command, waiting.waiter + 1, end.answer, ports)
  if ('problem' in next) return { command: command.id, status: 'unknown', detail: next.problem }
  const answers = unlessEmpty({ ...waiting.answers, ...valuesAt(waiter.produces, end.answer), ...next.answers })
  const known = { ...next, ...defined({ answers }) }
  await ports.waiting(command, known)
  return goOnWaiting(command, known, ports)
}

type Begun = Waiting | { readonly problem: string }

/** Stores the values of the previous answer that later requests need, because no later answer contains them. */
const begin = (command: Command, place: number, answer: Response, { now }: WaitPorts): Begun => {
  const waiter = command.wait?.[place]
  const since = now().toISOString()
  const missing = Object.values(waiter?.takes ?? {}).find((pointer) => answeredAt(answer, pointer) === undefined)
  if (missing !== undefined) return { problem: waits.noValue(missing) }
  const answers = unlessEmpty(valuesAt(waiter?.takes, answer, '/wait/'))
  const begun = { waiter: place, since, ...defined({ answers }) }
  if (waiter?.location !== true) return begun
  const location = locationOf(waiter, answer)
  return location === undefined ? { problem: waits.noLocation } : { ...begun, location }
}

type Scalar = string | number | boolean

const answeredAt = ({ body }: Response, pointer: string): Scalar | undefined => {
  const value = valueAt(body, fromPointer(pointer)) ?? undefined
  return typeof value === 'object' ? undefined : value
}

const valuesAt = (
  places: Readonly<Record<string, string>> = {},
  answer: Response,
  prefix = '',
): Record<string, Scalar> =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, pointer]) => {
      const value = answeredAt(answer, pointer)
      return value === undefined ? [] : [[`${prefix}${name}`, value] as const]
    }),
  )

const locationOf = ({ request }: Waiter, { headers: { location } }: Response): string | undefined => {
  const [base] = urlParts(request.url)
  const found = location === undefined || typeof base !== 'string' ? undefined : answerUrl(location, base)
  return found?.ok === true ? found.url : undefined
}

type End = { readonly answer: Response } | CommandOutcome | undefined

const pollUntilEnd = async (command: Command, waiter: Waiter, waiting: Waiting, ports: WaitPorts): Promise<End> => {
  const { timeoutSeconds } = waiter
  const end = Date.parse(waiting.since) + timeoutSeconds * 1000
  const ended = (status: 'failed' | 'unknown', detail: string): CommandOutcome => ({
    command: command.id,
    status,
    detail,
  })
  for (let n = 1; ; n += 1) {
    if (ports.shouldStop()) return undefined
    const { answer, polled } = await pollOnce(command, waiter, waiting, ports)
    if (polled.kind === 'done' && answer !== undefined) return { answer }
    const words = polled.kind === 'done' ? '' : excerptOf(polled.words, ports)
    if (polled.kind === 'error') return ended('failed', waits.failed(words))
    if (polled.kind === 'lost') return ended('unknown', waits.lost(words))
    ports.polled(command, words)
    const left = end - ports.now().getTime()
    if (left <= 0) {
      const late = ended('unknown', waits.tooLong(timeoutSeconds, words))
      return polled.kind === 'under way' ? { ...late, running: true } : late
    }
    if (!(await rest(Math.min(left, pauseAfter(waiter, n, answer, ports)), ports))) return undefined
  }
}

const excerptOf = (words: string, ports: WaitPorts): string => ports.excerpt({ status: 200, headers: {}, body: words })

const pollOnce = async (
  command: Command,
  waiter: Waiter,
  waiting: Waiting,
  ports: WaitPorts,
): Promise<{ readonly polled: Polled; readonly answer?: Response }> => {
  try {
    const answer = await ports.poll(command, waiting)
    return { answer, polled: evaluatePoll(waiter, answer) }
  } catch (error) {
    const { code, fault, message } = asAppError(error)
    if (isAppError(error, 'LOCK_LOST') || fault === 'ours' || code.startsWith('STORE_')) throw error
    return { polled: { kind: 'unread', words: message } }
  }
}

/** Milliseconds. If the target asks for a longer pause, that is used instead. */
const pauseAfter = (waiter: Waiter, n: number, answer: Response | undefined, { now }: WaitPorts): number => {
  const { intervalSeconds, backoff } = waiter
  const seconds = Math.min(intervalSeconds * backoff ** n, Math.max(intervalSeconds, longestPause))
  return Math.max(seconds * 1000, askedPause(answer?.headers ?? {}, now()) ?? 0)
}

/** Returns false if it was stopped. */
const rest = async (milliseconds: number, ports: WaitPorts): Promise<boolean> => {
  const until = ports.now().getTime() + milliseconds
  for (let left = milliseconds; left > 0; left = until - ports.now().getTime()) {
    if (ports.shouldStop()) return false
    await ports.sleep(Math.min(slice, left))
  }
  return true
}
