import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../../core/engine/json/digest.ts'
import type { Provider } from '../../core/engine/provider/provider.ts'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import { type Case, exampleText, linesOf, planOne, providerOf, testSeal, typeOf } from '../builders/workspaces/rest.ts'
import { type DirectTransport, directTransport } from './direct-transport.ts'
import { startRabbitmq } from './servers/rabbitmq.ts'
import type { TargetServer } from './servers/run-server.ts'

let server: TargetServer
let provider: Provider
let transport: DirectTransport

beforeAll(async () => {
  server = await startRabbitmq()
  provider = providerOf(exampleText('rabbitmq'), {
    baseUrl: server.baseUrl,
    user: 'admin',
    password: { $secret: 'env:KEY' },
  })
  transport = directTransport(server, { 'env:APP': 'pw1', 'env:OTHER': 'pw2' })
})
afterAll(() => server?.stop())

const planOf = (type: string, wanted: Case) => planOne(typeOf(provider, type), wanted, transport)
const lines = async (type: string, wanted: Case) => linesOf((await planOf(type, wanted)).commands, server.baseUrl)
const apply = async (type: string, wanted: Case): Promise<void> => {
  const { commands, read } = await planOf(type, wanted)
  await transport.carryOut(commands, read.kind === 'present' ? { values: read.attributes, objects: read.objects } : {})
}

describe('every type', () => {
  const inShop = { vhost: 'shop/eu' }
  it.each<[string, JsonObject, JsonObject | undefined]>([
    [
      'rabbitmq_vhost',
      { name: 'shop/eu', description: 'shop', tags: ['prod', 'eu'], default_queue_type: 'quorum' },
      { description: null, tags: 'eu', tracing: true },
    ],
    ['rabbitmq_user', { name: 'app', password: { $secret: 'env:APP' }, tags: ['monitoring'] }, undefined],
    ['rabbitmq_permission', { ...inShop, user: 'app', configure: '^$', write: '^a', read: '.*' }, { write: '.*' }],
    ['rabbitmq_exchange', { ...inShop, name: 'ex', type: 'topic' }, undefined],
    [
      'rabbitmq_exchange',
      { ...inShop, name: 'second ex', type: 'fanout', arguments: { 'alternate-exchange': 'ex' } },
      undefined,
    ],
    ['rabbitmq_topic_permission', { ...inShop, user: 'app', exchange: 'ex', write: '^a', read: '.*' }, { read: '^b' }],
    [
      'rabbitmq_queue',
      { ...inShop, name: 'orders', arguments: { 'x-max-length': 1000 }, queue_type: 'classic' },
      undefined,
    ],
    ['rabbitmq_queue', { vhost: '/', name: 'new q%' }, undefined],
    // The virtual host makes it a quorum queue, and adds an argument that says so.
    ['rabbitmq_queue', { ...inShop, name: 'undeclared type' }, undefined],
    ['rabbitmq_binding', { ...inShop, source: 'ex', destination: 'orders', routing_key: 'order.*' }, undefined],
    [
      'rabbitmq_binding',
      { ...inShop, source: 'ex', destination: 'orders', routing_key: 'order.*', arguments: { x: '1', n: 5 } },
      undefined,
    ],
    ['rabbitmq_binding', { ...inShop, source: 'ex', destination: 'orders' }, undefined],
    [
      'rabbitmq_exchange_binding',
      { ...inShop, source: 'ex', destination: 'second ex', routing_key: 'a b/c%' },
      undefined,
    ],
    [
      'rabbitmq_policy',
      { ...inShop, name: 'ha', pattern: '^orders', definition: { 'max-length': 5000 }, priority: 3 },
      { definition: { 'max-length': 1, 'message-ttl': 60000 } },
    ],
  ])('%s %j settles after a create and after an update', async (type, spec, changes) => {
    const sent = { '/password': { digest: testSeal('secret'), witness: 'x' } }
    await apply(type, { spec })
    const written = type === 'rabbitmq_user' ? { ...spec, password: null } : spec
    const { password: _, ...readable } = written as { password?: null } & JsonObject
    expect(await lines(type, { spec: readable, sent })).toEqual([])
    if (changes === undefined) return
    const changed = { ...readable, ...changes }
    const before = transport.sent.length
    await apply(type, { spec: changed })
    expect(transport.sent.slice(before).filter(({ effect }) => effect === 'write')).toHaveLength(1)
    expect(await lines(type, { spec: changed })).toEqual([])
  })
})

const orders = { vhost: 'shop/eu', name: 'orders', arguments: { 'x-max-length': 1000 }, queue_type: 'classic' }
const bound = { vhost: 'shop/eu', source: 'ex', destination: 'orders', routing_key: 'order.*' }

describe('the worked outcomes on a live server', () => {
  it('R1 and R4 show nothing', async () => {
    expect(await lines('rabbitmq_queue', { spec: orders })).toEqual([])
    expect(await lines('rabbitmq_binding', { spec: bound })).toEqual([])
  })

  it('R6 deletes the binding with arguments and no other', async () => {
    const spec = { ...bound, arguments: { x: '1', n: 5 } }
    const [[line] = ['']] = await lines('rabbitmq_binding', { spec, absent: true })
    expect(line).toMatch(/^DELETE \/bindings\/shop%2Feu\/e\/ex\/q\/orders\/order\.%252A~[\w-]+$/)
    await apply('rabbitmq_binding', { spec, absent: true })
    expect(await lines('rabbitmq_binding', { spec, absent: true })).toEqual([])
    expect(await lines('rabbitmq_binding', { spec: bound })).toEqual([])
  })

  it('R5 a new routing key is a POST; found by its stored key, the old one goes', async () => {
    const { read } = await planOf('rabbitmq_binding', { spec: bound })
    const ids = read.kind === 'present' ? (read.ids ?? {}) : {}
    const spec = { ...bound, routing_key: 'other' }
    expect((await lines('rabbitmq_binding', { spec })).map(([line]) => line.split(' ')[0])).toEqual(['POST'])
    const moved = await lines('rabbitmq_binding', { spec, ids })
    expect(moved.map(([line]) => line)).toEqual([
      'DELETE /bindings/shop%2Feu/e/ex/q/orders/order.%252A',
      'POST /bindings/shop%2Feu/e/ex/q/orders',
    ])
  })

  it('R2 other arguments make the queue anew', async () => {
    const spec = { ...orders, arguments: { 'x-max-length': 2000 } }
    await apply('rabbitmq_queue', { spec })
    expect(await lines('rabbitmq_queue', { spec })).toEqual([])
  })

  it('R3 a missing virtual host means a missing queue', async () => {
    const { read } = await planOf('rabbitmq_queue', { spec: { vhost: 'none', name: 'x' } })
    expect(read).toEqual({ kind: 'absent' })
  })
})

describe('a user', () => {
  const hashOf = async (): Promise<string> => {
    const { users } = (await server.dump()) as { users: { name: string; password_hash: string }[] }
    return users.find(({ name }) => name === 'app')?.password_hash ?? ''
  }
  const agreed = async (value = 'secret') => ({
    '/password': { digest: testSeal(value), witness: digest({ $sealed: testSeal(await hashOf()) }) },
  })
  const spec = { name: 'app', password: { $secret: 'env:APP' }, tags: ['monitoring'] }

  it('keeps the password hash, and all else on the broker, when only tags change', async () => {
    const [before, hash, sent] = [await server.dump(), await hashOf(), await agreed()]
    const changed = { ...spec, tags: ['management', 'policymaker'] }
    await apply('rabbitmq_user', { spec: changed, sent })
    expect(await hashOf()).toBe(hash)
    expect(await lines('rabbitmq_user', { spec: changed, sent })).toEqual([])
    await apply('rabbitmq_user', { spec, sent })
    expect(await server.dump()).toEqual(before)
  })

  it('gets the password back that somebody changed with rabbitmqctl', async () => {
    const sent = await agreed()
    await server.cli(['change_password', 'app', 'intruder'])
    const { commands } = await planOf('rabbitmq_user', { spec, sent })
    expect(commands.map(({ request }) => Object.keys(request.body as object))).toEqual([['password', 'tags']])
    await transport.carryOut(commands)
    await expect(server.cli(['authenticate_user', 'app', 'pw1'])).resolves.toContain('Success')
    expect(await lines('rabbitmq_user', { spec, sent: await agreed() })).toEqual([])
  })

  it('shows one change by rabbitmqctl as one change', async () => {
    await server.cli(['set_policy', '-p', 'shop/eu', 'ha', '^orders', '{"max-length":9}', '--priority', '9'])
    const policy = { vhost: 'shop/eu', name: 'ha', pattern: '^orders', definition: { 'max-length': 9 }, priority: 3 }
    const { planned, commands } = await planOf('rabbitmq_policy', { spec: policy })
    expect(planned.change?.causes.map(({ path }) => path)).toEqual([['priority']])
    expect(commands).toHaveLength(1)
  })
})

describe('what is not there', () => {
  it('is deleted piece by piece, and then absent', async () => {
    for (const [type, spec] of [
      [
        'rabbitmq_exchange_binding',
        { vhost: 'shop/eu', source: 'ex', destination: 'second ex', routing_key: 'a b/c%' },
      ],
      ['rabbitmq_topic_permission', { vhost: 'shop/eu', user: 'app', exchange: 'ex' }],
      ['rabbitmq_permission', { vhost: 'shop/eu', user: 'app' }],
      ['rabbitmq_policy', { vhost: 'shop/eu', name: 'ha' }],
      ['rabbitmq_queue', { vhost: 'shop/eu', name: 'orders' }],
      ['rabbitmq_exchange', { vhost: 'shop/eu', name: 'second ex' }],
      ['rabbitmq_user', { name: 'app' }],
      ['rabbitmq_vhost', { name: 'shop/eu' }],
    ] as const) {
      await apply(type, { spec, absent: true })
      expect((await planOf(type, { spec, absent: true })).read).toEqual({ kind: 'absent' })
    }
  })
})
