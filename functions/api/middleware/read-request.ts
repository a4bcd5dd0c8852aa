import { isUtf8 } from 'node:buffer'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { AppError } from '#core'

const defaultMaxBytes = 64_000

/** API Gateway sends names in lower case; other servers may not. */
export const readHeaders = (event: APIGatewayProxyEventV2): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(event.headers ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  )

/** Reads the raw query, because the parsed one joins repeated parameters with commas. */
export const readQuery = (event: APIGatewayProxyEventV2): Readonly<Record<string, string>> => {
  const given = [...new URLSearchParams(event.rawQueryString ?? '')]
  const names = given.map(([name]) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (twice.length > 0)
    throw new AppError('REQUEST_INVALID', {
      problems: [...new Set(twice)].map((name) => `query.${name}: is given twice`),
    })
  return Object.fromEntries(given)
}

/** Bytes are counted before anything is decoded further. */
export const readBody = (event: APIGatewayProxyEventV2, maxBytes = defaultMaxBytes): string => {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.byteLength > maxBytes) throw new AppError('BODY_TOO_LARGE', { limit: maxBytes })
  if (!isUtf8(bytes)) throw new AppError('REQUEST_INVALID', { problems: ['body: is not UTF-8'] })
  // This drops a byte order mark.
  return new TextDecoder().decode(bytes)
}

/** Returns the type without parameters such as the character set; JSON if there is no header. */
export const readMediaType = (headers: Readonly<Record<string, string>>): string => {
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';')
  return type.trim().toLowerCase()
}
