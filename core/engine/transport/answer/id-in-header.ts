import type { HeaderPlace, Response } from '../../schema/command.ts'
import { answerUrl } from './answer-url.ts'

const longest = 1_024

const urlHeaders = ['location', 'content-location']

/**
 * Reads an id from a header of an answer. In a URL, the id is one decoded segment of the path. A URL of another origin
 * has no id; a text that cannot be one segment of a URL is no id. `asked`: the requested URL.
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

/**
 * `path` is the end of the path, segment by segment: `*` matches any segment, and the segment with a variable is the
 * id.
 */
const inUrl = (text: string, path = '/{id}', asked: string): string | undefined => {
  const found = answerUrl(text, asked)
  const all = found.ok ? segmentsOf(found.url) : []
  // The requested URL is that of the collection, not of the created object.
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
    // A malformed escape gives no id; the caller continues as without one.
    return undefined
  }
}
