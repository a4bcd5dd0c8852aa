import { beforeAll, describe, expect, test } from 'vitest'
import type { Deps } from '#core'
import { digest } from '../../../../core/engine/json/digest.ts'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { appendLedger } from '../../../../core/engine/state/ledger.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { type Called, testApi, testDeps } from '../../../builders/aws/api.ts'
import { long } from '../../../builders/long.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aBundle, aChange, aDraft, anApply, anId, aPlan, aRun, aWorkspace } from '../../../builders/values/records.ts'

let deps: Deps
let call: ReturnType<typeof testApi>
const read = (path: string, query?: string, headers: Record<string, string> = {}): Promise<Called> =>
  call('GET', `/v1${path}`, { scope: 'read', headers, ...(query === undefined ? {} : { query }) })
const ids = (answer: Called, key = 'id') => (answer.json['items'] as Record<string, unknown>[]).map((item) => item[key])

const plan = aPlan([aChange('pdns_zone.main')], [], { commands: [aCommand('pdns_zone.main#1')] })
const scheduledFor = '2026-03-01T06:00:00.000Z'
/** Runs end some time after their check, and the store of this test has the real time. */
const now = new Date().toISOString()
const just = { startedAt: now, finishedAt: now }

beforeAll(async () => {
  ;({ deps } = testDeps())
  call = testApi(deps)
  for (const id of ['acme', 'beta', 'ceta']) await saveWorkspace(deps.store, aWorkspace({ id }), aBundle())
  const advance = () => ({ episodes: [], alerts: [] })
  await saveRun(deps.store, { run: aRun(1, plan, { ...just, scheduledFor }), plan, advance })
  await saveRun(deps.store, { run: aRun(2, undefined, just), advance })
  await saveRun(deps.store, { run: aRun(3, aPlan(), just), plan: aPlan(), advance })
  for (const n of [1, 2, 3]) await createApply(deps.store, anApply(n))
  await appendLedger(
    deps.store,
    'acme',
    [1, 2, 3, 4, 5].map((n) => aDraft(n, n === 3 ? { actor: { subject: 'bo', via: 'cli' } } : {})),
  )
})

/** All items, page by page, and how many pages it took. */
const walk = async (path: string, query: string, key?: string) => {
  const found: unknown[] = []
  let pages = 0
  let next: string | undefined
  do {
    const answer: Called = await read(path, next === undefined ? query : `${query}&cursor=${next}`)
    expect(answer.status).toBe(200)
    found.push(...ids(answer, key))
    pages += 1
    next = answer.json['next'] as string | undefined
  } while (next !== undefined)
  return { found, pages }
}

describe('the plan of targets', () => {
  const path = `/workspaces/acme/runs/${anId(1)}/plan`
  const stored = { accept: 'application/vnd.plumbline.plan+json' }

  test('lists what the targets would send, with the digest of exactly that', async () => {
    const { status, json } = await read(path, 'targets=pdns_zone.main', stored)
    expect(status).toBe(200)
    expect(json).toMatchObject({ targets: ['pdns_zone.main'], digests: { commands: digest(plan.commands) } })
    expect(json['commands']).toEqual(JSON.parse(JSON.stringify(plan.commands)))
  })

  test('names a target that has no commands', async () => {
    const { status, json } = await read(path, 'targets=pdns_zone.main,pdns_zone.mian', stored)
    expect([status, json['code']]).toEqual([400, 'TARGET_UNKNOWN'])
  })
})

describe('the lists of the API', () => {
  test('of applies has no outcomes, which the apply itself has', async () => {
    const { json } = await read('/workspaces/acme/applies')
    const { outcomes, resources: _, ...listed } = (await read(`/workspaces/acme/applies/${anId(3)}`)).json
    expect(outcomes).toBeDefined()
    expect((json['items'] as unknown[])[0]).toEqual(listed)
  })

  test.each([
    ['/workspaces', ['acme', 'beta', 'ceta'], 'id'],
    ['/workspaces/acme/runs', [anId(3), anId(2), anId(1)], 'id'],
    ['/workspaces/acme/applies', [anId(3), anId(2), anId(1)], 'id'],
    ['/workspaces/acme/ledger', [1, 2, 3, 4, 5], 'seq'],
  ])('are the same in pages of two and in one: %s', async (path, expected, key) => {
    const { found, pages } = await walk(path, 'limit=2', key)
    expect(found).toEqual(expected)
    expect(pages).toBeGreaterThanOrEqual(Math.ceil(expected.length / 2))
    expect((await walk(path, 'limit=200', key)).found).toEqual(expected)
    expect(ids(await read(path), key)).toEqual(expected)
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=-1',
    'limit=1&limit=1',
    'cursor=x',
    'cursor=',
  ])('refuse %s', async (query) => {
    for (const path of ['/workspaces', '/workspaces/acme/runs', '/workspaces/acme/applies', '/workspaces/acme/ledger'])
      expect((await read(path, query)).status, path).toBe(400)
  })

  test('refuse a cursor of another list', async () => {
    const { next } = (await read('/workspaces/acme/runs', 'limit=1')).json
    expect((await read('/workspaces/acme/runs', `limit=1&cursor=${next}`)).status).toBe(200)
    expect((await read('/workspaces/acme/applies', `cursor=${next}`)).status).toBe(400)
    expect((await read('/workspaces/beta/runs', `cursor=${next}`)).status).toBe(400)
  })

  test.each(['runs', 'applies', 'ledger', 'ledger/verify', 'ledger/export', 'episodes'])(
    'answer 404 as %s of an unknown workspace',
    async (list) => {
      const headers = { accept: '*/*' }
      expect(await read(`/workspaces/nowhere/${list}`, undefined, headers)).toMatchObject({
        status: 404,
        json: { code: 'WORKSPACE_NOT_FOUND', detail: 'workspace "nowhere" does not exist' },
      })
    },
  )
})

test('one workspace, run and apply can be read', async () => {
  expect((await read('/workspaces/acme')).json).toMatchObject({ id: 'acme', lastRun: { id: anId(3) } })
  expect((await read(`/workspaces/acme/runs/${anId(1)}`)).json).toMatchObject({ id: anId(1), status: 'changes' })
  expect((await read(`/workspaces/acme/applies/${anId(2)}`)).json).toMatchObject({ id: anId(2), status: 'queued' })
})

test.each([
  ['/workspaces/nowhere', 'WORKSPACE_NOT_FOUND'],
  [`/workspaces/acme/runs/${anId(9)}`, 'RUN_NOT_FOUND'],
  [`/workspaces/beta/runs/${anId(1)}`, 'RUN_NOT_FOUND'],
  [`/workspaces/acme/runs/${anId(9)}/plan`, 'RUN_NOT_FOUND'],
  [`/workspaces/acme/runs/${anId(2)}/plan`, 'RUN_WITHOUT_PLAN'],
  [`/workspaces/acme/applies/${anId(9)}`, 'APPLY_NOT_FOUND'],
  [`/workspaces/beta/applies/${anId(1)}`, 'APPLY_NOT_FOUND'],
])('%s is answered with 404', async (path, code) => {
  expect(await read(path)).toMatchObject({ status: 404, json: { code } })
})

describe('the run of a scheduled time', () => {
  test.each([
    ['2026-03-01T06:00:00Z', [anId(1)]],
    ['2026-03-01T07:00:00.000%2B01:00', [anId(1)]],
    ['2026-03-01T06:00:01Z', []],
  ])('is found by the moment that %s means', async (time, expected) => {
    expect(ids(await read('/workspaces/acme/runs', `scheduledFor=${time}`))).toEqual(expected)
  })

  test('must be a time', async () => {
    expect((await read('/workspaces/acme/runs', 'scheduledFor=yesterday')).json['detail']).toMatch(
      /query\.scheduledFor: is not an ISO 8601/,
    )
  })
})

describe('a stored plan', () => {
  const path = `/workspaces/acme/runs/${anId(1)}/plan`
  test.each([
    ['*/*', 'application/json'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/markdown, text/plain;q=0.5', 'text/markdown; charset=utf-8'],
    // As browsers ask.
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/vnd.plumbline.plan+json', 'application/vnd.plumbline.plan+json'],
  ])('is rendered for %s', async (accept, type) => {
    const answer = await read(path, undefined, { accept })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': type } })
    expect(answer.text.length).toBeGreaterThan(0)
  })

  test('is sent as it is stored to clients that render it', async () => {
    expect((await read(path, undefined, { accept: 'application/vnd.plumbline.plan+json' })).json).toEqual(plan)
  })

  test('is available in the formats that only plans have', async () => {
    const forms = await Promise.all(
      ['application/json', 'text/plain', 'text/markdown', 'text/html'].map(
        async (accept) => (await read(path, undefined, { accept })).text,
      ),
    )
    expect(new Set(forms).size).toBe(4)
    expect(JSON.parse(forms[0] ?? '')).toHaveProperty('format_version')
  })
})

describe('the ledger of the API', () => {
  test.each([
    ['actor=bo', [3]],
    ['actor=ada', [1, 2, 4, 5]],
    ['address=pdns_zone.main', [1, 2, 3, 4, 5]],
    ['address=pdns_zone.other', []],
    [`runId=${anId(2)}&applyId=${anId(1)}`, [1, 2, 3, 4, 5]],
    [`runId=${anId(9)}`, []],
    ['from=2026-03-01T06:00:02Z&to=2026-03-01T06:00:04Z', [2, 3, 4]],
    ['from=2026-03-01T07:00:04%2B01:00', [4, 5]],
  ])('is filtered by %s', async (query, expected) => {
    expect((await walk('/workspaces/acme/ledger', `${query}&limit=2`, 'seq')).found).toEqual(expected)
    const lines = (await read('/workspaces/acme/ledger/export', query)).text.split('\n').filter((line) => line !== '')
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(expected)
  })

  test.each(['from=yesterday', 'to=2026-02-30T00:00:00Z', 'actor=', 'run=..', 'sort=asc'])(
    'refuses %s',
    async (query) => {
      for (const path of ['/workspaces/acme/ledger', '/workspaces/acme/ledger/export'])
        expect((await read(path, query)).status).toBe(400)
    },
  )

  test('is exported as a file', async () => {
    const { headers, text } = await read('/workspaces/acme/ledger/export')
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="acme-ledger.ndjson"',
    })
    expect(headers).not.toHaveProperty('link')
    expect(text.endsWith('\n')).toBe(true)
  })

  test('is verified by the API', async () => {
    expect((await read('/workspaces/acme/ledger/verify')).json).toMatchObject({ ok: true, entries: 5 })
  })

  test('is verified in parts, and from a head that was verified before', async () => {
    const path = '/workspaces/acme/ledger/verify'
    const whole = (await read(path)).json
    const answers: Called['json'][] = []
    for (let query = 'limit=2'; ; ) {
      const { json } = await read(path, query)
      answers.push(json)
      if (json['next'] === undefined) break
      query = `limit=2&cursor=${json['next']}`
    }
    expect(answers.slice(0, 2).map(({ ok, verified }) => [ok, verified])).toEqual([
      [undefined, 2],
      [undefined, 4],
    ])
    expect(answers.at(-1)).toEqual(whole)
    const head = `5:${whole['head']}`
    expect((await read(path, `from=${head}`)).json).toEqual({ ...whole, from: 5 })
    expect((await read(path, `from=4:${whole['head']}`)).json).toMatchObject({ ok: false, seq: 4 })
    const foreign = await read(path, `from=${head}&cursor=${answers[0]?.['next']}`)
    expect([foreign.status, foreign.json['code']]).toEqual([400, 'REQUEST_INVALID'])
    expect((await read(path, 'from=5')).status).toBe(400)
  })
})

test('a long ledger is exported in parts that join to the whole', long, async () => {
  const other = testDeps()
  await saveWorkspace(other.deps.store, aWorkspace(), aBundle())
  const detail = 'x'.repeat(150_000)
  for (let n = 1; n <= 60; n += 5)
    await appendLedger(
      other.deps.store,
      'acme',
      [0, 1, 2, 3, 4].map((more) => aDraft(n + more, { detail: `${n + more}${detail}` })),
    )
  const api = testApi(other.deps)
  const seqs: number[] = []
  let parts = 0
  let query: string | undefined = 'actor=ada'
  while (query !== undefined) {
    const answer = await api('GET', '/v1/workspaces/acme/ledger/export', { scope: 'read', query })
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeLessThanOrEqual(4_000_000)
    seqs.push(
      ...answer.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    )
    parts += 1
    query =
      answer.headers['link'] &&
      /^<\/v1\/workspaces\/acme\/ledger\/export\?(.*)>; rel="next"$/.exec(answer.headers['link'])?.[1]
  }
  expect(seqs).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
  expect(parts).toBeGreaterThan(2)
  expect(parts).toBeLessThan(8)
})

test('episodes are listed', async () => {
  expect((await read('/workspaces/acme/episodes')).json).toEqual({ items: [] })
})
