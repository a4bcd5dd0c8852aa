import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

describe('a setting that no request can change', () => {
  const privileges: readonly (readonly [name: string, live: Json, other: Json])[] = [
    ['plan', 'enterprise', { name: 'team', space: 1, private_repos: 1, filled_seats: 1, seats: 1 }],
    ['default_repository_branch', 'main', 'master'],
    ['two_factor_requirement_enabled', false, true],
    ['members_can_delete_repositories', true, false],
    ['members_can_change_repo_visibility', true, false],
    ['members_can_invite_outside_collaborators', true, false],
    ['members_can_delete_issues', false, true],
    ['members_can_create_teams', true, false],
    ['members_can_view_dependency_insights', true, false],
    ['readers_can_create_discussions', true, false],
    ['display_commenter_full_name_setting_enabled', false, true],
  ]
  eachOf(it, 2)(privileges)('is reported as changed, and nothing is sent: %s', async (name, live, other) => {
    await using drive = await driveGitHub([
      { type: 'github_organization_privileges', name: 'acme', spec: { [name]: live } },
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [] })
    const settings = drive.github.world.organizations.get('acme')?.settings ?? {}
    settings[name] = other
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.inSync).toBe(false)
    expect(plan.changes).toMatchObject([
      {
        causes: [{ path: [name] }],
        blocked: { reason: 'immutable', detail: expect.stringMatching(/^no request can change /) },
      },
    ])
  })
})

it('a role is given to a team, and removed', long, async () => {
  const core = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
  const given = {
    type: 'github_organization_role_team',
    name: 'security',
    spec: { role: 'security_manager', team: 'Core' },
  }
  await using drive = await driveGitHub([core])
  await drive.settle()
  drive.want([core, given])
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  drive.want([core, { ...given, absent: true } as never])
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  expect(drive.github.violations).toEqual([])
})

it('the list of teams of a role removes all other teams', long, async () => {
  const teams = ['Core', 'Docs'].map((name) => ({ type: 'github_team', name, spec: { name, privacy: 'closed' } }))
  const given = (...slugs: string[]) => ({
    type: 'github_organization_role_teams',
    name: 'security',
    spec: { role: 'security_manager', teams: slugs.map((team) => ({ team })) },
  })
  await using drive = await driveGitHub([...teams, given('Core')])
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  const outside = drive.github.as('octo-owner')
  const { body } = outside.request('GET', '/orgs/acme/organization-roles')
  const { roles } = body as unknown as { roles: readonly { id: number; name: string }[] }
  const role = roles.find(({ name }) => name === 'security_manager')?.id
  outside.request('PUT', `/orgs/acme/organization-roles/teams/docs/${role}`)
  const { lines } = await drive.check()
  expect(lines).toEqual([[`DELETE /orgs/acme/organization-roles/teams/docs/${role}`]])
  await drive.settle()
  drive.want([...teams, given('Docs')])
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  const { body: now } = outside.request('GET', `/orgs/acme/organization-roles/${role}/teams`)
  expect(now).toMatchObject([{ slug: 'docs' }])
  drive.want([...teams, given()])
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  expect(drive.github.violations).toEqual([])
})

it('a ruleset and a webhook wait for the repository of the same plan', long, async () => {
  const conditions = { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } }
  await using drive = await driveGitHub([
    {
      type: 'github_ruleset',
      name: 'main',
      spec: { repository: 'web', name: 'main', enforcement: 'active', conditions },
    },
    { type: 'github_repository_webhook', name: 'ci', spec: { repository: 'web', url: 'https://ci.example/hook' } },
    { type: 'github_repository', name: 'web', spec: { name: 'web' } },
  ])
  const { lines } = await drive.settle()
  expect(lines[0]?.[0]).toBe('POST /orgs/acme/repos')
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
})
