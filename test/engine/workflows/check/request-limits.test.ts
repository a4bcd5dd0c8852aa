import { expect, it } from 'vitest'
import { long } from '../../../builders/long.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { driveBundle } from '../../../builders/workspaces/example-workspace.ts'

const document = `
provider:
  id: shelf
  with: { baseUrl: {} }
  baseUrl: "{with.baseUrl}"
  limits:
    headers: { limit: X-RateLimit-Limit, remaining: X-RateLimit-Remaining, reset: X-RateLimit-Reset }
    refused: { statuses: [403], words: [secondary rate limit] }
resources:
  shelf_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }]
`
const names = Array.from({ length: 30 }, (_, n) => `t${n}`)

/** Counts for an hour of the clock of the workflows, and refuses what is over its limit as GitHub does. */
const startShelf = async (limit: number) => {
  const state = { used: 0, refused: 0, isStrict: false, resetAt: Date.parse('2026-11-21T06:30:00Z') / 1000 }
  const server = await aLoopback(({ url = '' }, response) => {
    state.used += 1
    const isOver = state.used > limit
    const status = isOver || state.isStrict ? 403 : 200
    if (status === 403) state.refused += 1
    const left = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - state.used)),
    }
    response.sendDate = false
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(state.isStrict ? {} : { ...left, 'x-ratelimit-reset': String(state.resetAt) }),
    })
    const refusal = { message: 'You have exceeded a secondary rate limit.' }
    response.end(JSON.stringify(status === 403 ? refusal : { name: url.split('/')[2] }))
  })
  return { ...server, state }
}

const drive = (url: string, limits: object = {}) => {
  const entry = JSON.stringify({
    workspace: 'shelf',
    limits,
    providers: { shelf: { source: 'rest', definition: './shelf.provider.yaml', with: { baseUrl: url } } },
    resources: names.map((name) => ({ type: 'shelf_thing', name, spec: { name } })),
  })
  const files = { 'plumbline.yaml': entry, 'shelf.provider.yaml': document }
  return driveBundle({ secrets: {}, base: url }, { entry: 'plumbline.yaml', files }, 'shelf')
}

it('requests beyond a limit are not sent, their resources are unchecked, and are read when the limit begins anew', async () => {
  await using shelf = await startShelf(20)
  const { check, clock } = drive(shelf.url)
  const { plan, run } = await check()
  // A tenth is left to others.
  expect([shelf.state.used, shelf.state.refused]).toEqual([18, 0])
  expect([run.status, plan.changes, plan.unchecked.length]).toEqual(['incomplete', [], 12])
  expect(new Set(plan.unchecked.map(({ reason }) => reason))).toEqual(new Set(['budget']))
  expect(plan.unchecked[0]?.detail).toMatch(/was not sent: the limit of requests is used up, and begins anew in 1800 s/)
  clock.forward(1_801_000)
  Object.assign(shelf.state, { used: -100, resetAt: shelf.state.resetAt + 3_600 })
  const next = await check()
  // The limit covers 18 again: first those that were not read, then the oldest.
  const waited = plan.unchecked.map(({ address }) => address)
  expect(next.plan.unchecked).toHaveLength(12)
  expect(next.plan.unchecked.filter(({ address }) => waited.includes(address))).toEqual([])
  expect(shelf.state.refused).toBe(0)
})

it('a refusal counts neither as an absence nor as success: all are unchecked, and one request was sent', async () => {
  await using shelf = await startShelf(1_000)
  const { check } = drive(shelf.url)
  await check()
  Object.assign(shelf.state, { used: 0, refused: 0, isStrict: true })
  const { plan } = await check()
  expect(plan.changes).toEqual([])
  expect(plan.unchecked).toHaveLength(names.length)
  expect(new Set(plan.unchecked.map(({ reason }) => reason))).toEqual(new Set(['rate_limited', 'budget']))
  expect(shelf.state.refused).toBeLessThanOrEqual(4)
})

it('with fewer requests than resources all are checked in turn, and the forecast was right', long, async () => {
  await using shelf = await startShelf(100_000)
  const { check, apply, progress, clock } = drive(shelf.url, { requests: 7 })
  const seen = new Set<string>()
  const forecasts: number[][] = []
  for (let n = 1; n <= 5; n += 1) {
    shelf.seen.splice(0)
    const { run, plan, digest } = await check()
    for (const { url } of shelf.seen) seen.add(url)
    const forecast = progress.findLast(({ step }) => step === 'forecast')
    forecasts.push([forecast?.step === 'forecast' ? forecast.counted : 0, shelf.seen.length])
    expect([run.status, plan.unchecked.length]).toEqual(['incomplete', 23])
    expect(run.causes).toEqual([
      {
        reason: 'budget',
        count: 23,
        detail: expect.stringMatching(/^7 of 30 resources are checked .*; all within 5 checks$/),
      },
    ])
    // An apply reads what was approved, and no more.
    if (n === 2) {
      shelf.seen.splice(0)
      expect((await apply(digest, 'check')).status).not.toBe('stale')
      expect(shelf.seen.length).toBeLessThanOrEqual(7)
    }
    clock.forward(60_000)
  }
  expect(seen.size).toBe(names.length)
  for (const [forecast, sent] of forecasts) expect(Math.abs((forecast ?? 0) - (sent ?? 0))).toBeLessThanOrEqual(0.7)
})
