import { expect } from 'vitest'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, judge, lists, taggedType } from '../world.ts'
import { settings } from './settings.ts'

const refusal = async (attributes: string, spec: Parameters<typeof aThing>[1], type = 'api_thing') => {
  await using world = await aWorld({ attributes, resources: [{ ...aThing('a', spec), type }] })
  return world.check().then(String, String)
}

prove(settings, {
  'identity and platforms': async () => expect(await refusal('size: {}', {}, 'other_thing')).toContain('other_thing'),
  schema: async () => {
    expect(await refusal('owner: { required: true }', {})).toContain('owner')
    expect(await refusal('size: { type: number }', { size: 'large' })).toContain('large')
  },
  'sensitive resource': async () => {
    const { plan, stored } = await judge({
      attributes: 'token: { sensitive: true, writeOnly: true }\nsize: { type: number }',
      desired: { size: 2, token: { secret: 'env:TOKEN' } },
      live: { size: 1 },
      secrets: { 'env:TOKEN': 'never-shown-anywhere' },
    })
    expect(stored).toEqual({ size: 2, token: 'never-shown-anywhere' })
    expect(JSON.stringify(plan)).toContain('size')
  },
  'several instances': async () => {
    const document = aDocument({ thing: aListedType('size: { type: number }') })
    const live = {
      1: { id: '1', name: 'a', size: 1 },
      2: { id: '2', name: 'b', size: 1 },
      3: { id: '3', name: 'b', size: 1 },
    }
    const resources = ['a', 'b'].map((name) => aThing(name, { size: 2 }))
    await using world = await aWorld({ document, resources, live, server: { route: lists } })
    const { plan } = await world.checkAndApply()
    expect(plan.unchecked).toMatchObject([{ address: 'api_thing.b', reason: 'ambiguous' }])
    expect(world.sent()).toEqual(['PATCH /things/1'])
  },
  'removal before destroy': async () => {
    const type = aType('size: { type: number }', 'lifecycle: { beforeDelete: [stop] }').replace(
      'identity:',
      '  stop: { method: POST, path: "/things/{name}/stop" }\nidentity:',
    )
    await using world = await aWorld({
      document: aDocument({ thing: type }),
      resources: [aThing('a', {}, { absent: true })],
      live: { a: { size: 1 } },
    })
    await world.checkAndApply()
    expect(world.sent()).toEqual(['POST /things/a/stop', 'DELETE /things/a'])
  },
  dependencies: async () => {
    const document = aDocument({
      thing: aListedType('size: { type: number }'),
      user: aType('thing: { ref: { type: api_thing, emit: id } }', '', 'users'),
    })
    const users = ['a', 'b'].map((thing) => ({ type: 'api_user', name: thing, spec: { name: thing, thing } }))
    await using world = await aWorld({
      document,
      resources: [...users, aThing('a'), aThing('b')],
      server: { route: lists },
    })
    const { plan } = await world.check()
    const edges = plan.commands
      .filter(({ address }) => address.startsWith('api_user'))
      .map(({ dependsOn }) => dependsOn)
    expect(edges).toEqual([['api_thing.a#1'], ['api_thing.b#1']])
  },
  'transformation of the resource': async () => {
    const { action, stored, inSync } = await judge({
      attributes: 'size: { type: number, path: spec.size, send: spec.size }',
      desired: { size: 2 },
      live: { spec: { size: 1, kept: true } },
    })
    expect([action, stored, inSync]).toEqual(['update', { spec: { size: 2, kept: true } }, true])
  },
  'import and destroy': async () => {
    await using kept = await aWorld({
      more: 'lifecycle: { preventDelete: true }',
      resources: [aThing('a')],
      live: { a: { size: 1 } },
    })
    await kept.check()
    kept.want([])
    const { plan } = await kept.checkAndApply()
    expect([plan.ignored, kept.sent()]).toMatchObject([[{ address: 'api_thing.a', rule: 'preventDelete' }], []])
    const { action, sent } = await judge({
      attributes: 'size: { type: number }',
      more: 'lifecycle: { adopt: false }',
      desired: { size: 2 },
      live: { size: 1 },
    })
    expect([action, sent]).toEqual(['blocked', []])
  },
  'type of a parameter': async () => {
    const values = { desired: { a: ['1', '2'] }, live: { a: ['2', '1'] } }
    const of = async (type: string) => (await judge({ attributes: `a: { type: ${type} }`, ...values })).action
    expect([await of('list'), await of('set'), await of('any')]).toEqual(['update', 'none', 'update'])
  },
  'default of a parameter': async () => {
    const of = async (facts: string) =>
      (await judge({ attributes: `a: { default: x${facts} }`, desired: {}, live: { a: 'z' } })).action
    expect([await of(''), await of(', whenUndeclared: default')]).toEqual(['none', 'update'])
  },
  'transformation of a parameter': async () => {
    const attributes = 'a: { normalise: [lower, trailingDot] }'
    expect((await judge({ attributes, desired: { a: 'ACME.example' }, live: { a: 'acme.example.' } })).action).toBe(
      'none',
    )
    expect((await judge({ attributes, desired: { a: 'B.example' }, live: { a: 'acme.example.' } })).stored).toEqual({
      a: 'b.example.',
    })
  },
  'own equality': async () => {
    const values = { desired: { a: 'Native' }, live: { a: 'NATIVE' } }
    expect((await judge({ attributes: 'a: { compareAs: [lower] }', ...values })).action).toBe('none')
    expect(await refusal('a: { isEqual: "(a, b) => true" }', { a: 'x' })).toContain('isEqual')
  },
  'can be modified': async () => {
    const of = async (facts: string, lifecycle = {}) => {
      const { action, sent } = await judge({
        attributes: `a: { ${facts} }`,
        desired: { a: 'y' },
        live: { a: 'x' },
        lifecycle,
      })
      return [action, sent]
    }
    expect(await of('')).toEqual(['update', ['PUT']])
    expect(await of('immutable: true')).toEqual(['blocked', []])
    expect(await of('immutable: true', { onImmutable: 'replace' })).toEqual(['replace', ['DELETE', 'PUT']])
  },
  'setting of a parameter': async () => {
    const document = aDocument({ thing: aType('size: { type: number }') }).replace(
      'with: { baseUrl: {} }',
      'with: { baseUrl: {}, team: { default: none } }, headers: { X-Team: "t" }',
    )
    await using world = await aWorld({ document, resources: [aThing('a', { size: 1, team: 'x' })] })
    expect(await world.check().then(String, String)).toContain('team')
  },
  'sensitive parameter': async () => {
    const secret = 'never-shown-anywhere'
    await using world = await aWorld({
      attributes: 'token: { sensitive: true }',
      resources: [aThing('a', { token: { secret: 'env:TOKEN' } })],
      live: { a: { token: 'the-old-one-of-before' } },
      secrets: { 'env:TOKEN': secret },
    })
    const { plan, apply } = await world.checkAndApply()
    expect([plan.changes[0]?.action, world.bodyOf('a')]).toEqual(['update', { token: secret }])
    const told = JSON.stringify([plan, apply, await world.ledger(), await world.check()])
    for (const value of [secret, 'the-old-one-of-before']) expect(told).not.toContain(value)
  },
  'elements of a list': async () => {
    const attributes =
      'a: { type: set, key: [id], element: { type: object, attributes: { id: { normalise: [lower] }, v: {} } } }'
    const values = {
      attributes,
      desired: { a: [{ id: 'P', v: '1' }] },
      live: {
        a: [
          { id: 'q', v: '1' },
          { id: 'p', v: '1' },
        ],
      },
    }
    expect((await judge({ ...values, lifecycle: { manage: { a: 'declared' } } })).action).toBe('none')
    expect((await judge(values)).stored).toEqual({ a: [{ id: 'p', v: '1' }] })
  },
  'parameters with a life of their own': async () => {
    const resources = [
      aThing('a', {
        size: 1,
        tags: [
          { id: 'x', color: 'red' },
          { id: 'y', color: 'blue' },
        ],
      }),
    ]
    await using world = await aWorld({
      document: aDocument({ thing: taggedType }),
      resources,
      live: { a: { size: 1 } },
      server: { route: lists },
    })
    for (const [id, color] of [
      ['y', 'red'],
      ['z', 'red'],
    ] as const)
      world.put(`a/tags/${id}`, { id, color })
    await world.checkAndApply()
    expect(world.sent().toSorted()).toEqual(['DELETE /things/a/tags/z', 'PUT /things/a/tags/x', 'PUT /things/a/tags/y'])
    expect((await world.check()).plan.inSync).toBe(true)
  },
})
