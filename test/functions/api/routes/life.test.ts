import { beforeEach, expect, test } from 'vitest'
import { type TestDeps, testApi, testDeps } from '../../../builders/aws/api.ts'

let parts: TestDeps
let call: ReturnType<typeof testApi>
const path = '/v1/workspaces/acme'
const scope = 'apply configure'
const put = (query?: string) =>
  call('PUT', path, {
    scope,
    ...(query === undefined ? {} : { query }),
    headers: { 'content-type': 'application/yaml' },
    body: 'workspace: acme\nschedule: rate(15 minutes)\nproviders: {}\nresources: []\n',
  })

beforeEach(async () => {
  parts = testDeps()
  call = testApi(parts.deps)
  await put()
})

test('a workspace is paused and resumed, each with a reason', async () => {
  const paused = await call('POST', `${path}/pause`, { scope, json: { reason: 'it moves' } })
  expect(paused).toMatchObject({ status: 200, json: { paused: { by: { via: 'api' }, reason: 'it moves' } } })
  const listed = await call('GET', '/v1/workspaces', { scope: 'read' })
  expect(listed.json).toMatchObject({ items: [{ id: 'acme', paused: { reason: 'it moves' } }] })
  const resumed = await call('POST', `${path}/resume`, { scope, json: { reason: 'moved' } })
  expect(resumed.json).not.toHaveProperty('paused')
  const { json } = await call('GET', `${path}/ledger`, { scope: 'read' })
  expect(json).toMatchObject({
    items: [
      { kind: 'paused', reason: 'it moves' },
      { kind: 'resumed', reason: 'moved' },
    ],
  })
})

test('a removed workspace keeps its ledger and its name, which is reused only on an explicit request', async () => {
  expect(await call('DELETE', path, { scope, query: 'reason=gone' })).toMatchObject({ status: 200 })
  expect(await call('GET', path, { scope: 'read' })).toMatchObject({ status: 410, json: { code: 'WORKSPACE_REMOVED' } })
  expect(await call('POST', `${path}/check`, { scope: 'check' })).toMatchObject({ status: 410 })
  expect(await call('GET', `${path}/ledger`, { scope: 'read' })).toMatchObject({
    json: { items: [{ kind: 'removed' }] },
  })
  expect(await put()).toMatchObject({ status: 410 })
  expect(await put('reuse=true')).toMatchObject({ status: 200 })
  expect(await call('GET', path, { scope: 'read' })).toMatchObject({ status: 200 })
})

test.each([
  ['POST', `${path}/pause`, { json: {} }],
  ['POST', `${path}/resume`, { json: { reason: ' ' } }],
  ['DELETE', path, {}],
])('%s %s is refused without a reason, and without the right', async (method, route, parts) => {
  expect(await call(method, route, { scope, ...parts })).toMatchObject({
    status: 400,
    json: { code: 'REQUEST_INVALID' },
  })
  expect(await call(method, route, { scope: 'read check', ...parts })).toMatchObject({ status: 403 })
})
