import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import { acquireLock, releaseLock } from '../../../../core/engine/state/applies/lock.ts'
import { listUnfinished } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { listWorkspaces } from '../../../../core/engine/state/workspaces/list-workspaces.ts'
import { getWorkspace, loadBundle } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { deliverAlerts } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { findOverdue } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { pauseWorkspace, resumeWorkspace } from '../../../../core/engine/workflows/workspace/manage-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { renderAlert } from '../../../../core/pages/render/plain/render-alert.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const minute = 60_000
const workspace = 'acme'
let folder: ReturnType<typeof temporaryFolder>
let world: ReturnType<typeof testDeps>
let digest: string

const bundle = () =>
  yaml(
    `workspace: acme\nschedule: rate(15 minutes)\nproviders:\n  files: { source: host, with: { root: ${folder.path} } }\nresources:\n  - { type: host_file, name: motd, spec: { path: motd, content: right } }\n`,
  )
const put = (more: { reuse?: { reason: string } } = {}) =>
  putWorkspace({ bundle: bundle(), actor, ...more }, world.deps)
const wish = { workspace, actor, reason: 'it moves' }
const tick = () => enqueueDue({}, world.deps)
const work = () => Promise.all(world.queued.check.splice(0).map((message) => takeCheck(message, world.deps)))
const life = async () =>
  (await Array.fromAsync(readLedger(world.deps.store, workspace)))
    .filter(({ applyId: apply }) => apply === undefined)
    .map(({ kind, actor: by, reason }) => ({ kind, by: by.subject, reason }))
const intact = async () =>
  expect(await verify(readWholeLedger(world.deps.store, workspace), { workspace })).toMatchObject({ ok: true })
const partition = async (prefix: string) =>
  (await world.deps.store.query({ pk: keys.workspace(workspace).pk, prefix, limit: 100 })).items

beforeEach(async () => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'motd'), 'wrong')
  world = testDeps({ bundle: bundle() })
  await put()
  const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, world.deps)
  digest = run.digests?.commands ?? ''
  world.alerts.length = 0
})
afterEach(() => folder.remove())

describe('a paused workspace', () => {
  it('is not checked by its schedule, says who paused it and why, and comes back at once', async () => {
    const { deps, clock, queued } = world
    expect(await pauseWorkspace(wish, deps)).toMatchObject({ paused: { by: actor, reason: 'it moves' } })
    clock.forward(60 * minute)
    expect(await tick()).toMatchObject({ enqueued: [], failures: [], quarantined: [] })
    expect((await listWorkspaces(deps.store, { limit: 5 })).items).toMatchObject([{ paused: { reason: 'it moves' } }])
    expect(await findOverdue({ marginMs: minute }, deps)).toEqual([])
    await pauseWorkspace({ ...wish, reason: 'again' }, deps)
    const resumed = await resumeWorkspace({ ...wish, reason: 'moved' }, deps)
    expect(resumed.paused).toBeUndefined()
    expect(await tick()).toMatchObject({ enqueued: [workspace] })
    expect(queued.check).toHaveLength(1)
    expect(await life()).toEqual([
      { kind: 'paused', by: actor.subject, reason: 'it moves' },
      { kind: 'resumed', by: actor.subject, reason: 'moved' },
    ])
    await intact()
  })
  it('stays paused under a new configuration, and drops the check of the schedule that was queued before', async () => {
    const { deps, clock } = world
    await tick()
    await pauseWorkspace(wish, deps)
    expect(await work()).toEqual([{ kind: 'dropped', why: 'paused' }])
    expect((await getWorkspace(deps.store, workspace)).pendingCheck).toBeUndefined()
    world.current.bundle = yaml('workspace: acme\nschedule: rate(1 minute)\nproviders: {}\nresources: []\n')
    await putWorkspace({ bundle: world.current.bundle, actor }, deps)
    clock.forward(60 * minute)
    expect(await tick()).toMatchObject({ enqueued: [] })
    expect(await takeCheck({ workspace, actor }, deps)).toMatchObject({ kind: 'checked' })
  })
})

describe('an alert of a paused workspace', () => {
  it('says that it is paused, and why', async () => {
    const { deps, alerts } = world
    await pauseWorkspace(wish, deps)
    writeFileSync(join(folder.path, 'motd'), 'right')
    world.clock.forward(minute)
    await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    expect(alerts).toMatchObject([{ kind: 'resolved', paused: { by: actor, reason: 'it moves' } }])
    const [alert] = alerts
    expect(alert && renderAlert(alert, { form: 'text' })).toContain('by local:test: it moves')
  })
})

describe('a removed workspace', () => {
  it('is gone from lists and schedule, its ledger and runs stay, and whoever asks learns who removed it', async () => {
    const { deps, clock } = world
    await removeWorkspace(wish, deps)
    const refused = { code: 'WORKSPACE_REMOVED', status: 410, payload: { by: actor.subject, reason: 'it moves' } }
    expect((await listWorkspaces(deps.store, { limit: 5 })).items).toEqual([])
    clock.forward(60 * minute)
    expect(await tick()).toMatchObject({ enqueued: [], failures: [], quarantined: [] })
    await expect(getWorkspace(deps.store, workspace)).rejects.toMatchObject(refused)
    await expect(loadBundle(deps.store, workspace)).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
    await expect(removeWorkspace(wish, deps)).rejects.toMatchObject(refused)
    await expect(pauseWorkspace(wish, deps)).rejects.toMatchObject(refused)
    await expect(put()).rejects.toMatchObject(refused)
    const request = { workspace, mode: 'execute', digest, reason: 'repair', actor } as const
    await expect(requestApply(request, deps)).rejects.toMatchObject(refused)
    const records = await openRecords(deps.store, workspace)
    expect((await records.runs({ limit: 5 })).items).toHaveLength(1)
    expect(await records.verifyLedger()).toMatchObject({ ok: true, entries: 1 })
    expect(await life()).toEqual([{ kind: 'removed', by: actor.subject, reason: 'it moves' }])
  })
  it('closes its open episodes, and says that it is not watched any more', async () => {
    await removeWorkspace(wish, world.deps)
    await deliverAlerts({ workspace }, world.deps)
    expect(world.alerts).toMatchObject([{ kind: 'resolved', about: 'drift', findings: [{ left: 'removed' }] }])
    const episodes = await (await openRecords(world.deps.store, workspace)).episodes()
    expect(episodes.map(({ status }) => status)).toEqual(['resolved'])
  })
  it('drops a pending check, and refuses an apply that waits, in the ledger too', async () => {
    const { deps } = world
    await tick()
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'repair', actor }, deps)
    await removeWorkspace(wish, deps)
    expect(await work()).toEqual([{ kind: 'dropped', why: 'removed' }])
    const records = await openRecords(deps.store, workspace)
    expect(await records.apply(id)).toMatchObject({ status: 'refused', error: { code: 'WORKSPACE_REMOVED' } })
    expect(await runApply({ workspace, applyId: id }, deps)).toMatchObject({ status: 'refused' })
    expect((await listUnfinished(deps.store)).items).toEqual([])
    expect(await records.verifyLedger()).toMatchObject({ ok: true })
  })
  it('is not removed while an apply runs', async () => {
    const { deps, clock } = world
    const held = await acquireLock(deps.store, { workspace, holder: 'apply-1', leaseMs: 30_000, now: clock.now() })
    await expect(removeWorkspace(wish, deps)).rejects.toMatchObject({ code: 'LOCKED', payload: { holder: 'apply-1' } })
    expect(await life()).toEqual([])
    await releaseLock(deps.store, held)
    await removeWorkspace(wish, deps)
    expect(await life()).toHaveLength(1)
  })
  it('stays removed also where a check ends in the same moment', async () => {
    const { deps } = world
    let left = 2
    const write: typeof deps.store.write = async (writes) => {
      const isRemoval = writes.some((one) => one.kind === 'put' && one.item.sk === keys.removed(workspace).sk)
      if (isRemoval && left > 0) {
        left -= 1
        await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
      }
      return deps.store.write(writes)
    }
    await removeWorkspace(wish, { ...deps, store: { ...deps.store, write } })
    expect(left).toBe(0)
    expect((await life()).map(({ kind }) => kind)).toEqual(['removed'])
    await intact()
  })
  it('gives its name to another one only on an explicit request, with nothing recorded, and the ledger continues', async () => {
    const { deps } = world
    writeFileSync(join(folder.path, 'motd'), 'right')
    await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    expect(await partition('R#')).toHaveLength(1)
    await removeWorkspace(wish, deps)
    expect(await partition('R#')).toEqual([])
    expect(await partition('STATE')).toEqual([])
    await expect(put()).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    expect(await put({ reuse: { reason: 'another one' } })).toMatchObject({ id: workspace })
    expect((await listWorkspaces(deps.store, { limit: 5 })).items).toHaveLength(1)
    await put()
    await pauseWorkspace(wish, deps)
    expect((await life()).map(({ kind }) => kind)).toEqual(['removed', 'reused', 'paused'])
    await intact()
  })
  it('with only its name left is taken out of quarantine', async () => {
    const { deps } = world
    await deps.store.write([{ kind: 'delete', key: keys.workspace(workspace) }])
    expect(await tick()).toMatchObject({ quarantined: [{ workspace }] })
    await removeWorkspace(wish, deps)
    expect(await tick()).toMatchObject({ quarantined: [] })
    await expect(removeWorkspace(wish, deps)).rejects.toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
  })
  it('that is in quarantine comes back with `resume`', async () => {
    const { deps } = world
    const item = await deps.store.get(keys.workspace(workspace))
    const body = item?.['body'] as object
    const write = (schedule: string) =>
      deps.store.write([{ kind: 'put', item: { ...item, ...keys.workspace(workspace), body: { ...body, schedule } } }])
    await write('nonsense')
    expect(await tick()).toMatchObject({ quarantined: [{ workspace }] })
    await write('rate(15 minutes)')
    await resumeWorkspace(wish, deps)
    expect(await tick()).toMatchObject({ enqueued: [workspace], quarantined: [] })
  })
})
