import { canonicalJson } from '../../../json/canonical.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import { isSuccess, type Response, type Waiter } from '../../../schema/command.ts'
import type { Json } from '../../../schema/json.ts'
import { isAbsence } from '../../../transport/answer/absence.ts'
import { failureWords, holdsRule, meantStatus } from '../../../transport/answer/answer-errors.ts'
import { answerStatus } from '../../../transport/words.ts'
import { holdsState } from '../../../values/scalars.ts'
import { spellValue } from '../../../values/spell-value.ts'
import { isWellFormed } from '../../../values/well-formed.ts'
import { polls } from './words.ts'

/** The result of a poll. `words` describe the progress, and may contain text from the target. */
export type Polled =
  | { readonly kind: 'done' }
  | { readonly kind: 'under way'; readonly words: string }
  /** Nothing was said about the state: the poll itself failed. */
  | { readonly kind: 'unread'; readonly words: string }
  | { readonly kind: 'error'; readonly words: string }
  /** The result can no longer be determined. */
  | { readonly kind: 'lost'; readonly words: string }

/**
 * Only an answer that the waiter names ends the waiting: after a failed poll, or with an unknown state, it polls again.
 */
export const evaluatePoll = (waiter: Waiter, response: Response): Polled => {
  const status = meantStatus(waiter, response)
  if (isAbsence(waiter.absent, waiter.request, response, status)) return evaluateAbsence(waiter)
  if (!isSuccess(waiter, status)) return { kind: 'unread', words: answerStatus(status) }
  if (waiter.failed?.some((rule) => holdsRule(rule, response.body))) return failure(waiter, polls.failed, response.body)
  if (isGone(waiter, response.body)) return { kind: 'done' }
  return waiter.state === undefined
    ? evaluateStatus(waiter, status)
    : evaluateState(waiter, waiter.state, response.body)
}

const evaluateAbsence = ({ gone, forgotten }: Waiter): Polled => {
  if (gone !== undefined || forgotten === 'done') return { kind: 'done' }
  return forgotten === 'unknown' ? { kind: 'lost', words: polls.lost } : underWay(polls.nothing)
}

const underWay = (words: string): Polled => ({ kind: 'under way', words })

const isGone = ({ gone }: Waiter, body: Json): boolean =>
  gone?.where !== undefined && Object.entries(gone.where).every(([pointer, expected]) => isAt(body, pointer, expected))

const isAt = (body: Json, pointer: string, expected: Json): boolean => {
  const found = valueAt(body, fromPointer(pointer)) ?? null
  return isWellFormed(found) && canonicalJson(found) === canonicalJson(expected)
}

const evaluateStatus = ({ gone }: Waiter, status: number): Polled =>
  gone === undefined && status !== 202
    ? { kind: 'done' }
    : underWay(gone === undefined ? polls.accepted : polls.remains)

const evaluateState = (waiter: Waiter, pointer: string, body: Json): Polled => {
  const state = valueAt(body, fromPointer(pointer)) ?? null
  const words = polls.state(spellValue(state))
  if (holdsState(waiter.error, state)) return failure(waiter, words, body)
  if (waiter.gone === undefined && holdsState(waiter.ok, state)) return { kind: 'done' }
  return state === null && waiter.gone === undefined ? { kind: 'unread', words } : underWay(words)
}

const failure = ({ message = [] }: Waiter, words: string, body: Json): Polled => {
  const reason = failureWords({ message }, body)
  return { kind: 'error', words: reason === undefined ? words : polls.because(words, reason) }
}

/** The first waiter that the answer to a command makes necessary; `undefined` if the command is done. */
export const firstWaiter = (waiters: readonly Waiter[], { status, body }: Response): number | undefined => {
  const place = waiters.findIndex(({ when, ok }) => {
    if (when.statuses.includes(status)) return true
    const state = when.state === undefined ? undefined : valueAt(body, fromPointer(when.state))
    return state !== undefined && state !== null && !holdsState(ok, state)
  })
  return place < 0 ? undefined : place
}
