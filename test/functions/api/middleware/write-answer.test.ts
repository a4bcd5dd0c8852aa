import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writeAnswer } from '../../../../functions/api/middleware/write-answer.ts'

const large = 'a'.repeat(20_000)

test('JSON is sent with its headers', () => {
  expect(writeAnswer({ status: 202, headers: { location: '/v1/x' }, body: { ok: true } }, undefined)).toEqual({
    statusCode: 202,
    headers: {
      location: '/v1/x',
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "frame-ancestors 'none'; sandbox",
      vary: 'accept, accept-encoding',
    },
    body: '{"ok":true}',
    isBase64Encoded: false,
  })
})

test('a text is sent as it is', () => {
  const { headers, body } = writeAnswer({ status: 200, mediaType: 'text/plain', body: 'ä "b"' }, 'gzip')
  expect(headers?.['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toBe('ä "b"')
})

test('large answers are compressed for clients that accept it', () => {
  const compressed = writeAnswer({ status: 200, body: large }, 'gzip, br')
  expect(compressed).toMatchObject({ isBase64Encoded: true, headers: { 'content-encoding': 'gzip' } })
  expect(gunzipSync(Buffer.from(compressed.body ?? '', 'base64')).toString()).toBe(large)
  for (const encoding of [undefined, 'identity', 'gzip;q=0'])
    expect(writeAnswer({ status: 200, body: large }, encoding)).toMatchObject({ isBase64Encoded: false, body: large })
})

test('an answer that Lambda cannot send is refused, with a way to get it', () => {
  const huge = { status: 200, body: '"'.repeat(3_500_000) }
  expect(() => writeAnswer(huge, undefined)).toThrow(
    expect.objectContaining({ code: 'NOT_ACCEPTABLE', hint: expect.stringContaining('Accept-Encoding') }),
  )
  expect(writeAnswer(huge, 'gzip').isBase64Encoded).toBe(true)
})
