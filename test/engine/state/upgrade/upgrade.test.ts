import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { getApply, listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { getPlan, listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Item } from '../../../../core/engine/state/store/store.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { resendApplies } from '../../../../core/engine/workflows/apply/resend-applies.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { exportState } from '../../../../core/engine/workflows/state/read-state.ts'
import { workspaceHistory } from '../../../../core/engine/workflows/workspace/versions/versions.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { actor, movableClock, testDeps } from '../../../builders/workspaces/workspace.ts'
import { aTarget, note } from './fill-store.ts'

/*
 * A workspace that was left in the middle of everything, and that the next version goes on with: format-3.jsonl is a store of
 * version 0.1.0, written by fill-store.ts.
 */

const stored = readFileSync(join(import.meta.dirname, 'format-3.jsonl'), 'utf8')
const asBytes = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$base64' in value
    ? Uint8Array.from(Buffer.from(String(value.$base64), 'base64'))
    : value
const items = stored
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line, asBytes) as Item)

const thing = (name: string, size: number) => ({ name, size, note })

const open = async () => {
  const clock = movableClock('2026-11-20T10:30:00.000Z')
  const store = memoryStore(clock)
  for (const item of items) await store.write([{ kind: 'put', item }])
  const { held, send } = aTarget()
  for (const [name, size] of [
    ['one', 1],
    ['two', 7],
    ['three', 1],
  ] as const)
    held.set(name, thing(name, size))
  const given = testDeps({ clock, store, transport: () => ({ send }) })
  const deps = { ...given.deps, config: storeSource(store) }
  const check = () => {
    clock.forward(3_600_000)
    return checkWorkspace(
      { workspace: 'acme', trigger: 'schedule', actor, scheduledFor: clock.now().toISOString() },
      deps,
    )
  }
  return { ...given, deps, clock, store, held, check }
}

let world: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  world = await open()
})

it('every record of an earlier version can be read: runs, plans, applies, ledger, versions and state', async () => {
  const { store, deps } = world
  const { items: runs } = await listRuns(store, 'acme', { limit: 100 })
  expect(runs.map(({ status }) => status)).toEqual(['changes', 'changes', 'in_sync', 'in_sync', 'changes'])
  for (const { id } of runs) expect(await getPlan(store, 'acme', id)).toMatchObject({ workspace: 'acme' })
  const { items: applies } = await listApplies(store, 'acme', { limit: 100 })
  expect(applies.map(({ status, mode }) => [status, mode])).toEqual([
    ['queued', 'execute'],
    ['succeeded', 'execute'],
    ['succeeded', 'check'],
  ])
  expect(await verifyLedger({ workspace: 'acme' }, deps)).toMatchObject({ ok: true, entries: 18 })
  expect((await workspaceHistory({ workspace: 'acme', limit: 10 }, deps)).items).toHaveLength(1)
  expect(JSON.stringify(await exportState(store, 'acme'))).toContain('api_thing.three')
})

it('a drift that was known before the upgrade opens no second episode, and its end is reported', async () => {
  const { check, alerts, held } = world
  expect(await check()).toMatchObject({ run: { status: 'changes' } })
  expect(alerts).toEqual([])
  held.set('two', thing('two', 1))
  expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
  expect(alerts).toMatchObject([{ kind: 'resolved', about: 'drift' }])
})

it('an apply that waited for the upgrade is sent once, and the ledger goes on', async () => {
  const { store, deps, clock, queued, held } = world
  expect((await resendApplies(deps)).resent).toHaveLength(1)
  const [message] = queued.apply
  const applyId = message?.applyId ?? ''
  expect(await runApply({ workspace: 'acme', applyId, patient: true }, deps)).toMatchObject({ status: 'succeeded' })
  expect(held.get('two')).toEqual(thing('two', 1))
  expect(await getApply(store, 'acme', applyId)).toMatchObject({ status: 'succeeded', reason: 'before the update' })
  expect(await verifyLedger({ workspace: 'acme' }, deps)).toMatchObject({ ok: true, entries: 23 })
  clock.forward(7_200_000)
  expect((await resendApplies(deps)).resent).toEqual([])
})

it('the commands of a plan from before the upgrade can be approved, and due checks are queued', async () => {
  const { store, deps, clock, held, queued } = world
  const [newest] = (await listRuns(store, 'acme', { limit: 1 })).items
  const digest = newest?.digests?.commands ?? ''
  const { id } = await requestApply({ workspace: 'acme', mode: 'execute', digest, reason: 'after', actor }, deps)
  expect(await runApply({ workspace: 'acme', applyId: id, patient: true }, deps)).toMatchObject({ status: 'succeeded' })
  expect(held.get('two')).toEqual(thing('two', 1))
  // The time that the earlier version left was checked already.
  expect((await enqueueDue({}, deps)).covered).toBe(1)
  clock.forward(3_600_000)
  await enqueueDue({}, deps)
  expect(queued.check.map(({ workspace }) => workspace)).toEqual(['acme'])
})
