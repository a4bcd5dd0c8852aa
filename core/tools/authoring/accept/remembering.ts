import { digest } from '../../../engine/json/digest.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isRead } from '../../../engine/transport/read-only.ts'
import type { Transport } from '../../../engine/transport/transport.ts'
import type { Deps } from '../../../engine/workflows/deps.ts'

const isPassing = ({ status }: Response): boolean => status >= 500 || [408, 425, 429].includes(status)

const keeping = (inner: Transport): Transport => {
  const answers = new Map<string, Response>()
  return {
    send: async (request, signal) => {
      const key = isRead(request) ? digest(request) : ''
      const known = answers.get(key)
      if (known !== undefined) return known
      const answer = await inner.send(request, signal)
      if (key !== '' && !isPassing(answer)) answers.set(key, answer)
      return answer
    },
  }
}

/**
 * Returns transports for several plans of one workspace: the first one reads, and the others get the same answers, so
 * that all of them plan the same objects. Each call is for one plan.
 */
export const remembering = (transport: Deps['transport']): (() => Deps['transport']) => {
  const kept: Transport[] = []
  return () => {
    let next = 0
    return (confines) => {
      const place = next
      next += 1
      kept[place] ??= keeping(transport(confines))
      return kept[place]
    }
  }
}
