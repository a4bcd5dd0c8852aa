import type { Transport } from '../../core/command/transport.ts'
import { AppError } from '../../core/errors.ts'

/**
 * Requests that are never answered, whose time is over the moment the server says that it has heard one: no other request
 * can run out of time, however slow the machine is. `heard` is for the server, `wire` goes around the transport.
 */
export const aSilence = (isSilent: (url: string) => boolean) => {
  const waiting: (() => void)[] = []
  const wire = (inner: Transport): Transport => ({
    ...inner,
    send: (request, signal) => {
      const { method, url } = request
      if (!isSilent(url)) return inner.send(request, signal)
      return new Promise((resolve, reject) => {
        const over = { method, url, detail: 'no answer in time', reason: 'timeout' } as const
        waiting.push(() => reject(new AppError('REQUEST_FAILED', over)))
        inner.send(request, signal).then(resolve, reject)
      })
    },
  })
  return { heard: (): void => waiting.shift()?.(), wire }
}
