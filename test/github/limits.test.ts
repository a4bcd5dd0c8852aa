import { expect, test } from 'vitest'
import { asking } from './asking.ts'
import { startGitHub } from './start-github.ts'

/* Limits by the clock of the test, and faults on demand. */

const minute = 60_000

test('after the last request of the hour GitHub says 403 until the hour is over; a 304 costs nothing', async () => {
  await using github = await startGitHub({ limits: { perHour: 3 } })
  const ask = asking(github, github.token())
  const first = await ask('GET', '/orgs/acme')
  expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['3', '2'])
  const etag = first.headers.get('etag') ?? ''
  for (let at = 0; at < 5; at += 1)
    expect((await ask('GET', '/orgs/acme', undefined, { 'if-none-match': etag })).status).toBe(304)
  await ask('GET', '/orgs/acme')
  await ask('GET', '/orgs/acme')
  const refused = await ask('GET', '/orgs/acme')
  expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
  expect(refused.body.message).toContain('API rate limit exceeded')
  expect((await ask('GET', '/rate_limit')).body.resources.core).toMatchObject({ limit: 3, used: 3, remaining: 0 })
  expect(refused.headers.get('x-ratelimit-reset')).toBe(String((github.clock.now() + 60 * minute) / 1000))
  github.clock.advance(60 * minute)
  expect((await ask('GET', '/orgs/acme')).status).toBe(200)
  expect(github.limits.seen.primary).toBe(1)
})

test('another account has an hour of its own', async () => {
  await using github = await startGitHub({ limits: { perHour: 1 }, members: ['alice'] })
  await asking(github, github.token())('GET', '/orgs/acme')
  expect((await asking(github, github.token())('GET', '/orgs/acme')).status).toBe(403)
  expect((await asking(github, github.token({ login: 'alice' }))('GET', '/orgs/acme')).status).toBe(200)
})

test('points of a minute: a read is one, a write five', async () => {
  await using github = await startGitHub({ limits: { pointsPerMinute: 11 } })
  const ask = asking(github, github.token())
  const statuses = []
  for (const method of ['PATCH', 'PATCH', 'GET', 'GET'])
    statuses.push((await ask(method, '/orgs/acme', method === 'GET' ? undefined : {})).status)
  expect(statuses).toEqual([200, 200, 200, 403])
  const refused = await ask('GET', '/orgs/acme')
  expect([refused.headers.get('retry-after'), refused.body.message]).toEqual([
    '60',
    expect.stringContaining('secondary rate limit'),
  ])
  github.clock.advance(minute)
  expect((await ask('GET', '/orgs/acme')).status).toBe(200)
})

test('a query of GraphQL is a read of one point, and counts its cost in an hour of its own', async () => {
  await using github = await startGitHub({ limits: { graphqlPointsPerMinute: 2, perHour: 1 } })
  const ask = asking(github, github.token())
  const query = {
    query: '{ organization(login: "acme") { teams(first: 100) { nodes { members(first: 100) { totalCount } } } } }',
  }
  const { headers } = await ask('POST', '/graphql', query)
  expect([headers.get('x-ratelimit-resource'), headers.get('x-ratelimit-used')]).toEqual(['graphql', '1'])
  expect((await ask('POST', '/graphql', query)).status).toBe(200)
  expect((await ask('POST', '/graphql', query)).status).toBe(403)
  expect((await ask('GET', '/orgs/acme')).status).toBe(200)
})

test('more requests at the same time than allowed', async () => {
  await using github = await startGitHub({ limits: { concurrent: 2 } })
  const ask = asking(github, github.token())
  const { promise, resolve } = Promise.withResolvers<void>()
  github.faults.add({ kind: 'hold', until: promise, times: 2 })
  const held = [ask('GET', '/orgs/acme'), ask('GET', '/orgs/acme')]
  while (github.limits.inFlight() < 2) await new Promise((next) => setImmediate(next))
  expect((await ask('GET', '/orgs/acme')).status).toBe(403)
  resolve()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
  expect(github.limits.seen).toMatchObject({ secondary: 1, mostConcurrent: 3 })
})

test('a status, a broken answer, a connection that ends before or after the request was performed', async () => {
  await using github = await startGitHub()
  const ask = asking(github, github.token())
  const onPatch = ({ method }: { method: string }): boolean => method === 'PATCH'
  github.faults.add({ kind: 'status', status: 502, body: '<html>', times: 1, when: ({ path }) => path === '/meta' })
  await expect(ask('GET', '/meta')).rejects.toThrow(SyntaxError)
  expect((await ask('GET', '/meta')).status).toBe(200)
  github.faults.add({ kind: 'broken-json', times: 1 })
  await expect(ask('GET', '/orgs/acme')).rejects.toThrow(SyntaxError)
  github.faults.add({ kind: 'drop', times: 1, when: onPatch })
  await expect(ask('PATCH', '/orgs/acme', { description: 'before' })).rejects.toThrow('fetch failed')
  expect((await ask('GET', '/orgs/acme')).body.description).toBe(null)
  github.faults.add({ kind: 'drop-after', times: 1, when: onPatch })
  await expect(ask('PATCH', '/orgs/acme', { description: 'after' })).rejects.toThrow('fetch failed')
  expect((await ask('GET', '/orgs/acme')).body.description).toBe('after')
})

test('lists in another order, a list that moves between pages, a page that is too short', async () => {
  await using github = await startGitHub()
  const ask = asking(github, github.token())
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) await ask('POST', '/orgs/acme/repos', { name })
  const read = async (query = ''): Promise<string[]> =>
    (await ask('GET', `/orgs/acme/repos?sort=full_name${query}`)).body.map((each: { name: string }) => each.name)
  github.faults.add({ kind: 'shuffle' })
  const shuffled = await read()
  expect(shuffled).not.toEqual(names)
  expect(shuffled.sort()).toEqual(names)
  github.faults.clear()
  github.faults.add({ kind: 'shift' })
  expect([await read('&per_page=2'), await read('&per_page=2&page=2')]).toEqual([
    ['a', 'b'],
    ['d', 'e'],
  ])
  github.faults.clear()
  github.faults.add({ kind: 'short-page' })
  expect(await read('&per_page=2')).toEqual(['a'])
})
