import { expect } from 'vitest'
import { digest } from '../../../core/engine/json/digest.ts'
import { savePlan } from '../../../core/engine/plan/saved-plan.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { forgetRecords } from '../../../core/engine/workflows/state/forget-records.ts'
import { importState, type StateSource } from '../../../core/engine/workflows/state/import-state.ts'
import { exportState } from '../../../core/engine/workflows/state/read-state.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor } from '../../builders/workspaces/workspace.ts'
import { prove } from '../prove.ts'
import { aThing, aWorld } from '../world.ts'
import { state } from './state.ts'

const workspace = 'things'
const secret = 'never-shown-anywhere'
const by = { workspace, actor, reason: 'test' }

/** A stored workspace with one applied thing that has a secret. */
const applied = async () => {
  const resources = [aThing('a', { size: 1, token: { secret: 'env:TOKEN' } })]
  const attributes = 'size: { type: number }\ntoken: { sensitive: true }'
  const world = await aWorld({ attributes, resources, secrets: { 'env:TOKEN': secret } })
  await putWorkspace({ bundle: world.current.bundle, actor }, world.deps)
  await world.checkAndApply()
  const exported = () => exportState(world.deps.store, workspace)
  const restore = (source: StateSource) => importState({ ...by, source }, world.deps)
  return { ...world, exported, restore }
}

const executing = (commands: string) => ({ ...by, mode: 'execute' as const, digest: commands })

prove(state, {
  write: async () => {
    await using world = await applied()
    const before = await world.exported()
    expect(JSON.stringify(before)).not.toContain(secret)
    expect(before.resources[0]?.attributes['token']).toMatchObject({ $sealed: expect.stringContaining('hmac') })
    const { backup } = await forgetRecords({ ...by, addresses: ['api_thing.a'] }, world.deps)
    expect((await world.exported()).resources).toEqual([])
    await world.restore({ backup: backup?.id ?? '' })
    expect((await world.exported()).resources).toEqual(before.resources)
  },
  lock: async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 1 })] })
    const commands = (await world.check()).digest
    const [first, second] = await Promise.all([1, 2].map(() => requestApply(executing(commands), world.deps)))
    let refused: Promise<string> | undefined
    world.server.behaviour.before = ({ method }) => {
      if (method !== 'PUT' || second === undefined) return
      refused ??= runApply({ workspace, applyId: second.id }, world.deps).then(String, String)
    }
    const ended = await runApply({ workspace, applyId: first?.id ?? '' }, world.deps)
    expect([ended.status, world.sent()]).toEqual(['succeeded', ['PUT /things/a']])
    expect(await refused).toContain(`workspace ${workspace} is locked by ${first?.id}`)
  },
  serial: async () => {
    await using world = await applied()
    const serial = async () => (await world.exported()).serial
    const before = await serial()
    world.want([aThing('a', { size: 2, token: { secret: 'env:TOKEN' } })])
    await world.checkAndApply()
    const after = await serial()
    expect(after).toBeGreaterThan(before)
    await world.check()
    const [settled, again] = [await serial(), await world.check().then(serial)]
    expect(again).toBe(settled)
  },
  'hash of attributes': async () => {
    await using world = await applied()
    const { digest: whole, ...document } = await world.exported()
    const [resource] = document.resources
    const turned = Object.fromEntries(Object.entries(resource?.attributes ?? {}).toReversed())
    expect([resource?.digest, whole]).toEqual([digest(turned), digest(document)])
  },
  'digest of the state': async () => {
    await using world = await applied()
    world.want([aThing('a', { size: 2, token: { secret: 'env:TOKEN' } })])
    const { run, plan } = await world.check()
    const { commandsDigest, runId, basis } = savePlan(run, plan, '2026-11-22T06:00:00.000Z')
    world.put('a', { size: 3, token: secret })
    const { id } = await requestApply({ ...executing(commandsDigest), runId, basis }, world.deps)
    const { error } = await runApply({ workspace, applyId: id }, world.deps)
    expect(error).toMatchObject({ code: 'SAVED_PLAN_STALE', message: expect.stringContaining('observed objects') })
    for (const part of ['lineage', 'configuration (', 'engine version']) expect(error?.message).not.toContain(part)
  },
  'guard of the project': async () => {
    await using world = await applied()
    const foreign = { workspace: 'other', lineage: '3f6f1c9e-6a52-4b57-9d0e-0a2f4f1f7f60' }
    for (const [member, value] of Object.entries(foreign)) {
      const { digest: _, ...document } = { ...(await world.exported()), [member]: value }
      const source = { document: { ...document, digest: digest(document) } }
      await expect(world.restore(source)).rejects.toMatchObject({ code: 'STATE_FOREIGN' })
    }
  },
})
