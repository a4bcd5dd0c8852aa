import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unknownReasons } from '../../../core/engine/schema/resource.ts'
import { causeKey, causesOf } from '../../../core/engine/values/texts/causes.ts'

const host = 'http://api.test:8080'
const each = (count: number, reason: (typeof unknownReasons)[number], detail: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ({ reason, detail: detail(n) }))

describe('the causes why objects could not be read', () => {
  it.each([
    ['an answer', each(40, 'rate_limited', (n) => `GET ${host}/g/t${n}?a=1 answered 429`), `${host} answered 429`],
    [
      'an answer that cannot be read',
      each(40, 'bad_body', (n) => `the answer to GET ${host}/g/t${n} cannot be read: it redirects more than 5 times`),
      `the answer to ${host} cannot be read: it redirects more than 5 times`,
    ],
    [
      'folders of one host',
      [
        ...each(
          20,
          'timeout',
          () => `${host}/f/ does not respond (no whole answer within 30000 ms); no further requests were sent to it`,
        ),
        ...each(
          17,
          'timeout',
          () => `${host}/g/ does not respond (no whole answer within 30000 ms); no further requests were sent to it`,
        ),
      ],
      `${host} does not respond (no whole answer within 30000 ms); no further requests were sent to it`,
    ],
    [
      'those that were asked, and those that were not',
      [
        ...each(5, 'network', (n) => `GET ${host}/f/t${n} failed: connection refused (ECONNREFUSED)`),
        ...each(
          35,
          'network',
          () => `${host} does not respond (connection refused (ECONNREFUSED)); no further requests were sent to it`,
        ),
      ],
      `${host} does not respond (connection refused (ECONNREFUSED)); no further requests were sent to it`,
    ],
    ['one object', each(1, 'server_error', () => `GET ${host}/g/t0 answered 500`), `GET ${host}/g/t0 answered 500`],
    ['no address', each(3, 'deadline', () => 'reading takes longer than 90 s'), 'reading takes longer than 90 s'],
  ])('are joined where they are the same, and reported once: %s', (_, unread, detail) => {
    expect(causesOf(unread)).toEqual([{ reason: unread[0]?.reason, detail, count: unread.length }])
    expect(new Set(unread.map(causeKey)).size).toBe(1)
  })

  it('are kept apart for other hosts, answers and reasons', () => {
    const unread = [
      { reason: 'timeout', detail: `GET ${host}/a failed: x` },
      { reason: 'timeout', detail: 'GET http://other.test/a failed: x' },
      { reason: 'network', detail: `GET ${host}/a failed: x` },
      { reason: 'server_error', detail: `GET ${host}/a answered 500` },
      { reason: 'server_error', detail: `GET ${host}/a answered 503` },
    ] as const
    expect(new Set(unread.map(causeKey)).size).toBe(unread.length)
    expect(causesOf(unread)).toHaveLength(3)
  })

  const unread = fc.record({
    reason: fc.constantFrom(...unknownReasons),
    detail: fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.tuple(fc.webUrl(), fc.string()).map(([url, words]) => `GET ${url} ${words}`),
    ),
  })
  it('law: are at most three, the most frequent ones, each on one line, whatever the order of the objects', () => {
    fc.assert(
      fc.property(fc.array(unread, { maxLength: 60 }), (all) => {
        const causes = causesOf(all)
        const counts = causes.map(({ count }) => count)
        expect(counts).toEqual(counts.toSorted((a, b) => b - a))
        expect(causes.length).toBe(Math.min(3, new Set(all.map(causeKey)).size))
        expect(causes.every(({ detail }) => detail.length <= 303)).toBe(true)
        expect(causesOf(all.toReversed()).map(({ count }) => count)).toEqual(counts)
        if (causes.length < 3) expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length)
      }),
    )
  })
})
