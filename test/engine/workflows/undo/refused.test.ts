import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { requestUndo } from '../../../../core/engine/workflows/apply/request-undo.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { planUndoOf, takeUndo } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { head, previewWorld } from '../../../builders/workspaces/preview-world.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

describe('an undo meets the policy of its workspace as any apply does', () => {
  /** Of an apply that made `a` larger and created `b` and `c`. */
  const planned = async (policy: JsonObject) => {
    const resources = [aThing('a', { size: 2 }), aThing('b', { size: 1 }), aThing('c', { size: 1 })]
    const world = await aWorld({ resources, live: { a: { size: 1 } } })
    const { apply } = await world.checkAndApply()
    world.want(resources, { policy })
    world.clock.forward(60_000)
    const { plan } = await planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
    world.clock.forward(1_000)
    return { ...world, plan }
  }

  it.each<[string, JsonObject, RegExp]>([
    ['maxChanges', { maxChanges: 2 }, /3 commands.*2/],
    ['allowGrades', { allowGrades: ['reversible'] }, /is lossy/],
    ['maxRemovals', { maxRemovals: 1 }, /2 .*1/],
  ])('refuses too much by %s', async (_, policy, why) => {
    await using site = await planned(policy)
    expect(site.plan.commands).toHaveLength(3)
    expect(site.plan.refused).toMatch(why)
    const sent = site.sent().length
    const apply = await site.apply(site.plan.digests.commands)
    expect(apply).toMatchObject({ status: 'refused', error: { code: 'POLICY_REFUSED' } })
    expect(apply.error?.message).toContain(site.plan.refused)
    expect(site.sent()).toHaveLength(sent)
  })

  it('is refused to a caller who may not approve what is lossy', async () => {
    await using site = await planned({})
    const digest = site.plan.digests.commands
    const asked = { workspace: 'things', mode: 'execute', digest, reason: 'test', actor } as const
    await expect(requestApply({ ...asked, grades: ['reversible'] }, site.deps)).rejects.toMatchObject({
      code: 'SCOPE_MISSING',
    })
    await expect(requestApply({ ...asked, grades: ['reversible', 'lossy'] }, site.deps)).resolves.toBeDefined()
  })
})

const zone = (name: string, note: string): string =>
  `  - { type: z_zone, name: ${name}, spec: { name: ${name}, note: ${note} } }\n`
const text = (...zones: readonly string[]): string => `${head}resources:\n${zones.join('')}`

const played = () => {
  const world = previewWorld()
  const { deps, clock } = world
  const applied = async (workspace: string): Promise<string> => {
    clock.forward(60_000)
    await world.apply(workspace)
    clock.forward(60_000)
    const { items } = await listApplies(deps.store, workspace, { limit: 1 })
    expect(items).toMatchObject([{ status: 'succeeded' }])
    return items[0]?.id ?? ''
  }
  const plan = async (workspace: string, applyId: string) =>
    (await planUndoOf({ workspace, applyId, trigger: 'cli', actor }, deps)).plan
  const send = async (workspace: string, digest: string) => {
    clock.forward(1_000)
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, deps)
    return runApply({ workspace, applyId: id, patient: true }, deps)
  }
  return { ...world, applied, plan, send }
}

describe('an undo in a preview', () => {
  const overlay = 'rename: [{ address: "z_zone.*", attribute: name, to: "${slug}-${value}" }]\n'
  const id = 'acme--login'
  const opened = async () => {
    const world = played()
    await world.push(text(zone('main', 'one')))
    await world.applied('acme')
    await world.preview(text(zone('main', 'one')), overlay)
    return { ...world, applyId: await world.applied(id) }
  }

  it('removes the objects of the preview, and nothing of its base', async () => {
    const world = await opened()
    const { plan, send, api, applyId } = world
    const { digests, changes } = await plan(id, applyId)
    expect(changes).toMatchObject([{ address: 'z_zone.main', action: 'delete' }])
    expect(await send(id, digests.commands)).toMatchObject({ status: 'succeeded' })
    expect([...api.objects.keys()]).toEqual(['/main/zones/main'])
  })

  it('leaves alone what the base has declared since', async () => {
    const { push, plan, api, applyId } = await opened()
    await push(text(zone('main', 'one'), zone('login-main', 'one')))
    const { commands, changes } = await plan(id, applyId)
    expect(commands).toEqual([])
    expect(changes[0]?.blocked?.detail).toContain('acme')
    expect(api.objects.has('/main/zones/login-main')).toBe(true)
  })
})

it('an undo does not delete an object that another workspace manages too', async () => {
  const { push, applied, plan, check } = played()
  await push(text(zone('main', 'one')))
  const applyId = await applied('acme')
  expect((await plan('acme', applyId)).commands).toHaveLength(1)
  await push(text(zone('main', 'one')).replace('workspace: acme', 'workspace: beta'))
  await check('beta')
  const { commands, changes } = await plan('acme', applyId)
  expect(commands).toEqual([])
  expect(changes).toMatchObject([
    {
      blocked: { reason: 'not_undone', detail: expect.stringContaining('beta manages it too (z_zone.main)') as string },
    },
  ])
})

describe('the undo of an apply that cannot be undone', () => {
  it('is refused for an apply of a workspace that was removed, also if there is another one of its name', async () => {
    const { push, applied, plan, remove, clock, deps } = played()
    await push(text(zone('main', 'one')))
    const applyId = await applied('acme')
    await remove('acme')
    await expect(plan('acme', applyId)).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    await expect(requestUndo({ workspace: 'acme', applyId, actor }, deps)).rejects.toMatchObject({
      code: 'WORKSPACE_REMOVED',
    })
    clock.forward(60_000)
    await push(text(zone('main', 'one')), { reuse: { reason: 'again' } })
    await expect(plan('acme', applyId)).rejects.toMatchObject({
      code: 'UNDO_IMPOSSIBLE',
      message: expect.stringContaining('a former workspace of this name') as string,
    })
  })

  it('is refused where nobody asked for it', async () => {
    const { push, applied, deps } = played()
    await push(text(zone('main', 'one')))
    const undo = await applied('acme')
    const message = { workspace: 'acme', undo, scheduledFor: deps.clock.now().toISOString() }
    await expect(takeUndo(message, deps)).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    expect(await takeUndo({ ...message, actor }, deps)).toMatchObject({ undoes: undo, status: 'changes', actor })
  })
})
