import type { Json } from '../../../engine/schema/json.ts'
import {
  isAfter,
  isConcat,
  isMark,
  isNumberMark,
  type Url,
  type UrlPart,
  type UrlParts,
} from '../../../engine/schema/value.ts'
import { textOfValue } from '../../../engine/values/texts/json-text.ts'
import { joinUrl, urlParts } from '../../../engine/values/url.ts'
import { type Escapes, fill, missingIn, partsOf, type Scope, spell } from '../document/shared/template.ts'
import { lacks } from '../document/shared/words.ts'

export type PathEncoding = 'full' | 'plain'

const escapeMore = (text: string): string =>
  text.replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * One path segment. `full` leaves only unreserved characters, `plain` also those that RFC 3986 allows in a segment. A `%`
 * is always encoded: a key that the server made is opaque, even if it looks encoded.
 */
export const encodeSegment = (text: string, encoding: PathEncoding): string =>
  encoding === 'full'
    ? escapeMore(encodeURIComponent(text))
    : encodeURIComponent(text).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent)

export type BuiltUrl =
  | { readonly ok: true; readonly url: Url }
  /** The variable that has no value, or a value that a path cannot contain. */
  | { readonly ok: false; readonly variable: string; readonly detail: string }

/** A value as written in a URL; `undefined` if a URL cannot contain it. */
const spellInUrl = (value: Json | undefined, encode: (text: string) => string): UrlParts | undefined => {
  if (isAfter(value)) return [value]
  if (isConcat(value)) {
    const parts = value.$concat.map((part) => spellInUrl(part, encode))
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined
  }
  if (isNumberMark(value)) return [encode(value.$number)]
  if (value === undefined || value === null || isMark(value)) return undefined
  if (typeof value === 'object' && textOfValue(value) === undefined) return undefined
  return [encode(spell(value))]
}

const buildSegment = (template: string, scope: Scope, encoding: PathEncoding): BuiltUrl => {
  const variables: string[] = []
  const parts: UrlPart[] = []
  for (const part of partsOf(template)) {
    if ('text' in part) {
      parts.push(part.text)
      continue
    }
    const variable = part.variable.join('.')
    const spelled = spellInUrl(scope(part.variable), (value) => encodeSegment(value, encoding))
    if (spelled === undefined) return { ok: false, variable, detail: lacks.noValue }
    variables.push(variable)
    parts.push(...spelled)
  }
  const segment = joinUrl(parts)
  // A URL parser would take these away, and the request would go to another object.
  const lost = variables.length > 0 && typeof segment === 'string' && ['', '.', '..'].includes(segment)
  return lost
    ? { ok: false, variable: variables.join(', '), detail: lacks.lostSegment(segment) }
    : { ok: true, url: segment }
}

export interface UrlTemplate {
  readonly baseUrl: string
  readonly path: string
  readonly query?: Readonly<Record<string, Json>>
  readonly encoding: PathEncoding
  readonly escapes?: Escapes
}

/** The absolute URL of an operation. Only what its document says is optional is left out of the query. */
export const buildUrl = (template: UrlTemplate, scope: Scope): BuiltUrl => {
  const parts: UrlPart[] = [template.baseUrl]
  for (const [index, part] of template.path.split('/').entries()) {
    const segment = buildSegment(part, scope, template.encoding)
    if (!segment.ok) return segment
    parts.push(index === 0 ? '' : '/', ...urlParts(segment.url))
  }
  let sign = '?'
  for (const [name, value] of Object.entries(template.query ?? {})) {
    const variable = missingIn(value, scope)
    if (variable !== undefined) return { ok: false, variable, detail: lacks.noValue }
    const spelled = spellInUrl(fill(value, scope, template.escapes), encodeURIComponent)
    if (spelled === undefined) continue
    parts.push(`${sign}${encodeURIComponent(name)}=`, ...spelled)
    sign = '&'
  }
  return { ok: true, url: joinUrl(parts) }
}
