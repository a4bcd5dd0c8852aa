import type { Response } from '../schema/command.ts'
import type { KeyOf } from './conditional.ts'
import type { Transport } from './transport.ts'

/** Answers of earlier parts of the same check. The key is the digest of everything that an answer depends on. */
export interface EarlierAnswers {
  find(key: string): Promise<Response | undefined>
  keep(key: string, response: Response): Promise<void>
}

/**
 * Lets several invocations do one check: an answer of an earlier invocation is used again, whatever its status, so that
 * together they find what a single check finds. A list that is read a second time, to see whether it changed, is always
 * requested.
 */
export const resumed = (inner: Transport, answers: EarlierAnswers, keyOf: KeyOf): Transport => {
  const reading = (which: string): Transport => ({
    ...inner,
    send: async (request, signal) => {
      const key = await keyOf(request)
      if (key === undefined) return inner.send(request, signal)
      const known = await answers.find(`${key}${which}`)
      if (known !== undefined) return known
      const response = await inner.send(request, signal)
      await answers.keep(`${key}${which}`, response)
      return response
    },
  })
  return { ...reading(''), afresh: reading('.2') }
}
