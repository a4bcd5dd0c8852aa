import type { Json, Request } from '#core'
import { AppError, isObject } from '#core'

/**
 * The body as it is sent: JSON, unless the request names another media type. A text then goes as it is, and the members
 * of an object become the fields of a form, a list one field for each element.
 */
export const bodyText = (request: Request): string | null => {
  const { body, headers } = request
  if (body === undefined) return null
  const named = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (named === undefined || /json/i.test(named)) return JSON.stringify(body)
  if (typeof body === 'string') return body
  return /^application\/x-www-form-urlencoded\b/i.test(named) ? formText(request, body) : JSON.stringify(body)
}

const formText = ({ method, url }: Request, body: Json): string => {
  const fields = isObject(body) ? Object.entries(body) : []
  const pairs = fields.flatMap(([name, value]) => {
    const values: readonly Json[] = Array.isArray(value) ? value : [value]
    return values.map((each): [string, Json] => [name, each])
  })
  const nested = pairs.find(([, value]) => typeof value === 'object' && value !== null)
  if (isObject(body) && nested === undefined) {
    const texts = pairs.map(([name, value]): [string, string] => [name, value === null ? '' : String(value)])
    return new URLSearchParams(texts).toString()
  }
  const detail = `${nested?.[0] ?? 'the body'} cannot be a field of a form: give texts, numbers or lists of them`
  throw new AppError('RESPONSE_INVALID', { method, url, detail })
}
