import { expect } from 'vitest'
import { startThings } from '../../builders/servers/things-api.ts'
import { aFolder } from '../folder.ts'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, judge, lists } from '../world.ts'
import { defects } from './defects.ts'

/** Objects on a server that can list them, and a folder that declares one of them, `a`. */
const importing = async (...names: readonly string[]) => {
  const server = await startThings({ route: lists })
  for (const name of ['a', ...names]) server.state.set(`/things/${name}`, JSON.stringify({ id: name, name, size: 1 }))
  const document = aDocument({ thing: aListedType('size: { type: number }', 'discover: { op: list }') })
  using folder = aFolder(server, document, [aThing('a', { size: 1 })])
  const { code, stdout } = await folder.run('import', 'api_thing')
  await server[Symbol.asyncDispose]()
  return { code, stdout, listed: server.received.filter(({ url }) => url === '/things').length }
}

prove(defects, {
  'secrets in JSON': async () => {
    const secret = 'never-shown-anywhere'
    await using server = await startThings()
    server.state.set('/things/a', '{"size":1,"token":"another-secret-value"}')
    const document = aDocument({ thing: aType('size: { type: number }\ntoken: { sensitive: true }') })
    const resources = [aThing('a', { size: 2, token: { secret: 'env:TOKEN' } })]
    using folder = aFolder(server, document, resources, { TOKEN: secret })
    const told = [await folder.run('check', '--json'), await folder.run('apply', '--yes', '--json')]
    expect(told.map(({ code }) => code)).toEqual([2, 0])
    expect(server.state.get('/things/a')).toBe(`{"size":2,"token":"${secret}"}`)
    for (const value of [secret, 'another-secret-value']) expect(JSON.stringify(told)).not.toContain(value)
  },
  'drift in the exit code': async () => {
    await using server = await startThings()
    using folder = aFolder(server, aDocument({ thing: aType('size: { type: number }') }), [aThing('a', { size: 1 })])
    const code = async () => (await folder.run('check')).code
    expect(await code()).toBe(2)
    server.state.set('/things/a', '{"size":1}')
    expect(await code()).toBe(0)
    server.behaviour.before = () => server.state.set('/things/a', 'no JSON')
    expect(await code()).toBe(3)
    folder.want([aThing('a', { other: 1 })])
    expect(await code()).toBe(1)
  },
  'matching at import': async () => {
    const { code, stdout } = await importing('b')
    expect(code).toBe(0)
    expect(stdout).toContain('name: b')
    expect(stdout).not.toContain('name: a')
  },
  'state of several instances': async () => {
    const resources = [
      aThing('n', {}, { forEach: { p: 1, q: 2 }, spec: { name: '${each.key}', size: '${each.value}' } }),
    ]
    await using world = await aWorld({ resources })
    await world.checkAndApply()
    expect((await world.check()).plan).toMatchObject({ inSync: true, drift: [] })
    world.put('q', { size: 1 })
    expect((await world.check()).plan.drift).toMatchObject([{ address: 'api_thing.n["q"]', kind: 'changed' }])
  },
  'state over configuration': async () => {
    await using world = await aWorld({ resources: [aThing('a', { size: 1 })] })
    await world.checkAndApply()
    world.want([aThing('a', { size: 2 })])
    const { plan } = await world.checkAndApply()
    expect(plan.changes[0]?.causes).toEqual([{ path: ['size'], cause: 'pending' }])
    expect(world.bodyOf('a')).toEqual({ size: 2 })
  },
  'double listing': async () => expect((await importing('b', 'c', 'd', 'e')).listed).toBe(2),
  'untyped objects': async () => {
    const values = { desired: { a: { x: { y: [1, null] } } }, live: { a: { x: { y: [1, null] } } } }
    expect(await judge({ attributes: 'a: { type: any }', ...values })).toMatchObject({ action: 'none', inSync: true })
  },
  'versions by a part of the text': async () => {
    const { action, inSync } = await judge({ attributes: 'a: {}', desired: { a: '1.2' }, live: { a: '11.2.0' } })
    expect([action, inSync]).toEqual(['update', true])
  },
})
