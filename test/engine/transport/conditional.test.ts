import { describe, expect, it } from 'vitest'
import type { Request, Response } from '../../../core/engine/schema/command.ts'
import type { KeptAnswer, KeptAnswers } from '../../../core/engine/schema/ports.ts'
import { conditional } from '../../../core/engine/transport/conditional.ts'
import { aGet, anAnswer, aTransport } from '../../builders/values/transports.ts'

const inMemory = (): KeptAnswers & { readonly all: Map<string, KeptAnswer> } => {
  const all = new Map<string, KeptAnswer>()
  return { all, find: async (key) => all.get(key), keep: async (key, answer) => void all.set(key, answer) }
}

const drive = (...steps: Parameters<typeof aTransport>) => {
  const kept = inMemory()
  const inner = aTransport(...steps)
  const transport = conditional(inner, kept, async ({ url }) => url)
  return {
    kept,
    inner,
    send: (request: Partial<Request> = {}) => transport.send({ ...aGet(), conditional: 'weak', ...request }),
  }
}
const conditions = (sent: readonly Request[]) => sent.map(({ headers }) => headers?.['if-none-match'])
const first = anAnswer(200, { n: 1 }, { etag: '"a"', link: '<x>; rel="next"', 'content-type': 'application/json' })
const notModified = (headers: Record<string, string> = {}): Response => anAnswer(304, null, headers)

describe('a conditional read', () => {
  it('sends the ETag of the stored answer, and a 304 returns that answer', async () => {
    const { send, inner } = drive(first, notModified({ etag: '"a"', date: 'now', 'content-length': '0' }))
    expect(await send()).toEqual({ ...first, keeps: true })
    expect(await send()).toEqual({ ...first, headers: { ...first.headers, date: 'now' }, kept: true })
    expect(conditions(inner.sent)).toEqual([undefined, '"a"'])
    expect(inner.sent.every((request) => !('conditional' in request))).toBe(true)
  })

  it('gets and stores the new answer after a change', async () => {
    const second = anAnswer(200, { n: 2 }, { etag: 'W/"b"' })
    const { send, inner } = drive(first, second, notModified())
    await send()
    expect(await send()).toEqual({ ...second, keeps: true })
    expect((await send()).body).toEqual({ n: 2 })
    expect(conditions(inner.sent)).toEqual([undefined, '"a"', 'W/"b"'])
  })

  it.each<[string, Response[], number]>([
    ['without a question', [notModified()], 304],
    ['without a question, with an ETag', [notModified({ etag: '"a"' })], 304],
    ['about another ETag', [first, notModified({ etag: '"other"' }), anAnswer(200, { n: 3 })], 200],
    ['about another ETag, for ever', [first, notModified({ etag: '"other"' }), notModified()], 304],
  ])('does not accept a 304 %s', async (_, steps, status) => {
    const { send } = drive(...steps)
    if (steps.length > 1) await send()
    const last = await send()
    expect(last.kept).toBeUndefined()
    expect(last.status).toBe(status)
  })

  it('takes the ETag of a 304 as equal by the weak comparison', async () => {
    const { send } = drive(first, notModified({ etag: 'W/"a"' }))
    await send()
    expect((await send()).kept).toBe(true)
  })

  it.each<[string, Record<string, string>, number?]>([
    ['no ETag', { 'last-modified': 'Sat, 01 Aug 2026 00:00:00 GMT' }],
    ['an ETag without quotes', { etag: 'a' }],
    ['an ETag of 10 KB', { etag: `"${'a'.repeat(10_000)}"` }],
    ['an ETag with a line break', { etag: '"a\r\nx: y"' }],
    ['an ETag of another status', { etag: '"a"' }, 203],
    ['an ETag of a failure', { etag: '"a"' }, 404],
    ['no-store', { etag: '"a"', 'cache-control': 'private, no-store' }],
    ['Vary: *', { etag: '"a"', vary: 'accept, *' }],
  ])('stores no answer with %s', async (_, headers, status = 200) => {
    const { send, kept } = drive(anAnswer(status, {}, headers))
    await send()
    expect(kept.all.size).toBe(0)
  })

  it('stores an answer with a weak ETag only where weak ones are trusted, and stores no cookies', async () => {
    const answer = anAnswer(
      200,
      {},
      { etag: 'W/"a"', 'set-cookie': 'sid=1', vary: 'Accept', 'cache-control': 'private' },
    )
    const strong = drive(answer)
    await strong.send({ conditional: 'strong' })
    expect(strong.kept.all.size).toBe(0)
    const weak = drive(answer)
    await weak.send()
    expect([...weak.kept.all.values()].map(({ response }) => Object.keys(response.headers))).toEqual([
      ['etag', 'vary', 'cache-control'],
    ])
  })

  it.each<[string, Partial<Request>]>([
    ['a request that may not', { conditional: undefined as never }],
    ['another method', { method: 'POST' }],
    ['a body', { body: {} }],
    ['a condition of its own', { headers: { 'If-Match': '"z"' } }],
    ['a range', { headers: { Range: 'bytes=0-1' } }],
  ])('is not used for %s', async (_, request) => {
    const { send, kept, inner } = drive(first)
    await send(request)
    await send(request)
    expect([kept.all.size, conditions(inner.sent)]).toEqual([0, [undefined, undefined]])
  })

  it('passes a failure on, and keeps the stored answer', async () => {
    const { send, kept } = drive(first, anAnswer(503), notModified())
    await send()
    expect((await send()).status).toBe(503)
    expect((await send()).kept).toBe(true)
    expect(kept.all.size).toBe(1)
  })
})
