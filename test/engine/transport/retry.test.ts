import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Request, Response } from '../../../core/engine/schema/command.ts'
import { retry } from '../../../core/engine/transport/limits/retry.ts'
import { aGet, anAnswer, aSleepingClock, aTransport, aWrite } from '../../builders/values/transports.ts'

const failed = (reason: 'network' | 'timeout' | 'cancelled') =>
  new AppError('REQUEST_FAILED', { method: 'GET', url: 'http://target.test', detail: 'x', reason })
const later = (status: number, after: string) => anAnswer(status, null, { 'retry-after': after })

const run = async (request: Request, steps: (Response | Error)[], random = 1) => {
  const clock = aSleepingClock()
  const inner = aTransport(...steps)
  const outcome = await retry(inner, { attempts: 3, clock, random: () => random })
    .send(request)
    .then(
      ({ status }) => status,
      (error) => error.code,
    )
  return { outcome, sent: inner.sent.length, slept: clock.slept }
}

describe('the retries of requests', () => {
  it.each<[string, Request, (Response | Error)[], number | string, number]>([
    ['a read after a reset', aGet(), [failed('network'), anAnswer(200)], 200, 2],
    ['a read after a time-out', aGet(), [failed('timeout'), anAnswer(200)], 200, 2],
    ['a read after 429', aGet(), [anAnswer(429), anAnswer(200)], 200, 2],
    ['a read after 502, 503', aGet(), [anAnswer(502), anAnswer(503), anAnswer(200)], 200, 3],
    ['a POST that is declared a read', aWrite('POST', { effect: 'read' }), [anAnswer(504), anAnswer(200)], 200, 2],
    ['a write that the server put off', aWrite('PUT'), [later(503, '1'), anAnswer(204)], 204, 2],
    ['a limited write', aWrite('POST'), [later(429, '1'), anAnswer(201)], 201, 2],
    ['a sign-in after a reset', aWrite('POST', { effect: 'signIn' }), [failed('network'), anAnswer(200)], 200, 2],
  ])('repeat a request: %s', async (_, request, steps, outcome, sent) => {
    expect(await run(request, steps)).toMatchObject({ outcome, sent })
  })

  it.each<[string, Request, (Response | Error)[], number | string]>([
    ['a read that was found', aGet(), [anAnswer(200)], 200],
    ['a read that is absent', aGet(), [anAnswer(404)], 404],
    ['a read that is refused', aGet(), [anAnswer(403)], 403],
    ['a defect of the server', aGet(), [anAnswer(500)], 500],
    ['a read that was cancelled', aGet(), [failed('cancelled')], 'REQUEST_FAILED'],
    [
      'a body that cannot be read',
      aGet(),
      [new AppError('RESPONSE_INVALID', { method: 'GET', url: '', detail: '' })],
      'RESPONSE_INVALID',
    ],
    ['a write after a reset: it may have happened', aWrite('PUT'), [failed('network')], 'REQUEST_FAILED'],
    ['a write after 502', aWrite('DELETE'), [anAnswer(502)], 502],
    ['a write after 503 that would be done twice', aWrite('POST'), [later(503, '1')], 503],
    ['a write after 503 that says no time', aWrite('PUT'), [anAnswer(503)], 503],
    ['a wait that is longer than we have', aGet(), [later(429, '3600')], 429],
  ])('do not repeat a request: %s', async (_, request, steps, outcome) => {
    expect(await run(request, steps)).toMatchObject({ outcome, sent: 1, slept: [] })
  })

  it('end with the last answer when the attempts are used up', async () => {
    expect(await run(aGet(), [anAnswer(502), anAnswer(503), anAnswer(504)])).toMatchObject({ outcome: 504, sent: 3 })
    expect(await run(aGet(), [failed('network')])).toMatchObject({ outcome: 'REQUEST_FAILED', sent: 3 })
  })

  it('double their waits, with full jitter', async () => {
    expect((await run(aGet(), [anAnswer(502)], 0.5)).slept).toEqual([125, 250])
    expect((await run(aGet(), [anAnswer(502)], 0)).slept).toEqual([0, 0])
  })

  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 250],
    ['soon', 250],
  ])('honour Retry-After: %s', async (value, milliseconds) => {
    expect((await run(aGet(), [later(503, value), anAnswer(200)])).slept).toEqual([milliseconds])
  })

  it.each<[Record<string, string>, number]>([
    [{ 'x-ratelimit-reset': '7' }, 7_000],
    [{ 'x-ratelimit-reset': '1767225609' }, 9_000],
    [{ 'x-rate-limit-reset': '1767225609000' }, 9_000],
    [{ 'ratelimit-reset': '0.5' }, 500],
    [{ ratelimit: 'limit=10, remaining=0, reset=4' }, 4_000],
    [{ ratelimit: '"default";r=0;t=6', 'x-ratelimit-reset': '3' }, 6_000],
    [{ 'retry-after': '2', 'ratelimit-reset': '9' }, 2_000],
    [{ 'x-ratelimit-reset': 'tomorrow' }, 250],
  ])('wait until the limit begins anew: %j', async (headers, milliseconds) => {
    expect((await run(aGet(), [anAnswer(429, null, headers), anAnswer(200)])).slept).toEqual([milliseconds])
  })

  it('do not wait for a limit that has begun anew already', async () => {
    const past = anAnswer(429, null, { 'x-ratelimit-reset': '1767225500' })
    expect((await run(aGet(), [past, anAnswer(200)], 0)).slept).toEqual([0])
  })

  it('end as soon as they are cancelled', async () => {
    const inner = aTransport(anAnswer(503))
    const options = { attempts: 3, clock: aSleepingClock(), random: () => 1 }
    expect((await retry(inner, options).send(aGet(), AbortSignal.abort())).status).toBe(503)
    expect(inner.sent).toHaveLength(1)
  })
})
