import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { lawCases } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { driveOrganisation } from '../../builders/otterdog/drive-organisation.ts'
import { built, organisationOf, textOf } from '../../builders/otterdog/organisation.ts'

/* Organisation files of Otterdog over the stand-in of GitHub, from the file to the requests. */

const bare: JsonObject = { project_name: 'acme', github_id: 'acme', settings: {} }
const withTeam = (fields: JsonObject): JsonObject => ({
  ...bare,
  teams: [built('newTeam', { name: 'Core Team', ...fields })],
})

describe('an organisation file, over GitHub', () => {
  it('creates, is in sync, shows a change from outside, and repairs it', long, async () => {
    await using one = await driveOrganisation(withTeam({ description: 'Who decides' }))
    const first = await one.check()
    expect(first.plan.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
      'create module.acme.github_team.core-team',
    ])
    expect((await one.apply(first.digest)).status).toBe('succeeded')
    const again = await one.check()
    expect({ changes: again.plan.changes, inSync: again.plan.inSync }).toEqual({ changes: [], inSync: true })
    await one.github.as('octo-owner').request('PATCH', '/orgs/acme/teams/core-team', { description: 'Others' })
    const { plan } = await one.check()
    expect(plan.changes.map(({ address }) => address)).toEqual(['module.acme.github_team.core-team'])
    expect(one.github.violations).toEqual([])
  })

  it('a setting that no request changes is a blocked change at its line, and the rest is sent', long, async () => {
    const written = { ...withTeam({}), settings: { members_can_delete_issues: true, plan: 'enterprise' } }
    await using one = await driveOrganisation(written)
    const live = one.github.world.organizations.get('acme')?.settings ?? {}
    live['members_can_delete_issues'] = false
    const { plan, digest } = await one.check()
    const [privileges] = plan.changes.filter(({ type }) => type === 'github_organization_privileges')
    const lines = textOf(written).split('\n')
    expect(privileges).toMatchObject({
      causes: [{ path: ['members_can_delete_issues'] }],
      blocked: { reason: 'immutable' },
      position: { file: 'otterdog/acme.json' },
    })
    expect(lines[(privileges?.position?.line ?? 0) - 1]).toContain('settings')
    await one.apply(digest)
    const after = await one.check()
    expect(after.plan.changes.map(({ type }) => type)).toEqual(['github_organization_privileges'])
    expect(after.plan.inSync).toBe(false)
    live['members_can_delete_issues'] = true
    expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it('settings without an API are one note at the first of them, and no difference', async () => {
    const written = {
      ...bare,
      settings: { has_discussions: false, packages_containers_public: false },
    }
    await using one = await driveOrganisation(written)
    const { plan } = await one.check()
    expect(plan).toMatchObject({ inSync: true, changes: [], unchecked: [] })
    expect(plan.notes).toMatchObject([
      {
        code: 'withoutApi',
        level: 'info',
        file: 'otterdog/acme.json',
        message: expect.stringMatching(/has_discussions, .*of github_organization: not checked$/),
      },
    ])
    for (const name of Object.keys(written.settings)) expect(plan.notes?.[0]?.message).toContain(name)
  })

  it('a team that the file does not declare is found by its slug', long, async () => {
    const ruleset = {
      name: 'all',
      include_repo_names: ['~ALL'],
      include_refs: ['~ALL'],
      bypass_actors: ['@acme/red-team'],
    }
    await using one = await driveOrganisation({
      ...bare,
      settings: { security_managers: ['red-team'] },
      rulesets: [built('newOrgRuleset', ruleset)],
    })
    one.github.as('octo-owner').request('POST', '/orgs/acme/teams', { name: 'Red Team' })
    const { plan, digest } = await one.check()
    expect(plan.unchecked).toEqual([])
    expect((await one.apply(digest)).status).toBe('succeeded')
    expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [] })
    expect(one.github.violations).toEqual([])
  })

  it('a team that got the role for security outside loses it', long, async () => {
    await using one = await driveOrganisation({ ...withTeam({}), settings: { security_managers: ['core-team'] } })
    await one.apply((await one.check()).digest)
    expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [] })
    one.want({ ...withTeam({}), settings: { security_managers: [] } })
    const { lines, digest } = await one.check()
    expect(lines).toMatchObject([[expect.stringMatching(/^DELETE .*organization-roles\/teams\/core-team\//)]])
    await one.apply(digest)
    expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [] })
    expect(one.github.violations).toEqual([])
  })

  it('a webhook with an alias gets its new url, also without a record', async () => {
    await using one = await driveOrganisation({
      ...bare,
      webhooks: [
        built('newOrgWebhook', { url: 'https://new.example', events: ['push'], aliases: ['https://old.example'] }),
      ],
    })
    const config = { url: 'https://old.example', content_type: 'form', insecure_ssl: '0' }
    const hook = { name: 'web', active: true, events: ['push'], config }
    await one.github.as('octo-owner').request('POST', '/orgs/acme/hooks', hook)
    const { plan, lines } = await one.check()
    expect(plan.unchecked).toEqual([])
    expect(plan.changes.map(({ action }) => action)).toEqual(['update'])
    expect(lines).toMatchObject([[expect.stringMatching(/^PATCH .*config$/), { url: 'https://new.example' }]])
  })

  it('a role of the organisation is made once, and the rest with it', long, async () => {
    const role = built('newOrgRole', { name: 'auditor', base_role: 'read', permissions: ['read_code_quality'] })
    await using one = await driveOrganisation({ ...withTeam({}), roles: [role] })
    const { plan, digest } = await one.check()
    expect(plan.unchecked).toEqual([])
    expect(plan.changes.map(({ address }) => address).sort()).toEqual([
      'module.acme.github_organization_role.auditor',
      'module.acme.github_team.core-team',
    ])
    expect((await one.apply(digest)).status).toBe('succeeded')
    expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [] })
    expect(one.github.violations).toEqual([])
  })
})

describe('rulesets, over GitHub', () => {
  const ruleset = (fields: JsonObject): JsonObject => ({
    ...withTeam({}),
    settings: { plan: 'team' },
    rulesets: [
      built('newOrgRuleset', {
        name: 'main',
        include_refs: ['~DEFAULT_BRANCH'],
        include_repo_names: ['~ALL'],
        bypass_actors: ['#OrganizationAdmin', '@acme/core-team:pull_request', '#Maintain:always'],
        required_status_checks: { strict: true, do_not_enforce_on_create: false, status_checks: ['build', 'any:lint'] },
        ...fields,
      }),
    ],
  })
  const settle = async (one: Awaited<ReturnType<typeof driveOrganisation>>) => {
    const { plan, digest } = await one.check()
    expect(plan.unchecked).toEqual([])
    const applied = await one.apply(digest)
    expect({ violations: one.github.violations, error: applied.error }).toEqual({ violations: [] })
    expect(applied.status).toBe('succeeded')
    return plan
  }
  const live = async (one: Awaited<ReturnType<typeof driveOrganisation>>) => {
    const { body } = await one.github.as('octo-owner').request('GET', '/orgs/acme/rulesets')
    const [{ id }] = body as unknown as [{ id: number }]
    const path = `/orgs/acme/rulesets/${id}`
    return { path, value: (await one.github.as('octo-owner').request('GET', path)).body as JsonObject }
  }

  it('converges: actors with and without a mode, checks with and without a source', long, async () => {
    await using one = await driveOrganisation(ruleset({}))
    await settle(one)
    expect((await one.check()).plan.changes).toEqual([])
    expect(one.github.violations).toEqual([])
  })

  it('leaves alone rules that the file does not decide, and removes those that it allows', long, async () => {
    await using one = await driveOrganisation(ruleset({}))
    await settle(one)
    const { path, value } = await live(one)
    const rules = [
      ...(value['rules'] as JsonObject[]),
      { type: 'branch_name_pattern', parameters: { operator: 'starts_with', pattern: 'x' } },
      { type: 'required_signatures' },
    ]
    await one.github.as('octo-owner').request('PUT', path, { rules, enforcement: 'active', name: 'main' })
    const { plan } = await one.check()
    expect(plan.changes.map(({ address }) => address)).toEqual(['module.acme.github_organization_ruleset.main'])
    await settle(one)
    const types = ((await live(one)).value['rules'] as JsonObject[]).map(({ type }) => type)
    expect(types).toContain('branch_name_pattern')
    expect(types).not.toContain('required_signatures')
    expect((await one.check()).plan.changes).toEqual([])
  })
})

const fixtures = join(import.meta.dirname, '../../fixtures/otterdog')

describe('the public forms, over GitHub', () => {
  const forms = readdirSync(fixtures).filter((form) => form !== 'old')
  it.each(lawCases(forms))('%s: apply, then an empty plan', async (form) => {
    const written = JSON.parse(readFileSync(join(fixtures, form, 'acme.json'), 'utf8')) as JsonObject
    await using one = await driveOrganisation(written)
    // Under its former name, if it has one.
    for (const each of (written['repositories'] ?? []) as { name: string; private: boolean; aliases?: string[] }[])
      one.github.as('octo-owner').request('POST', '/orgs/acme/repos', {
        name: each.aliases?.[0] ?? each.name,
        private: each.private,
        auto_init: true,
      })
    // A value of asterisks says that something else sets it.
    const secrets = (written['secrets'] ?? []) as { name: string; value: string }[]
    const kept = secrets.filter(({ value }) => value.startsWith('*'))
    for (const { name } of kept) one.github.setSecret('acme', { name, visibility: 'private', value: 'set elsewhere' })
    const first = await one.check()
    expect(first.plan.notes?.filter(({ code }) => code === 'lackingAttribute') ?? []).toEqual([])
    // What a repository has exactly once is found under its name, and a rename of the same plan gives it that.
    const own = ({ detail }: { detail?: string }) => !/it does not exist, and objects of/.test(detail ?? '')
    expect(first.plan.unchecked.filter(own)).toEqual([])
    expect(first.plan.changes.filter(({ blocked }) => blocked !== undefined)).toEqual([])
    // A change of the organisation or of the visibility changes other settings, which was not planned: what was not sent then
    // is sent by the next apply.
    let { plan, digest } = first
    for (let applies = 0; plan.changes.length > 0 && applies < 3; applies += 1) {
      await one.apply(digest)
      ;({ plan, digest } = await one.check())
    }
    const last = (await one.check()).plan
    expect(last.unchecked).toEqual([])
    expect(last.changes).toEqual([])
    for (const { name } of kept) expect(one.github.secret('acme', name)).toBe('set elsewhere')
    expect(one.github.violations).toEqual([])
  })
})

it('nothing of the default file is sent that GitHub does not know', async () => {
  await using one = await driveOrganisation(organisationOf())
  const { plan } = await one.check()
  expect(plan.unchecked).toEqual([])
  expect(one.github.violations).toEqual([])
})
