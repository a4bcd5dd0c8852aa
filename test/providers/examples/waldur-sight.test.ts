import { afterEach, beforeEach, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { nobodysToken, waldurToken } from '../../builders/waldur/waldur-rights.ts'
import { openWaldurSite, type WaldurSite } from '../../builders/waldur/waldur-site.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'

/* What a token sees changes with roles and with its user, and Waldur answers 404 for the rest. */

let site: WaldurSite
beforeEach(async () => {
  site = await openWaldurSite()
})
afterEach(() => site[Symbol.asyncDispose]())

const projectOf = (name: string): Wanted => ({
  type: 'waldur_project',
  name: name.toLowerCase(),
  spec: { name, customer: 'ACME' },
})
const web: Wanted = { type: 'waldur_security_group', name: 'web', spec: { tenant: 'cloud', name: 'web', rules: [] } }
const key: Wanted = {
  type: 'waldur_ssh_key',
  name: 'ada',
  spec: { name: 'ada', publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ada@laptop' },
}
const machine: Wanted = {
  type: 'waldur_instance',
  name: 'vm',
  spec: {
    project: '${resource.waldur_project.lab.url}',
    name: 'vm-1',
    offering: 'Machines in cloud',
    flavor: 'm1.small',
    image: 'cirros',
    systemVolumeSize: 10,
    ports: [{ subnet: 'net' }],
  },
}
const member: Wanted = {
  type: 'waldur_project_member',
  name: 'm',
  spec: { project: '${resource.waldur_project.lab.url}', user: 'nobody', role: 'PROJECT.MEMBER' },
}

/** What a user made, so that all is in sync. */
const start = async (wanted: readonly Wanted[], token = waldurToken) => {
  const drive = site.drive(wanted, token)
  for (let turn = 0; turn < 3; turn += 1) {
    const { digest, plan } = await drive.check()
    if (plan.inSync) break
    await drive.apply(digest)
  }
  const look = async () => {
    site.forget()
    const { plan, lines } = await drive.check()
    return {
      lines,
      unchecked: plan.unchecked.map(({ address, reason }) => `${reason} ${address}`).toSorted(),
      details: plan.unchecked.map(({ detail }) => detail).join('\n'),
      inSync: plan.inSync,
    }
  }
  expect(await look()).toMatchObject({ lines: [], unchecked: [], inSync: true })
  const become = (next: string): void => {
    drive.secrets['env:TOKEN'] = next
  }
  return { ...drive, look, become }
}

const giveRole = (role: string, kind: 'customers' | 'projects', name: string) => {
  const { uuid: role_uuid = '' } = site.one('roles', { name: role })
  const { uuid: user_uuid = '' } = site.one('users', { username: 'nobody' })
  const { uuid: scope = '' } = site.one(kind, { name })
  return site.add('user-roles', { scope, user_uuid, role_uuid, role_name: role, expiration_time: null })
}

it('a role lost in one project makes what is in it unchecked, and orders no machine', long, async () => {
  const role = giveRole('CUSTOMER.OWNER', 'customers', 'ACME')
  const drive = await start([projectOf('Infrastructure'), web, projectOf('Lab'), machine], nobodysToken)
  site.remove('user-roles', role)
  giveRole('PROJECT.ADMIN', 'projects', 'Infrastructure')
  const { lines, unchecked, details } = await drive.look()
  expect({ lines, unchecked }).toEqual({
    lines: [],
    unchecked: ['out_of_sight waldur_instance.vm', 'out_of_sight waldur_project.lab'],
  })
  expect(details).toContain('2 of 2 recorded objects of waldur_project.lab are gone at once')
})

it("another user's token makes what belongs to the first one unchecked, and makes no second key", long, async () => {
  const drive = await start([projectOf('Infrastructure'), web, key])
  giveRole('PROJECT.ADMIN', 'projects', 'Infrastructure')
  drive.become(nobodysToken)
  const { lines, unchecked, details } = await drive.look()
  expect({ lines, unchecked }).toEqual({ lines: [], unchecked: ['out_of_sight waldur_ssh_key.ada'] })
  expect(details).toMatch(/it was recorded as uuid b0\w+ sees it, and api is uuid b1\w+ now/)
})

it('a project that others made again takes nothing along, until it is taken over', async () => {
  const drive = await start([projectOf('Infrastructure'), projectOf('Lab'), member])
  const lab = site.one('projects', { name: 'Lab' })
  site.remove('projects', lab)
  const { url: _, uuid: __, ...members } = lab
  const again = site.add('projects', members)
  const { lines, unchecked } = await drive.look()
  expect({ lines, unchecked }).toEqual({ lines: [], unchecked: ['other_parent waldur_project_member.m'] })
  expect(site.all('user-roles').filter(({ scope }) => scope === again['uuid'])).toEqual([])
})
