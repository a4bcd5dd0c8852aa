import { AppError } from '../errors/errors.ts'
import { baseUrlFault } from '../schema/base-url.ts'
import type { Transport } from './transport.ts'

/**
 * Normalises base URLs to end with a slash; `undefined` if there are none, or if a text is no base URL.
 */
export const readBaseUrls = (written: readonly string[]): readonly string[] | undefined => {
  const urls = written.flatMap((text) => (baseUrlFault(text) === undefined ? [new URL(text)] : []))
  const read = urls.map((url) => `${url.origin}${withSlash(url.pathname)}`)
  return read.length > 0 && read.length === written.length ? read : undefined
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

/** True if the URL is below a base URL. The URL must have the spelling that is sent. */
export const isWithinUrls = (url: string, baseUrls: readonly string[]): boolean => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false
  // A server may decode an encoded dot, slash or backslash and read another path.
  if (/(^|%2f|%5c|\/)(\.|%2e){1,2}($|%2f|%5c|\/)/i.test(parsed.pathname)) return false
  const sent = `${parsed.origin}${parsed.pathname}`
  return baseUrls.some((base) => sent.startsWith(base) || `${sent}/` === base)
}

/** Rejects with URL_REFUSED every request outside of the base URLs. */
export const confined = (inner: Transport, baseUrls: readonly string[]): Transport => ({
  ...inner,
  send: async (request, signal) => {
    if (request.socket !== undefined || !isWithinUrls(request.url, baseUrls))
      throw new AppError('URL_REFUSED', { method: request.method, url: request.url, baseUrls })
    return inner.send(request, signal)
  },
})
