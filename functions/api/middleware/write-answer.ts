import { gzipSync } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { AppError } from '#core'
import type { Answer } from '../route/route.ts'
import { takesGzip } from './negotiate.ts'

const worthCompressing = 4_000
/**
 * Lambda answers at most 6 MB of JSON text, which contains the body as a string.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxAnswerBytes = 6_000_000

const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Pages set their own policy for the rest; these two directives work only in a header.
  'content-security-policy': "frame-ancestors 'none'; sandbox",
  vary: 'accept, accept-encoding',
}

const typeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType

/** The answer in API Gateway's form, compressed if that saves enough and the caller accepts it. */
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
