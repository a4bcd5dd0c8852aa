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

export const urlWords = (url: Url): string =>
  urlParts(url)
    .map((part) => (typeof part === 'string' ? part : spellAfter(part)))
    .join('')

/**
 * Whether no segment can be lost: parsers remove `.` and `../..`, also encoded, and servers ignore an empty segment.
 */
export const isStraight = (text: string): boolean => {
  const [path = ''] = text.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)
  return !/(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(path) && !/\/\/./.test(path)
}
