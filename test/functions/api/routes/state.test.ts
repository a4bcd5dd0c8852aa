import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import type { Deps } from '#core'
import { digest } from '../../../../core/engine/json/digest.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { eachOf } from '../../../builders/long.ts'
import { aBundle, aResource, aWorkspace } from '../../../builders/values/records.ts'

let deps: Deps
const base = '/v1/workspaces/acme/state'
const get = (path: string, query?: string) =>
  testApi(deps)('GET', `${base}${path}`, { scope: 'read', ...(query === undefined ? {} : { query }) })
const post = (path: string, json: unknown) =>
  testApi(deps)('POST', `${base}/${path}`, { scope: 'apply configure', json })

beforeEach(async () => {
  ;({ deps } = testDeps())
  await saveWorkspace(deps.store, aWorkspace(), aBundle())
  const recorded = await loadRecorded(deps.store, 'acme')
  const module = 'module.prod["e/u%"]'
  const put = [aResource('a'), { ...aResource('b'), address: `${module}.pdns_zone.b`, module }]
  await saveRecorded(deps.store, recorded, { put, remove: [] }, { lineage: 'first' })
})

test('an address with any characters is shown by its query', async () => {
  const address = 'module.prod["e/u%"].pdns_zone.b'
  const { status, json } = await get('/resource', `address=${encodeURIComponent(address)}`)
  expect([status, json['resource']]).toMatchObject([200, { address }])
  expect(await get('/resource')).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
})

test('a record is forgotten by the caller of the token, and put back from the backup', async () => {
  const before = (await get('')).json
  const { status, json } = await post('forget', { addresses: ['pdns_zone.a'], reason: 'handed over' })
  expect([status, json['addresses']]).toEqual([200, ['pdns_zone.a']])
  const [entry] = await Array.fromAsync(readLedger(deps.store, 'acme'))
  expect(entry).toMatchObject({
    kind: 'forgotten',
    actor: { subject: 'ada@acme.example', via: 'api' },
    reason: 'handed over',
  })
  const { id } = json['backup'] as { id: string }
  expect((await get('', `backup=${id}`)).json).toEqual(before)
  expect(await post('import', { backup: id, reason: 'a mistake' })).toMatchObject({ status: 200, json: { after: 3 } })
  expect((await get('')).json['resources']).toEqual(before['resources'])
  expect((await get('/backups')).json['items']).toMatchObject([{ before: 'imported' }, { before: 'forgotten', id }])
})

test('a record is marked to be replaced, and the mark is taken back', async () => {
  const marked = async () =>
    (((await get('')).json['resources'] ?? []) as { tainted?: unknown }[]).flatMap(({ tainted }) => tainted ?? [])
  const body = { addresses: ['pdns_zone.a'], reason: 'its keys are lost' }
  expect(await post('taint', body)).toMatchObject({ status: 200, json: { change: 'tainted' } })
  expect(await marked()).toMatchObject([{ reason: 'its keys are lost', by: { subject: 'ada@acme.example' } }])
  expect(await post('untaint', body)).toMatchObject({ status: 200, json: { change: 'untainted' } })
  expect(await marked()).toEqual([])
  expect(await post('taint', { ...body, addresses: ['pdns_zone.none'] })).toMatchObject({
    json: { code: 'RECORD_NOT_FOUND' },
  })
})

test('a state is imported as JSON, or packed', async () => {
  const state = (await get('')).json
  expect(await post('import', { state, reason: 'x' })).toMatchObject({ status: 200, json: { before: 1, after: 2 } })
  const again = JSON.stringify((await get('')).json)
  const gzip = gzipSync(again).toString('base64')
  expect(await post('import', { gzip, reason: 'x' })).toMatchObject({ status: 200, json: { before: 2, after: 3 } })
})

eachOf(
  test,
  3,
)([
  ['no source', { reason: 'x' }, 'REQUEST_INVALID'],
  ['two sources', { backup: 'x', gzip: 'x', reason: 'x' }, 'REQUEST_INVALID'],
  ['no reason', { backup: 'x' }, 'REQUEST_INVALID'],
  ['text that is not packed', { gzip: 'eA==', reason: 'x' }, 'REQUEST_INVALID'],
  [
    'a pack that is cut off',
    { gzip: gzipSync('{}').subarray(0, 12).toString('base64'), reason: 'x' },
    'REQUEST_INVALID',
  ],
  ['a pack without JSON', { gzip: gzipSync('no').toString('base64'), reason: 'x' }, 'STATE_INVALID'],
  [
    'a member twice in a pack',
    { gzip: gzipSync(`{"formatVersion":"9","formatVersion":"2"}`).toString('base64'), reason: 'x' },
    'STATE_INVALID',
  ],
  ['a bomb', { gzip: gzipSync(Buffer.alloc(65_000_000)).toString('base64'), reason: 'x' }, 'BODY_TOO_LARGE'],
  [
    'a deep pit',
    { gzip: gzipSync(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`).toString('base64'), reason: 'x' },
    'STATE_INVALID',
  ],
  [
    'a deep pit in a state',
    {
      gzip: gzipSync(`{"formatVersion":"2","resources":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`).toString(
        'base64',
      ),
      reason: 'x',
    },
    'STATE_INVALID',
  ],
  ['an unknown format', { state: { formatVersion: '9' }, reason: 'x' }, 'STATE_NEWER'],
  ['the digest of something else', { state: { formatVersion: '2', digest: digest(1) }, reason: 'x' }, 'STATE_INVALID'],
])('a state with %s is refused', async (_, body, code) => {
  expect((await post('import', body)).json['code']).toBe(code)
  expect((await loadRecorded(deps.store, 'acme')).serial).toBe(1)
})
