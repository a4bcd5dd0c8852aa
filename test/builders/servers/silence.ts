import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'

/**
 * Any request may run out of time, the moment the server says that it will not answer this one: `heard` is given what it
 * heard. No other can, however slow the machine is.
 */
export const heldBack = () => {
  const waiting = new Map<string, (() => void)[]>()
  const keyOf = (method: string, url: string): string => {
    const { pathname, search } = new URL(url, 'http://here')
    return `${method} ${pathname}${search}`
  }
  const wire = (inner: Transport): Transport => ({
    ...inner,
    send: async (request, signal) => {
      const { method, url } = request
      const ended = new AbortController()
      const over = Promise.withResolvers<never>()
      const key = keyOf(method, url)
      const end = (): void => {
        over.reject(new AppError('REQUEST_FAILED', { method, url, detail: 'no answer in time', reason: 'timeout' }))
        ended.abort()
      }
      waiting.set(key, [...(waiting.get(key) ?? []), end])
      try {
        const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
        return await Promise.race([over.promise, inner.send(request, either)])
      } finally {
        const left = waiting.get(key)?.filter((each) => each !== end) ?? []
        waiting.set(key, left)
      }
    },
  })
  return { heard: (method: string, url: string): void => waiting.get(keyOf(method, url))?.[0]?.(), wire }
}

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
