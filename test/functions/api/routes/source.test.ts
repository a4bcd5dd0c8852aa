import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { testApi } from '../../../builders/aws/api.ts'
import { testDeps } from '../../../builders/workspaces/workspace.ts'

const path = '/v1/workspaces/acme'
const key = 'canary-of-the-webhook'
const github = { repository: 'acme/config', ref: 'main', webhookSecret: { secret: 'env:HOOK' } }
const push = JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: 'acme/config' }, text: 'ä' })
const sign = (body: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
let world: ReturnType<typeof testDeps>
let call: ReturnType<typeof testApi>

beforeEach(async () => {
  world = testDeps()
  world.secrets['env:HOOK'] = key
  call = testApi(world.deps)
  expect(await call('PUT', `${path}/source`, { scope: 'apply configure', json: { github } })).toMatchObject({
    status: 200,
  })
})

const deliver = (body: string, headers: Readonly<Record<string, string>>) =>
  call('POST', `${path}/webhook`, { body, headers: { 'content-type': 'application/json', ...headers } })

test('a source is set, shown and removed', async () => {
  expect((await call('GET', `${path}/source`, { scope: 'read' })).json).toMatchObject({ github })
  expect(await call('DELETE', `${path}/source`, { scope: 'apply configure' })).toMatchObject({ status: 200 })
  expect(await call('GET', `${path}/source`, { scope: 'read' })).toMatchObject({
    status: 404,
    json: { code: 'SOURCE_NOT_FOUND' },
  })
})

test.each([
  ['a repository without an owner', { repository: 'config' }],
  ['a path that leaves the repository', { path: '../other' }],
  ['an address that a network in between can read', { apiUrl: 'http://github.acme.example' }],
  ['an address with a user', { apiUrl: 'https://me@github.acme.example' }],
  ['an address with a password and no user', { apiUrl: 'https://:pw@github.acme.example' }],
  ['an address with an empty fragment', { apiUrl: 'https://github.acme.example/#' }],
  ['an address with an empty query', { apiUrl: 'https://github.acme.example/api/v3?' }],
  ['an address with a space', { apiUrl: 'https://github.acme.example/api v3' }],
  ['an address with an empty user', { apiUrl: 'https://@github.acme.example' }],
  ['a ref with a space', { ref: 'a b' }],
  ['a ref that leaves the path of the request', { ref: '../../user' }],
  ['a token in clear text', { token: 'ghp_x' }],
  ['an unknown member', { branch: 'main' }],
])('a source with %s is refused', async (_, more) => {
  const answer = await call('PUT', `${path}/source`, {
    scope: 'apply configure',
    json: { github: { ...github, ...more } },
  })
  expect(answer).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
})

test('a signed delivery needs no token, and requests a check', async () => {
  expect(await deliver(push, { 'x-hub-signature-256': sign(push) })).toMatchObject({
    status: 202,
    json: { check: 'queued' },
  })
  expect(world.queued.check).toHaveLength(1)
})

test.each([
  ['no signature', push, {}],
  ['a wrong signature', push, { 'x-hub-signature-256': sign('x') }],
  ['a token instead of a signature', push, { authorization: 'Bearer x' }],
  ['a text that is no JSON', '{', {}],
  ['a signed body with one byte more', `${push} `, { 'x-hub-signature-256': sign(push) }],
  ['a signed body behind a byte order mark', `\ufeff${push}`, { 'x-hub-signature-256': sign(push) }],
  ['an empty signature', push, { 'x-hub-signature-256': '' }],
  ['a signature without its digits', push, { 'x-hub-signature-256': 'sha256=' }],
  ['a signature that was cut', push, { 'x-hub-signature-256': sign(push).slice(0, -1) }],
  ['a signature in capitals', push, { 'x-hub-signature-256': sign(push).toUpperCase() }],
  ['two signatures, one of them right', push, { 'x-hub-signature-256': `${sign('x')}, ${sign(push)}` }],
  ['the older signature', push, { 'x-hub-signature': `sha1=${createHmac('sha1', key).update(push).digest('hex')}` }],
])('a delivery is answered with 401 for %s', async (_, body, headers) => {
  const answer = await deliver(body, headers)
  expect(answer).toMatchObject({ status: 401, json: { code: 'WEBHOOK_REFUSED' } })
  expect(answer.text).not.toContain('canary')
  expect(world.queued.check).toEqual([])
})

test.each([
  ['of another type', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'MEDIA_TYPE_UNSUPPORTED'],
  ['that is longer than 4 MB', {}, 413, 'BODY_TOO_LARGE'],
])(
  'a signed delivery with a body %s is refused before its signature is looked at',
  async (_, headers, status, code) => {
    const body = code === 'BODY_TOO_LARGE' ? `"${'x'.repeat(4_000_000)}"` : push
    expect(await deliver(body, { 'x-hub-signature-256': sign(body), ...headers })).toMatchObject({
      status,
      json: { code },
    })
    expect(world.queued.check).toEqual([])
  },
)

test('without a secret no delivery is taken, not even one that an empty secret signed', async () => {
  const empty = `sha256=${createHmac('sha256', '').update(push).digest('hex')}`
  for (const secret of ['', undefined]) {
    if (secret === undefined) delete world.secrets['env:HOOK']
    else world.secrets['env:HOOK'] = secret
    const answer = await deliver(push, { 'x-hub-signature-256': empty })
    expect([401, 503]).toContain(answer.status)
    expect(answer.text).not.toContain('env:HOOK')
  }
  expect(world.queued.check).toEqual([])
})

test('the versions of a source are listed, compared and rolled back', async () => {
  const put = (text: string) =>
    call('PUT', path, {
      scope: 'apply configure',
      json: {
        entry: 'plumbline.yaml',
        files: { 'plumbline.yaml': `workspace: acme\nproviders: {}\nresources: []\n${text}` },
      },
    })
  expect(await put('')).toMatchObject({ status: 409, json: { code: 'WORKSPACE_SOURCED' } })
  await call('DELETE', `${path}/source`, { scope: 'apply configure' })
  for (const text of ['# a\n', '# b\n']) expect(await put(text)).toMatchObject({ status: 200 })
  const { json: list } = await call('GET', `${path}/versions`, { scope: 'read' })
  expect(list['items']).toMatchObject([{ version: 3 }, { version: 2 }, { version: 1 }])
  const { json: diff } = await call('GET', `${path}/versions/diff`, { scope: 'read', query: 'from=2&to=3' })
  expect(diff['files']).toMatchObject([{ diff: expect.stringContaining('-# a\n+# b\n') }])
  const back = (expected: number) =>
    call('POST', `${path}/rollback`, { scope: 'apply configure', json: { version: 2, reason: 'x', expected } })
  expect(await back(2)).toMatchObject({ status: 409, json: { code: 'VERSION_CONFLICT' } })
  expect(await back(3)).toMatchObject({ status: 200, json: { configurationVersion: 4 } })
})
