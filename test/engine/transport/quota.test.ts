import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../core/engine/errors/errors.ts'
import type { Request, Response } from '../../../core/engine/schema/command.ts'
import { createGauge, type Quota } from '../../../core/engine/transport/limits/quota.ts'
import { retry } from '../../../core/engine/transport/limits/retry.ts'
import { aGet, anAnswer, aSleepingClock, aTransport, aWrite } from '../../builders/values/transports.ts'

const quota: Quota = {
  headers: { limit: 'x-limit', remaining: 'x-remaining', reset: 'x-reset', resource: 'x-resource' },
  statuses: [403],
  words: ['secondary rate limit'],
  reserve: 0.1,
}
const start = Date.parse('2026-01-01T00:00:00Z')

/** A server with a limit of its own: it refuses what is over it, and counts that. */
const aServer = (
  clock: ReturnType<typeof aSleepingClock>,
  { limit = 100, windowMs = 20_000, isFree = (_: Request): boolean => false } = {},
) => {
  const counted = { window: -1, used: 0, refused: 0, sent: 0, each: [] as number[] }
  const transport = aTransport((request) => {
    const now = clock.now().getTime()
    const window = Math.floor((now - start) / windowMs)
    if (window !== counted.window) Object.assign(counted, { window, used: 0 })
    if (!isFree(request)) counted.used += 1
    counted.each[window] = counted.used
    counted.sent += 1
    const isOver = counted.used > limit
    if (isOver) counted.refused += 1
    const headers = {
      'x-limit': String(limit),
      'x-remaining': String(Math.max(0, limit - counted.used)),
      'x-reset': String(Math.ceil((start + (window + 1) * windowMs) / 1000)),
      'x-resource': 'core',
    }
    return isOver ? anAnswer(403, { message: 'API rate limit exceeded' }, headers) : anAnswer(200, {}, headers)
  })
  return { transport, counted }
}

const outcomeOf = async (sending: Promise<Response>): Promise<string> => {
  try {
    const { status, limited } = await sending
    return limited === undefined ? String(status) : `limited ${limited.seconds}`
  } catch (error) {
    return isAppError(error, 'LIMIT_REACHED') ? `held ${error.payload.seconds}` : 'other'
  }
}

describe('a rate limit in the answers of an API', () => {
  it('is never reached: a reserve stays, and further requests wait for a short time', async () => {
    const clock = aSleepingClock()
    const { transport, counted } = aServer(clock)
    const gauge = createGauge(quota, clock).around(transport)
    const all = await Promise.all(Array.from({ length: 250 }, () => outcomeOf(gauge.send(aGet()))))
    expect([new Set(all), counted.refused]).toEqual([new Set(['200']), 0])
    expect(Math.max(...counted.each.filter((each) => each !== undefined))).toBe(90)
  })

  it('holds requests back without sending them where the wait would be long', async () => {
    const clock = aSleepingClock()
    const { transport, counted } = aServer(clock, { windowMs: 3_600_000 })
    const gauge = createGauge(quota, clock).around(transport)
    const all = await Promise.all(Array.from({ length: 120 }, () => outcomeOf(gauge.send(aGet()))))
    expect([all.filter((each) => each === '200').length, counted.sent]).toEqual([90, 90])
    expect(new Set(all.slice(90))).toEqual(new Set(['held 3600']))
    await clock.sleep(3_600_000)
    expect(await outcomeOf(gauge.send(aGet()))).toBe('200')
  })

  it('can be used to the end by an apply', async () => {
    const clock = aSleepingClock()
    const { transport, counted } = aServer(clock, { windowMs: 3_600_000 })
    const gauge = createGauge(quota, clock, { reserve: 0 }).around(transport)
    const all = await Promise.all(Array.from({ length: 120 }, () => outcomeOf(gauge.send(aWrite()))))
    expect([all.filter((each) => each === '200').length, counted.refused]).toEqual([100, 0])
  })

  it('is not used up by requests that do not count', async () => {
    const clock = aSleepingClock()
    const { transport } = aServer(clock, { windowMs: 3_600_000, isFree: ({ url }) => url.endsWith('free') })
    const gauge = createGauge(quota, clock).around(transport)
    for (let n = 0; n < 500; n += 1) expect(await outcomeOf(gauge.send(aGet('http://a.test/x/free')))).toBe('200')
  })

  it('is known from the first answer, before anything else is sent', async () => {
    const clock = aSleepingClock()
    const { transport, counted } = aServer(clock, { windowMs: 3_600_000 })
    // Somebody else has used nearly all.
    for (let n = 0; n < 90; n += 1) await transport.send(aGet())
    const gauge = createGauge(quota, clock).around(transport)
    const all = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(gauge.send(aGet()))))
    expect([all.filter((each) => each === '200').length, counted.used]).toEqual([1, 91])
  })

  it('counts apart from the other limits of the same API', async () => {
    const clock = aSleepingClock()
    const left: Record<string, number> = { core: 100, search: 12 }
    const transport = aTransport(({ url }) => {
      const name = url.includes('/search') ? 'search' : 'core'
      left[name] = (left[name] ?? 0) - 1
      const limit = name === 'core' ? '100' : '20'
      return anAnswer(
        200,
        {},
        { 'x-limit': limit, 'x-remaining': String(left[name]), 'x-reset': '3600', 'x-resource': name },
      )
    })
    const gauge = createGauge(quota, clock).around(transport)
    await gauge.send(aGet('http://a.test/repos/1'))
    const searches: string[] = []
    for (let n = 0; n < 12; n += 1) searches.push(await outcomeOf(gauge.send(aGet('http://a.test/search/x'))))
    expect(searches.filter((each) => each === '200').length).toBe(10)
    expect(await outcomeOf(gauge.send(aGet('http://a.test/repos/2')))).toBe('200')
  })

  it.each<[string, Record<string, string>]>([
    ['negative numbers', { 'x-limit': '-5', 'x-remaining': '-1', 'x-reset': '-3' }],
    ['words', { 'x-limit': 'many', 'x-remaining': 'some', 'x-reset': 'soon' }],
    ['a time in the past', { 'x-limit': '10', 'x-remaining': '0', 'x-reset': '1700000000' }],
    ['a time in ten years', { 'x-limit': '10', 'x-remaining': '0', 'x-reset': '2082758400' }],
    ['infinity', { 'x-limit': '1e999', 'x-remaining': '1e999', 'x-reset': '60' }],
    ['nothing', {}],
    ['10 KB', { 'x-remaining': '9'.repeat(10_000), 'x-reset': '9'.repeat(10_000) }],
  ])('is ignored if it says %s', async (_, headers) => {
    const clock = aSleepingClock()
    const gauge = createGauge(quota, clock).around(aTransport(anAnswer(200, {}, headers)))
    for (let n = 0; n < 5; n += 1) expect(await outcomeOf(gauge.send(aGet()))).toBe('200')
    expect(clock.slept).toEqual([])
  })

  it('holds requests back where a negative number is left', async () => {
    const clock = aSleepingClock()
    const answer = anAnswer(200, {}, { 'x-limit': '10', 'x-remaining': '-7', 'x-reset': '3600' })
    const gauge = createGauge(quota, clock).around(aTransport(answer))
    expect([await outcomeOf(gauge.send(aGet())), await outcomeOf(gauge.send(aGet()))]).toEqual(['200', 'held 3600'])
  })

  it('measures time by the clock of the server', async () => {
    const clock = aSleepingClock()
    const headers = { 'x-remaining': '0', 'x-reset': '1700000600', date: new Date(1_700_000_000_000).toUTCString() }
    const gauge = createGauge(quota, clock).around(aTransport(anAnswer(200, {}, headers)))
    await gauge.send(aGet())
    expect(await outcomeOf(gauge.send(aGet()))).toBe('held 600')
  })
})

describe('a rate limit that refuses a request', () => {
  it.each<[string, Response, string]>([
    ['that says when', anAnswer(403, {}, { 'retry-after': '120' }), 'limited 120'],
    ['with nothing left', anAnswer(403, {}, { 'x-remaining': '0', 'x-reset': '90' }), 'limited 90'],
    ['in words', anAnswer(403, { message: 'You have exceeded a Secondary Rate Limit.' }), 'limited 60'],
    ['by status alone', anAnswer(429), 'limited 60'],
    ['that says nonsense', anAnswer(429, {}, { 'retry-after': '-1' }), 'limited 60'],
    ['for years', anAnswer(429, {}, { 'retry-after': '999999999' }), 'limited 60'],
    [
      'that is none: something is forbidden',
      anAnswer(403, { message: 'Forbidden' }, { 'x-remaining': '50', 'x-reset': '60' }),
      '403',
    ],
    ['that is none: another status', anAnswer(401, {}, { 'retry-after': '120' }), '401'],
  ])('is recognised by its status and its headers: a refusal %s', async (_, answer, expected) => {
    const clock = aSleepingClock()
    const inner = aTransport(answer, anAnswer())
    const gauge = createGauge(quota, clock).around(inner)
    expect(await outcomeOf(gauge.send(aGet()))).toBe(expected)
    const isLimit = expected.startsWith('limited')
    expect(await outcomeOf(gauge.send(aGet()))).toBe(isLimit ? expected.replace('limited', 'held') : '200')
    expect(inner.sent).toHaveLength(isLimit ? 1 : 2)
  })

  it('lets a request wait for a short time, also a write', async () => {
    const clock = aSleepingClock()
    const inner = aTransport(anAnswer(403, {}, { 'retry-after': '5' }), anAnswer(201))
    const sending = retry(createGauge(quota, clock).around(inner), { attempts: 4, clock, random: () => 0 })
    expect((await sending.send(aWrite())).status).toBe(201)
    expect(clock.slept).toEqual([5_000])
  })

  it('closes the target for a longer time at each refusal that names no time', async () => {
    const clock = aSleepingClock()
    const gauge = createGauge(quota, clock).around(aTransport(anAnswer(429)))
    const said: string[] = []
    for (let n = 0; n < 6; n += 1) {
      said.push(await outcomeOf(gauge.send(aGet())))
      await clock.sleep(900_000)
    }
    expect(said).toEqual(['limited 60', 'limited 120', 'limited 240', 'limited 480', 'limited 900', 'limited 900'])
  })
})

describe('a rate limit of GraphQL', () => {
  const limited = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }
  const ask = async (body: Request['body']) => {
    const clock = aSleepingClock()
    const headers = { 'retry-after': '120' }
    const gauge = createGauge(quota, clock)
    const transport = gauge.around(aTransport(() => anAnswer(200, limited, headers)))
    return transport.send({ ...aWrite(), ...(body === undefined ? {} : { body }) })
  }

  it('is recognised whatever the status is', async () => {
    expect(await ask({ query: 'mutation { change }' })).toMatchObject({ limited: { seconds: 120 } })
  })

  it.each([[undefined], [{ name: 'query' }], [{ query: { name: 'a' } }]])(
    'is not assumed for a request with %j',
    async (body) => {
      expect(await ask(body)).not.toHaveProperty('limited')
    },
  )
})

describe('a rate limit that no header shows', () => {
  it('counts points in any minute, and a pause between writes', async () => {
    const clock = aSleepingClock()
    const sent: [number, boolean][] = []
    const inner = aTransport(({ effect }) => {
      sent.push([clock.monotonic(), effect === 'write'])
      return anAnswer()
    })
    const points = { perMinute: 20, read: 1, write: 5 }
    const gauge = createGauge({ statuses: [], words: [], reserve: 0, points, writePauseMs: 1_000 }, clock).around(inner)
    await Promise.all(Array.from({ length: 60 }, (_, n) => gauge.send(n % 4 === 0 ? aWrite() : aGet())))
    for (const [at] of sent) {
      const spent = sent
        .filter(([each]) => each > at - 60_000 && each <= at)
        .reduce((sum, [, isWrite]) => sum + (isWrite ? 5 : 1), 0)
      expect(spent).toBeLessThanOrEqual(20)
    }
    const writes = sent.filter(([, isWrite]) => isWrite).map(([at]) => at)
    for (const [n, at] of writes.entries()) expect(at - (writes[n - 1] ?? -1_000)).toBeGreaterThanOrEqual(1_000)
  })

  it('holds also where the server counts a request just before its answer, and for the next run', async () => {
    const clock = aSleepingClock()
    const counted: number[] = []
    const slow = {
      send: async () => {
        await clock.sleep(counted.length < 20 ? 2_000 : 10)
        counted.push(clock.monotonic())
        return anAnswer()
      },
    }
    const points = { perMinute: 20, read: 1, write: 5 }
    const own: Quota = { statuses: [], words: [], reserve: 0, points }
    const first = createGauge(own, clock)
    for (let n = 0; n < 50; n += 1) await first.around(slow).send(aGet())
    const second = createGauge(own, clock, { spent: first.spent() })
    for (let n = 0; n < 30; n += 1) await second.around(slow).send(aGet())
    for (const at of counted)
      expect(counted.filter((each) => each > at - 60_000 && each <= at).length).toBeLessThanOrEqual(20)
    expect(first.waitedMs()).toBeGreaterThan(60_000)
    await clock.sleep(61_000)
    expect(second.spent()).toEqual([])
  })
})
