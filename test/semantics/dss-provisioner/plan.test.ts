import { expect } from 'vitest'
import { readSavedPlan, savePlan } from '../../../core/engine/plan/saved-plan.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { forgetRecords } from '../../../core/engine/workflows/state/forget-records.ts'
import { exportState } from '../../../core/engine/workflows/state/read-state.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor } from '../../builders/workspaces/workspace.ts'
import { prove } from '../prove.ts'
import { aThing, aWorld, judge } from '../world.ts'
import { plan } from './plan.ts'
import { aDataset, aProject, inProject } from './project.ts'

const workspace = 'things'
const of = (...names: readonly string[]) => names.map((name) => aThing(name, { size: 1 }))

/** Things that were applied, in a workspace that is stored. */
const settled = async (...names: readonly string[]) => {
  const world = await aWorld({ resources: of(...names) })
  await putWorkspace({ bundle: world.current.bundle, actor }, world.deps)
  await world.checkAndApply()
  world.server.received.splice(0)
  return world
}

type World = Awaited<ReturnType<typeof settled>>

const saved = async ({ check }: World) => {
  const found = await check()
  return savePlan(found.run, found.plan, '2026-11-22T06:00:00.000Z')
}

const applySaved = async (
  { deps }: World,
  { commandsDigest: digest, runId, basis }: Awaited<ReturnType<typeof saved>>,
) => {
  const { id } = await requestApply({ workspace, mode: 'execute', digest, runId, basis, reason: 'r', actor }, deps)
  return runApply({ workspace, applyId: id }, deps)
}

prove(plan, {
  refresh: async () => {
    await using world = await settled('a', 'b')
    for (const status of [401, 403, 500]) {
      world.server.behaviour.route = () => ({ status, body: '{}' })
      const { plan: blind } = await world.check()
      expect([blind.unchecked.length, blind.changes, blind.commands, blind.inSync]).toEqual([2, [], [], false])
    }
    world.server.behaviour.route = () => undefined
    expect((await world.check()).plan).toMatchObject({ inSync: true, drift: [] })
  },
  'writes of a plan': async () => {
    await using world = await settled('a')
    world.put('a', { size: 2 })
    for (const _ of [1, 2]) {
      const { plan: found } = await world.check()
      expect(found.drift).toMatchObject([{ address: 'api_thing.a', kind: 'changed' }])
    }
    expect(world.server.writes()).toEqual([])
  },
  adoption: async () => {
    const values = { attributes: 'size: { type: number }', desired: { size: 1 }, live: { size: 1 } }
    expect(await judge(values)).toMatchObject({ action: 'none', inSync: true })
    expect(await judge({ ...values, more: 'lifecycle: { adopt: false }' })).toMatchObject({
      action: 'blocked',
      sent: [],
    })
  },
  validation: async () => {
    await using world = await aWorld({
      resources: [aThing('a', { size: 'large' }), aThing('b', { other: 1 }), aThing('c')],
    })
    const refused = await world.check().then(String, String)
    for (const named of ['large', 'other', 'plumbline.yaml:1']) expect(refused).toContain(named)
  },
  classification: async () => {
    const act = async (facts: string) =>
      (await judge({ attributes: `a: {}\nb: { default: x${facts} }`, desired: { a: '1' }, live: { a: '1', b: 'y' } }))
        .action
    expect([await act(''), await act(', whenUndeclared: default')]).toEqual(['none', 'update'])
  },
  'compare strategies': async () => {
    const act = async (facts: string, desired: JsonObject['a'], live: JsonObject['a']) =>
      (await judge({ attributes: `a: { ${facts} }`, desired: { a: desired ?? null }, live: { a: live ?? null } }))
        .action
    expect(await act('type: any, partial: true', { x: { y: 1 } }, { x: { y: 1, z: 2 }, w: 3 })).toBe('none')
    expect(await act('type: set, element: { type: any }', [{ p: 1 }, { q: 2 }], [{ q: 2 }, { p: 1 }])).toBe('none')
    expect(await act('type: set', ['x'], ['x', 'x'])).toBe('update')
    expect(await act('type: map', { x: '1' }, { x: '1', y: '2' })).toBe('update')
  },
  'column defect': async () => {
    const columns = [{ name: 'a', type: 'string' }]
    await using world = await aProject(aDataset('d', { columns }), aDataset('e'))
    await world.checkAndApply()
    await world.send('PUT', '/datasets/e/schema', { columns, userModified: true })
    expect((await world.check()).plan).toMatchObject({ inSync: true, commands: [] })
  },
  'desired echo': async () => {
    const triggers = [{ type: 'temporal', params: { hour: 2 } }]
    const script = inProject('scenario', 's', { type: 'step_based', triggers })
    const library = inProject('git_library', 'l', {
      path: 'l',
      repository: 'https://git.example.com/l.git',
      checkout: 'main',
      addToPythonPath: true,
    })
    const { name: _, ...spec } = library['spec'] as JsonObject
    await using world = await aProject(script, { ...library, spec })
    await world.checkAndApply()
    const [id = ''] = world.project().scenarios.keys()
    await world.send('PUT', `/scenarios/${id}`, { ...world.project().scenarios.get(id)?.definition, triggers: [] })
    const { plan: found } = await world.check()
    expect(found.drift).toMatchObject([{ address: 'dss_scenario.s' }])
    expect(found.unobserved).toMatchObject([{ address: 'dss_git_library.l', path: ['addToPythonPath'] }])
  },
  'project variables': async () => {
    const values = {
      attributes: 'path: {}',
      more: 'expansion: { attributes: [path], values: { projectKey: P } }',
      desired: { path: '/data/$${projectKey}' },
    }
    expect((await judge({ ...values, live: { path: '/data/P' } })).action).toBe('none')
    const { action, stored } = await judge({ ...values, live: { path: '/data/Q' } })
    expect([action, stored]).toEqual(['update', { path: '/data/${projectKey}' }])
  },
  'plan of a destroy': async () => {
    await using world = await aWorld({
      resources: [...of('a'), aThing('b', { size: 1 }, { dependsOn: ['api_thing.a'] })],
    })
    await world.checkAndApply()
    world.want([])
    const { plan: found, apply } = await world.checkAndApply()
    expect(found.orphans).toMatchObject([{ fate: 'delete' }, { fate: 'delete' }])
    expect([apply.status, world.sent().slice(2)]).toEqual(['succeeded', ['DELETE /things/b', 'DELETE /things/a']])
  },
  'plan file': async () => {
    await using world = await settled('a')
    world.want([aThing('a', { size: 2 })])
    const file = await saved(world)
    const text = JSON.stringify(file)
    expect(readSavedPlan('p.json', text)).toEqual(file)
    expect(() => readSavedPlan('p.json', text.replace(file.runId, file.runId.toLowerCase()))).toThrow()
    const newer = { ...file, basis: { ...file.basis, engineVersion: '99.0.0' } }
    expect((await applySaved(world, newer)).error?.message).toContain('engine version')
    world.want([aThing('a', { size: 2 }), ...of('b')])
    expect((await applySaved(world, file)).error?.message).toContain('moved since: configuration;')
    expect(world.server.writes()).toEqual([])
  },
  'stale check': async () => {
    await using world = await settled('a')
    world.want([aThing('a', { size: 2 })])
    const { digest } = await world.check()
    world.put('a', { size: 3 })
    expect(await world.apply(digest)).toMatchObject({ status: 'refused' })
    const again = await world.check()
    // Somebody changes it between the plan of the apply and the write.
    let reads = 0
    world.server.behaviour.before = ({ method }) => {
      if (method === 'GET' && ++reads === 2) world.put('a', { size: 4 })
    }
    expect((await world.apply(again.digest)).status).not.toBe('succeeded')
    expect([world.server.writes(), world.bodyOf('a')]).toEqual([[], { size: 4 }])
  },
  'missing state at apply': async () => {
    await using world = await settled('a')
    world.want([aThing('a', { size: 2 })])
    const file = await saved(world)
    await forgetRecords({ workspace, actor, reason: 'lost', addresses: ['api_thing.a'] }, world.deps)
    const { status, error } = await applySaved(world, file)
    expect([status, error?.code, world.server.writes()]).toEqual(['refused', 'SAVED_PLAN_STALE', []])
  },
  apply: async () => {
    await using world = await aWorld({ resources: of('a', 'b', 'c') })
    const { digest } = await world.check()
    const recorded: number[] = []
    const inner = world.deps.transport
    let open = 0
    const watched: typeof inner = (confines) => {
      const transport = inner(confines)
      return {
        send: async (request, ...more) => {
          if (request.effect !== 'write') return transport.send(request, ...more)
          open += 1
          const { resources } = await exportState(world.deps.store, workspace)
          recorded.push(open * 10 + resources.filter(({ lastApplied }) => lastApplied !== undefined).length)
          return transport.send(request, ...more).finally(() => (open -= 1))
        },
      }
    }
    const deps = { ...world.deps, transport: watched }
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, deps)
    expect(await runApply({ workspace, applyId: id }, deps)).toMatchObject({ status: 'succeeded' })
    // One write at a time, and before each all earlier ones are recorded.
    expect(recorded).toEqual([10, 11, 12])
  },
  failure: async () => {
    let isBroken = true
    await using world = await aWorld({
      resources: [...of('a', 'z'), aThing('b', { size: 1 }, { dependsOn: ['api_thing.a'] })],
      server: {
        route: ({ method, url }) =>
          isBroken && method === 'PUT' && url.endsWith('/a') ? { status: 400, body: '{}' } : undefined,
      },
    })
    const first = await world.checkAndApply()
    expect(first.apply.status).toBe('failed')
    expect([world.bodyOf('b'), world.bodyOf('z')]).toEqual([null, { size: 1 }])
    isBroken = false
    const second = await world.checkAndApply()
    expect(second.plan.commands.map(({ address }) => address)).toEqual(['api_thing.a', 'api_thing.b'])
    expect(second.apply.status).toBe('succeeded')
  },
  'immutable attributes': async () => {
    const values = { attributes: 'a: { immutable: true }', desired: { a: 'y' }, live: { a: 'x' } }
    const act = async (onImmutable: string) => {
      const { action, sent } = await judge({ ...values, lifecycle: { onImmutable } })
      return [action, sent]
    }
    expect(await act('report')).toEqual(['blocked', []])
    expect(await act('error')).toEqual(['blocked', []])
    expect(await act('replace')).toEqual(['replace', ['DELETE', 'PUT']])
  },
  'absent features': async () => {
    await using world = await settled('a', 'b')
    const locked = aThing('c', {}, { absent: true, lifecycle: { preventDestroy: true } })
    world.put('c', { size: 1 })
    const settings = {
      moved: [{ from: 'api_thing.a', to: 'api_thing.new' }],
      removed: [{ address: 'api_thing.b', reason: 'r' }],
    }
    world.want([{ ...aThing('a', { size: 1 }), name: 'new' }, locked], settings)
    const { plan: found } = await world.check()
    expect(found).toMatchObject({
      moved: [{ from: 'api_thing.a', to: 'api_thing.new' }],
      orphans: [{ address: 'api_thing.b', fate: 'forget', by: 'removed' }],
      changes: [{ address: 'api_thing.c', blocked: { reason: 'prevent_destroy' } }],
      commands: [],
    })
    world.want([aThing('x', { size: 2 }), aThing('y', { size: 2 })], { policy: { maxChanges: 1 } })
    const { digest } = await world.check()
    expect((await world.apply(digest)).error?.code).toBe('POLICY_REFUSED')
  },
})
