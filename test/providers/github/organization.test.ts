import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/schema/json.ts'
import { driveGitHub } from './drive.ts'

describe('settings that no request changes', () => {
  const privileges: readonly (readonly [string, Json, Json])[] = [
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
  it.each(privileges)('a change of %s is seen, and nothing is sent', async (name, live, other) => {
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

it('a role is given to a team, and taken away', async () => {
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

it('a ruleset and a webhook wait for the repository of the same plan', async () => {
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
