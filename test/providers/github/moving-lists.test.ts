import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

describe('a list whose first command moves the next', () => {
  const web = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
  const core = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
  const docs = { type: 'github_team', name: 'docs', spec: { name: 'Docs', privacy: 'closed', parent: 'Core' } }
  const teams = (all: readonly JsonObject[]) => ({
    type: 'github_repository_teams',
    name: 'web',
    spec: { repository: 'web', teams: all },
  })

  it('is applied as a whole where a team below another one follows it', long, async () => {
    await using drive = await driveGitHub([web, core, docs])
    await drive.settle()
    const both = [
      { team: 'Core', permission: 'maintain' },
      { team: 'Docs', permission: 'maintain' },
    ]
    drive.want([web, core, docs, teams(both)])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web, core, docs, teams([])])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is applied as a whole where an owner maintains the team at once', long, async () => {
    const members = (own: JsonObject) => ({ ...core, spec: { ...core.spec, ...own } })
    await using drive = await driveGitHub([core], { members: ['mona'] })
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    owner.request('PUT', '/orgs/acme/teams/core/memberships/mona', { role: 'maintainer' })
    owner.request('DELETE', '/orgs/acme/teams/core/memberships/octo-owner')
    drive.want([
      members({ members: [{ login: 'mona' }, { login: 'octo-owner' }], maintainers: [{ login: 'octo-owner' }] }),
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('brings nobody back who leaves both lists', long, async () => {
    await using drive = await driveGitHub([core], { members: ['mona'] })
    await drive.settle()
    const mona = [{ login: 'mona' }]
    drive.want([{ ...core, spec: { ...core.spec, members: mona, maintainers: mona } }])
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line).toSorted()).toEqual([
      'DELETE /orgs/acme/teams/core/memberships/octo-owner',
      'PUT /orgs/acme/teams/core/memberships/mona',
      'PUT /orgs/acme/teams/core/memberships/mona',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('is marked where somebody gets access by being in it', async () => {
    await using drive = await driveGitHub([core], { members: ['mona'] })
    await drive.settle()
    drive.want([{ ...core, spec: { ...core.spec, members: [{ login: 'octo-owner' }, { login: 'mona' }] } }])
    const { plan } = await drive.check()
    expect(plan.changes[0]?.causes.map(({ access }) => access)).toEqual(['widens'])
  })
})

describe('a list of people and teams', () => {
  it('loses nothing of them: each change can be undone', long, async () => {
    const web = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
    const core = { type: 'github_team', name: 'core', spec: { name: 'Core' } }
    const lists = (role: string, permission: string) => [
      web,
      core,
      {
        type: 'github_organization_members',
        name: 'all',
        spec: {
          members: [
            { login: 'octo-owner', role: 'admin' },
            { login: 'mona', role },
          ],
        },
      },
      {
        type: 'github_repository_teams',
        name: 'web',
        spec: { repository: 'web', teams: [{ team: 'Core', permission }] },
      },
      {
        type: 'github_repository_collaborators',
        name: 'web',
        spec: { repository: 'web', collaborators: [{ login: 'mona', permission }] },
      },
    ]
    await using drive = await driveGitHub(lists('member', 'push'), { members: ['mona'] })
    await drive.settle()
    drive.want(lists('admin', 'pull'))
    const { plan } = await drive.check()
    expect(plan.commands.map(({ grade }) => grade)).toEqual(['reversible', 'reversible', 'reversible'])
  })
})
