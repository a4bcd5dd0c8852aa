import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import type { RecordedResource } from '../../../../core/engine/schema/resource.ts'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { createApply, listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { acquireLock } from '../../../../core/engine/state/applies/lock.ts'
import {
  dropUnfinished,
  listUnfinished,
  unfinishedWrite,
} from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { usualRetention } from '../../../../core/engine/state/retention.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import type { Store } from '../../../../core/engine/state/store/store.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { forgetRecords } from '../../../../core/engine/workflows/state/forget-records.ts'
import { moveRecord } from '../../../../core/engine/workflows/state/move-record.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { untilDeath } from '../../../builders/time/crash-point.ts'
import { anApply, aResource } from '../../../builders/values/records.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

let world: StateWorld
const reason = 'team B has it now'
const recorded = () => loadRecorded(world.deps.store, world.workspace)
const addresses = async () => (await recorded()).resources.map(({ address }) => address)
const entries = () => Array.fromAsync(readLedger(world.deps.store, world.workspace))
const records = () => openRecords(world.deps.store, world.workspace)
const forget = (...given: readonly string[]) =>
  forgetRecords({ workspace: world.workspace, actor: approver, reason, addresses: given }, world.deps)
const save = async (...put: readonly RecordedResource[]) =>
  saveRecorded(world.deps.store, await recorded(), { put, remove: [] }, { lineage: 'first' })

beforeEach(async () => {
  world = await stateWorld(['a', 'b'])
  world.write('a', 'right')
  world.write('b', 'right')
  await world.check()
})
afterEach(async () => {
  const ledger = readWholeLedger(world.deps.store, world.workspace)
  expect(await verify(ledger, { workspace: world.workspace })).toMatchObject({ ok: true })
  world.folder.remove()
})

describe('a forgotten resource', () => {
  it('has its backup as long as the deployment says', async () => {
    const deps = { ...world.deps, retention: { ...usualRetention, backupDays: 2 } }
    const request = { workspace: world.workspace, actor: approver, reason, addresses: ['host_file.a'] }
    expect(await forgetRecords(request, deps)).toMatchObject({ backup: { until: '2026-11-23T06:00:00.000Z' } })
  })
  it('is each instance, or all that is in a module, where the address names these', async () => {
    const at = (address: string) => ({ ...aResource('x'), address })
    const kept = ['pdns_zone.mains["a"]', 'module.ab.pdns_zone.x', 'module.s["eu"].pdns_zone.x["b"]'].map(at)
    const inModules = ['module.a["k"].pdns_zone.x', 'module.a.module.b.pdns_zone.x (object 2)']
    const gone = ['pdns_zone.main["a"]', ...inModules, 'module.s["e*"].pdns_zone.x'].map(at)
    await save(...kept, ...gone)
    const { addresses: told = [] } = await forget('pdns_zone.main', 'module.a', 'module.s["e*"]')
    expect(told.toSorted()).toEqual(gone.map(({ address }) => address).toSorted())
    expect((await addresses()).toSorted()).toEqual(
      ['host_file.a', 'host_file.b', ...kept.map(({ address }) => address)].toSorted(),
    )
  })

  it('has no record any more; its object stays; the ledger says who and why; a backup has what was there', async () => {
    const before = await recorded()
    const document = await (await records()).exportState()
    const changed = await forget('host_file.a')
    expect(changed).toMatchObject({
      workspace: 'acme',
      change: 'forgotten',
      addresses: ['host_file.a'],
      before: before.serial,
      after: before.serial + 1,
      backup: { until: '2027-02-19T06:00:00.000Z' },
    })
    expect(await recorded()).toMatchObject({ serial: before.serial + 1, lineage: before.lineage })
    expect(await addresses()).toEqual(['host_file.b'])
    expect(existsSync(join(world.folder.path, 'a'))).toBe(true)
    const state = {
      lineage: before.lineage,
      before: before.serial,
      after: before.serial + 1,
      addresses: ['host_file.a'],
    }
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'forgotten',
      actor: approver,
      reason,
      state: { ...state, backup: changed.backup?.id },
    })
    const backups = await (await records()).backups()
    expect(backups).toMatchObject([
      { id: changed.backup?.id, serial: before.serial, resources: 2, actor: approver, reason },
    ])
    expect(await (await records()).exportState(changed.backup?.id)).toEqual(document)
  })

  it('is one of many where a pattern names them', async () => {
    expect(await forget('host_file.*')).toMatchObject({ addresses: ['host_file.a', 'host_file.b'] })
    const moved = { workspace: world.workspace, actor: approver, reason, from: 'host_file.*', to: 'host_file.c' }
    await expect(moveRecord(moved, world.deps)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' })
  })

  it('is forgotten also after an apply whose process was killed, which is ended by that', async () => {
    const { deps, workspace } = world
    world.write('a', 'wrong')
    await world.check()
    const { id } = await world.request()
    const [unfinished] = (await listUnfinished(deps.store)).items
    if (unfinished !== undefined) await dropUnfinished(deps.store, unfinished)
    await untilDeath(deps, { at: 'attempt', n: 1, when: 'after' }, (dying) =>
      runApply({ workspace, applyId: id }, dying),
    )
    world.clock.forward(121_000)
    // The lock of the dead process is watched for the length of its lease before it is taken.
    for (const _time of [1, 2]) await expect(forget('host_file.a')).rejects.toMatchObject({ code: 'LOCKED' })
    expect(await forget('host_file.a')).toMatchObject({ addresses: ['host_file.a'] })
    const [ended] = (await listApplies(deps.store, workspace, { limit: 1 })).items
    expect(ended).toMatchObject({ id, status: 'failed', outcomes: [{ status: 'unknown' }] })
  })

  it('is recorded again by the next check while it is configured, and left alone when it is not', async () => {
    await forget('host_file.a', 'host_file.b')
    expect(await addresses()).toEqual([])
    await world.configure(['a'])
    const { run } = await world.check()
    expect(run.status).toBe('in_sync')
    expect(await addresses()).toEqual(['host_file.a'])
    expect(existsSync(join(world.folder.path, 'b'))).toBe(true)
  })

  it('takes the records of its successors with it; a successor can be forgotten alone', async () => {
    const successor = (n: string) => ({
      ...aResource('x'),
      address: `host_file.a (object ${n})`,
      doubted: 'sent' as const,
    })
    await save(successor('2'), successor('3'), aResource('b'))
    expect(await forget('host_file.a (object 3)')).toMatchObject({ addresses: ['host_file.a (object 3)'] })
    expect(await forget('host_file.a')).toMatchObject({ addresses: ['host_file.a', 'host_file.a (object 2)'] })
    expect(await addresses()).toEqual(['host_file.b', 'pdns_zone.b'])
    await save({ ...successor('2'), address: 'host_file.b (successor 2)' })
    expect(await forget('host_file.b')).toMatchObject({ addresses: ['host_file.b', 'host_file.b (successor 2)'] })
  })

  it('leaves the resources that refer to it in doubt, and nobody else', async () => {
    const parent: RecordedResource = { ...aResource('parent', { name: 'acme.' }), ids: { id: '7' } }
    const child = (name: string, more: Partial<RecordedResource> = {}): RecordedResource => ({
      ...aResource(name, { zone: '7' }),
      refersBy: ['zone'],
      dependsOn: [parent.address],
      ...more,
    })
    await save(
      parent,
      child('child'),
      child('several', { doubted: 'several' }),
      child('ordered', { refersBy: [] }),
      child('other', { attributes: { zone: '8' } }),
    )
    expect((await forget(parent.address)).doubted).toEqual(['pdns_zone.child'])
    const doubts = (await recorded()).resources.map(({ name, doubted }) => [name, doubted])
    expect(doubts).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['child', 'strayed'],
      ['ordered', undefined],
      ['other', undefined],
      ['several', 'several'],
    ])
  })
})

describe('to forget records is refused, and nothing is written,', () => {
  const refused = async (work: Promise<unknown>, error: object) => {
    const [before, count] = [await recorded(), (await entries()).length]
    await expect(work).rejects.toMatchObject(error)
    expect(await recorded()).toEqual(before)
    expect(await entries()).toHaveLength(count)
    expect(await (await records()).backups()).toEqual([])
  }

  it('for an unknown address, also beside known ones', () =>
    refused(forget('host_file.a', 'host_file.c'), { code: 'RECORD_NOT_FOUND', payload: { address: 'host_file.c' } }))

  it('while somebody holds the lock', async () => {
    const { deps, workspace, clock } = world
    await acquireLock(deps.store, { workspace, holder: 'an apply', leaseMs: 60_000, now: clock.now() })
    await refused(forget('host_file.a'), { code: 'LOCKED', payload: { holder: 'an apply' } })
  })

  it.each([
    ['running', { status: 'running', startedAt: '2026-11-21T06:00:00.000Z' }],
    ['handed over to another worker', { status: 'queued', startedAt: '2026-11-21T06:00:00.000Z' }],
  ] satisfies [string, Partial<Apply>][])('while an apply is %s between two workers', async (_, more) => {
    const begun = anApply(7, more)
    await createApply(world.deps.store, begun, { further: [unfinishedWrite(begun, world.clock.now())] })
    await refused(forget('host_file.a'), { code: 'APPLY_UNFINISHED', payload: { apply: anApply(7).id } })
  })

  it('while an apply sends', async () => {
    world.folder.remove()
    let asked: Promise<unknown> | undefined
    world = await stateWorld(['a'], {
      wire: (inner) => ({
        send: async (request, signal) => {
          if (request.method === 'PUT') {
            asked = forget('host_file.a').catch((error: unknown) => error)
            await asked
          }
          return inner.send(request, signal)
        },
      }),
    })
    world.write('a', 'right')
    await world.check()
    world.write('a', 'wrong')
    const queued = await world.request()
    expect((await world.execute(queued.id)).status).toBe('succeeded')
    expect(await asked).toMatchObject({ code: 'LOCKED', payload: { holder: queued.id } })
    expect(await addresses()).toEqual(['host_file.a'])
  })

  it('for a workspace that was removed, or never stored', async () => {
    const { deps, workspace } = world
    const request = { workspace, actor: approver, reason, addresses: ['host_file.a'] }
    await expect(forgetRecords({ ...request, workspace: 'nobody' }, deps)).rejects.toMatchObject({
      code: 'WORKSPACE_NOT_FOUND',
    })
    await forget('host_file.b')
    await removeWorkspace({ workspace, actor: approver, reason }, deps)
    await expect(forgetRecords(request, deps)).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    expect(await (await records()).backups()).toEqual([])
    const kept = (await deps.store.query({ pk: 'W#acme' })).items.map(({ sk }) => sk)
    expect(kept.filter((sk) => /^(R#|G#|BLOB#|BACKUP#|STATE)/.test(sk))).toEqual([])
  })
})

describe('to forget records beside other writers', () => {
  it('makes an earlier approval invalid: the object that would have been destroyed stays', async () => {
    await world.configure(['a'])
    const queued = await world.request()
    await forget('host_file.b')
    expect(await world.execute(queued.id)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(existsSync(join(world.folder.path, 'b'))).toBe(true)
  })

  it('does not wait for a queued apply that has not begun', async () => {
    await world.write('a', 'wrong')
    await world.request()
    await forget('host_file.b')
    expect((await listApplies(world.deps.store, 'acme', { limit: 5 })).items).toMatchObject([{ status: 'queued' }])
  })

  it('loses nothing that a check records at the same time, and the check loses nothing either', async () => {
    const { store } = world.deps
    let isFirst = true
    const racing: Store = {
      ...store,
      write: async (writes) => {
        if (isFirst && writes.some((write) => write.kind === 'put' && write.item.sk.startsWith('BACKUP#'))) {
          isFirst = false
          await save(aResource('late'))
        }
        return store.write(writes)
      },
    }
    const request = { workspace: world.workspace, actor: approver, reason, addresses: ['host_file.a'] }
    const changed = await forgetRecords(request, { ...world.deps, store: racing })
    expect(isFirst).toBe(false)
    expect(changed.after).toBe(changed.before + 1)
    expect(await addresses()).toEqual(['host_file.b', 'pdns_zone.late'])
    const [backup, ...others] = await (await records()).backups()
    expect(others).toEqual([])
    expect(backup).toMatchObject({ serial: changed.before, resources: 3 })
  })
})
