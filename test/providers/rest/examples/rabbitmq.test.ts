import { describe, expect, it } from 'vitest'
import { digest } from '../../../../core/engine/json/digest.ts'
import {
  anApi,
  type Case,
  exampleText,
  linesOf,
  planOne,
  providerOf,
  testSeal,
  typeOf,
} from '../../../builders/workspaces/rest.ts'

const provider = providerOf(exampleText('rabbitmq'), {
  baseUrl: 'http://api.test/api',
  user: 'admin',
  password: { $secret: 'env:PASSWORD' },
})
const queue = typeOf(provider, 'rabbitmq_queue')
const binding = typeOf(provider, 'rabbitmq_binding')
const user = typeOf(provider, 'rabbitmq_user')

const orders = {
  arguments: { 'x-max-length': 1000 },
  auto_delete: false,
  durable: true,
  exclusive: false,
  name: 'orders',
  node: 'rabbit@localhost',
  state: 'live',
  type: 'classic',
  vhost: 'shop',
}
const queueApi = (messages: number) =>
  anApi({ 'GET /api/queues/shop/orders?disable_stats=true': { body: { ...orders, messages } } })

const boundTo = { source: 'ex', vhost: 'shop', destination: 'orders', destination_type: 'queue' }
const bindings = '/api/bindings/shop/e/ex/q/orders'
const bindingApi = () =>
  anApi({
    [`GET ${bindings}`]: {
      body: [
        { ...boundTo, routing_key: 'order.*', arguments: {}, properties_key: 'order.%2A' },
        { ...boundTo, routing_key: 'order.*', arguments: { x: '1' }, properties_key: 'order.%2A~abc' },
      ],
    },
  })
const bound = { vhost: 'shop', source: 'ex', destination: 'orders', routing_key: 'order.*' }

describe('the worked outcomes of RabbitMQ', () => {
  it.each([
    [
      'R1 other message count: nothing',
      queue,
      { spec: { vhost: 'shop', name: 'orders', arguments: { 'x-max-length': 1000 } } },
      queueApi(7),
      [],
    ],
    [
      'R2 other arguments: conditional DELETE, then PUT',
      queue,
      { spec: { vhost: 'shop', name: 'orders', arguments: { 'x-max-length': 2000 } } },
      queueApi(0),
      [
        ['DELETE /api/queues/shop/orders?if-empty=true&if-unused=true'],
        ['PUT /api/queues/shop/orders', { durable: true, auto_delete: false, arguments: { 'x-max-length': 2000 } }],
      ],
    ],
    [
      'R3 a missing queue with a space in "/"',
      queue,
      { spec: { vhost: '/', name: 'new q' } },
      anApi({}),
      [['PUT /api/queues/%2F/new%20q', { durable: true, auto_delete: false, arguments: {} }]],
    ],
    ['R4 two bindings with one key: nothing for the one without arguments', binding, { spec: bound }, bindingApi(), []],
    [
      'R5 a new routing key: POST',
      binding,
      { spec: { ...bound, routing_key: 'new' } },
      bindingApi(),
      [[`POST ${bindings}`, { routing_key: 'new', arguments: {} }]],
    ],
    [
      'R6 the key of the server is encoded again',
      binding,
      { spec: { ...bound, arguments: { x: '1' } }, absent: true },
      bindingApi(),
      [[`DELETE ${bindings}/order.%252A~abc`]],
    ],
  ] as const)('gives the requests that the guide promises: %s', async (_, type, wanted, transport, expected) => {
    const { commands } = await planOne(type, wanted as Case, transport)
    expect(linesOf(commands)).toEqual(expected)
  })
})

describe('the users of RabbitMQ', () => {
  const hash = 'N6ooN+xwvuxdp49D1Z40LX6Ba6rQ2KdQZ8iXCR3MUx4RmVce'
  const sealed = testSeal(hash)
  const live = {
    name: 'app',
    password_hash: hash,
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: ['monitoring'],
    limits: {},
  }
  const api = (body: object = live) => anApi({ 'GET /api/users/app': { body: { ...body } } })
  const spec = { name: 'app', password: { $secret: 'env:APP' }, tags: 'monitoring' }
  const agreed = { '/password': { digest: testSeal('pw1'), witness: digest({ $sealed: sealed }) } }
  const secrets = { 'env:APP': 'pw1' }

  it('are equal while nobody changed the hash', async () => {
    const { commands, read } = await planOne(user, { spec, sent: agreed, secrets }, api())
    expect(commands).toEqual([])
    expect(read).toMatchObject({ kind: 'present', attributes: { password_hash: hash } })
  })

  it('keep their hash when only tags change, by a reference to the live value', async () => {
    const { commands } = await planOne(user, { spec: { ...spec, tags: ['a', 'b'] }, sent: agreed, secrets }, api())
    const sentHash = { $secret: 'live:rabbitmq_user.one#main/password_hash', digest: sealed }
    expect(linesOf(commands)).toEqual([
      [
        'PUT /api/users/app',
        { password_hash: sentHash, hashing_algorithm: 'rabbit_password_hashing_sha256', tags: 'a,b' },
      ],
    ])
    expect(commands[0]).toMatchObject({
      grade: 'reversible',
      inverse: { body: { password_hash: sentHash, tags: 'monitoring' } },
    })
  })

  it.each([
    ['in the configuration', { spec, sent: agreed, secrets: { 'env:APP': 'pw2' } }, live],
    ['outside', { spec, sent: agreed, secrets }, { ...live, password_hash: 'x'.repeat(48) }],
  ])('get their password, and no hash, when it changed %s', async (_, wanted, body) => {
    const { commands } = await planOne(user, wanted, api(body))
    expect(commands.map(({ grade, request }) => [grade, Object.keys(request.body as object)])).toEqual([
      ['lossy', ['password', 'tags']],
    ])
    expect(commands[0]?.request.body).toMatchObject({ password: { $secret: 'env:APP' }, tags: 'monitoring' })
  })

  it('are made with their password', async () => {
    const { commands } = await planOne(user, { spec, secrets }, anApi({}))
    expect(commands[0]?.request.body).toMatchObject({ password: { $secret: 'env:APP' }, tags: 'monitoring' })
  })

  it('have no inverse for a delete, because nobody knows the password', async () => {
    const { commands } = await planOne(user, { spec: { name: 'app' }, absent: true }, api())
    expect(commands[0]).toMatchObject({ action: 'delete', grade: 'lossy' })
    expect(commands[0]).not.toHaveProperty('inverse')
  })
})

describe('a write of a whole object', () => {
  it('sends undeclared attributes as they are', async () => {
    const policy = typeOf(provider, 'rabbitmq_policy')
    const body = {
      vhost: 'shop',
      name: 'ha',
      pattern: '^orders',
      'apply-to': 'queues',
      definition: { 'max-length': 1 },
      priority: 9,
    }
    const spec = { vhost: 'shop', name: 'ha', pattern: '^orders', definition: { 'max-length': 5000 } }
    const { commands } = await planOne(policy, { spec }, anApi({ 'GET /api/policies/shop/ha': { body } }))
    expect(linesOf(commands)).toEqual([
      [
        'PUT /api/policies/shop/ha',
        { pattern: '^orders', definition: { 'max-length': 5000 }, 'apply-to': 'queues', priority: 9 },
      ],
    ])
  })

  it('knows a value that means that there is none', async () => {
    const vhost = typeOf(provider, 'rabbitmq_vhost')
    const body = { name: 'shop', description: '', tags: [], default_queue_type: 'undefined', tracing: true }
    const { commands, read } = await planOne(
      vhost,
      { spec: { name: 'shop', description: 'x', tags: ['a'] } },
      anApi({ 'GET /api/vhosts/shop': { body } }),
    )
    expect(read).toHaveProperty('attributes.default_queue_type', null)
    expect(linesOf(commands)).toEqual([['PUT /api/vhosts/shop', { description: 'x', tags: 'a', tracing: true }]])
  })

  it('takes a 404 of a list for absent only where the document says so', async () => {
    const topic = typeOf(provider, 'rabbitmq_topic_permission')
    const spec = { vhost: 'shop', user: 'app', exchange: 'ex', write: '.*', read: '.*' }
    const there = await planOne(topic, { spec }, anApi({}))
    expect(there.read).toEqual({ kind: 'absent' })
    const missing = await planOne(binding, { spec: bound }, anApi({}))
    expect(missing.read).toMatchObject({ kind: 'unknown', reason: 'unexpected_status' })
  })
})

describe('undeclared objects', () => {
  it('are listed once for each place, without those that the document ignores', async () => {
    const exchange = typeOf(provider, 'rabbitmq_exchange')
    const api = anApi({
      'GET /api/exchanges/shop': {
        body: ['', 'amq.topic', 'orders', 'other'].map((name) => ({ name, vhost: 'shop' })),
      },
    })
    const scope = ['orders', 'more'].map((name) => ({ address: name, attributes: { vhost: 'shop', name } }))
    const listed = await exchange.list?.(scope, { transport: api })
    expect(listed).toEqual({
      kind: 'listed',
      objects: ['orders', 'other'].map((name) => ({ identity: { vhost: 'shop', name } })),
    })
    expect(api.sent).toHaveLength(1)
  })

  it('are unknown when a listing is not complete', async () => {
    const scope = [{ address: 'a', attributes: { name: 'app' } }]
    const failing = anApi({ 'GET /api/users': { status: 500 } })
    expect(await user.list?.(scope, { transport: failing })).toMatchObject({ kind: 'unknown', reason: 'server_error' })
  })
})
