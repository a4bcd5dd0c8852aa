import { expect } from 'vitest'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { slowResource, startSlow } from '../builders/servers/slow-things.ts'
import { driveThings } from '../builders/servers/things-api.ts'
import { actor, handingOverIn } from '../builders/workspaces/workspace.ts'
import { prove } from './prove.ts'
import { questions } from './questions.ts'
import { aDocument, aListedType, aThing, aWorld, judge, lists } from './world.ts'

const workspace = 'things'
const after = (name: string, ...on: readonly string[]) =>
  aThing(name, { size: 1 }, { dependsOn: on.map((each) => `api_thing.${each}`) })

prove(questions, {
  'previous state': async () => {
    await using world = await aWorld({ attributes: 'a: {}\nb: {}', resources: [aThing('x', { a: '1', b: '1' })] })
    await world.checkAndApply()
    world.put('x', { a: '2', b: '1' })
    world.want([aThing('x', { a: '1', b: '2' })])
    expect((await world.check()).plan.changes[0]?.causes).toEqual([
      { path: ['a'], cause: 'drift' },
      { path: ['b'], cause: 'pending' },
    ])
  },
  identity: async () => {
    const document = aDocument({ thing: aListedType('size: { type: number }') })
    await using world = await aWorld({ document, resources: [aThing('a', { size: 1 })], server: { route: lists } })
    await world.checkAndApply()
    world.put('1', { id: '1', name: 'renamed', size: 1 })
    const { plan } = await world.checkAndApply()
    expect(plan.changes).toMatchObject([{ address: 'api_thing.a', action: 'update' }])
    expect([world.sent(), world.bodyOf('1')]).toEqual([
      ['POST /things', 'PATCH /things/1'],
      { id: '1', name: 'a', size: 1 },
    ])
  },
  'unmanaged attribute': async () => {
    const of = (b: string) => judge({ attributes: 'a: {}\nb: {}', desired: { a: '2' }, live: { a: '1', b } })
    expect([(await of('x')).stored, (await of('y')).stored]).toEqual([
      { a: '2', b: 'x' },
      { a: '2', b: 'y' },
    ])
  },
  'clearing an attribute': async () => {
    const attributes = 'a: { type: list, leftOut: true }\nb: {}'
    const of = async (desired: Parameters<typeof judge>[0]['desired']) =>
      (await judge({ attributes, desired, live: { a: ['x'], b: 'y' } })).stored
    expect(await of({})).toEqual({ a: ['x'], b: 'y' })
    expect(await of({ a: null })).toEqual({ b: 'y' })
    expect(await of({ a: [] })).toEqual({ a: [], b: 'y' })
  },
  'immutable attribute': async () => {
    const values = { attributes: 'a: { immutable: true }', desired: { a: 'y' }, live: { a: 'x' } }
    expect(await judge(values)).toMatchObject({ action: 'blocked', sent: [] })
    expect(await judge({ ...values, lifecycle: { onImmutable: 'replace' } })).toMatchObject({
      action: 'replace',
      inSync: true,
    })
  },
  'comparison of lists': async () => {
    const element = 'key: [id], element: { type: object, attributes: { id: {}, v: {} } }'
    const of = async (facts: string, desired: object[], live: object[]) =>
      (await judge({ attributes: `a: { ${facts} }`, desired: { a: desired as never }, live: { a: live as never } }))
        .action
    const [p, q] = [
      { id: 'p', v: '1' },
      { id: 'q', v: '1' },
    ]
    expect(await of(`type: set, ${element}`, [p, q], [q, p])).toBe('none')
    expect(await of('type: set, element: { type: any }', [p, p], [p])).toBe('update')
    expect(await of('type: list, element: { type: any }', [p, q], [q, p])).toBe('update')
  },
  'undeclared resources': async () => {
    for (const [orphans, sent] of [
      ['delete', ['DELETE /things/a']],
      ['forget', []],
      ['report', []],
    ] as const) {
      await using world = await aWorld({
        resources: [aThing('a', { size: 1 })],
        settings: { orphans },
        live: { never: { size: 1 } },
      })
      await world.checkAndApply()
      world.want([])
      const { plan } = await world.checkAndApply()
      expect([world.sent().slice(1), plan.orphans?.[0]?.fate, world.bodyOf('never')]).toEqual([
        sent,
        orphans,
        { size: 1 },
      ])
    }
  },
  'output of a check': async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 2 })], live: { a: { size: 1 } } })
    const { plan, digest } = await world.check()
    expect(plan.changes).toMatchObject([{ action: 'update', before: { size: 1 }, after: { size: 2 } }])
    const [planned] = plan.commands.map(
      ({ request: { method, url } }) => `${method} ${String(url).replace(world.server.url, '')}`,
    )
    await world.apply(digest)
    expect(world.sent()).toEqual([planned])
  },
  'order of work': async () => {
    await using world = await aWorld({ resources: [after('a', 'b'), after('b', 'c'), after('c')] })
    await world.checkAndApply()
    world.want([])
    await world.checkAndApply()
    expect(world.sent()).toEqual([
      'PUT /things/c',
      'PUT /things/b',
      'PUT /things/a',
      'DELETE /things/a',
      'DELETE /things/b',
      'DELETE /things/c',
    ])
  },
  'failure of one resource': async () => {
    const route = ({ method, url }: { method: string; url: string }) =>
      method === 'PUT' && url.endsWith('/a') ? { status: 409, body: '{}' } : undefined
    await using world = await aWorld({ resources: [after('a'), after('b', 'a'), after('z')], server: { route } })
    const { apply } = await world.checkAndApply()
    const told = apply.outcomes.map(({ command, status }) => `${command} ${status}`)
    expect(told.toSorted()).toEqual(['api_thing.a#1 failed', 'api_thing.b#1 skipped', 'api_thing.z#1 succeeded'])
  },
  'guard against a stale plan': async () => {
    await using world = await aWorld({
      resources: [aThing('a', { size: 2 }), aThing('b', { size: 2 })],
      live: { a: { size: 1 }, b: { size: 1 } },
    })
    const { digest } = await world.check()
    world.put('b', { size: 3 })
    const { status, error } = await world.apply(digest)
    expect([status, error?.code, world.sent()]).toEqual(['refused', 'STALE_PLAN', []])
    expect(error?.message).toContain('api_thing.b')
  },
  'slow operations': async () => {
    await using slow = await startSlow({ reads: 4 })
    const drive = driveThings(slow, slowResource(), { a: { name: 'a', size: 1 } })
    const { digest } = await drive.check()
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, drive.deps)
    const first = await runApply({ workspace, applyId: id }, handingOverIn(1_000, drive.deps))
    expect([first.status, slow.writes()]).toEqual(['queued', ['POST /things']])
    const ended = await runApply({ workspace, applyId: id, patient: true }, drive.deps)
    expect([ended.status, slow.writes()]).toEqual(['succeeded', ['POST /things']])
  },
  'failed read': async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 1 }), aThing('b', { size: 1 })] })
    await world.checkAndApply()
    world.server.behaviour.route = ({ url }) => (url.endsWith('/a') ? { status: 502, body: '' } : undefined)
    const { plan } = await world.check()
    expect(plan).toMatchObject({ inSync: false, complete: false, changes: [], unchecked: [{ address: 'api_thing.a' }] })
  },
})
