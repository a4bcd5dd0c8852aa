import { expect } from 'vitest'
import { prove } from '../prove.ts'
import { aDocument, aThing, aType, aWorld, judge, lists, taggedType } from '../world.ts'
import { apply } from './apply.ts'

const tagged = (resources: Parameters<typeof aWorld>[0]['resources'], live = {}) =>
  aWorld({ document: aDocument({ thing: taggedType }), resources, live, server: { route: lists } })

prove(apply, {
  create: async () => {
    await using world = await tagged([aThing('a', { size: 1, tags: [{ id: 'x', color: 'red' }] })])
    const { apply: ended } = await world.checkAndApply()
    expect([ended.status, world.sent()]).toEqual(['succeeded', ['PUT /things/a', 'PUT /things/a/tags/x']])
  },
  modify: async () => {
    const { sent, stored } = await judge({
      attributes: 'a: {}\nb: {}\nc: {}',
      desired: { a: '2', b: '2', c: '2' },
      live: { a: '1', b: '1', c: '1' },
    })
    expect([sent, stored]).toEqual([['PUT'], { a: '2', b: '2', c: '2' }])
  },
  'lists apart': async () => {
    await using world = await tagged(
      [
        aThing('a', {
          tags: [
            { id: 'x', color: 'red' },
            { id: 'y', color: 'red' },
          ],
        }),
      ],
      {
        a: { size: 1 },
        'a/tags/y': { id: 'y', color: 'red' },
        'a/tags/z': { id: 'z', color: 'red' },
      },
    )
    await world.checkAndApply()
    expect(world.sent().toSorted()).toEqual(['DELETE /things/a/tags/z', 'PUT /things/a/tags/x'])
  },
  'create again': async () => {
    const values = { attributes: 'a: { immutable: true }\nb: {}', desired: { a: 'y' }, live: { a: 'x', b: 'kept' } }
    const more = (order: string) => `lifecycle: { onImmutable: replace, replace: { order: ${order} } }`
    const { sent, stored } = await judge({ ...values, more: more('deleteFirst') })
    expect([sent, stored]).toEqual([['DELETE', 'PUT'], { a: 'y', b: 'kept' }])
    // The place of the new object is that of the old one, so nothing can be created first.
    const { plan } = await judge({ ...values, more: more('createFirst') })
    expect(plan.commands).toEqual([])
    expect(plan.changes[0]?.blocked).toMatchObject({ reason: 'same_keys', detail: expect.stringContaining('name') })
  },
  destroy: async () => {
    const type = aType('size: { type: number }', 'lifecycle: { beforeDelete: [stop] }').replace(
      'identity:',
      '  stop: { method: POST, path: "/things/{name}/stop" }\nidentity:',
    )
    const document = aDocument({ thing: type })
    await using world = await aWorld({
      document,
      resources: [aThing('a', {}, { absent: true })],
      live: { a: { size: 1 } },
    })
    await world.checkAndApply()
    expect(world.sent()).toEqual(['POST /things/a/stop', 'DELETE /things/a'])
  },
  verification: async () => {
    const secret = 'never-shown-anywhere'
    await using world = await aWorld({
      attributes: 'size: { type: number }\ntoken: { sensitive: true }',
      resources: [aThing('a', { size: 2, token: { secret: 'env:TOKEN' } })],
      live: { a: { size: 1, token: 'another-secret-value' } },
      secrets: { 'env:TOKEN': secret },
      // Takes every write and does nothing with it.
      server: { route: ({ method }) => (method === 'PUT' ? { status: 200, body: '{}' } : undefined) },
    })
    const { apply: ended } = await world.checkAndApply()
    expect(ended).toMatchObject({
      status: 'not_converged',
      left: [{ address: 'api_thing.a', kind: 'differs', paths: ['size', 'token'] }],
    })
    for (const value of [secret, 'another-secret-value']) expect(JSON.stringify(ended)).not.toContain(value)
  },
  'partial failure': async () => {
    const after = (name: string, ...on: string[]) =>
      aThing(name, { size: 1 }, { dependsOn: on.map((each) => `api_thing.${each}`) })
    let isBroken = true
    await using world = await aWorld({
      resources: [after('a'), after('b', 'a'), after('c', 'b'), after('z')],
      server: {
        route: ({ method, url }) =>
          isBroken && method === 'PUT' && url === '/things/a' ? { status: 422, body: '{}' } : undefined,
      },
    })
    const { apply: ended } = await world.checkAndApply()
    const told = Object.fromEntries(ended.outcomes.map(({ command, status }) => [command, status]))
    expect(told).toEqual({
      'api_thing.a#1': 'failed',
      'api_thing.b#1': 'skipped',
      'api_thing.c#1': 'skipped',
      'api_thing.z#1': 'succeeded',
    })
    isBroken = false
    const again = await world.checkAndApply()
    expect(again.plan.commands.map(({ address }) => address)).toEqual(['api_thing.a', 'api_thing.b', 'api_thing.c'])
    expect([again.apply.status, (await world.check()).plan.inSync]).toEqual(['succeeded', true])
  },
})
