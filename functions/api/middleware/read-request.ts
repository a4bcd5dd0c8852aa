import { isUtf8 } from 'node:buffer'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { AppError } from '#core'
import type { BodyLimits } from '../route/body-limits.ts'
import { unpack } from '../route/unpack.ts'

const encodings = ['gzip', 'identity']

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

/** The name in lower case; throws ENCODING_UNSUPPORTED. */
const readEncoding = (headers: Readonly<Record<string, string>>): string => {
  const found = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (!encodings.includes(found)) throw new AppError('ENCODING_UNSUPPORTED', { found, known: encodings })
  return found
}

const noGzip =
  'body: is not gzip, or was taken for text on its way; without a Content-Type it is JSON, and stays as it is'

/**
 * Bytes are counted before and while they are unpacked. An empty body is empty in every encoding. A byte order mark stays, as a
 * signature may be over the body.
 */
export const readBody = async (event: APIGatewayProxyEventV2, limits: BodyLimits): Promise<string> => {
  const sent = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (sent.byteLength === 0) return ''
  const encoding = readEncoding(readHeaders(event))
  if (sent.byteLength > limits.sent) throw new AppError('BODY_TOO_LARGE', limits)
  const bytes = encoding === 'gzip' ? await unpack(sent, limits, noGzip) : sent
  if (!isUtf8(bytes)) throw new AppError('REQUEST_INVALID', { problems: ['body: is not UTF-8'] })
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Returns the type without parameters such as the character set; JSON if there is no header. */
export const readMediaType = (headers: Readonly<Record<string, string>>): string => {
  const [type = ''] = (headers['content-type'] ?? 'application/json').split(';')
  return type.trim().toLowerCase()
}
