import { spellAfter } from '../../schema/after-placeholder.ts'
import type { Json } from '../../schema/json.ts'
import { isAfter, isConcat, isMark } from '../../schema/value.ts'
import { fill, partsOf, type Scope, spell } from './template.ts'

export type PathEncoding = 'full' | 'plain'

const escapeMore = (text: string): string =>
  text.replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * One path segment. `full` leaves only unreserved characters, `plain` also those that RFC 3986 allows in a segment. A `%`
 * is always encoded: a key that the server made is opaque, whatever it looks like.
 */
export const encodeSegment = (text: string, encoding: PathEncoding): string =>
  encoding === 'full'
    ? escapeMore(encodeURIComponent(text))
    : encodeURIComponent(text).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent)

/**
 * Whether a URL or path keeps its segments on the way: parsers take `.` and `..` out, in percent-encoding too, and servers
 * take an empty segment in the middle for none.
 */
export const isStraight = (text: string): boolean => {
  const [path = ''] = text.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)
  return !/(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(path) && !/\/\/./.test(path)
}

export type BuiltUrl =
  | { readonly ok: true; readonly url: string }
  /** The variable that has no value, or none that can stand in a path. */
  | { readonly ok: false; readonly variable: string; readonly detail: string }

/** A value as it stands in a URL; `undefined` where it cannot. What an earlier command produces is a placeholder. */
const spellInUrl = (value: Json | undefined, encode: (text: string) => string): string | undefined => {
  if (isAfter(value)) return spellAfter(value)
  if (isConcat(value)) {
    const parts = value.$concat.map((part) => spellInUrl(part, encode))
    return parts.includes(undefined) ? undefined : parts.join('')
  }
  if (value === undefined || value === null || isMark(value)) return undefined
  return encode(spell(value))
}

const buildSegment = (template: string, scope: Scope, encoding: PathEncoding): BuiltUrl => {
  const variables: string[] = []
  let segment = ''
  for (const part of partsOf(template)) {
    if ('text' in part) {
      segment += part.text
      continue
    }
    const variable = part.variable.join('.')
    const text = spellInUrl(scope(part.variable), (value) => encodeSegment(value, encoding))
    if (text === undefined) return { ok: false, variable, detail: 'is not known' }
    variables.push(variable)
    segment += text
  }
  // A URL parser would take these away, and the request would go to another object.
  const lost = variables.length > 0 && ['', '.', '..'].includes(segment)
  return lost
    ? { ok: false, variable: variables.join(', '), detail: `"${segment}" cannot stand in a path` }
    : { ok: true, url: segment }
}

export interface UrlParts {
  readonly baseUrl: string
  readonly path: string
  readonly query?: Readonly<Record<string, Json>>
  readonly encoding: PathEncoding
}

/** The absolute URL of an operation. Query members without a value are left out. */
export const buildUrl = (parts: UrlParts, scope: Scope): BuiltUrl => {
  const segments = parts.path.split('/').map((segment) => buildSegment(segment, scope, parts.encoding))
  const wrong = segments.find((segment) => !segment.ok)
  if (wrong !== undefined) return wrong
  const path = segments.map((segment) => (segment.ok ? segment.url : '')).join('/')
  const query = Object.entries(parts.query ?? {}).flatMap(([name, template]) => {
    const value = spellInUrl(fill(template, scope), encodeURIComponent)
    return value === undefined ? [] : [`${encodeURIComponent(name)}=${value}`]
  })
  return { ok: true, url: `${parts.baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}` }
}
