import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '../../core/engine/schema/reports/import-report.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import { importObjects } from '../../core/tools/authoring/import/import-objects.ts'
import { actor, testDeps, yaml } from '../builders/workspaces/workspace.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { startPowerdns } from './servers/powerdns.ts'
import { startRabbitmq } from './servers/rabbitmq.ts'
import type { TargetServer } from './servers/run-server.ts'

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'examples', name, `${name}.provider.yaml`), 'utf8')

const world = async (server: TargetServer, name: string, given: string, secret: string) => {
  const proxy = await startCountingProxy(server.baseUrl)
  const head = `workspace: acme\nproviders:\n  api: { source: rest, definition: ./api.yaml, with: { baseUrl: "${proxy.baseUrl}", ${given} } }\n`
  const files = { 'api.yaml': example(name) }
  const { deps, secrets, current } = testDeps({ bundle: yaml(head, files) })
  secrets['env:KEY'] = secret
  const wish = { workspace: 'acme', types: [], where: {} }
  return {
    proxy,
    import: (more: Partial<Parameters<typeof importObjects>[0]> = {}) => importObjects({ ...wish, ...more }, deps),
    /** The workspace with what was imported. */
    add: (text: string) => {
      current.bundle = yaml(head + text, files)
    },
    check: async () => (await checkWorkspace({ workspace: 'acme', trigger: 'cli', actor }, deps)).plan,
  }
}

const quiet = { unlisted: [], unread: [], differing: [], unchecked: [], issues: [] }
const addressesOf = ({ resources }: ImportReport) => resources.map(({ address }) => address).toSorted()

describe('PowerDNS as it is', () => {
  let server: TargetServer
  let own: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    server = await startPowerdns()
    own = await world(server, 'powerdns', 'apiKey: { secret: "env:KEY" }', server.credentials['apiKey'] ?? '')
    for (const args of [
      ['create-zone', 'example.org', 'ns1.example.org'],
      ['add-record', 'example.org', 'www', 'A', '300', '192.0.2.1'],
      ['add-record', 'example.org', 'www', 'A', '300', '192.0.2.2'],
      ['add-record', 'example.org', '@', 'TXT', '3600', '"v=spf1 ${x} -all"'],
      ['add-record', 'example.org', 'six', 'AAAA', '60', '2001:db8::1'],
      ['create-zone', '2.0.192.in-addr.arpa', 'ns1.example.org'],
      ['set-kind', '2.0.192.in-addr.arpa', 'primary'],
    ])
      await server.cli(args)
  })
  afterAll(async () => {
    await own?.proxy.stop()
    await server?.stop()
  })

  it('is written whole, and planned empty', async () => {
    const before = await server.dump()
    const report = await own.import()
    expect(report).toMatchObject(quiet)
    expect(addressesOf(report)).toEqual(['pdns_zone.2_0_192_in-addr_arpa', 'pdns_zone.example_org'])
    expect(report.text).toContain('$${x}')
    expect(report.text).toContain('# nameservers cannot be read; it stays as it is')
    expect(report.text).not.toContain('soa_edit')
    own.add(report.text)
    expect(await own.check()).toMatchObject({ inSync: true })
    expect(own.proxy.writes).toEqual([])
    expect(await server.dump()).toEqual(before)
    expect(await own.import()).toMatchObject({ ...quiet, resources: [], managed: 2 })
  })
})

describe('RabbitMQ as it is', () => {
  let server: TargetServer
  let own: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    server = await startRabbitmq()
    const { credentials } = server
    own = await world(
      server,
      'rabbitmq',
      `user: ${credentials['user']}, password: { secret: "env:KEY" }`,
      credentials['password'] ?? '',
    )
    for (const args of [
      ['add_vhost', 'shop'],
      ['set_permissions', '-p', 'shop', credentials['user'] ?? '', '.*', '.*', '.*'],
      ['add_user', 'app', 'password-of-app'],
      ['set_permissions', '-p', 'shop', 'app', '^$', '.*', '.*'],
      ['set_policy', '-p', 'shop', 'limits', '^billing', '{"max-length":5}', '--apply-to', 'queues'],
    ])
      await server.cli(args)
    for (const [path, body] of [
      ['/exchanges/shop/orders', { type: 'topic', durable: true }],
      ['/queues/shop/billing', { durable: true, arguments: { 'x-max-length': 1000 } }],
      ['/queues/%2F/loose', { durable: false }],
    ] as const)
      await send(server, 'PUT', path, body)
    await send(server, 'POST', '/bindings/shop/e/orders/q/billing', { routing_key: 'order.*' })
  })
  afterAll(async () => {
    await own?.proxy.stop()
    await server?.stop()
  })

  it('takes only what is asked for', async () => {
    const some = await own.import({ types: [{ type: 'rabbitmq_queue' }], where: { vhost: 'shop' } })
    expect(some).toMatchObject({ ...quiet, resources: [{ name: 'shop_billing', spec: { vhost: 'shop' } }] })
    const one = await own.import({ types: [{ type: 'rabbitmq_user', identity: { name: 'app' } }] })
    expect(addressesOf(one)).toEqual(['rabbitmq_user.app'])
  })

  it('is written with references and without secrets, and planned empty', async () => {
    const before = await server.dump()
    const report = await own.import()
    expect(report).toMatchObject(quiet)
    const addresses = addressesOf(report)
    expect(addresses).toEqual(
      expect.arrayContaining([
        'rabbitmq_binding.shop_orders_billing_order',
        'rabbitmq_permission.shop_app',
        'rabbitmq_policy.shop_limits',
        'rabbitmq_queue.loose',
        'rabbitmq_user.app',
        'rabbitmq_vhost.shop',
      ]),
    )
    expect(report.resources.find(({ type }) => type === 'rabbitmq_binding')?.spec).toEqual({
      vhost: '${resource.rabbitmq_vhost.shop.name}',
      source: '${resource.rabbitmq_exchange.shop_orders.name}',
      destination: '${resource.rabbitmq_queue.shop_billing.name}',
      routing_key: 'order.*',
      arguments: {},
    })
    expect(report.text).toContain('# password: { secret: "env:RABBITMQ_USER_APP_PASSWORD" } would set it')
    expect(report.text).not.toMatch(/password_hash: "?[A-Za-z0-9+/]{20}/)
    own.add(report.text)
    expect(await own.check()).toMatchObject({ inSync: true })
    expect(own.proxy.writes).toEqual([])
    expect(await server.dump()).toEqual(before)
  })
})

const send = async (server: TargetServer, method: string, path: string, body: object): Promise<void> => {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { ...server.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
}
