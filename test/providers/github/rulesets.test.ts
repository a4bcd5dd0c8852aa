import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

const ref_name = { include: ['~DEFAULT_BRANCH'], exclude: [] }
const conditions = { ref_name, repository_name: { include: ['~ALL'], exclude: [], protected: true } }
const aRuleset = (spec: JsonObject) => ({
  type: 'github_organization_ruleset',
  name: 'main',
  spec: { name: 'main', enforcement: 'active', ...spec },
})
const core = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
const checks = (required_status_checks: readonly JsonObject[]) => ({
  type: 'required_status_checks',
  parameters: { strict_required_status_checks_policy: true, required_status_checks },
})

/** A workspace over an organisation that has a ruleset already; the id of the ruleset. */
const live = async (spec: JsonObject, found: JsonObject, more: Parameters<typeof driveGitHub>[0] = []) => {
  const drive = await driveGitHub([...more, aRuleset(spec)])
  const { body } = drive.github.as('octo-owner').request('POST', '/orgs/acme/rulesets', {
    name: 'main',
    target: 'branch',
    enforcement: 'active',
    conditions,
    ...found,
  })
  const path = `/orgs/acme/rulesets/${(body as JsonObject)['id']}`
  return { drive, now: () => drive.github.as('octo-owner').request('GET', path).body as JsonObject }
}

describe('rulesets', () => {
  it('name an actor of the organisation by its name, and keep it', long, async () => {
    await using drive = await driveGitHub([
      core,
      aRuleset({ conditions, bypass_actors: [{ actor_type: 'Team', team: 'Core', bypass_mode: 'always' }] }),
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it('need no word for the usual way to bypass, and are the same with it', async () => {
    for (const more of [{}, { bypass_mode: 'always' }]) {
      const { drive } = await live(
        { bypass_actors: [{ actor_type: 'OrganizationAdmin', ...more }] },
        { bypass_actors: [{ actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' }] },
      )
      await using _ = drive
      expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    }
  })

  it('keep an undeclared list of actors at another change', async () => {
    const actors = [
      { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' },
      { actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' },
    ]
    const { drive, now } = await live(
      { enforcement: 'disabled' },
      { bypass_actors: actors, rules: [{ type: 'deletion' }] },
    )
    await using _ = drive
    await drive.settle()
    expect(now()).toMatchObject({
      enforcement: 'disabled',
      bypass_actors: actors,
      rules: [{ type: 'deletion' }],
      conditions,
    })
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(drive.github.violations).toEqual([])
  })

  it('keep an actor whose kind has no name in a declared list', async () => {
    const actors = [{ actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' }]
    const { drive, now } = await live(
      { bypass_actors: [{ actor_type: 'DeployKey' }, { actor_type: 'RepositoryRole', role: 'admin' }] },
      { bypass_actors: actors },
    )
    await using _ = drive
    await drive.settle()
    expect(now()['bypass_actors']).toEqual(
      expect.arrayContaining([...actors, { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }]),
    )
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(drive.github.violations).toEqual([])
  })

  it('can have an empty list of status checks, and converge', long, async () => {
    const { drive } = await live({ rules: [checks([])] }, { rules: [checks([{ context: 'build' }])] })
    await using _ = drive
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('can have a status check of any app, and converge', long, async () => {
    const { drive } = await live({ rules: [checks([{ context: 'build' }])] }, { rules: [] })
    await using _ = drive
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('are the same with status checks in another order', async () => {
    const { drive } = await live(
      { rules: [{ type: 'deletion' }, checks([{ context: 'build' }, { context: 'test' }])] },
      { rules: [checks([{ context: 'test' }, { context: 'build' }]), { type: 'deletion' }] },
    )
    await using _ = drive
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('are unchecked with a role or a team that nobody has, and nothing is sent', async () => {
    const { drive } = await live({ bypass_actors: [{ actor_type: 'Team', team: 'Nobody' }] }, {})
    await using _ = drive
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan).toMatchObject({ inSync: false, unchecked: [{ address: 'github_organization_ruleset.main' }] })
  })

  it('keep an undeclared parameter', async () => {
    const review = (more: JsonObject) => ({
      type: 'pull_request',
      parameters: {
        required_approving_review_count: 1,
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: true,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
        ...more,
      },
    })
    const { drive, now } = await live(
      { rules: [{ type: 'pull_request', parameters: { required_approving_review_count: 2 } }] },
      { rules: [review({ allowed_merge_methods: ['squash'] })] },
    )
    await using _ = drive
    await drive.settle()
    expect(now()['rules']).toMatchObject([
      review({ allowed_merge_methods: ['squash'], required_approving_review_count: 2 }),
    ])
  })
})
