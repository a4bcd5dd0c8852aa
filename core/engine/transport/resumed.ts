import type { Response } from '../schema/command.ts'
import type { KeyOf } from './conditional.ts'
import type { Transport } from './transport.ts'

/** What an earlier part of the same check was answered, by the digest of everything that an answer depends on. */
export interface EarlierAnswers {
  find(key: string): Promise<Response | undefined>
  keep(key: string, response: Response): Promise<void>
}

/**
 * The reads of a check that several invocations do: what an earlier one was answered is not asked again, whatever the answer
 * was, so that the parts together find what one check finds. A list that is read
 * a second time, to see whether it has moved, is really read.
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
