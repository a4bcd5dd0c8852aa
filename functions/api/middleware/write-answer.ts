import { gzipSync } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { AppError } from '#core'
import type { Answer } from '../route/route.ts'
import { takesGzip } from './negotiate.ts'

const worthCompressing = 16_000
/** Lambda answers at most 6 MB, of the JSON text that the body is a string in.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxAnswerBytes = 6_000_000

const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Pages have a policy of their own for the rest; these two count in a header only.
  'content-security-policy': "frame-ancestors 'none'; sandbox",
  vary: 'accept, accept-encoding',
}

const typeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType

/** The answer in API Gateway's form, compressed where it is worth it and the caller takes it. */
export const writeAnswer = (answer: Answer, acceptEncoding: string | undefined): APIGatewayProxyStructuredResultV2 => {
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const headers = { ...always, ...answer.headers, 'content-type': typeOf(answer.mediaType ?? 'application/json') }
  const compressed = Buffer.byteLength(text) > worthCompressing && takesGzip(acceptEncoding)
  const result: APIGatewayProxyStructuredResultV2 = compressed
    ? {
        statusCode: answer.status,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(text).toString('base64'),
        isBase64Encoded: true,
      }
    : { statusCode: answer.status, headers, body: text, isBase64Encoded: false }
  const size = text.length > maxAnswerBytes / 6 ? Buffer.byteLength(JSON.stringify(result)) : 0
  if (size > maxAnswerBytes)
    throw new AppError('NOT_ACCEPTABLE', {
      detail: `the answer has ${size} bytes${compressed ? ' even compressed' : ''}, more than ${maxAnswerBytes}`,
    })
  return result
}
