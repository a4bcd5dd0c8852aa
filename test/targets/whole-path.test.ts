import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../core/schema/plan.ts'
import type { Bundle } from '../../core/schema/records.ts'
import { readLedger } from '../../core/state/ledger.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import { requestApply } from '../../core/workflows/request-apply.ts'
import { runApply } from '../../core/workflows/run-apply.ts'
import { verifyLedger } from '../../core/workflows/verify-ledger.ts'
import { actor, testDeps } from '../builders/workspace.ts'
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts'
import { startPowerdns } from './servers/powerdns.ts'
import { startRabbitmq } from './servers/rabbitmq.ts'
import type { TargetServer } from './servers/run-server.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples')

/** The example as users copy it, pointed at our own server. */
const exampleBundle = (name: string, address: RegExp, baseUrl: string): Bundle => {
  const read = (file: string) => readFileSync(join(examples, name, file), 'utf8')
  const entry = read('plumbline.yaml').replace(address, baseUrl)
  return {
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': entry, [`${name}.provider.yaml`]: read(`${name}.provider.yaml`) },
  }
}

interface Target {
  readonly name: string
  readonly workspace: string
  readonly address: RegExp
  readonly start: () => Promise<TargetServer>
  readonly secrets: (server: TargetServer) => Record<string, string>
  /** Objects beside the workspace's own, which nobody may touch. */
  readonly neighbours: readonly (readonly string[])[]
  /** Changes made by the system's own command, and the one path where the plan must show each. */
  readonly drifts: readonly { readonly by: readonly string[]; readonly at: readonly (readonly [string, string])[] }[]
  /** What the target counts up by itself with each write. */
  readonly volatile: RegExp
}

const targets: readonly Target[] = [
  {
    name: 'powerdns',
    workspace: 'powerdns-example',
    address: /http:\/\/127\.0\.0\.1:8081/,
    start: startPowerdns,
    secrets: ({ credentials }) => ({ 'env:PDNS_API_KEY': credentials['apiKey'] ?? '' }),
    neighbours: [
      ['create-zone', 'other.example', 'ns1.other.example'],
      ['add-record', 'other.example', 'www', 'A', '300', '192.0.2.77'],
    ],
    drifts: [
      {
        by: ['replace-rrset', 'example.org', 'www', 'A', '60', '192.0.2.1', '192.0.2.2'],
        at: [['pdns_zone.main', 'rrsets / www.example.org. A / ttl']],
      },
      {
        by: ['replace-rrset', 'example.org', 'www', 'A', '300', '192.0.2.1', '203.0.113.9'],
        at: [
          [
            'pdns_zone.main',
            'rrsets / www.example.org. A / records / 192.0.2.2, rrsets / www.example.org. A / records / 203.0.113.9',
          ],
        ],
      },
      {
        by: ['add-record', 'example.org', 'rogue', 'A', '300', '203.0.113.66'],
        at: [['pdns_zone.main', 'rrsets / rogue.example.org. A']],
      },
      { by: ['delete-rrset', 'example.org', '@', 'MX'], at: [['pdns_zone.main', 'rrsets / example.org. MX']] },
      { by: ['set-kind', 'example.org', 'primary'], at: [['pdns_zone.main', 'kind']] },
    ],
    volatile: /"(serial|edited_serial|notified_serial|last_check)":\d+|(?<=hostmaster\.\S+) \d+/g,
  },
  {
    name: 'rabbitmq',
    workspace: 'rabbitmq-example',
    address: /http:\/\/127\.0\.0\.1:15672\/api/,
    start: startRabbitmq,
    secrets: ({ credentials }) => ({
      'env:RABBITMQ_PASSWORD': credentials['password'] ?? '',
      'env:RABBITMQ_APP_PASSWORD': 'app-password-1',
    }),
    neighbours: [
      ['add_vhost', 'lab'],
      ['add_user', 'neighbour', 'neighbour-password'],
      ['set_permissions', '-p', 'lab', 'neighbour', '.*', '.*', '.*'],
    ],
    drifts: [
      {
        by: ['set_policy', '-p', 'shop', 'limits', '^billing', '{"max-length":1}', '--apply-to', 'queues'],
        at: [['rabbitmq_policy.limits', 'definition / max-length']],
      },
      { by: ['set_user_tags', 'app', 'monitoring', 'management'], at: [['rabbitmq_user.app', 'tags']] },
      { by: ['change_password', 'app', 'somebody-elses'], at: [['rabbitmq_user.app', 'password']] },
      {
        by: ['set_permissions', '-p', 'shop', 'app', '^$', '.*', '.*'],
        at: [['rabbitmq_permission.app_shop', 'write']],
      },
      {
        by: ['delete_queue', '-p', 'shop', 'billing'],
        at: [
          ['rabbitmq_queue.billing', ''],
          // Its bindings go with a queue.
          ['rabbitmq_binding.orders_billing', ''],
        ],
      },
    ],
    volatile: /"(password_hash)":"[^"]*"/g,
  },
]

const pathsOf = (change: Change): string => change.causes.map(({ path }) => path.join(' / ')).join(', ')

describe.each(targets)('$name, from the first apply to the last repair', (target) => {
  let server: TargetServer
  let proxy: CountingProxy
  let given: ReturnType<typeof testDeps>
  const { workspace } = target

  beforeAll(async () => {
    server = await target.start()
    proxy = await startCountingProxy(server.baseUrl)
    given = testDeps({ bundle: exampleBundle(target.name, target.address, proxy.baseUrl) })
    Object.assign(given.secrets, target.secrets(server))
    for (const args of target.neighbours) await server.cli(args)
  })
  afterAll(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  const check = () => {
    given.clock.forward(60_000)
    proxy.reset()
    return checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  }
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') => {
    proxy.reset()
    const { id } = await requestApply({ workspace, mode, digest, reason: 'test', actor }, given.deps)
    return runApply({ workspace, apply: id }, given.deps)
  }
  const dump = async () => JSON.stringify(await server.dump())
  const logged = async (kind: string) => {
    const urls: string[] = []
    for await (const entry of readLedger(given.deps.store, workspace)) {
      const request = entry.command?.['request'] as { method: string; url: string } | undefined
      if (entry.kind === kind && request)
        urls.push(`${request.method} ${request.url.slice(new URL(proxy.baseUrl).origin.length)}`)
    }
    return urls
  }

  it('makes everything with exactly the commands that check mode logged', async () => {
    const before = await dump()
    const { run } = await check()
    expect(run.status).toBe('changes')
    expect(proxy.writes).toEqual([])
    expect(await apply(run.digests?.commands ?? '', 'check')).toMatchObject({ status: 'succeeded' })
    expect(proxy.writes).toEqual([])
    expect(await dump()).toBe(before)
    expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded' })
    expect(proxy.writes).toEqual(await logged('logged'))
  })

  it('then plans nothing, twice, and a second apply writes nothing', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { run, plan } = await check()
      expect(plan?.changes).toEqual([])
      expect(run.status).toBe('in_sync')
      expect(proxy.writes).toEqual([])
      expect(await apply(run.digests?.commands ?? '')).toMatchObject({ status: 'succeeded', outcomes: [] })
      expect(proxy.writes).toEqual([])
    }
  })

  it.each(target.drifts)('$by shows at $at, and its repair touches nothing else', async ({ by, at }) => {
    const before = await dump()
    await server.cli([...by])
    const { run, plan } = await check()
    expect(plan?.changes.map((change) => [change.address, pathsOf(change)])).toEqual(at)
    expect(plan?.unchecked).toEqual([])
    expect(proxy.writes).toEqual([])
    const applied = await apply(run.digests?.commands ?? '')
    expect(applied).toMatchObject({ status: 'succeeded' })
    expect(proxy.writes).toHaveLength(plan?.commands.length ?? -1)
    const after = await dump()
    // A password that was changed outside gets a hash with another salt; nothing else may move one.
    const hide = by[0] === 'change_password' || target.name === 'powerdns' ? target.volatile : /$^/
    expect(after.replace(hide, '')).toBe(before.replace(hide, ''))
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('has a ledger that verifies, and told each episode once', async () => {
    expect(await verifyLedger({ workspace }, given.deps)).toMatchObject({ ok: true })
    const kinds = given.alerts.map(({ kind }) => kind)
    const rounds = target.drifts.length + 1
    expect(kinds).toEqual(Array.from({ length: rounds }, () => ['opened', 'resolved']).flat())
  })
})
