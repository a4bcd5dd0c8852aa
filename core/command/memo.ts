import { digest } from '../digest.ts'
import type { Response } from '../schema/command.ts'
import { isRead } from './read-only.ts'
import type { Transport } from './transport.ts'

/**
 * Sends equal reads once and gives all askers the same answer, those that ask while it is under way included. Errors are
 * not kept. A write forgets everything. Make one for each run: answers do not age.
 */
export const memo = (inner: Transport): Transport => {
  const answers = new Map<string, Promise<Response>>()
  return {
    send: async (request, signal) => {
      if (!isRead(request)) {
        try {
          return await inner.send(request, signal)
        } finally {
          answers.clear()
        }
      }
      const key = digest(request)
      const known = answers.get(key)
      if (known) return known
      const answer = inner.send(request, signal)
      answers.set(key, answer)
      answer.catch(() => answers.get(key) === answer && answers.delete(key))
      return answer
    },
  }
}
