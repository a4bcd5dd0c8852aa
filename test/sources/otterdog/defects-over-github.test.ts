import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveOrganisation } from '../../builders/otterdog/drive-organisation.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'

/* Defects of Otterdog that show between a file and GitHub: KB-... as its users call them, the others by a name. */

const bare: JsonObject = { project_name: 'acme', github_id: 'acme', settings: {} }
const withRepository = (fields: JsonObject): JsonObject => ({
  ...bare,
  repositories: [{ name: 'website', private: false, ...fields }],
})
type Driven = Awaited<ReturnType<typeof driveOrganisation>>

const outside = ({ github }: Driven) => github.as('octo-owner')
const settle = async (one: Driven) => {
  const { plan, digest } = await one.check()
  expect(plan.unchecked).toEqual([])
  const applied = await one.apply(digest)
  expect({ status: applied.status, error: applied.error }).toEqual({ status: 'succeeded' })
  return plan
}
const expectInSync = async (one: Driven) => {
  expect((await one.check()).plan).toMatchObject({ inSync: true, changes: [], unchecked: [] })
  expect(one.github.violations).toEqual([])
}

describe('what is read', () => {
  it('KB-003: every page of variables and webhooks is read', long, async () => {
    const variables = Array.from({ length: 35 }, (_, index) =>
      built('newOrgVariable', { name: `NUMBER_${index}`, value: String(index) }),
    )
    const webhooks = Array.from({ length: 105 }, (_, index) =>
      built('newOrgWebhook', { url: `https://ci.example/${index}`, events: ['push'] }),
    )
    await using one = await driveOrganisation({ ...bare, variables, webhooks })
    for (const { name, value } of variables)
      outside(one).request('POST', '/orgs/acme/actions/variables', { name, value, visibility: 'all' } as JsonObject)
    for (const { url } of webhooks) {
      const config = { url: url as string, content_type: 'form', insecure_ssl: '0' }
      outside(one).request('POST', '/orgs/acme/hooks', { name: 'web', events: ['push'], config })
    }
    await expectInSync(one)
  })

  it('KB-041: the requirement of two factors is read', long, async () => {
    await using one = await driveOrganisation({ ...bare, settings: { two_factor_requirement: true } })
    await expectInSync(one)
    Object.assign(one.github.world.organizations.get('acme')?.settings ?? {}, { two_factor_requirement_enabled: false })
    expect((await one.check()).plan).toMatchObject({
      inSync: false,
      changes: [{ causes: [{ path: ['two_factor_requirement_enabled'] }] }],
    })
  })

  it.each([401, 403, 404, 500])('KB-080: what answers %s is unchecked, never absent', async (status) => {
    await using one = await driveOrganisation({
      ...bare,
      webhooks: [built('newOrgWebhook', { url: 'https://ci.example', events: ['push'] })],
    })
    one.github.faults.add({ kind: 'status', status, when: ({ path }) => path.startsWith('/orgs/acme/hooks') })
    const { plan, lines } = await one.check()
    expect(lines).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toEqual([
      'module.acme.github_organization_webhook.named["https://ci.example"]',
    ])
    expect(plan.inSync).toBe(false)
  })

  it('KB-078: a permission that a token lacks is named, also for an app', async () => {
    await using one = await driveOrganisation({
      ...bare,
      variables: [built('newOrgVariable', { name: 'A', value: 'a' })],
    })
    for (const installation of one.github.world.installations.values())
      Object.assign(installation, { permissions: { metadata: 'read', organization_administration: 'write' } })
    const [unchecked] = (await one.check()).plan.unchecked
    expect(unchecked).toMatchObject({ reason: 'forbidden', detail: expect.stringContaining('Resource not accessible') })
  })

  it('KB-027 and the case of logins: teams by slug or name, people in any case', long, async () => {
    await using one = await driveOrganisation({
      ...bare,
      settings: { security_managers: ['core-team'] },
      teams: [built('newTeam', { name: 'Core Team', members: ['ADA', 'Bob'] })],
    })
    await settle(one)
    await expectInSync(one)
  })
})

describe('rulesets', () => {
  const rulesetOf = (fields: JsonObject) => ({
    ...bare,
    rulesets: [{ name: 'all', enforcement: 'active', include_refs: ['~ALL'], include_repo_names: ['~ALL'], ...fields }],
  })
  const checks = (...status_checks: string[]) =>
    rulesetOf({ required_status_checks: { strict: true, do_not_enforce_on_create: false, status_checks } })

  it('KB-051: the app of a status check need not be installed, and can be a number', long, async () => {
    await using one = await driveOrganisation(checks('build-app:test', '4711:lint'))
    const { apps } = one.github.world
    const [known] = apps.values()
    if (known === undefined) throw new Error('no app')
    apps.set(4712, { ...known, id: 4712, slug: 'build-app', name: 'Build' })
    apps.set(4711, { ...known, id: 4711, slug: 'lint-app', name: 'Lint' })
    await settle(one)
    await expectInSync(one)
    one.want(checks('build-app:test', 'lint-app:lint'))
    expect((await one.check()).plan.changes).toEqual([])
  })

  it(
    'an actor that the format cannot name stays where the file names none, and is shown where it does',
    long,
    async () => {
      await using one = await driveOrganisation(rulesetOf({}))
      await settle(one)
      const [{ id }] = outside(one).request('GET', '/orgs/acme/rulesets').body as unknown as [{ id: number }]
      const path = `/orgs/acme/rulesets/${id}`
      const bypass_actors = [{ actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' }]
      outside(one).request('PUT', path, { bypass_actors })
      await expectInSync(one)
      one.want(rulesetOf({ enforcement: 'disabled' }))
      await settle(one)
      expect(outside(one).request('GET', path).body).toMatchObject({ enforcement: 'disabled', bypass_actors })
      one.want(rulesetOf({ bypass_actors: ['#OrganizationAdmin'] }))
      const [change] = (await one.check()).plan.changes
      expect(JSON.stringify(change?.diff)).toContain('DeployKey')
    },
  )
})

describe('what is sent', () => {
  it('KB-048: the secret of a webhook stays when something else of it changes', long, async () => {
    const hook = (events: string[]) => ({
      ...bare,
      webhooks: [built('newOrgWebhook', { url: 'https://ci.example', secret: '********', events })],
    })
    await using one = await driveOrganisation(hook(['push', 'create']))
    const config = { url: 'https://ci.example', content_type: 'form', insecure_ssl: '0', secret: 'hunter2' }
    outside(one).request('POST', '/orgs/acme/hooks', { name: 'web', events: ['push'], config })
    await settle(one)
    await expectInSync(one)
    const [kept] = one.github.world.organizations.get('acme')?.hooks.values() ?? []
    expect(kept).toMatchObject({ events: expect.arrayContaining(['push', 'create']), config: { secret: 'hunter2' } })
  })

  eachOf(
    it,
    1,
  )([
    ['squash_merge_commit', { squash_merge_commit_title: 'PR_TITLE', squash_merge_commit_message: 'PR_BODY' }],
    ['merge_commit', { merge_commit_title: 'PR_TITLE', merge_commit_message: 'PR_BODY' }],
  ])('KB-053: the title and the message of a %s are sent together', async (what, fields) => {
    await using one = await driveOrganisation(withRepository(fields))
    const live = { ...fields, [`${what}_message`]: 'BLANK' }
    outside(one).request('POST', '/orgs/acme/repos', { name: 'website', ...live })
    const { lines } = await one.check()
    expect(lines).toEqual([['PATCH /repos/acme/website', fields]])
    await settle(one)
    await expectInSync(one)
  })

  it('an environment keeps its reviewers and its timer when one field of it changes', long, async () => {
    const live = { name: 'live', wait_timer: 30, reviewers: ['@ada'], prevent_self_review: true }
    const written = (fields: JsonObject) => withRepository({ environments: [{ ...live, ...fields }] })
    await using one = await driveOrganisation(written({}))
    await settle(one)
    one.want(withRepository({ environments: [{ name: 'live', wait_timer: 10 }] }))
    await settle(one)
    one.want(written({ wait_timer: 10 }))
    await expectInSync(one)
  })

  it('KB-065: a new repository has all its settings after one apply', long, async () => {
    await using one = await driveOrganisation(
      withRepository({
        description: 'What it does',
        homepage: 'https://acme.example',
        auto_init: true,
        topics: ['web'],
        has_wiki: false,
        allow_auto_merge: true,
        allow_update_branch: true,
        delete_branch_on_merge: true,
        merge_commit_title: 'PR_TITLE',
        merge_commit_message: 'PR_BODY',
        squash_merge_commit_title: 'PR_TITLE',
        squash_merge_commit_message: 'PR_BODY',
        web_commit_signoff_required: true,
        secret_scanning: 'enabled',
        secret_scanning_push_protection: 'enabled',
        archived: false,
      }),
    )
    await settle(one)
    await expectInSync(one)
  })
})

describe('what a check and an apply say', () => {
  const team = (description: string): JsonObject => ({
    ...bare,
    teams: [built('newTeam', { name: 'Core', description })],
  })

  it('KB-010: a difference goes from GitHub to the file', async () => {
    await using one = await driveOrganisation(team('file'))
    outside(one).request('POST', '/orgs/acme/teams', { name: 'Core', description: 'live', privacy: 'closed' })
    const [change] = (await one.check()).plan.changes
    expect(change?.diff).toMatchObject({ members: { description: { before: 'live', after: 'file' } } })
  })

  it('KB-019, KB-066: what is different is not in sync, in each check until it is repaired', long, async () => {
    await using one = await driveOrganisation(team('file'))
    await settle(one)
    outside(one).request('PATCH', '/orgs/acme/teams/core', { description: 'live' })
    for (let checks = 0; checks < 3; checks += 1) expect((await one.check()).plan.inSync).toBe(false)
    await settle(one)
    await expectInSync(one)
  })

  it('KB-067: an invalid file is not in sync', long, async () => {
    await using one = await driveOrganisation(team('file'))
    await settle(one)
    one.want({ ...team('file'), variables: [built('newOrgVariable', { name: 'github_x', value: 'a' })] })
    await expect(one.check()).rejects.toThrow(/CONFIG_INVALID/)
  })

  it('KB-063: each element of a list that leaves or comes is shown', async () => {
    await using one = await driveOrganisation(withRepository({ topics: ['a', 'b', 'c'] }))
    outside(one).request('POST', '/orgs/acme/repos', { name: 'website' })
    outside(one).request('PUT', '/repos/acme/website/topics', { names: ['a', 'x', 'y'] })
    const [change] = (await one.check()).plan.changes
    const shown = JSON.stringify((change?.diff as { members?: JsonObject } | undefined)?.members?.['topics'])
    for (const each of ['"b"', '"c"', '"x"', '"y"']) expect(shown).toContain(each)
  })

  it('of two applies of one plan the second one sends nothing', long, async () => {
    await using one = await driveOrganisation(team('file'))
    const { digest } = await one.check()
    expect((await one.apply(digest)).status).toBe('succeeded')
    const again = await one.apply(digest).then(
      ({ status }) => status,
      () => 'refused',
    )
    expect(again).not.toBe('succeeded')
    await expectInSync(one)
  })

  it('an apply that failed is stored as failed, and what it did not do is planned again', async () => {
    await using one = await driveOrganisation(team('file'))
    const { digest } = await one.check()
    one.github.faults.add({ kind: 'status', status: 422, when: ({ path }) => path.endsWith('/teams'), times: 1 })
    const { id } = await one.request(digest)
    const applied = await one.runAgain(id)
    expect(applied.status).toBe('failed')
    const { plan } = await one.check()
    expect(plan.changes.map(({ action }) => action)).toEqual(['create'])
  })

  it('versions of a file that were never applied are not lost', long, async () => {
    await using one = await driveOrganisation(team('first'))
    await settle(one)
    one.want({ ...team('second') })
    one.want({ ...team('second'), variables: [built('newOrgVariable', { name: 'A', value: 'b' })] })
    expect((await one.check()).plan.changes.map(({ action, type }) => `${action} ${type}`).toSorted()).toEqual([
      'create github_organization_variable',
      'update github_team',
    ])
  })

  it('another default of a library is a change, although the file is the same', long, async () => {
    const before = organisationOf({ repositories: [repositoryOf({ auto_init: true })] }, {})
    const after = organisationOf({ repositories: [repositoryOf({ auto_init: true, has_wiki: false })] }, {})
    await using one = await driveOrganisation(before)
    await one.apply((await one.check()).digest)
    one.want(after)
    const { plan } = await one.check()
    const website = plan.changes.find(({ type }) => type === 'github_repository')
    expect(website?.causes.map(({ path }) => path[0])).toContain('has_wiki')
  })
})
