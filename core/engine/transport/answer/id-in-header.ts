import type { HeaderPlace, Response } from '../../schema/command.ts'
import { answerUrl } from './answer-url.ts'

/** Characters of an id. */
const longest = 1_024

const urlHeaders = ['location', 'content-location']

/**
 * An id in a header of an answer. In a URL, it is one decoded segment of the path; a URL of another origin has no id, and
 * neither has a text that cannot be one segment of a URL. `asked`: the requested URL.
 */
export const idInHeader = ({ headers }: Response, place: HeaderPlace, asked: string): string | undefined => {
  const text = headers[place.header.toLowerCase()]?.trim()
  if (text === undefined) return undefined
  const isUrl = place.path !== undefined || urlHeaders.includes(place.header.toLowerCase())
  const id = isUrl ? inUrl(text, place.path, asked) : text
  return id === undefined || !isId(id) ? undefined : id
}

const isId = (id: string): boolean =>
  id !== '' && id.length <= longest && !/^\.{1,2}$/.test(id) && !/\p{Cc}/u.test(id) && id.isWellFormed()

/** `path`: the end of it, segment by segment; `*` is any one segment, and the one with a variable is the id. */
const inUrl = (text: string, path = '/{id}', asked: string): string | undefined => {
  const found = answerUrl(text, asked)
  const all = found.ok ? segmentsOf(found.url) : []
  // What was asked is the collection, not what was made in it.
  if (all.join('/') === segmentsOf(asked).join('/')) return undefined
  const wanted = path.split('/').slice(1)
  const segments = all.slice(-wanted.length).map(decoded)
  if (segments.length !== wanted.length) return undefined
  const fits = wanted.every((each, index) => each === '*' || isVariable(each) || each === segments[index])
  return fits ? segments[wanted.findIndex(isVariable)] : undefined
}

const segmentsOf = (url: string): readonly string[] =>
  (URL.parse(url)?.pathname ?? '').replace(/\/$/, '').split('/').slice(1)

const isVariable = (segment: string): boolean => /^\{.*\}$/.test(segment)

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    // It is no text of a URL, and so no id: the caller goes on as if none had been told.
    return undefined
  }
}
