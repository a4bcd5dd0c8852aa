import { AppError } from '../errors/errors.ts'
import type { Transport } from './transport.ts'

/** Base URLs in one spelling, with a final slash; `undefined` if there is none, or one of them is no http or https URL. */
export const readBaseUrls = (written: readonly string[]): readonly string[] | undefined => {
  const urls = written.map((text) => URL.parse(text))
  const read = urls.flatMap((url) => (url !== null && isPlain(url) ? [`${url.origin}${withSlash(url.pathname)}`] : []))
  return read.length > 0 && read.length === written.length ? read : undefined
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

const isPlain = ({ protocol, username, password, search, hash }: URL): boolean =>
  /^https?:$/.test(protocol) && username === '' && password === '' && search === '' && hash === ''

/** Whether a URL, as it will be sent, is below one of the base URLs. Its own spelling must be the one that is sent. */
export const isWithinUrls = (url: string, baseUrls: readonly string[]): boolean => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false
  // An encoded dot, slash or backslash may mean another path to a server.
  if (/(^|%2f|%5c|\/)(\.|%2e){1,2}($|%2f|%5c|\/)/i.test(parsed.pathname)) return false
  const sent = `${parsed.origin}${parsed.pathname}`
  return baseUrls.some((base) => sent.startsWith(base) || `${sent}/` === base)
}

/** Rejects with URL_REFUSED every request that leaves the base URLs. */
export const confined = (inner: Transport, baseUrls: readonly string[]): Transport => ({
  ...inner,
  send: async (request, signal) => {
    if (request.socket !== undefined || !isWithinUrls(request.url, baseUrls))
      throw new AppError('URL_REFUSED', { method: request.method, url: request.url, baseUrls })
    return inner.send(request, signal)
  },
})
