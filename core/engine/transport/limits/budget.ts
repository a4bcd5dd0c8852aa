import { AppError } from '../../errors/errors.ts'
import type { Response } from '../../schema/command.ts'
import type { Clock } from '../../schema/ports.ts'
import { defined } from '../../values/defined.ts'
import { isTooDeep } from '../../values/well-formed.ts'
import type { Allowance, Transport } from '../transport.ts'
import { tooDeep } from '../words.ts'
import { openDeadline, until } from './deadline.ts'

export interface Budget {
  /**
   * Rejects with BUDGET_EXCEEDED before the request if nothing is left, and after it if the answer exceeded the budget.
   */
  spend(send: () => Promise<Response>): Promise<Response>
}

export const createBudget = (of: string, { bytes }: Pick<Allowance, 'bytes'>): Budget => {
  let read = 0
  const check = (): void => {
    if (read > bytes) throw new AppError('BUDGET_EXCEEDED', { of, limit: `${bytes} bytes` })
  }
  return {
    spend: async (send) => {
      check()
      const response = await send()
      read += response.bytes ?? 0
      check()
      return response
    },
  }
}

export const budgeted = (inner: Transport, budget: Budget): Transport => ({
  ...inner,
  send: (request, signal) => budget.spend(() => inner.send(request, signal)),
})

/** Lets a reader give a list an allowance of its own, which starts at the call of `within`. */
export const withBudgets = (inner: Transport, clock: Clock): Transport => ({
  ...inner,
  within: (of, allowance) =>
    until(budgeted(inner, createBudget(of, allowance)), openDeadline(of, allowance.seconds * 1_000, clock)),
  ...defined({ afresh: inner.afresh && withBudgets(inner.afresh, clock) }),
})

/** Rejects an answer that is nested too deeply: the parser accepts it, but later steps would exhaust the stack. */
export const shallow = (inner: Transport): Transport => ({
  send: async (request, signal) => {
    const response = await inner.send(request, signal)
    if (!isTooDeep(response.body)) return response
    const { method, url } = request
    throw new AppError('RESPONSE_INVALID', { method, url, detail: tooDeep(response.status) })
  },
})
