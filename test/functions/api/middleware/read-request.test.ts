import { describe, expect, test } from 'vitest'
import { readBody, readHeaders, readMediaType, readQuery } from '../../../../functions/api/middleware/read-request.ts'
import { apiEvent } from '../../../builders/aws/api-event.ts'

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

describe('the body of a request', () => {
  test('is decoded where API Gateway encoded it', () => {
    const body = Buffer.from('{"ä":1}').toString('base64')
    expect(readBody(apiEvent('POST', '/v1/x', { body, isBase64Encoded: true }))).toBe('{"ä":1}')
    expect(readBody(apiEvent('POST', '/v1/x', { body: '{"ä":1}' }))).toBe('{"ä":1}')
    expect(readBody(apiEvent('POST', '/v1/x', {}))).toBe('')
  })

  test('is limited in bytes, not in characters', () => {
    expect(readBody(apiEvent('POST', '/v1/x', { body: 'ä'.repeat(5) }), 10)).toBe('äääää')
    expect(() => readBody(apiEvent('POST', '/v1/x', { body: 'ä'.repeat(6) }), 10)).toThrow(refused('BODY_TOO_LARGE'))
    const encoded = Buffer.alloc(11, 'a').toString('base64')
    expect(() => readBody(apiEvent('POST', '/v1/x', { body: encoded, isBase64Encoded: true }), 10)).toThrow(
      refused('BODY_TOO_LARGE'),
    )
  })

  test('must be UTF-8', () => {
    const body = Buffer.from([0xff, 0xfe]).toString('base64')
    expect(() => readBody(apiEvent('POST', '/v1/x', { body, isBase64Encoded: true }))).toThrow(
      refused('REQUEST_INVALID'),
    )
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
