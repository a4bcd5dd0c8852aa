import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, loadProviders } from '#core'
import { applyHandler } from '../../../../functions/apply.ts'
import { checkHandler } from '../../../../functions/check.ts'
import { type Called, type TestDeps, testApi, testDeps } from '../../../builders/aws/api.ts'
import { lambdaContext, tokenOf } from '../../../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../../../builders/aws/sqs-event.ts'

let folder: string
let parts: TestDeps
let call: ReturnType<typeof testApi>
/** Milliseconds that the API has waited. */
let slept: number
/** Whether the functions behind the queues work while it waits. */
let working: boolean

/** Time passes only by waiting, however slow the machine is; no two moments are the same. */
const clock: Clock = {
  monotonic: () => slept,
  now: () => {
    slept += 1
    return new Date(began + slept)
  },
  sleep: async (milliseconds) => {
    slept += milliseconds
    if (working) await work()
  },
  after: () => () => {},
}
const began = Date.now()

const configuration = (content = 'as it should be', more = '') => `workspace: acme
schedule: rate(15 minutes)
${more}
providers:
  files: { source: host, with: { root: ${folder} } }
resources:
  - type: host_file
    name: motd
    spec: { path: motd, content: "${content}\\n" }
`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-api-'))
  writeFileSync(join(folder, 'motd'), 'changed by hand\n')
  parts = testDeps({ providers: loadProviders })
  slept = 0
  working = true
  call = testApi({ ...parts.deps, clock })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const motd = () => readFileSync(join(folder, 'motd'), 'utf8')
const yaml = { 'content-type': 'application/yaml' }
const put = (body = configuration()): Promise<Called> =>
  call('PUT', '/v1/workspaces/acme', { scope: 'apply configure', body, headers: yaml })

/** What the queues hold, worked off by the handlers behind them. */
const work = async (): Promise<void> => {
  const compose = async () => parts.deps
  for (const body of parts.checks.splice(0))
    await checkHandler(compose, testDelivery().delivery)(sqsEvent([{ body }]), lambdaContext(60_000))
  for (const body of parts.applies.splice(0))
    await applyHandler(compose, testDelivery().delivery)(
      sqsEvent([{ body, group: body.workspace }]),
      lambdaContext(600_000),
    )
}

const check = () => call('POST', '/v1/workspaces/acme/check', { scope: 'check', query: 'wait=5s' })
const checkedDigest = async (): Promise<string> => {
  const { json } = await check()
  return (json['digests'] as { commands: string }).commands
}
const request = (digest: string, more: Record<string, unknown> = {}) => ({
  mode: 'execute',
  digest,
  reason: 'repair',
  ...more,
})

describe('a configuration that is sent', () => {
  test.each([
    [
      'application/json',
      () => JSON.stringify({ entry: 'plumbline.yaml', files: { 'plumbline.yaml': configuration() } }),
    ],
    [
      'application/json; charset=utf-8',
      () => JSON.stringify({ entry: 'plumbline.yaml', files: { 'plumbline.yaml': configuration() } }),
    ],
    ['application/yaml', configuration],
    ['text/yaml', configuration],
  ])('is accepted as %s', async (type, body) => {
    const answer = await call('PUT', '/v1/workspaces/acme', {
      scope: 'apply configure',
      body: body(),
      headers: { 'Content-Type': type },
    })
    expect(answer).toMatchObject({
      status: 200,
      json: { id: 'acme', schedule: 'rate(15 minutes)', updatedBy: { subject: 'ada@acme.example', via: 'api' } },
    })
    expect((await call('GET', '/v1/workspaces/acme', { scope: 'read' })).json).toEqual(answer.json)
  })

  test('is refused with every problem at its place, and not stored, where it is wrong', async () => {
    const answer = await put(`${configuration()}nonsense: 1\nunmanaged: maybe\n`)
    expect(answer).toMatchObject({ status: 422, json: { code: 'CONFIG_INVALID' } })
    expect((answer.json['issues'] as unknown[]).length).toBeGreaterThanOrEqual(2)
    expect(answer.json['issues']).toContainEqual(
      expect.objectContaining({ file: 'plumbline.yaml', line: expect.any(Number) }),
    )
    expect((await call('GET', '/v1/workspaces/acme', { scope: 'read' })).status).toBe(404)
  })

  test('is refused if it is that of another workspace', async () => {
    const answer = await call('PUT', '/v1/workspaces/other', {
      scope: 'apply configure',
      body: configuration(),
      headers: yaml,
    })
    expect(answer).toMatchObject({ status: 422, json: { code: 'WORKSPACE_MISMATCH' } })
  })

  test('of a workspace that belongs to another place is taken over only from that place', async () => {
    const push = (more: Record<string, string>) => {
      const body = { entry: 'plumbline.yaml', files: { 'plumbline.yaml': configuration() }, ...more }
      const headers = { 'content-type': 'application/json' }
      return call('PUT', '/v1/workspaces/acme', { scope: 'apply configure', body: JSON.stringify(body), headers })
    }
    expect((await push({ origin: 'a:/srv' })).status).toBe(200)
    const claimed = { status: 409, json: { code: 'WORKSPACE_CLAIMED' } }
    expect(await push({ origin: 'b:/srv' })).toMatchObject(claimed)
    expect(await push({ origin: 'b:/srv', claimFrom: 'c:/srv' })).toMatchObject(claimed)
    expect((await push({ origin: 'b:/srv', claimFrom: 'a:/srv' })).status).toBe(200)
  })

  test.each([
    ['text/html', '<p>', 415],
    ['application/json', '{', 400],
    ['application/json', '[]', 400],
    ['application/json', '{"entry":"plumbline.yaml","files":{},"more":1}', 400],
    ['application/json', '{"entry":"plumbline.yaml","files":{"a":1}}', 400],
    ['application/yaml', 'x'.repeat(4_000_001), 413],
  ])('is refused as %s %.20s', async (type, body, status) => {
    const answer = await call('PUT', '/v1/workspaces/acme', {
      scope: 'apply configure',
      body,
      headers: { 'content-type': type },
    })
    expect(answer.status).toBe(status)
  })
})

describe('a requested check', () => {
  test('is queued with the name of its caller, and found at the address in the answer', async () => {
    await put()
    const answer = await call('POST', '/v1/workspaces/acme/check', { scope: 'check' })
    expect(answer).toMatchObject({ status: 202, json: { workspace: 'acme' } })
    expect(parts.checks).toEqual([
      {
        workspace: 'acme',
        scheduledFor: answer.json['requestedAt'],
        actor: expect.objectContaining({ subject: 'ada@acme.example' }),
      },
    ])
    const [path, query] = (answer.headers['location'] ?? '').split('?')
    const look = () => call('GET', path ?? '', { scope: 'read', query: query ?? '' })
    expect((await look()).json).toEqual({ items: [] })
    await work()
    expect((await look()).json).toMatchObject({
      items: [{ status: 'changes', trigger: 'api', actor: { subject: 'ada@acme.example' } }],
    })
  })

  test('answers its run to a caller who waits', async () => {
    await put()
    const answer = await check()
    expect(answer).toMatchObject({ status: 200, json: { status: 'changes', counts: { update: 1 } } })
    expect(answer.headers['location']).toBe(`/v1/workspaces/acme/runs/${answer.json['id']}`)
    expect(motd()).toBe('changed by hand\n')
  })

  test('is answered as queued when the wait is over and nobody has done it', async () => {
    await put()
    working = false
    const before = slept
    expect((await call('POST', '/v1/workspaces/acme/check', { scope: 'check', query: 'wait=1s' })).status).toBe(202)
    expect(slept - before).toBeGreaterThanOrEqual(990)
  })

  test('is never waited for beyond the invocation', async () => {
    await put()
    working = false
    const before = slept
    const answer = await call('POST', '/v1/workspaces/acme/check', {
      scope: 'check',
      query: 'wait=25s',
      remainingMs: 2_000,
    })
    expect(answer.status).toBe(202)
    expect(slept - before).toBeLessThan(1_500)
  })

  test.each(['wait=26s', 'wait=-1', 'wait=1m', 'wait=', 'wait=1.5s'])('is refused with %s', async (query) => {
    expect((await call('POST', '/v1/workspaces/acme/check', { scope: 'check', query })).status).toBe(400)
    expect(parts.checks).toEqual([])
  })

  test('is refused for an unknown workspace', async () => {
    expect((await call('POST', '/v1/workspaces/nowhere/check', { scope: 'check' })).status).toBe(404)
    expect(parts.checks).toEqual([])
  })
})

describe('a requested apply', () => {
  const apply = (json: unknown, more: { query?: string; headers?: Record<string, string> } = {}) =>
    call('POST', '/v1/workspaces/acme/apply', { scope: 'apply configure', json, ...more })
  const applied = (json: unknown) => apply(json, { query: 'wait=5s' })

  test('is stored and queued', async () => {
    await put()
    const answer = await apply(request(await checkedDigest()))
    expect(answer).toMatchObject({
      status: 202,
      json: { status: 'queued', actor: { subject: 'ada@acme.example', via: 'api' } },
    })
    expect(answer.headers['location']).toBe(`/v1/workspaces/acme/applies/${answer.json['id']}`)
    expect(parts.applies).toEqual([{ workspace: 'acme', applyId: answer.json['id'] }])
    expect(motd()).toBe('changed by hand\n')
    await work()
    expect((await call('GET', answer.headers['location'] ?? '', { scope: 'read' })).json).toMatchObject({
      status: 'succeeded',
    })
    expect(motd()).toBe('as it should be\n')
  })

  test('answers its outcome to a caller who waits, and the ledger verifies', async () => {
    await put()
    const answer = await applied(request(await checkedDigest()))
    expect(answer).toMatchObject({ status: 200, json: { status: 'succeeded', outcomes: [{ status: 'succeeded' }] } })
    expect(motd()).toBe('as it should be\n')
    expect((await check()).json).toMatchObject({ status: 'in_sync' })
    expect((await call('GET', '/v1/workspaces/acme/ledger/verify', { scope: 'read' })).json).toMatchObject({ ok: true })
  })

  test('in mode check logs the commands and sends none', async () => {
    await put()
    const answer = await applied(request(await checkedDigest(), { mode: 'check' }))
    expect(answer).toMatchObject({ status: 200, json: { status: 'succeeded', outcomes: [{ status: 'logged' }] } })
    expect(motd()).toBe('changed by hand\n')
  })

  test('is refused with the command that changed where its plan is stale', async () => {
    await put()
    const digest = await checkedDigest()
    writeFileSync(join(folder, 'motd'), 'changed again\n')
    const answer = await applied(request(digest))
    expect(answer).toMatchObject({ status: 409, json: { code: 'STALE_PLAN', applyId: expect.any(String) } })
    expect(answer.json['detail']).toContain('host_file.motd#1')
    expect(answer.headers['location']).toBe(`/v1/workspaces/acme/applies/${answer.json['applyId']}`)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(motd()).toBe('changed again\n')
  })

  test('is refused where the policy forbids it', async () => {
    await put(configuration('as it should be', 'policy: { allowGrades: [lossy] }'))
    const answer = await applied(request(await checkedDigest()))
    expect(answer).toMatchObject({ status: 403, json: { code: 'POLICY_REFUSED' } })
    expect(motd()).toBe('changed by hand\n')
  })

  test('is made once for one key', async () => {
    await put()
    const digest = await checkedDigest()
    const headers = { 'Idempotency-Key': 'deploy-42' }
    const first = await apply(request(digest), { headers })
    const second = await apply(request(digest), { headers })
    expect(second.json['id']).toBe(first.json['id'])
    expect(await apply(request(digest, { reason: 'another' }), { headers })).toMatchObject({
      status: 422,
      json: { code: 'IDEMPOTENCY_REUSED' },
    })
    // A subject is one of its issuer: nobody hides behind the approval of a namesake.
    const { jwt } = tokenOf('apply')
    const namesake = { jwt: { ...jwt, claims: { ...jwt.claims, iss: 'https://other.example' } } }
    expect(
      await call('POST', '/v1/workspaces/acme/apply', { json: request(digest), headers, authorizer: namesake }),
    ).toMatchObject({
      status: 422,
      json: { code: 'IDEMPOTENCY_REUSED' },
    })
    await work()
    const { items } = (await call('GET', '/v1/workspaces/acme/applies', { scope: 'read' })).json
    expect(items).toHaveLength(1)
  })

  test.each([
    ['no key', { headers: { 'idempotency-key': '' } }],
    ['a key with a space', { headers: { 'idempotency-key': 'a b' } }],
    ['a long key', { headers: { 'idempotency-key': 'x'.repeat(256) } }],
  ])('with %s is refused', async (_, more) => {
    await put()
    expect((await apply(request(`sha256:${'a'.repeat(64)}`), more)).status).toBe(400)
  })

  const digest = `sha256:${'a'.repeat(64)}`
  test.each([
    ['no digest', { mode: 'execute', reason: 'r' }],
    ['a short digest', { mode: 'execute', reason: 'r', digest: 'sha256:abc' }],
    ['another mode', { mode: 'force', reason: 'r', digest }],
    ['no reason', { mode: 'execute', digest }],
    ['an empty reason', { mode: 'execute', digest, reason: '  ' }],
    ['a reason that nobody sees', { mode: 'execute', digest, reason: '\u200b\u2060\u0000\u3164\u2800' }],
    ['half of a surrogate pair in the reason', { mode: 'execute', digest, reason: 'r \ud83d' }],
    [
      'a deep pit',
      {
        mode: 'execute',
        digest,
        reason: 'r',
        targets: Array(250)
          .fill(0)
          .reduce((deep) => [deep], 'x'),
      },
    ],
    ['no targets', { mode: 'execute', digest, reason: 'r', targets: [] }],
    ['an actor of its own', { mode: 'execute', digest, reason: 'r', actor: { subject: 'root', via: 'api' } }],
    ['a list', []],
  ])('with %s is refused', async (_, json) => {
    await put()
    expect(await apply(json)).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
    expect(parts.applies).toEqual([])
  })

  test('with a member twice is refused in words, also where both are the same', async () => {
    await put()
    const twice = JSON.stringify(request(digest)).replace('{', '{"reason":"repair",')
    expect(
      await call('POST', '/v1/workspaces/acme/apply', {
        scope: 'apply configure',
        body: twice,
        headers: { 'content-type': 'application/json' },
      }),
    ).toMatchObject({
      status: 400,
      json: { code: 'REQUEST_INVALID', detail: expect.stringContaining('body: has one member twice in an object') },
    })
    expect(parts.applies).toEqual([])
  })

  test('is refused for commands that no check has planned', async () => {
    await put()
    expect(await apply(request(digest))).toMatchObject({ status: 404, json: { code: 'PLAN_NOT_FOUND' } })
    expect(
      (await call('POST', '/v1/workspaces/nowhere/apply', { scope: 'apply configure', json: request(digest) })).json[
        'code'
      ],
    ).toBe('WORKSPACE_NOT_FOUND')
  })

  test('is refused for a target that the plan does not have', async () => {
    await put()
    const answer = await apply(request(await checkedDigest(), { targets: ['host_file.other'] }))
    expect(answer).toMatchObject({ status: 400, json: { code: 'TARGET_UNKNOWN' } })
  })
})
