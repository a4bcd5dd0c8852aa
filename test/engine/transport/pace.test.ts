import { describe, expect, it } from 'vitest'
import { pace, type Rate } from '../../../core/engine/transport/limits/pace.ts'
import { aGet, aTransport } from '../../builders/values/transports.ts'

/** When each request is sent, in milliseconds; all are asked for at once, or one each `everyMs`. */
const timesOf = async (rate: Rate, requests: number, everyMs = 0): Promise<readonly number[]> => {
  let asked = 0
  let slept = 0
  const sent: number[] = []
  const clock = {
    now: () => new Date(asked * everyMs),
    monotonic: () => asked * everyMs,
    sleep: async (milliseconds: number) => {
      slept = milliseconds
    },
    after: () => () => {},
  }
  const paced = pace(aTransport(), rate, clock)
  for (; asked < requests; asked += 1) {
    slept = 0
    await paced.send(aGet())
    sent.push(asked * everyMs + slept)
  }
  return sent
}

describe('the pace of requests', () => {
  it.each<[string, Rate, number, number, readonly number[]]>([
    ['spreads what comes at once', { requests: 2, perMs: 1000, burst: 1 }, 4, 0, [0, 500, 1000, 1500]],
    ['lets a burst through', { requests: 2, perMs: 1000, burst: 3 }, 5, 0, [0, 0, 0, 500, 1000]],
    ['does not slow what is slow', { requests: 2, perMs: 1000, burst: 1 }, 3, 600, [0, 600, 1200]],
    ['keeps to the rate after a burst', { requests: 2, perMs: 1000, burst: 2 }, 5, 100, [0, 100, 500, 1000, 1500]],
    ['counts for a minute', { requests: 60, perMs: 60_000, burst: 1 }, 3, 0, [0, 1000, 2000]],
  ])('keeps the limits: it %s', async (_, rate, requests, everyMs, times) => {
    expect(await timesOf(rate, requests, everyMs)).toEqual(times)
  })
})
