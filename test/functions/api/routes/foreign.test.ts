import { beforeAll, expect, test } from 'vitest'
import type { Deps } from '#core'
import { digest } from '../../../../core/engine/json/digest.ts'
import type { Episode } from '../../../../core/engine/schema/stored/findings.ts'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { backupChanges } from '../../../../core/engine/state/backups.ts'
import { appendLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { documentOf } from '../../../../core/engine/state/runs/state-document.ts'
import { mustCommit } from '../../../../core/engine/state/store/commit.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { writeCursor } from '../../../../functions/api/route/cursor.ts'
import type { Route } from '../../../../functions/api/route/route.ts'
import { routes } from '../../../../functions/api/routes/index.ts'
import { type Called, testApi, testDeps } from '../../../builders/aws/api.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import {
  aBundle,
  aChange,
  aDraft,
  anApply,
  anId,
  aPlan,
  aResource,
  aRun,
  aWorkspace,
} from '../../../builders/values/records.ts'

/** Stands in everything that is of the other workspace, and in nothing else. */
const mark = 'canary'
const other = `beta-${mark}`
const bo = { subject: `${mark}-bo`, via: 'api' } as const
const scheduledFor = '2026-04-01T06:00:00.000Z'
const change = aChange(`pdns_zone.${mark}`)
const plan = aPlan([change], [], { workspace: other, commands: [aCommand(`pdns_zone.${mark}#1`)] })

/** Every id of the other workspace, by the name under which a path or a query takes it. */
const ids = { workspace: other, runId: anId(901), applyId: anId(902), episodeId: anId(906) }
const queried: Readonly<Record<string, string>> = {
  runId: ids.runId,
  applyId: ids.applyId,
  actor: bo.subject,
  address: change.address,
  glob: `*${mark}*`,
  backup: anId(905),
  targets: change.address,
  exclude: change.address,
  scheduledFor,
  previewOf: other,
}
/** Those that name nothing. */
const plain = ['order', 'limit', 'from', 'to', 'wait', 'reason', 'reuse', 'view', 'refresh']

const at = '2026-04-01T06:00:00.000Z'
const episode: Episode = {
  id: ids.episodeId,
  workspace: other,
  key: 'drift',
  status: 'open',
  openedAt: at,
  changedAt: at,
  toldAt: at,
  findings: [{ address: change.address, kind: 'update', summary: mark, digest: digest(mark) }],
  fingerprint: digest(mark),
}

let deps: Deps
const rights = 'read:acme check:acme apply:acme'
const call = (...parts: Parameters<ReturnType<typeof testApi>>): Promise<Called> => testApi(deps)(...parts)

beforeAll(async () => {
  ;({ deps } = testDeps())
  const advance = () => ({ episodes: [], alerts: [] })
  await saveWorkspace(deps.store, aWorkspace({ id: other, configurationDigest: digest('first') }), aBundle('first'))
  await saveWorkspace(deps.store, aWorkspace(), aBundle())
  await saveWorkspace(deps.store, aWorkspace({ id: other, updatedBy: bo }), aBundle(`workspace: ${other}`))
  const own = aPlan([aChange('pdns_zone.main')], [], { commands: [aCommand('pdns_zone.main#1')] })
  for (const n of [1, 2]) {
    await saveRun(deps.store, { run: aRun(n, own), plan: own, advance })
    const run = aRun(899 + n * 2, plan, { workspace: other, actor: bo, ...(n === 1 ? { scheduledFor } : {}) })
    await saveRun(deps.store, { run, plan, advance: () => ({ episodes: n === 1 ? [episode] : [], alerts: [] }) })
    await createApply(deps.store, anApply(n))
    const outcomes = plan.commands.map(({ id }) => ({ command: id, status: 'succeeded' as const }))
    const ended = { status: 'succeeded' as const, outcomes }
    await createApply(
      deps.store,
      anApply(901 + n, { ...ended, workspace: other, runId: ids.runId, actor: bo, reason: mark }),
    )
  }
  await appendLedger(
    deps.store,
    'acme',
    [1, 2, 3].map((n) => aDraft(n)),
  )
  const { runId: run, applyId: apply } = ids
  const drafts = [1, 2, 3].map((n) =>
    aDraft(n, { workspace: other, runId: run, applyId: apply, actor: bo, reason: mark }),
  )
  await appendLedger(deps.store, other, drafts)
  for (const [workspace, name] of [
    ['acme', 'main'],
    [other, mark],
  ] as const) {
    const base = await loadRecorded(deps.store, workspace)
    const change = { put: [aResource(name)], remove: [] }
    const document = documentOf(await saveRecorded(deps.store, base, change, { lineage: `lineage-${name}` }))
    const wish = { id: anId(905), at: '2099-01-01T00:00:00.000Z', before: 'moved', actor: bo, reason: mark } as const
    if (workspace === other) await mustCommit(deps.store, (await backupChanges({ ...wish, document })).changes, 'it')
  }
})

const fill = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `no value for ${name}`)
const bodyOf = ({ id, bodies }: Route) => {
  const json = bodies['application/json']?.example as object | undefined
  const valid: Readonly<Record<string, object>> = {
    requestApply: { digest: plan.digests.commands },
    snoozeEpisode: { until: new Date(Date.now() + 60_000).toISOString() },
  }
  return json === undefined ? {} : { json: { ...json, ...valid[id] } }
}
const ask = (route: Route, path: string, scope: string, query?: string): Promise<Called> =>
  call(route.method, path, { scope, ...bodyOf(route), ...(query === undefined ? {} : { query }) })
/** What was told beyond what the caller said, cursors read too. */
const told = ({ text, headers, json }: Called, ...given: readonly string[]): string => {
  const next = Buffer.from(String(json['next'] ?? ''), 'base64url').toString('utf8')
  return given.reduce((rest, each) => rest.replaceAll(each, ''), `${text} ${JSON.stringify(headers)} ${next}`)
}

const guarded = routes.filter(({ scope }) => scope !== null)
const inWorkspace = guarded.filter(({ path }) => path.includes('{workspace}'))
const namesOf = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
const cases = (of: readonly Route[]) => of.map((route) => [route.id, route] as const)

test('every parameter that names an object is in the table', () => {
  const inPath = new Set(guarded.flatMap(({ path }) => namesOf(path)))
  expect([...inPath].sort()).toEqual(Object.keys(ids).sort())
  const inQuery = new Set(guarded.flatMap(({ query }) => Object.keys(query.shape)))
  expect([...inQuery].sort()).toEqual(['cursor', ...Object.keys(queried), ...plain].sort())
})

test.each(cases(inWorkspace))('%s of another workspace is refused, and reveals nothing of it', async (_, route) => {
  const query = 'reason' in route.query.shape ? 'reason=why' : undefined
  const answer = await ask(route, fill(route.path, ids), rights, query)
  expect(answer).toMatchObject({ status: 403, json: { code: 'SCOPE_MISSING' } })
  expect(told(answer, other)).not.toContain(mark)
})

test.each(cases(inWorkspace.filter(({ path }) => namesOf(path).length > 1)))(
  '%s of the own workspace accepts no id of another, also for a caller who may read both',
  async (_, route) => {
    for (const scope of [rights, 'read check apply']) {
      const answer = await ask(route, fill(route.path, { ...ids, workspace: 'acme' }), scope)
      expect(answer.status).toBe(404)
      expect(told(answer)).not.toContain(mark)
    }
    // The same ids, asked for where they are, are found.
    const found = await ask(route, fill(route.path, ids), route.scope ?? '')
    expect(found.status).toBe(route.id === 'requestUndo' ? 202 : 200)
  },
)

test('an apply of the own workspace accepts no digest of another', async () => {
  for (const route of routes.filter(({ id }) => id === 'requestApply')) {
    const answer = await ask(route, fill(route.path, { workspace: 'acme' }), 'read check apply')
    expect(answer).toMatchObject({ status: 404, json: { code: 'PLAN_NOT_FOUND' } })
    expect(told(answer)).not.toContain(mark)
  }
})

const reads = inWorkspace.filter(({ method }) => method === 'GET')
const asked = reads.flatMap((route) =>
  Object.keys(route.query.shape).flatMap((name) =>
    queried[name] === undefined ? [] : [[route.id, name, queried[name], route] as const],
  ),
)

test.each(asked)('%s?%s=%s finds nothing of another workspace', async (_, name, value, route) => {
  const path = fill(route.path, { workspace: 'acme', runId: anId(1), applyId: anId(1) })
  const answer = await ask(route, path, rights, `${name}=${encodeURIComponent(value)}`)
  expect([200, 400, 404]).toContain(answer.status)
  expect(told(answer, value)).not.toContain(mark)
})

const lists = reads.filter(({ query }) => 'cursor' in query.shape)
test.each(cases(lists))('%s accepts no cursor of another workspace', async (id, route) => {
  const page = await ask(route, fill(route.path, ids), 'read', 'limit' in route.query.shape ? 'limit=1' : undefined)
  const cursor = String(page.json['next'] ?? writeCursor(['export', other, {}], '1'))
  const back = await ask(route, fill(route.path, ids), 'read', `cursor=${cursor}`)
  expect([id, back.status]).toEqual([id, 200])
  for (const scope of [rights, 'read']) {
    const answer = await ask(route, fill(route.path, { workspace: 'acme' }), scope, `cursor=${cursor}`)
    expect(answer).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } })
    expect(told(answer, cursor)).not.toContain(mark)
  }
})

test('the list of workspaces contains no other, on no page and in no cursor', async () => {
  const after = writeCursor(['workspaces'], 'a')
  for (const query of [
    undefined,
    'limit=1',
    `limit=1&cursor=${after}`,
    `previewOf=${other}`,
    `cursor=${writeCursor(['workspaces'], other)}`,
  ]) {
    const answer = await call('GET', '/v1/workspaces', { scope: rights, ...(query === undefined ? {} : { query }) })
    expect(answer.status).toBe(200)
    expect(told(answer)).not.toContain(mark)
  }
})

test('nothing of another workspace was changed by a caller without the right', async () => {
  const answer = await call('GET', `/v1/workspaces/${other}`, { scope: 'read' })
  expect(answer).toMatchObject({ status: 200, json: { updatedBy: bo } })
  expect(answer.json).not.toHaveProperty('paused')
  const applies = await call('GET', `/v1/workspaces/${other}/applies`, { scope: 'read' })
  expect(applies.json['items']).toHaveLength(2)
})
