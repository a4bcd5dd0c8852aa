import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import type { RecordedResource } from '../../../../core/engine/schema/resource.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { loadRecorded, saveRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { moveRecord } from '../../../../core/engine/workflows/state/move-record.ts'
import { aResource } from '../../../builders/values/records.ts'
import { approver, type StateWorld, stateWorld } from '../../../builders/workspaces/state-world.ts'

let world: StateWorld
const reason = 'it is in a module now'
const recorded = () => loadRecorded(world.deps.store, 'acme')
const entries = () => Array.fromAsync(readLedger(world.deps.store, 'acme'))
const records = () => openRecords(world.deps.store, 'acme')
const move = (from: string, to: string) =>
  moveRecord({ workspace: 'acme', actor: approver, reason, from, to }, world.deps)
const save = async (...put: readonly RecordedResource[]) =>
  saveRecorded(world.deps.store, await recorded(), { put, remove: [] }, { lineage: 'first' })

beforeEach(async () => {
  world = await stateWorld(['a', 'b'])
  world.write('a', 'right')
  world.write('b', 'right')
  await world.check()
})
afterEach(async () => {
  expect(await verify(readWholeLedger(world.deps.store, 'acme'), { workspace: 'acme' })).toMatchObject({ ok: true })
  world.folder.remove()
})

describe('a moved record', () => {
  it('has its new address and everything else as before; the ledger says who and why; a backup has what was there', async () => {
    const document = await (await records()).exportState()
    const [before] = (await recorded()).resources
    const changed = await move('host_file.a', 'host_file.c')
    expect(changed).toMatchObject({ change: 'moved', addresses: ['host_file.a', 'host_file.c'] })
    expect(changed.after).toBe(changed.before + 1)
    const [b, c] = (await recorded()).resources
    expect(b).toMatchObject({ address: 'host_file.b' })
    expect(c).toEqual({ ...before, address: 'host_file.c', name: 'c' })
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'moved',
      actor: approver,
      reason,
      state: { addresses: ['host_file.a', 'host_file.c'], before: changed.before, after: changed.after },
    })
    expect(await (await records()).exportState(changed.backup?.id)).toEqual(document)
  })

  it('is the record of the resource that is declared there: nothing is created and nothing destroyed', async () => {
    await move('host_file.a', 'host_file.c')
    world.current.bundle = {
      entry: 'plumbline.yaml',
      files: {
        'plumbline.yaml': (world.current.bundle.files['plumbline.yaml'] ?? '').replace('name: a,', 'name: c,'),
      },
    }
    const { run, plan } = await world.check()
    expect([run.status, plan?.changes]).toEqual(['in_sync', []])
    expect((await recorded()).resources.map(({ address }) => address)).toEqual(['host_file.b', 'host_file.c'])
  })

  it('makes an approval from before invalid: what would have been created and destroyed is the same object', async () => {
    const renamed = (world.current.bundle.files['plumbline.yaml'] ?? '').replace('name: a,', 'name: c,')
    world.current.bundle = {
      entry: 'plumbline.yaml',
      files: { 'plumbline.yaml': renamed.replace('path: a', 'path: c') },
    }
    const queued = await world.request()
    await move('host_file.a', 'host_file.c')
    expect(await world.execute(queued.id)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    const { plan } = await world.check()
    expect(plan?.changes).toMatchObject([{ address: 'host_file.c', action: 'replace' }])
  })

  it.each([
    ['module.prod["eu/west"].host_file.main["ü 1"]', { name: 'main', module: 'module.prod["eu/west"]' }],
    ['module.a.module.b["x"].host_file.main', { name: 'main', module: 'module.a.module.b["x"]' }],
    ['host_file.main["\\u0061"]', { name: 'main', address: 'host_file.main["a"]' }],
  ])('goes into modules and instances: %s', async (to, expected) => {
    await move('host_file.a', to)
    const { addresses = [] } = (await entries()).at(-1)?.state ?? {}
    const found = (await recorded()).resources.find(({ address }) => address === addresses[1])
    expect(found).toMatchObject({ address: to, ...expected })
    await move(to, 'host_file.a')
    expect((await recorded()).resources[0]).not.toHaveProperty('module')
  })

  it('takes its successors along, and its dependents follow', async () => {
    const from = aResource('old')
    const successor = { ...from, address: `${from.address} (object 3)`, doubted: 'sent' as const, sentBy: '01J' }
    const child = { ...aResource('child'), refersBy: ['zone'], dependsOn: ['pdns_zone.x', from.address] }
    const other = { ...aResource('older'), address: 'pdns_zone.older', dependsOn: ['pdns_zone.x'] }
    await save(from, successor, child, other)
    await move(from.address, 'module.m.pdns_zone.new')
    const moved = { name: 'new', module: 'module.m' }
    expect((await recorded()).resources.filter(({ type }) => type === 'pdns_zone')).toEqual([
      { ...from, ...moved, address: 'module.m.pdns_zone.new' },
      { ...successor, ...moved, address: 'module.m.pdns_zone.new (object 3)' },
      { ...child, dependsOn: ['pdns_zone.x', 'module.m.pdns_zone.new'] },
      other,
    ])
  })
})

describe('what an address without an end of its own means', () => {
  const at = (address: string, more: Partial<RecordedResource> = {}) => ({ ...aResource('x'), address, ...more })

  it.each([
    ['pdns_zone.old', 'pdns_zone.new', ['pdns_zone.new["a"]', 'pdns_zone.new["b"]']],
    ['module.a', 'module.z', ['module.z.pdns_zone.x', 'module.z["k"].pdns_zone.x["b"]']],
    ['module.a', 'module.y.module.z["k"]', undefined],
    ['module.a["k"]', 'module.b', ['module.b.pdns_zone.x["b"]']],
    ['module.s["e*"]', 'module.b', ['module.b.pdns_zone.x']],
  ])('%s moves to %s with all that is in it', async (from, to, expected) => {
    await save(
      at('pdns_zone.old["a"]'),
      at('pdns_zone.old["b"]'),
      at('pdns_zone.older["b"]'),
      at('module.s["e*"].pdns_zone.x', { module: 'module.s["e*"]' }),
      at('module.a.pdns_zone.x', { module: 'module.a' }),
      at('module.a["k"].pdns_zone.x["b"]', { module: 'module.a["k"]', dependsOn: ['module.a.pdns_zone.x'] }),
    )
    const before = await recorded()
    if (expected === undefined) {
      await expect(move(from, to)).rejects.toMatchObject({ code: 'MOVE_REFUSED' })
      expect(await recorded()).toEqual(before)
      return
    }
    expect(await move(from, to)).toMatchObject({ addresses: [from, to] })
    const { resources } = await recorded()
    const moved = resources.filter(({ address }) => expected.includes(address))
    expect(moved.map(({ address, module }) => [address, module])).toEqual(
      expected.map((address) => [address, /^(module.*)\.pdns_zone/.exec(address)?.[1]]),
    )
    expect(resources).toHaveLength(before.resources.length)
    const depending = resources.flatMap(({ dependsOn }) => dependsOn)
    expect(depending).toEqual([from === 'module.a' ? 'module.z.pdns_zone.x' : 'module.a.pdns_zone.x'])
  })

  it('is the record itself where there is one', async () => {
    await save(at('pdns_zone.old'), at('pdns_zone.old["a"]'))
    await move('pdns_zone.old', 'pdns_zone.new')
    expect((await recorded()).resources.filter(({ type }) => type === 'pdns_zone').map((each) => each.address)).toEqual(
      ['pdns_zone.new', 'pdns_zone.old["a"]'],
    )
  })
})

describe('to move a record is refused, and nothing is written:', () => {
  it.each([
    ['host_file.x', 'host_file.y', 'RECORD_NOT_FOUND', 'host_file.x'],
    ['host_file.a', 'host_file.b', 'MOVE_REFUSED', 'something is recorded there'],
    ['host_file.a', 'host_file.a', 'MOVE_REFUSED', 'something is recorded there'],
    ['host_file.a', 'host_file.c', 'MOVE_REFUSED', 'something is recorded there'],
    ['host_file.a', 'pdns_zone.a', 'MOVE_REFUSED', 'the record is a host_file, and the address is that of a pdns_zone'],
    ['host_file.a', 'host_file', 'MOVE_REFUSED', 'not the address of a resource'],
    ['host_file.a', 'module.a', 'MOVE_REFUSED', 'not the address of a resource'],
    ['host_file.a', 'host_file.c (object 2)', 'MOVE_REFUSED', 'not the address of a resource'],
    ['host_file.a', 'host_file.c["a"', 'MOVE_REFUSED', 'not the address of a resource'],
    ['host_file.a', 'host_file.c\n', 'MOVE_REFUSED', 'not the address of a resource'],
    ['host_file.a', 'module.a\nb.host_file.c', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', 'module.a\u202eb.host_file.c', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', 'module.a b["k"].host_file.c', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', 'module.constructor.host_file.c', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', 'host_file.__proto__', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', 'host_file.c[""]', 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', String.raw`host_file.c["a\nb"]`, 'MOVE_REFUSED', 'no configuration can declare'],
    ['host_file.a', `host_file.${'c'.repeat(1_000)}`, 'MOVE_REFUSED', 'no configuration can declare'],
  ])('%j to %j', async (from, to, code, message) => {
    await save({ ...aResource('c'), address: 'host_file.c (object 2)', type: 'host_file', doubted: 'sent' })
    const before = await recorded()
    await expect(move(from, to)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    expect(await recorded()).toEqual(before)
    expect(await entries()).toEqual([])
    expect(await (await records()).backups()).toEqual([])
  })
})
