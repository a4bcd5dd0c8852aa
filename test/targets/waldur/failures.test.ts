import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/schema/json.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import { nobodysToken, tablesApart } from './installed.ts'
import { openSite, type Site } from './site.ts'
import { workspaceFolder } from './workspace-folder.ts'

/* What the real server refuses, hides, does later, and never ends. */

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const project = (spec: JsonObject = {}, more: JsonObject = {}): Wanted => ({
  type: 'waldur_project',
  name: 'p',
  spec: { name: 'Trials', customer: 'ACME', ...spec },
  ...more,
})
const group = (spec: JsonObject = {}): Wanted => ({
  type: 'waldur_security_group',
  name: 'g',
  spec: { tenant: 'cloud', name: 'web', rules: [], ...spec },
})
const sshKey: Wanted = {
  type: 'waldur_ssh_key',
  name: 'k',
  spec: {
    name: 'ada',
    publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICDhN2SQDhzEJuFUg/wmxwbXjMT6H29ov3UAbOwnfvI/ ada@laptop',
  },
}
const machine = (name: string): Wanted => ({
  type: 'waldur_instance',
  name: 'vm',
  spec: {
    project: 'Infrastructure',
    name,
    offering: 'Machines in cloud',
    flavor: 'm1.small',
    image: 'cirros',
    systemVolumeSize: 10,
    ports: [{ subnet: 'net' }],
  },
})

const nobody = async (): Promise<string> =>
  String((await site.list('users', { username: 'nobody' })).find((each) => each['username'] === 'nobody')?.['uuid'])
/** Gives nobody a role in ACME, or takes it away. */
const roleInAcme = async (what: 'add' | 'delete', role: string): Promise<void> => {
  const [acme] = await site.list('customers', { name_exact: 'ACME' })
  await site.ask('POST', `customers/${acme?.['uuid']}/${what}_user/`, { user: await nobody(), role })
}
const reasons = (plan: { readonly unchecked: readonly { readonly reason: string }[] }): readonly string[] => [
  ...new Set(plan.unchecked.map(({ reason }) => reason)),
]

describe('a token', () => {
  it('that the server does not know reads nothing, and nothing is planned', async () => {
    site.proxy.reset()
    const { run, plan } = await site.drive([project(), group(), sshKey], 'somebody-elses').check()
    expect(run.status).toBe('incomplete')
    expect(plan.changes).toEqual([])
    expect(reasons(plan)).toEqual(['unauthorised'])
    expect(site.proxy.writes).toEqual([])
  })

  it('of nobody sees nothing and plans nothing', async () => {
    site.proxy.reset()
    const { run, plan } = await site.drive([project(), group(), sshKey, machine('vm-1')], nobodysToken).check()
    expect(run.status).toBe('incomplete')
    expect(plan.changes).toEqual([])
    expect(plan.unchecked.map(({ address }) => address).toSorted()).toEqual([
      'waldur_instance.vm',
      'waldur_project.p',
      'waldur_security_group.g',
      'waldur_ssh_key.k',
    ])
    expect(site.proxy.writes).toEqual([])
  })

  it('that loses its role sees no more, and nothing counts as deleted', async () => {
    await roleInAcme('add', 'CUSTOMER.OWNER')
    const drive = site.drive([project(), group(), sshKey], nobodysToken)
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect((await drive.check()).run.status).toBe('in_sync')
    await roleInAcme('delete', 'CUSTOMER.OWNER')
    site.proxy.reset()
    const { run, plan } = await drive.check()
    expect(run.status).toBe('incomplete')
    expect(plan.changes).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toContain('waldur_project.p')
    expect(site.proxy.writes).toEqual([])
    await roleInAcme('add', 'CUSTOMER.OWNER')
    expect((await drive.check()).run.status).toBe('in_sync')
    await roleInAcme('delete', 'CUSTOMER.OWNER')
  })

  it('that may look and not write is told so (403), and nothing changed', async () => {
    await roleInAcme('add', 'CUSTOMER.SUPPORT')
    const drive = site.drive([project({ name: 'Not mine' })], nobodysToken)
    const before = await site.dump()
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(applied.outcomes[0]?.detail).toContain('You do not have permission')
    expect(tablesApart(before, await site.dump())).toEqual([])
    await roleInAcme('delete', 'CUSTOMER.SUPPORT')
  })
})

describe('a write', () => {
  it.each<[string, Wanted, RegExp]>([
    [
      'a network that is none (400)',
      group({ name: 'bad', rules: [{ protocol: 'tcp', fromPort: 1, toPort: 2, cidr: '10.0.0.0/99' }] }),
      /Expected CIDR/,
    ],
    [
      'a key that is none (400)',
      { ...sshKey, spec: { name: 'bad', publicKey: 'ssh-rsa nonsense' } },
      /Invalid SSH public key/,
    ],
    ['an end before today (400)', project({ name: 'Late', endDate: '2020-01-01' }), /Cannot be earlier/],
    [
      'a group of a reserved name (400)',
      group({ name: 'default', description: 'x' }),
      /Default security group is managed/,
    ],
  ])('with %s fails with the words of the server, and nothing changed', async (_what, wanted, says) => {
    const drive = site.drive([wanted])
    const before = await site.dump()
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(applied.outcomes[0]?.detail).toMatch(says)
    expect(tablesApart(before, await site.dump())).toEqual([])
  })

  it('that would delete a project with resources is refused (409), and nothing changed', async () => {
    const drive = site.drive([project({ name: 'Infrastructure' }, { absent: true })])
    const before = await site.dump()
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(applied.outcomes[0]?.detail).toContain('Project contains active resources')
    expect(tablesApart(before, await site.dump())).toEqual([])
  })
})

/** States of an order, as its data base counts them. */
const [executing, erred] = [2, 4]

describe('an order', () => {
  it('that errs is a failed command with its reason, and is not ordered again', async () => {
    const drive = site.drive([machine('refused-by-cloud')])
    site.proxy.reset()
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(site.proxy.writes).toEqual(['POST /api/marketplace-orders/'])
    const { plan } = await drive.check()
    expect(plan.changes).toEqual([])
    expect(plan.unchecked).toHaveLength(1)
    expect(site.proxy.writes).toHaveLength(1)
  })

  it('survives kill -9 of who waits for it: there is one order, and then it is in sync', async () => {
    using folder = workspaceFolder(
      JSON.stringify({
        workspace: 'order',
        providers: {
          waldur: {
            source: 'rest',
            definition: './waldur.provider.yaml',
            with: { site: site.proxy.baseUrl, token: { secret: 'env:WALDUR_TOKEN' }, references: 'object' },
          },
        },
        resources: [machine('vm-slow')],
      }),
    )
    const checked = folder.run('check')
    expect(await checked.ended).toBe(2)
    const [, digest = ''] = /--digest (sha256:[0-9a-f]{64})/.exec(checked.output()) ?? []
    site.proxy.reset()
    const first = folder.run('apply', '--digest', digest)
    while (site.proxy.writes.length === 0) await pause(100)
    await pause(1_000)
    first.kill()
    await first.ended
    const again = folder.run('apply', '--digest', digest)
    expect([await again.ended, again.output()]).toEqual([0, expect.anything()])
    expect(site.proxy.writes).toEqual(['POST /api/marketplace-orders/'])
    expect(await folder.run('check').ended).toBe(0)
  })

  it('whose worker is gone for ever stays under way: unchecked, and not ordered again', async () => {
    const drive = site.drive([machine('vm-lost')])
    const { digest } = await drive.check()
    site.proxy.reset()
    const applying = drive.apply(digest).catch((error: unknown) => error)
    while (site.proxy.writes.length === 0) await pause(100)
    await site.killWorker()
    await site.startWorker()
    const { plan } = await site.drive([machine('vm-lost')]).check()
    expect(plan.changes).toEqual([])
    expect(plan.unchecked).toMatchObject([{ reason: 'busy' }])
    // Somebody ends it there, and the wait ends with what the order says.
    await site.sql(`update marketplace_order set state = ${erred}, error_message = 'Lost.' where state = ${executing}`)
    expect(await applying).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(site.proxy.writes).toHaveLength(1)
  })
})
