import { describe, expect, test } from 'vitest'
import { negotiate, takesGzip } from '../../../../functions/api/middleware/negotiate.ts'

const offers = ['application/json', 'text/plain', 'text/markdown']

describe('the best format of an answer', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/plain'],
    ['TEXT/Markdown', 'text/markdown'],
    ['text/plain;q=0.5, text/markdown', 'text/markdown'],
    ['text/markdown;q=0.5, */*;q=0.1', 'text/markdown'],
    ['application/json;q=0, */*', 'text/plain'],
    ['text/*;q=0.9, text/plain;q=0.1', 'text/markdown'],
    ['text/html, text/plain ; q=0.8', 'text/plain'],
    ['application/json, text/plain', 'application/json'],
    ['text/plain, application/json', 'application/json'],
  ])('is chosen by the Accept header %s', (accept, expected) => {
    expect(negotiate(accept, offers)).toBe(expected)
  })

  test.each(['text/html', 'application/json;q=0', 'image/*', '*/*;q=0', 'text/plain;q=2'])(
    'does not exist for %s',
    (accept) => {
      expect(() => negotiate(accept, offers)).toThrow(expect.objectContaining({ code: 'NOT_ACCEPTABLE', status: 406 }))
    },
  )
})

test.each([
  [undefined, false],
  ['gzip', true],
  ['br, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['*', true],
  ['*, gzip;q=0', false],
  ['deflate', false],
])('gzip is used or not with %s: %s', (header, expected) => {
  expect(takesGzip(header)).toBe(expected)
})
