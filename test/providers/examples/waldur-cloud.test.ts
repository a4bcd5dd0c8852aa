import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { waldurToken } from '../../builders/waldur/waldur-rights.ts'
import { openWaldurSite } from '../../builders/waldur/waldur-site.ts'
import { type Orders, ordersEndWell } from '../../builders/waldur/waldur-state.ts'
import { driveBundle, shippedBundle, type Wanted } from '../../builders/workspaces/example-workspace.ts'
import { handingOverIn } from '../../builders/workspaces/workspace.ts'

/* What happens later: security groups go through states, machines are ordered first. */

const ssh = { protocol: 'tcp', fromPort: 22, toPort: 22, cidr: '192.168.1.0/24', description: 'SSH' }
const https = { protocol: 'TCP', fromPort: 443, toPort: 443, cidr: '0.0.0.0/0' }

const aGroup = (spec: JsonObject, more: JsonObject = {}): Wanted => ({
  type: 'waldur_security_group',
  name: 'web',
  spec: { tenant: 'cloud', name: 'web', ...spec },
  ...more,
})
const anInstance = (spec: JsonObject = {}, more: JsonObject = {}): Wanted => ({
  type: 'waldur_instance',
  name: 'vm',
  spec: {
    project: 'Test',
    name: 'vm-1',
    offering: 'Machines in cloud',
    flavor: 'm1.small',
    image: 'cirros',
    systemVolumeSize: 1,
    ports: [{ subnet: 'net' }],
    securityGroups: [{ group: 'web' }],
    ...spec,
  },
  ...more,
})

/** The site with a project `Test`, and how its next orders end. */
const aSite = async (orders: Orders = ordersEndWell) => {
  const site = await openWaldurSite({ project: 'Test' })
  site.state.orders = orders
  const named = (name: string) =>
    site
      .all('openstack-security-groups')
      .find((group) => group['name'] === name && group['tenant'] === site.tenant['url'])
  return { waldur: site, tenant: site.tenant, named }
}

const open = async (wanted: readonly Wanted[], orders?: Orders) => {
  const site = await aSite(orders)
  const drive = site.waldur.drive(wanted)
  const applied = async () => drive.apply((await drive.check()).digest)
  return { ...site, drive, applied }
}

const plain = (lines: readonly (readonly [string, Json?])[]): readonly (readonly [string, Json?])[] =>
  JSON.parse(JSON.stringify(lines).replaceAll(/(a0){12}[0-9a-f]{8}/g, '*'))

describe('a security group', () => {
  it('is created in its tenant with its rules, and is done when its state is OK', long, async () => {
    const { waldur, drive, named, applied } = await open([aGroup({ rules: [https, ssh] })])
    await using _ = waldur
    expect(plain((await drive.check()).lines)).toEqual([
      [
        'POST /openstack-tenants/*/create_security_group/',
        {
          name: 'web',
          rules: [
            expect.objectContaining({
              protocol: 'tcp',
              from_port: 22,
              to_port: 22,
              cidr: '192.168.1.0/24',
              description: 'SSH',
            }),
            expect.objectContaining({ protocol: 'tcp', from_port: 443, direction: 'ingress', ethertype: 'IPv4' }),
          ],
        },
      ],
    ])
    const before = waldur.dump()
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(waldur.writes()).toHaveLength(1)
    expect(named('web')).toMatchObject({ state: 'OK' })
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    const after = waldur.dump() as Record<string, Record<string, JsonObject>>
    delete after['openstack-security-groups']?.[String(named('web')?.['uuid'])]
    expect(after).toEqual(before)
  })

  it('gets the whole list in one call where its rules changed, and is waited for', long, async () => {
    const { waldur, drive, named, applied } = await open([aGroup({ rules: [ssh, https], description: 'D' })])
    await using _ = waldur
    await applied()
    Object.assign(named('web') ?? {}, { rules: [] })
    const { lines, plan } = await drive.check()
    expect(plain(lines).map(([line]) => line)).toEqual(['POST /openstack-security-groups/*/set_rules/'])
    expect(lines[0]?.[1]).toHaveLength(2)
    expect(plan.commands[0]).toMatchObject({ wait: [{ state: '/state', ok: ['OK'] }] })
    waldur.forget()
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(waldur.writes()).toHaveLength(1)
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('changes its texts first, and its rules once that is done', long, async () => {
    const { waldur, drive, applied } = await open([aGroup({ rules: [ssh], description: 'old' })])
    await using _ = waldur
    await applied()
    waldur.forget()
    drive.want([aGroup({ rules: [], description: 'new' })])
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(plain(waldur.written())).toEqual([
      ['PATCH /openstack-security-groups/*/', { description: 'new' }],
      ['POST /openstack-security-groups/*/set_rules/', []],
    ])
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('can refer to another group of its tenant by name', async () => {
    const { waldur, drive, named, applied } = await open([
      aGroup({ rules: [{ protocol: 'udp', remoteGroup: 'default' }] }),
    ])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(named('web')).toMatchObject({ rules: [{ remote_group: named('default')?.['url'] }] })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is not compared while another change of it is in progress', async () => {
    const { waldur, drive, named, applied } = await open([aGroup({ rules: [ssh] })])
    await using _ = waldur
    await applied()
    Object.assign(named('web') ?? {}, { state: 'UPDATING', rules: [] })
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'busy' }] })
  })

  it('is gone when no part of it can be read', async () => {
    const { waldur, drive, named, applied } = await open([aGroup({ rules: [] })])
    await using _ = waldur
    await applied()
    drive.want([aGroup({}, { absent: true })])
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(named('web')).toBeUndefined()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })
})

describe('an instance', () => {
  const group = aGroup({ rules: [ssh] })

  it(
    'is ordered with the ids that its names have in its tenant, and is done when order and machine are',
    long,
    async () => {
      const { waldur, drive, tenant, applied } = await open([group])
      await using _ = waldur
      await applied()
      waldur.forget()
      const { uuid: user_uuid = '' } = waldur.one('users', { username: 'staff' })
      waldur.add('keys', { name: 'ada', user_uuid, public_key: 'ssh-ed25519 AAAA', fingerprint_md5: '3d:13' })
      drive.want([group, anInstance({ userData: { secret: 'env:USER_DATA' }, sshKey: 'ada' })])
      const { lines, plan } = await drive.check()
      const body = lines[0]?.[1] as { readonly attributes: Record<string, Json> }
      expect(plain(lines)).toEqual([
        [
          'POST /marketplace-orders/',
          {
            project: '/projects/*/',
            offering: '/marketplace-public-offerings/*/',
            attributes: {
              name: 'vm-1',
              flavor: '/openstack-flavors/*/',
              image: '/openstack-images/*/',
              security_groups: [{ url: '/openstack-security-groups/*/' }],
              ports: [{ subnet: '/openstack-subnets/*/' }],
              system_volume_size: 1024,
              ssh_public_key: '/keys/*/',
              user_data: expect.objectContaining({ $secret: 'env:USER_DATA' }),
            },
            accepting_terms_of_service: true,
          },
        ],
      ])
      const flavor = waldur.state.objects['openstack-flavors'].get(
        String(body.attributes['flavor']).split('/')[2] ?? '',
      )
      expect(flavor).toMatchObject({ tenant_uuid: tenant['uuid'] })
      expect(plan.commands[0]?.wait).toHaveLength(2)
      expect(await applied()).toMatchObject({ status: 'succeeded' })
      expect(waldur.writes()).toHaveLength(1)
      expect([...waldur.state.objects['openstack-instances'].values()]).toMatchObject([{ state: 'OK', name: 'vm-1' }])
      for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
      expect(JSON.stringify([plan, await drive.ledger()])).not.toMatch(/never shown|waldur-token/)
    },
  )

  it('can be ordered with a key that the same apply creates', long, async () => {
    const key = { type: 'waldur_ssh_key', name: 'ada', spec: { name: 'ada', publicKey: 'ssh-ed25519 AAAA ada' } }
    const { waldur, drive, applied } = await open([
      key,
      anInstance({
        securityGroups: [{ group: 'default' }],
        sshKey: '${resource.waldur_ssh_key.ada.fingerprint}',
      }),
    ])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    const [made] = [...waldur.state.objects['openstack-instances'].values()]
    expect(made).toMatchObject({ key_fingerprint: waldur.one('keys', { name: 'ada' })['fingerprint_md5'] })
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('is a failed command with its reason where its order fails, and is not ordered again by itself', async () => {
    const { waldur, drive, applied } = await open([anInstance({ securityGroups: [{ group: 'default' }] })], {
      ...ordersEndWell,
      end: { state: 'erred', error_message: 'No quota left for vcpu.' },
    })
    await using _ = waldur
    const result = await applied()
    expect(result).toMatchObject({ status: 'failed', outcomes: [{ status: 'failed' }] })
    expect(result.error?.message).toContain('No quota left for vcpu.')
    expect(waldur.writes()).toHaveLength(1)
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'busy' }] })
    expect(waldur.writes()).toHaveLength(1)
  })

  it('is not ordered again while its order is open', async () => {
    const { waldur, drive } = await open([anInstance({ securityGroups: [{ group: 'default' }] })])
    await using _ = waldur
    const { id } = await drive.request((await drive.check()).digest)
    await drive.runAgain(id, handingOverIn(11_000, drive.deps))
    expect(waldur.writes()).toHaveLength(1)
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'busy' }] })
  })

  it('is waited for by the next worker, which orders nothing', long, async () => {
    const { waldur, drive } = await open([anInstance({ securityGroups: [{ group: 'default' }] })])
    await using _ = waldur
    const { id } = await drive.request((await drive.check()).digest)
    let workers = 0
    for (let ended = false; !ended && workers < 20; workers += 1) {
      // Not even one pause between two polls long.
      ended = (await drive.runAgain(id, handingOverIn(11_000, drive.deps))).finishedAt !== undefined
    }
    expect(workers).toBeGreaterThan(1)
    expect(waldur.writes()).toHaveLength(1)
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('gets its groups as a list of URLs', long, async () => {
    const { waldur, drive, named, applied } = await open([
      group,
      anInstance({ securityGroups: [{ group: 'default' }] }),
    ])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    waldur.forget()
    drive.want([group, anInstance({ securityGroups: [{ group: 'web' }, { group: 'default' }] })])
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    const [[line, body] = ['']] = waldur.written()
    expect(line).toMatch(/update_security_groups/)
    expect(new Set((body as { security_groups: string[] }).security_groups)).toEqual(
      new Set([named('web')?.['url'], named('default')?.['url']]),
    )
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is deleted by the end of its contract, and is waited for', long, async () => {
    const { waldur, drive, applied } = await open([anInstance({ securityGroups: [{ group: 'default' }] })])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    waldur.forget()
    drive.want([anInstance({ securityGroups: [{ group: 'default' }] }, { absent: true })])
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(plain(waldur.written())).toEqual([
      ['POST /openstack-instances/*/stop/'],
      ['POST /marketplace-resources/*/terminate/', { attributes: {} }],
    ])
    expect(waldur.state.objects['openstack-instances'].size).toBe(0)
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('is not stopped before its deletion if it is off', long, async () => {
    const off = { securityGroups: [{ group: 'default' }], power: 'SHUTOFF' }
    const { waldur, drive, applied } = await open([anInstance(off)])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    waldur.forget()
    drive.want([anInstance(off, { absent: true })])
    expect(plain((await drive.check()).lines).map(([line]) => line)).toEqual([
      'POST /marketplace-resources/*/terminate/',
    ])
  })

  it('gets another flavor, and is stopped before and started after it', long, async () => {
    const groups = { securityGroups: [{ group: 'default' }] }
    const { waldur, drive, applied } = await open([anInstance({ ...groups, power: 'SHUTOFF' })])
    await using _ = waldur
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    waldur.forget()
    drive.want([anInstance({ ...groups, power: 'ACTIVE', flavor: 'm1.large' })])
    expect(await applied()).toMatchObject({ status: 'succeeded' })
    expect(plain(waldur.written())).toEqual([
      ['POST /openstack-instances/*/change_flavor/', { flavor: expect.stringMatching(/openstack-flavors/) }],
      ['POST /openstack-instances/*/start/'],
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('is refused with another image, which nothing can change', async () => {
    const { waldur, drive, applied } = await open([anInstance({ securityGroups: [{ group: 'default' }] })])
    await using _ = waldur
    await applied()
    Object.assign([...waldur.state.objects['openstack-instances'].values()][0] ?? {}, { image_name: 'debian' })
    expect((await drive.check()).plan).toMatchObject({ commands: [], changes: [{ blocked: { reason: 'immutable' } }] })
  })
})

describe('a floating IP', () => {
  it('with an address is the one with that address, and another is created only in the same tenant', async () => {
    const { waldur, tenant, drive } = await open([])
    await using _ = waldur
    const at = { address: '203.0.113.7', description: '', state: 'OK' }
    waldur.add('openstack-floating-ips', { ...at, tenant: tenant['url'] ?? '', tenant_uuid: tenant['uuid'] ?? '' })
    const wanted = (name: string) => ({
      type: 'waldur_floating_ip',
      name: 'door',
      spec: { tenant: name, address: '203.0.113.7' },
    })
    drive.want([wanted('cloud')])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
    drive.want([wanted('cloud'), { ...wanted('other'), name: 'gate' }])
    expect((await drive.check()).plan.changes).toMatchObject([{ action: 'create', address: 'waldur_floating_ip.gate' }])
  })
})

describe('the workspace of the example', () => {
  it('is created from nothing but the offers of a site, and then needs nothing, twice', long, async () => {
    const { waldur } = await aSite()
    await using _ = waldur
    const options = { secrets: { 'env:WALDUR_TOKEN': waldurToken }, base: `${waldur.url}/api` }
    const drive = driveBundle(options, shippedBundle('waldur', waldur.url), 'waldur-example')
    const { digest, lines, plan } = await drive.check()
    expect(plan.unchecked).toEqual([])
    expect(
      plain(lines)
        .map(([line]) => line)
        .toSorted(),
    ).toEqual([
      'POST /keys/',
      'POST /marketplace-orders/',
      'POST /openstack-tenants/*/create_security_group/',
      'POST /projects/',
    ])
    expect(waldur.writes()).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ outcomes: [] })
    expect(waldur.writes()).toHaveLength(4)
  })
})
