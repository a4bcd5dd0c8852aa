import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub, everyPermission, type Wanted } from './drive.ts'

const aTeam = (name: string, spec: JsonObject = {}) => ({
  type: 'github_team',
  name: name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_'),
  spec: { name, privacy: 'closed', ...spec },
})
const logins = (...names: readonly string[]) => names.map((login) => ({ login }))
const without = (lines: readonly (readonly [string, ...unknown[]])[]) => lines.map(([line]) => line)

describe('a team', () => {
  it('is created after its parent, and then nothing differs', long, async () => {
    await using drive = await driveGitHub([
      aTeam('Docs', { parent: 'Core' }),
      aTeam('Core', { description: 'The core' }),
    ])
    const { lines } = await drive.settle()
    expect(lines).toMatchObject([
      ['POST /orgs/acme/teams', { name: 'Core' }],
      ['POST /orgs/acme/teams', { name: 'Docs', parent_team_id: { $after: 'github_team.core' } }],
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it('gets each member by a separate request; the case of a login does not matter', long, async () => {
    await using drive = await driveGitHub([aTeam('Core', { members: logins('octo-owner', 'MONA') })], {
      members: ['mona', 'hubot'],
    })
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    drive.want([aTeam('Core', { members: logins('octo-owner', 'hubot'), maintainers: logins('octo-owner', 'hubot') })])
    const { lines } = await drive.settle()
    expect(without(lines)).toEqual([
      'DELETE /orgs/acme/teams/core/memberships/mona',
      'PUT /orgs/acme/teams/core/memberships/hubot',
      'PUT /orgs/acme/teams/core/memberships/hubot',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it('loses its creator, whom GitHub adds, by the next plan', long, async () => {
    await using drive = await driveGitHub([aTeam('Core', { members: logins('mona') })], { members: ['mona'] })
    await drive.apply((await drive.check()).digest)
    const { lines } = await drive.settle()
    expect(without(lines)).toEqual(['DELETE /orgs/acme/teams/core/memberships/octo-owner'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('that was renamed outside is renamed back, by the slug that it has now', long, async () => {
    await using drive = await driveGitHub([aTeam('Core')])
    await drive.settle()
    drive.github.as('octo-owner').request('PATCH', '/orgs/acme/teams/core', { name: 'Kernel' })
    const { lines } = await drive.settle()
    expect(lines).toEqual([['PATCH /orgs/acme/teams/kernel', { name: 'Core' }]])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('is renamed after the requests of all that name it, which have its former slug', long, async () => {
    const repository = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
    const others = (name: string, permission: string, privacy: string): readonly Wanted[] => [
      repository,
      { type: 'github_team', name: 'core', spec: { name, privacy: 'closed', description: permission } },
      { type: 'github_team', name: 'below', spec: { name: 'Below', parent: name, description: privacy } },
      { type: 'github_team_repository', name: 'web', spec: { team: name, repository: 'web', permission } },
    ]
    await using drive = await driveGitHub(others('Core', 'push', 'a'))
    await drive.settle().catch(() => undefined)
    await drive.settle()
    drive.want(others('Kernel', 'pull', 'b'))
    const { lines } = await drive.settle()
    expect(without(lines)).toEqual([
      'PATCH /orgs/acme/teams/below',
      'PUT /orgs/acme/teams/core/repos/acme/web',
      'PATCH /orgs/acme/teams/core',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [] })
    drive.want(others('Third', 'pull', 'b').slice(0, 3))
    const left = await drive.settle()
    expect(without(left.lines)).toEqual([
      'DELETE /orgs/acme/teams/kernel/repos/acme/web',
      'PATCH /orgs/acme/teams/kernel',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  eachOf(it, 1)(['renamed', 'deleted'])('that was %s outside gets its access to a repository back', async (how) => {
    const wanted = (permission: string): readonly Wanted[] => [
      { type: 'github_repository', name: 'web', spec: { name: 'web' } },
      { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed', members: logins('octo-owner') } },
      { type: 'github_team_repository', name: 'web', spec: { team: 'Core', repository: 'web', permission } },
    ]
    await using drive = await driveGitHub(wanted('push'))
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    if (how === 'renamed') owner.request('PATCH', '/orgs/acme/teams/core', { name: 'Kernel' })
    else owner.request('DELETE', '/orgs/acme/teams/core')
    // Two of three recorded objects are gone at once: a person says that they were deleted.
    drive.want(wanted('pull'), how === 'deleted' ? { gone: [{ address: '*.*', reason: 'it was deleted' }] } : {})
    const { lines } = await drive.settle()
    expect(without(lines)).toEqual(
      how === 'renamed'
        ? ['PUT /orgs/acme/teams/kernel/repos/acme/web', 'PATCH /orgs/acme/teams/kernel']
        : expect.arrayContaining(['POST /orgs/acme/teams']),
    )
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [], unchecked: [] })
  })

  it('is not confused with another team that got its name', long, async () => {
    await using drive = await driveGitHub([aTeam('Core', { description: 'ours' })])
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    owner.request('PATCH', '/orgs/acme/teams/core', { name: 'Kernel' })
    owner.request('POST', '/orgs/acme/teams', { name: 'Core', description: 'theirs', privacy: 'closed' })
    const { plan, lines } = await drive.check()
    expect(lines.filter(([line]) => line.startsWith('DELETE'))).toEqual([])
    expect(plan.inSync).toBe(false)
    expect(lines).toEqual([])
  })

  it('is renamed together with a change of its members', long, async () => {
    await using drive = await driveGitHub([aTeam('Core', { members: logins('octo-owner') })], { members: ['mona'] })
    await drive.settle()
    drive.want([{ ...aTeam('Core'), spec: { name: 'Kernel', members: logins('octo-owner', 'mona') } }])
    const { lines } = await drive.settle()
    expect(without(lines)).toEqual(['PUT /orgs/acme/teams/core/memberships/mona', 'PATCH /orgs/acme/teams/core'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  eachOf(it, 1)(['C++ & friends', '../admin', 'Ünïcode', 'a/b', '__proto__', '{organization}', '%2e%2e'])(
    'may be called %s',
    async (name) => {
      await using drive = await driveGitHub([
        { type: 'github_team', name: 'odd', spec: { name: name.replaceAll('{', '{'), privacy: 'closed' } },
      ])
      await drive.settle()
      expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
      drive.want([])
      expect(drive.github.violations).toEqual([])
    },
  )

  it('on a page after the first is found', async () => {
    await using drive = await driveGitHub([aTeam('zz last')])
    const owner = drive.github.as('octo-owner')
    for (let index = 0; index < 120; index += 1) owner.request('POST', '/orgs/acme/teams', { name: `team ${index}` })
    owner.request('POST', '/orgs/acme/teams', { name: 'zz last', privacy: 'closed' })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('that the token may not see is unchecked, and is not created', async () => {
    await using drive = await driveGitHub([aTeam('Core')], { members: ['mona'], checkAnswers: false })
    Object.assign(drive.secrets, { 'env:TOKEN': drive.github.token({ login: 'mona' }) })
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan).toMatchObject({ inSync: false, unchecked: [{ address: 'github_team.core', reason: 'out_of_sight' }] })
  })

  it('that an app creates has no undeclared member', long, async () => {
    await using drive = await driveGitHub([aTeam('Core', { members: logins('mona') })], {
      members: ['mona'],
      signIn: (github) => {
        const { id: app, installation, privateKey } = github.app({ permissions: everyPermission })
        return {
          with: { app, installation, privateKey: { secret: 'env:KEY' } },
          secrets: { 'env:KEY': privateKey },
        }
      },
    })
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it('that leaves the configuration is deleted by an irreversible command', async () => {
    await using drive = await driveGitHub([aTeam('Core')])
    await drive.settle()
    drive.want([{ ...aTeam('Core'), absent: true } as never])
    expect((await drive.check()).plan.commands).toMatchObject([
      { request: { method: 'DELETE' }, grade: 'irreversible' },
    ])
  })
})

it('an outsider counts as a member from the invitation on, and is removed by cancelling it', long, async () => {
  const team = (...logins: readonly string[]) => ({
    type: 'github_team',
    name: 'core',
    spec: { name: 'Core', privacy: 'closed', members: logins.map((login) => ({ login })) },
  })
  await using drive = await driveGitHub([team('octo-owner', 'Mallory')], { people: ['mallory'] })
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [] })
  drive.github.world.organizations.get('acme')?.members.set('mallory', 'member')
  expect((await drive.check()).plan).toMatchObject({ inSync: true, drift: [] })
  drive.github.world.organizations.get('acme')?.members.delete('mallory')
  drive.want([team('octo-owner')])
  const { lines } = await drive.settle()
  expect(lines.map(([line]) => line)).toEqual(['DELETE /orgs/acme/teams/core/memberships/mallory'])
  expect((await drive.check()).plan).toMatchObject({ inSync: true })
})
