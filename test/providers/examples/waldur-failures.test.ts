import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { eachOf, long } from '../../builders/long.ts'
import { nobodysToken } from '../../builders/waldur/waldur-rights.ts'
import { openWaldurSite, type WaldurSite } from '../../builders/waldur/waldur-site.ts'
import { ordersEndWell } from '../../builders/waldur/waldur-state.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import { movableClock } from '../../builders/workspaces/workspace.ts'

/* What the API refuses, hides, does later, and never ends. */

let site: WaldurSite
beforeEach(async () => {
  site = await openWaldurSite()
})
afterEach(() => site[Symbol.asyncDispose]())

const project = (spec: JsonObject = {}, more: JsonObject = {}): Wanted => ({
  type: 'waldur_project',
  name: 'p',
  spec: { name: 'Trials', customer: 'ACME', ...spec },
  ...more,
})
const group = (spec: JsonObject = {}): Wanted => ({
  type: 'waldur_security_group',
  name: 'g',
  spec: { tenant: 'cloud', name: 'web', ...spec },
})
const sshKey = (publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ada@laptop'): Wanted => ({
  type: 'waldur_ssh_key',
  name: 'k',
  spec: { name: 'ada', publicKey },
})
const machine: Wanted = {
  type: 'waldur_instance',
  name: 'vm',
  spec: {
    project: 'Infrastructure',
    name: 'vm-1',
    offering: 'Machines in cloud',
    flavor: 'm1.small',
    image: 'cirros',
    systemVolumeSize: 10,
    ports: [{ subnet: 'net' }],
  },
}

/** Gives nobody a role in ACME; what is answered takes it away. */
const roleInAcme = (role: string): (() => void) => {
  const { uuid: role_uuid = '' } = site.one('roles', { name: role })
  const { uuid: user_uuid = '' } = site.one('users', { username: 'nobody' })
  const { uuid: scope = '' } = site.one('customers', { name: 'ACME' })
  const given = site.add('user-roles', { scope, user_uuid, role_uuid, role_name: role, expiration_time: null })
  return () => site.remove('user-roles', given)
}

type Drive = ReturnType<WaldurSite['drive']>

const expectNothingPlanned = async (drive: Drive, addresses: readonly string[], reason?: string): Promise<void> => {
  site.forget()
  const { run, plan } = await drive.check()
  expect(run.status).toBe('incomplete')
  expect(plan.changes).toEqual([])
  expect(plan.unchecked.map(({ address }) => address).toSorted()).toEqual(addresses)
  if (reason !== undefined) expect([...new Set(plan.unchecked.map((each) => each.reason))]).toEqual([reason])
  expect(site.writes()).toEqual([])
}

const expectRefused = async (drive: Drive, says: RegExp): Promise<void> => {
  const before = site.dump()
  const { digest, plan } = await drive.check()
  expect(plan.commands).toHaveLength(1)
  const applied = await drive.apply(digest)
  expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
  expect(applied.outcomes[0]?.detail).toMatch(says)
  expect(site.writes()).toHaveLength(1)
  expect(site.dump()).toEqual(before)
}

describe('a token', () => {
  const wanted = [project(), group({ rules: [] }), sshKey(), machine]
  const all = ['waldur_instance.vm', 'waldur_project.p', 'waldur_security_group.g', 'waldur_ssh_key.k']

  it('that the server does not know reads nothing, and nothing is planned', async () => {
    await expectNothingPlanned(site.drive(wanted, 'somebody-elses'), all, 'unauthorised')
  })

  it('without a role sees nothing and plans nothing', async () => {
    await expectNothingPlanned(site.drive(wanted, nobodysToken), all)
  })

  it('sees the objects of the organisation where it has a role, and no others', async () => {
    roleInAcme('CUSTOMER.SUPPORT')
    const groups = ['cloud', 'other'].map((tenant) => ({ ...group({ tenant, name: 'default' }), name: tenant }))
    const other = { ...project({ name: 'Infrastructure', customer: 'Other' }), name: 'q' }
    const { plan } = await site.drive([...groups, project({ name: 'Infrastructure' }), other], nobodysToken).check()
    expect(plan.changes).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toEqual(['waldur_project.q'])
  })

  it('that loses its role sees no objects any more, and none of them counts as deleted', long, async () => {
    const lose = roleInAcme('CUSTOMER.OWNER')
    const drive = site.drive([project(), group({ rules: [] }), sshKey()], nobodysToken)
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect((await drive.check()).run.status).toBe('in_sync')
    lose()
    // Its keys are its own.
    await expectNothingPlanned(drive, ['waldur_project.p', 'waldur_security_group.g'])
    roleInAcme('CUSTOMER.OWNER')
    expect((await drive.check()).run.status).toBe('in_sync')
  })

  eachOf(
    it,
    2,
  )<readonly [string, Wanted]>([
    ['make a project', project()],
    ['change one', project({ name: 'Infrastructure', description: 'Mine' })],
    ['make a group', group({ rules: [] })],
    ['order a machine', machine],
  ])('that may look and not %s gets a 403 with words, and nothing changed', async (_what, wanted) => {
    roleInAcme('CUSTOMER.SUPPORT')
    await expectRefused(site.drive([wanted], nobodysToken), /You do not have permission/)
  })
})

describe('a request that writes', () => {
  const outOfRange = { protocol: 'tcp', fromPort: 1, toPort: 2, cidr: '10.0.0.0/99' }

  eachOf(
    it,
    3,
  )<readonly [string, Wanted, RegExp]>([
    ['a network that is none (400)', group({ rules: [outOfRange] }), /Expected CIDR/],
    ['no list of rules (400)', group(), /rules/],
    ['a key that is none (400)', sshKey('ssh-rsa nonsense'), /Invalid SSH public key/],
    ['an end before today (400)', project({ endDate: '2020-01-01' }), /Cannot be earlier/],
    ['a reserved name (400)', group({ name: 'default', description: 'x' }), /Default security group is managed/],
  ])('fails with the words of the server and changes nothing with %s', async (_what, wanted, says) => {
    await expectRefused(site.drive([wanted]), says)
  })

  it('is refused with 409 if it would delete a project with resources, and nothing changed', async () => {
    const wanted = project({ name: 'Infrastructure' }, { absent: true })
    await expectRefused(site.drive([wanted]), /Project contains active resources/)
  })

  eachOf(it, 1)(['url', 'object'] as const)(
    'is refused with 400 in another form of references than "%s"',
    async (references) => {
      await using other = await openWaldurSite({ references })
      const drive = other.drive([project()], undefined, {}, { references: references === 'url' ? 'object' : 'url' })
      expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
      drive.want([project({ customer: 'Other' })])
      const before = other.dump()
      const applied = await drive.apply((await drive.check()).digest)
      expect(applied).toMatchObject({ status: 'failed', outcomes: [{ detail: expect.stringContaining('hyperlink') }] })
      expect(other.dump()).toEqual(before)
    },
  )
})

describe('an order', () => {
  const orders = () => site.written().map(([line]) => line)

  it('leaves nothing if it is refused with 400', long, async () => {
    site.state.orders = { ...ordersEndWell, refusal: { attributes: ['The quota is used up.'] } }
    await expectRefused(site.drive([machine]), /quota is used up/)
  })

  it('is a failed command with its reason if it fails, and is not ordered again', long, async () => {
    site.state.orders = { ...ordersEndWell, end: { state: 'erred', error_message: 'The cloud has no room for it.' } }
    const drive = site.drive([machine])
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(applied.outcomes[0]?.detail).toContain('The cloud has no room for it.')
    expect(orders()).toEqual(['POST /marketplace-orders/'])
    await expectNothingPlanned(drive, ['waldur_instance.vm'])
  })

  it('is waited for if it takes long', long, async () => {
    site.state.orders = { ...ordersEndWell, reads: 50 }
    const drive = site.drive([machine])
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(orders()).toEqual(['POST /marketplace-orders/'])
    expect((await drive.check()).run.status).toBe('in_sync')
  })

  /** A clock that moves on while somebody waits; once it is stopped, whoever waits for an order never wakes. */
  const stoppableClock = () => {
    const clock = movableClock()
    const stopped = Promise.withResolvers<void>()
    let isStopped = false
    const sleep: typeof clock.sleep = async (ms, signal) => {
      // Whoever sleeps longer renews a lease.
      if (!isStopped || ms > 5_000) return clock.sleep(ms, signal)
      stopped.resolve()
      await new Promise(() => undefined)
    }
    return {
      ...clock,
      sleep,
      /** Resolves when the first sleeper stands still. */
      stop: (): Promise<void> => {
        isStopped = true
        return stopped.promise
      },
      go: (): void => {
        isStopped = false
      },
    }
  }

  /** Takes the apply over when the lease of the one before has run out. */
  const nextWorker = ({ deps }: Drive, applyId: string) => runApply({ workspace: 'w', applyId, patient: true }, deps)

  it('survives the end of its worker: there is one order, and then all is in sync', long, async () => {
    site.state.orders = { ...ordersEndWell, reads: 5 }
    const clock = stoppableClock()
    const drive = site.drive([machine], undefined, { clock })
    const { id } = await drive.request((await drive.check()).digest)
    const stopped = clock.stop()
    void drive.runAgain(id)
    await stopped
    expect(orders()).toEqual(['POST /marketplace-orders/'])
    clock.go()
    expect(await nextWorker(drive, id)).toMatchObject({ status: 'succeeded' })
    expect(orders()).toEqual(['POST /marketplace-orders/'])
    expect((await drive.check()).run.status).toBe('in_sync')
    expect(site.all('openstack-instances')).toHaveLength(1)
  })

  it('stays under way if nobody executes it: the resource is unchecked, and not ordered again', long, async () => {
    site.state.orders = { ...ordersEndWell, end: 'never' }
    const clock = stoppableClock()
    const drive = site.drive([machine], undefined, { clock })
    const { id } = await drive.request((await drive.check()).digest)
    const stopped = clock.stop()
    void drive.runAgain(id)
    await stopped
    expect(orders()).toEqual(['POST /marketplace-orders/'])
    await expectNothingPlanned(site.drive([machine]), ['waldur_instance.vm'], 'busy')
    // Somebody ends it there, and the next worker reads what the order says.
    site.set('marketplace-orders', site.one('marketplace-orders', {}), { state: 'erred', error_message: 'Lost.' })
    clock.go()
    site.forget()
    const applied = await nextWorker(drive, id)
    expect(applied).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(applied.outcomes[0]?.detail).toContain('Lost.')
    expect(site.writes()).toEqual([])
  })
})
