import type { Command, PlannedRequest } from '../schema/command.ts'
import type { Url, UrlPart, UrlParts } from '../schema/value.ts'
import { defined } from './defined.ts'
import { spellAfter } from './spell-value.ts'

export const urlParts = (url: Url): UrlParts => (typeof url === 'string' ? [url] : url)

/** Joins neighbouring texts, so that equal URLs are equal values; the result is a text if every part is known. */
export const joinUrl = (parts: UrlParts): Url => {
  const joined: UrlPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else if (part !== '') joined.push(part)
  }
  return joined.every((part) => typeof part === 'string') ? joined.join('') : joined
}

export const mapUrlTexts = (url: Url, change: (text: string) => string): Url =>
  typeof url === 'string' ? change(url) : url.map((part) => (typeof part === 'string' ? change(part) : part))

/** Changes all requests of a command: its own, its inverse, and the polls of its waiters. */
export const mapRequests = (command: Command, change: (request: PlannedRequest) => PlannedRequest): Command => ({
  ...command,
  request: change(command.request),
  ...defined({
    inverse: command.inverse && change(command.inverse),
    wait: command.wait?.map((waiter) => ({ ...waiter, request: change(waiter.request) })),
  }),
})

/** Adds one parameter at the end. The rest of the URL keeps its spelling. */
export const withParameter = (url: Url, name: string, value: UrlPart): Url => {
  const hasQuery = urlParts(url).some((part) => typeof part === 'string' && part.includes('?'))
  const text = typeof value === 'string' ? encodeURIComponent(value) : value
  return joinUrl([...urlParts(url), `${hasQuery ? '&' : '?'}${encodeURIComponent(name)}=`, text])
}

/** The names of this machine lead to one server, whichever of them a text begins with. */
export const loopbackAsOne = (text: string): string =>
  text.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/ ]|$)/, '$1localhost')

/** A place at a server, in the one spelling that all spellings of its URL have. */
export interface UrlSite {
  readonly server: string
  /** Without a slash at the end. */
  readonly path: string
}

/** What stands before a space is the path of a socket, at which no host chooses the server. The query chooses how something is shown. */
export const siteAt = (text: string): UrlSite | undefined => {
  const at = text.lastIndexOf(' ')
  const socket = text.slice(0, Math.max(at, 0)).trim()
  const url = URL.parse(text.slice(at + 1))
  if (url === null) return undefined
  const origin = loopbackAsOne(`${url.protocol}//${url.host.replace(/\.(?=:|$)/, '')}`)
  const steps = url.pathname.split('/').filter((step) => step !== '')
  return { server: socket === '' ? origin : `unix:${socket}`, path: steps.map((step) => `/${recoded(step)}`).join('') }
}

/** The one spelling of an absolute URL; another text stays as it is. */
export const oneUrl = (text: string): string => {
  const site = siteAt(text)
  return site === undefined ? text : `${site.server}${site.path}`
}

const recoded = (step: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(step))
  } catch {
    // A server may take bytes that are no text.
    return step.replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase())
  }
}

export const urlWords = (url: Url): string =>
  urlParts(url)
    .map((part) => (typeof part === 'string' ? part : spellAfter(part)))
    .join('')
