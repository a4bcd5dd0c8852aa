import { describe, expect, test } from 'vitest'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { routes } from '../../../../functions/api/routes/index.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { aBundle, aWorkspace } from '../../../builders/values/records.ts'

const pathOf = (path: string): string =>
  path
    .replace('{workspace}', 'acme')
    .replace('{runId}', '01J')
    .replace('{applyId}', '01J')
    .replace('{episodeId}', '01J')
const scopes = ['read', 'check', 'apply', 'configure'] as const
const guarded = routes.flatMap(({ method, path, scope }) =>
  scope === null ? [] : [{ method, path: pathOf(path), scope }],
)
const open = routes.filter(({ scope }) => scope === null)

/** Who may use each route. A new one stands here, or this fails: nobody gets a route without somebody having decided. */
const rules: Readonly<Record<string, (typeof scopes)[number] | 'open'>> = {
  listWorkspaces: 'read',
  getWorkspace: 'read',
  putWorkspace: 'configure',
  removeWorkspace: 'configure',
  pauseWorkspace: 'apply',
  resumeWorkspace: 'apply',
  listVersions: 'read',
  diffVersions: 'read',
  rollbackWorkspace: 'configure',
  getSource: 'read',
  setSource: 'configure',
  removeSource: 'configure',
  receiveWebhook: 'open',
  expirePreview: 'apply',
  checkWorkspace: 'check',
  listRuns: 'read',
  getRun: 'read',
  getPlan: 'read',
  requestApply: 'apply',
  requestUndo: 'check',
  listApplies: 'read',
  getApply: 'read',
  getGraph: 'read',
  queryLedger: 'read',
  verifyLedger: 'read',
  exportLedger: 'read',
  exportState: 'read',
  listState: 'read',
  showState: 'read',
  listBackups: 'read',
  forgetRecords: 'configure',
  moveRecord: 'configure',
  importState: 'configure',
  listEpisodes: 'read',
  acknowledgeEpisode: 'apply',
  snoozeEpisode: 'apply',
  taintRecords: 'configure',
  unsnoozeEpisode: 'apply',
  untaintRecords: 'configure',
  getCaller: 'read',
  getSignIn: 'open',
  getOpenapi: 'open',
  getHealth: 'open',
  getPage: 'open',
  getAsset: 'open',
}

test('every route has a rule of access', () => {
  expect(Object.fromEntries(routes.map(({ id, scope }) => [id, scope ?? 'open']))).toEqual(rules)
})

test('only the page, health, the description, the way to sign in and the signed webhooks are open', () => {
  const paths = [
    '/',
    '/assets/{name}',
    '/v1/health',
    '/v1/openapi.json',
    '/v1/sign-in',
    '/v1/workspaces/{workspace}/webhook',
  ]
  expect(open.map(({ path }) => path).sort()).toEqual(paths)
})

test('a route is about the workspace in its path, which is its first parameter, or shows a list', () => {
  for (const { path, scope } of routes.filter((route) => route.scope !== null)) {
    // The caller is shown what the token says, and nothing of a workspace.
    if (!path.startsWith('/v1/workspaces/{workspace}'))
      expect([
        ['/v1/workspaces', 'read'],
        ['/v1/me', 'read'],
      ]).toContainEqual([path, scope])
  }
})

describe.each(guarded)('$method $path', ({ method, path, scope }) => {
  const call = testApi(testDeps().deps)

  test('is refused without a caller, before anything else is checked', async () => {
    const answer = await call(method, path, { query: 'nonsense=1', body: '{{{' })
    expect(answer).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'content-type': 'application/problem+json' },
      json: { code: 'UNAUTHENTICATED', instance: 'urn:plumbline:request:Vd2kQhJ1joEEPPA=' },
    })
  })

  test('is refused with every scope but its own', async () => {
    const answer = await call(method, path, { scope: scopes.filter((one) => one !== scope).join(' ') })
    expect(answer).toMatchObject({ status: 403, json: { code: 'SCOPE_MISSING' } })
    expect(answer.headers['www-authenticate']).toContain(`scope="${scope}"`)
  })

  test('refuses an unknown parameter', async () => {
    const answer = await call(method, path, { scope, query: 'nonsense=1', ...(method === 'GET' ? {} : { json: {} }) })
    expect(answer).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
  })

  test('refuses an unknown format', async () => {
    const answer = await call(method, path, { scope, headers: { accept: 'image/png' } })
    expect(answer).toMatchObject({ status: 406, json: { code: 'NOT_ACCEPTABLE' } })
  })

  test('refuses a name that no workspace can have', async () => {
    if (!path.includes('acme')) return
    for (const name of ['ACME', 'a_b', '..%2F..%2Fetc', '%61%63me', 'a%00b', 'x'.repeat(64)]) {
      const answer = await call(method, path.replace('acme', name), {
        scope,
        ...(path.endsWith('/state/resource') ? { query: 'address=pdns_zone.main' } : {}),
        ...(path.endsWith('/versions/diff') ? { query: 'from=1&to=2' } : {}),
        ...(method === 'GET' ? {} : { json: {} }),
      })
      // Decoded once, `%61%63me` is a good name of a workspace that is not there.
      expect(answer.status, name).toBe(name === '%61%63me' && method === 'GET' ? 404 : 400)
    }
  })
})

test('routes that need a body refuse a request without one', async () => {
  const call = testApi(testDeps().deps)
  expect((await call('POST', '/v1/workspaces/acme/apply', { scope: 'apply' })).status).toBe(400)
  expect((await call('PUT', '/v1/workspaces/acme', { scope: 'configure', body: '' })).status).toBe(400)
  expect((await call('POST', '/v1/workspaces/acme/check', { scope: 'check', json: {} })).status).toBe(400)
})

describe('the addresses of the API', () => {
  const call = testApi(testDeps().deps)

  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/workspaces/',
    '/v1/workspaces//runs',
    '/v2/workspaces',
    '/V1/workspaces',
    '/v1/workspaces/%zz',
    '/v1/openapi_json',
  ])('do not include %s', async (path) => {
    expect(await call('GET', path, { scope: 'read check apply' })).toMatchObject({
      status: 404,
      json: { code: 'ROUTE_NOT_FOUND' },
    })
  })

  test('refuse a method that they do not have', async () => {
    expect(await call('PATCH', '/v1/workspaces/acme', { scope: 'apply' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, PUT, DELETE' },
      json: { code: 'METHOD_NOT_ALLOWED' },
    })
  })

  test('stay behind their stage in links', async () => {
    const { deps } = testDeps()
    await saveWorkspace(deps.store, aWorkspace(), aBundle())
    const answer = await testApi(deps)('POST', '/prod/v1/workspaces/acme/check', { scope: 'check', stage: 'prod' })
    expect(answer.status).toBe(202)
    expect(answer.headers['location']).toMatch(/^\/prod\/v1\/workspaces\/acme\/runs\?scheduledFor=/)
  })
})

test('open routes ignore the caller', async () => {
  const call = testApi(testDeps().deps)
  expect(await call('GET', '/v1/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
  expect((await call('GET', '/v1/openapi.json', { headers: { 'accept-encoding': 'gzip' } })).json['openapi']).toBe(
    '3.1.0',
  )
})

describe('an unexpected error', () => {
  const failing = (error: unknown) =>
    testApi({
      ...testDeps().deps,
      store: {
        get: async () => {
          throw error
        },
        query: async () => {
          throw error
        },
        write: async () => {
          throw error
        },
      },
    })

  test('reveals nothing of itself', async () => {
    const answer = await failing(new Error('canary-4711 at 10.0.0.1'))('GET', '/v1/workspaces', { scope: 'read' })
    expect(answer).toMatchObject({ status: 500, json: { code: 'INTERNAL', title: 'internal' } })
    expect(answer.text).not.toMatch(/canary|10\.0|stack/)
  })

  test('reveals nothing if the parts of the function cannot be composed', async () => {
    const answer = await testApi(new Error('canary'))('GET', '/v1/health')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('canary')
  })
})
