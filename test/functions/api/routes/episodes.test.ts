import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { advanceEpisodes } from '../../../../core/engine/alert/episode.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { aBundle, aChange, aPlan, aRun, aWorkspace } from '../../../builders/values/records.ts'

const path = '/v1/workspaces/acme/episodes'
const scope = 'apply'
const hour = 60 * 60_000
let call: ReturnType<typeof testApi>
let id: string

beforeEach(async () => {
  const { deps } = testDeps()
  call = testApi(deps)
  await saveWorkspace(deps.store, aWorkspace(), aBundle())
  const at = new Date().toISOString()
  const plan = aPlan([aChange('pdns_zone.main')])
  const run = aRun(1, plan, { startedAt: at, finishedAt: at })
  const input = { workspace: 'acme', run, plan, rules: { minSeverity: 'low' }, at, newId: randomUUID } as const
  await saveRun(deps.store, { run, plan, advance: (open) => advanceEpisodes({ ...input, open }) })
  const { json } = await call('GET', path, { scope: 'read' })
  id = (json['items'] as { id: string }[])[0]?.id ?? ''
})

test('an episode is acknowledged, snoozed and unsnoozed, which the list and the ledger show', async () => {
  const until = new Date(Date.now() + hour).toISOString()
  const seen = await call('POST', `${path}/${id}/acknowledge`, { scope, json: { reason: 'I am on it' } })
  expect(seen).toMatchObject({ status: 200, json: { id, status: 'open', acknowledged: { reason: 'I am on it' } } })
  const snoozed = await call('POST', `${path}/${id}/snooze`, { scope, json: { reason: 'on Monday', until } })
  expect(snoozed).toMatchObject({ status: 200, json: { snoozed: { until, by: { via: 'api' } } } })
  const { json: listed } = await call('GET', path, { scope: 'read' })
  expect(listed).toMatchObject({ items: [{ id, acknowledged: { severity: 'medium' }, snoozed: { until } }] })
  expect(await call('POST', `${path}/${id}/unsnooze`, { scope, json: { reason: 'done' } })).toMatchObject({
    status: 200,
  })
  const { json: ledger } = await call('GET', '/v1/workspaces/acme/ledger', { scope: 'read' })
  expect(ledger).toMatchObject({
    items: [
      { kind: 'acknowledged', reason: 'I am on it', episode: { id, about: 'drift', severity: 'medium' } },
      { kind: 'snoozed', episode: { id, until } },
      { kind: 'unsnoozed', reason: 'done' },
    ],
  })
})

test.each<[string, Record<string, unknown>, string, number, string]>([
  ['acknowledge', {}, 'acknowledge', 400, 'REQUEST_INVALID'],
  ['a snooze without an end', { reason: 'x' }, 'snooze', 400, 'REQUEST_INVALID'],
  ['a snooze until a day that is no time', { reason: 'x', until: 'tomorrow' }, 'snooze', 400, 'REQUEST_INVALID'],
  ['a snooze that is over', { reason: 'x', until: '2020-01-01T00:00:00Z' }, 'snooze', 400, 'SNOOZE_INVALID'],
  ['a snooze for ever', { reason: 'x', until: '2999-01-01T00:00:00Z' }, 'snooze', 400, 'SNOOZE_INVALID'],
])('is refused with its reason: %s', async (_, json, verb, status, code) => {
  const answer = await call('POST', `${path}/${id}/${verb}`, { scope, json })
  expect(answer).toMatchObject({ status, json: { code } })
})

test.each(['acknowledge', 'unsnooze'])(
  'an unknown episode is 404, and nobody may %s it with another right',
  async (verb) => {
    const json = { reason: 'x' }
    const unknown = await call('POST', `${path}/${randomUUID()}/${verb}`, { scope, json })
    expect(unknown).toMatchObject({ status: 404, json: { code: 'EPISODE_NOT_FOUND' } })
    const foreign = await call('POST', `${path}/${id}/${verb}`, { scope: 'apply:other read check', json })
    expect(foreign).toMatchObject({ status: 403 })
  },
)
