import { AppError, defined, isObject, isSpelledNumber, type Json, type Request, type Response, repeatsKey } from '#core'
import { readAll } from '../../read-all.ts'
import type { BodySpelling } from './escapes.ts'
import { type ParsedJson, parseJson } from './parse-json.ts'

/**
 * Returns the body as it is sent: JSON, unless the request names another media type. Then a text is sent as it is, and
 * the members of an object become the fields of a form, a list one field for each element.
 */
export const bodyText = (request: Request, write: BodySpelling['write']): string | null => {
  const { body, headers } = request
  if (body === undefined) return null
  const named = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (named === undefined || /json/i.test(named)) return write(body)
  if (typeof body === 'string') return body
  return /^application\/x-www-form-urlencoded\b/i.test(named) ? formText(request, body) : write(body)
}

const formText = ({ method, url }: Request, body: Json): string => {
  const fields = isObject(body) ? Object.entries(body) : []
  const pairs = fields.flatMap(([name, value]) => {
    const values: readonly Json[] = Array.isArray(value) ? value : [value]
    return values.map((each): [string, Json] => [name, each])
  })
  const nested = pairs.find(([, value]) => typeof value === 'object' && value !== null && !isSpelledNumber(value))
  if (isObject(body) && nested === undefined) {
    const texts = pairs.map(([name, value]): [string, string] => [
      name,
      value === null ? '' : isSpelledNumber(value) ? value.rawJSON : String(value),
    ])
    return new URLSearchParams(texts).toString()
  }
  const detail = `${nested?.[0] ?? 'the body'} cannot be a field of a form: give texts, numbers or lists of them`
  throw new AppError('RESPONSE_INVALID', { method, url, detail })
}

/** Reads an answer's body by its media type: JSON, else text. Stops reading at the limit. */
export const decodeBody = async (
  { method, url }: Request,
  answer: globalThis.Response,
  limit: number,
  notice: BodySpelling['notice'],
): Promise<Response> => {
  const bytes = answer.body === null ? Buffer.alloc(0) : await readAll(answer.body, limit)
  if (bytes === undefined) throw new AppError('RESPONSE_TOO_LARGE', { method, url, limit })
  const { status } = answer
  const headers = headersOf(answer)
  const length = { bytes: bytes.length }
  if (bytes.length === 0) return { status, headers, body: null, ...length }
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (!/^(application|text)\/(.+\+)?json$/i.test(type.trim()))
    return { status, headers, body: bytes.toString('utf8'), ...length }
  const invalid = (detail: string): never => {
    throw new AppError('RESPONSE_INVALID', { method, url, detail: `status ${status} with a body ${detail}` })
  }
  const parsed = parsedIn(bytes) ?? invalid('that is not valid JSON')
  // Of two members with one name a parser keeps the last one, and nobody knows which one the server means.
  if (repeatsKey(parsed.text, parsed.body)) return invalid('in which an object has one member twice')
  const { text, ...read } = parsed
  notice(text)
  return { status, headers, ...length, ...read }
}

/** `undefined` if it is not JSON: the parser's message would repeat a piece of the body. */
const parsedIn = (bytes: Buffer): (ParsedJson & { readonly text: string }) | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, ...parseJson(text) }
  } catch {
    return undefined
  }
}

/** Cookies are separated by line feeds, because their dates contain commas. */
const headersOf = ({ headers }: globalThis.Response): Response['headers'] => {
  const cookies = headers.getSetCookie()
  return {
    ...Object.fromEntries(headers),
    ...defined({ 'set-cookie': cookies.length > 0 ? cookies.join('\n') : undefined }),
  }
}
