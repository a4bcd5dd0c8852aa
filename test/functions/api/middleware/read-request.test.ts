import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody, readHeaders, readMediaType, readQuery } from '../../../../functions/api/middleware/read-request.ts'
import { apiEvent } from '../../../builders/aws/api-event.ts'
import { long } from '../../../builders/long.ts'

const refused = (code: string) => expect.objectContaining({ code })

test('header names may be written in any case', () => {
  expect(readHeaders(apiEvent('GET', '/v1/health', { headers: { 'X-Some': 'a', ACCEPT: 'b' } }))).toMatchObject({
    'x-some': 'a',
    accept: 'b',
  })
})

describe('the query of a request', () => {
  test.each([
    ['', {}],
    ['limit=5&actor=a%2Cb', { limit: '5', actor: 'a,b' }],
    ['actor=a+b', { actor: 'a b' }],
    ['actor=%2541', { actor: '%41' }],
    ['actor', { actor: '' }],
  ])('reads the parameters of "%s"', (query, expected) => {
    expect(readQuery(apiEvent('GET', '/v1/x', { query }))).toEqual(expected)
  })

  test('may have each parameter once', () => {
    expect(() => readQuery(apiEvent('GET', '/v1/x', { query: 'limit=1&limit=2' }))).toThrow(
      /query\.limit: is given twice/,
    )
  })
})

const empty = gzipSync('')
const fill = (members: number): Uint8Array[] => Array.from({ length: members }, () => empty)
const limits = { sent: 100, unpacked: 300 }
const packed = (body: Uint8Array, encoding = 'gzip') =>
  apiEvent('POST', '/v1/x', {
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    headers: { 'Content-Encoding': encoding },
  })

describe('the body of a request', () => {
  test('is decoded where API Gateway encoded it', async () => {
    const body = Buffer.from('{"ä":1}').toString('base64')
    expect(await readBody(apiEvent('POST', '/v1/x', { body, isBase64Encoded: true }), limits)).toBe('{"ä":1}')
    expect(await readBody(apiEvent('POST', '/v1/x', { body: '{"ä":1}' }), limits)).toBe('{"ä":1}')
    expect(await readBody(apiEvent('POST', '/v1/x', {}), limits)).toBe('')
  })

  test('is limited in bytes, not in characters', async () => {
    expect(await readBody(apiEvent('POST', '/v1/x', { body: 'ä'.repeat(50) }), limits)).toBe('ä'.repeat(50))
    await expect(readBody(apiEvent('POST', '/v1/x', { body: 'ä'.repeat(51) }), limits)).rejects.toThrow(
      refused('BODY_TOO_LARGE'),
    )
    const body = Buffer.alloc(101, 'a').toString('base64')
    await expect(readBody(apiEvent('POST', '/v1/x', { body, isBase64Encoded: true }), limits)).rejects.toThrow(
      refused('BODY_TOO_LARGE'),
    )
  })

  test('must be UTF-8, packed or not', async () => {
    const bytes = Buffer.from([0xff, 0xfe])
    for (const event of [packed(bytes, 'identity'), packed(gzipSync(bytes))])
      await expect(readBody(event, limits)).rejects.toThrow(/body: is not UTF-8/)
  })
})

describe('a packed body', () => {
  test.each(['gzip', ' GZip '])('is unpacked for Content-Encoding "%s"', async (encoding) => {
    expect(await readBody(packed(gzipSync('{"ä":1}'), encoding), limits)).toBe('{"ä":1}')
  })

  test('of several members is all of them', async () => {
    expect(await readBody(packed(Buffer.concat([gzipSync('[1,'), gzipSync('2]')])), limits)).toBe('[1,2]')
  })

  test('may have exactly the limits, and no byte more', async () => {
    expect(await readBody(packed(gzipSync('a'.repeat(300))), limits)).toBe('a'.repeat(300))
    const over = /larger than 100 bytes as it is sent, or than 300 bytes unpacked/
    await expect(readBody(packed(gzipSync('a'.repeat(301))), limits)).rejects.toThrow(over)
    // Members without content are packed bytes only.
    const sent = (bytes: number) => Buffer.concat([gzipSync('a', { level: 0 }), ...fill(bytes)])
    const one = gzipSync('a', { level: 0 }).byteLength
    expect(await readBody(packed(sent(3)), { ...limits, sent: one + 3 * empty.byteLength })).toBe('a')
    await expect(readBody(packed(sent(3)), { ...limits, sent: one + 3 * empty.byteLength - 1 })).rejects.toThrow(
      refused('BODY_TOO_LARGE'),
    )
  })

  test('is unpacked no further than the limit', long, async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    expect(bomb.byteLength).toBeLessThan(200_000)
    const before = process.memoryUsage().arrayBuffers
    await expect(readBody(packed(bomb), { sent: 200_000, unpacked: 1_000_000 })).rejects.toThrow(
      refused('BODY_TOO_LARGE'),
    )
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
  })

  test.each([
    ['nothing of gzip', Buffer.from('{"a":1}')],
    ['cut', gzipSync('{"a":1}').subarray(0, -5)],
    ['followed by something else', Buffer.concat([gzipSync('{}'), Buffer.from('more')])],
    ['with a wrong checksum', gzipSync('{}').map((byte, at, all) => (at === all.length - 6 ? byte ^ 1 : byte))],
    ['read as text on its way', Buffer.from(gzipSync('{"a":1}').toString('utf8'))],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(readBody(packed(bytes), limits)).rejects.toThrow(/body: is not gzip/)
  })

  test.each(['br', 'deflate', 'gzip, gzip', ''])('in the encoding "%s" is refused', async (encoding) => {
    await expect(readBody(packed(gzipSync('{}'), encoding), limits)).rejects.toThrow(
      `the content encoding "${encoding.trim()}" is not supported; supported are: gzip, identity`,
    )
  })

  test('without a byte is empty', async () => {
    for (const encoding of ['gzip', 'br']) expect(await readBody(packed(new Uint8Array(), encoding), limits)).toBe('')
    expect(await readBody(packed(gzipSync('')), limits)).toBe('')
  })
})

test.each([
  [{}, 'application/json'],
  [{ 'content-type': 'Application/JSON; charset=utf-8' }, 'application/json'],
  [{ 'content-type': 'text/yaml' }, 'text/yaml'],
  [{ 'content-type': '' }, ''],
])('the media type of %j is %s', (headers, expected) => {
  expect(readMediaType(headers)).toBe(expected)
})
