import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'
import { readFile, specOf } from '../../builders/otterdog/read.ts'

/* Defects of Otterdog that its users know (KB-...), and that an organisation file must not meet here. */

const codes = (value: JsonObject) => readFile(value).problems.map(({ code }) => code)
const notes = (value: JsonObject) =>
  readFile(value).module?.notes.map(({ code, path }) => `${code} ${path.join('/')}`) ?? []
const repository = (fields: JsonObject, settings: JsonObject = {}) =>
  organisationOf({ repositories: [repositoryOf(fields)] }, settings)
const ruleset = (fields: JsonObject) => repository({ rulesets: [built('newRepoRuleset', { name: 'main', ...fields })] })
const rulesOf = (value: JsonObject) =>
  specOf(readFile(value), 'github_ruleset', 'website', 'main')?.['rules'] as readonly JsonObject[]
const checks = (...status_checks: string[]) => rulesOf(ruleset({ required_status_checks: { status_checks } }))
const actors = (...bypass_actors: string[]) =>
  specOf(readFile(ruleset({ bypass_actors })), 'github_ruleset', 'website', 'main')?.['bypass_actors']

describe('validation', () => {
  it('KB-006, KB-007: the limit of a cache is that of the organisation and of each repository', () => {
    const limit = { workflows: { enabled_repositories: 'all', max_cache_size_gb: 5 } }
    expect(specOf(readFile(organisationOf({}, limit)), 'github_organization_actions', 'this')).toMatchObject({
      max_cache_size_gb: 5,
    })
    const own = readFile(repository({ workflows: { enabled: true, max_cache_size_gb: 5 } }))
    expect(specOf(own, 'github_repository_actions', 'website')).toMatchObject({ max_cache_size_gb: 5 })
  })

  it('KB-008: a ruleset of the organisation may require environments', () => {
    const fields = { requires_deployments: true, required_deployment_environments: ['production'] }
    const rulesets = [built('newOrgRuleset', { name: 'all', ...fields })]
    expect(codes(organisationOf({ rulesets, repositories: [repositoryOf()] }, { plan: 'team' }))).toEqual([])
  })

  it('KB-009: the plan team has rulesets of the organisation', () => {
    const rulesets = [built('newOrgRuleset', { name: 'all' })]
    expect(codes(organisationOf({ rulesets }, { plan: 'team' }))).toEqual([])
    expect(codes(organisationOf({ rulesets }, { plan: 'free' }))).toEqual(['ORG-2'])
  })

  it('KB-016: a property whose name has an underscore can hold a list', () => {
    const property = built('newCustomProperty', {
      name: 'code_owners',
      value_type: 'multi_select',
      allowed_values: ['a'],
    })
    expect(codes(repository({ custom_properties: { code_owners: ['a'] } }, { custom_properties: [property] }))).toEqual(
      [],
    )
  })

  it('KB-023: each pattern of repository names is looked at', () => {
    const rulesets = [built('newOrgRuleset', { name: 'all', include_repo_names: ['none*', 'web*', 'nothing'] })]
    const found = notes(organisationOf({ rulesets, repositories: [repositoryOf()] }, { plan: 'team' }))
    expect(found.filter((each) => each.startsWith('ORS-1'))).toEqual([
      'ORS-1 rulesets/0/include_repo_names/0',
      'ORS-1 rulesets/0/include_repo_names/2',
    ])
  })

  it('KB-024: the defaults of a free organisation, and of one repository in it, break no rule', () => {
    expect(codes(organisationOf({ repositories: [repositoryOf()] }, { plan: 'free' }))).toEqual([])
  })

  it('KB-025: an entry of a password store may have several colons', () => {
    const secret = (value: string) => organisationOf({ secrets: [built('newOrgSecret', { name: 'A', value })] })
    expect(codes(secret('vault:kv:2/acme:bot/token'))).toEqual([])
    expect(codes(secret('a:b:c'))).toEqual(['SEC-2'])
  })

  it('KB-026: a plain secret is refused, and its value is in no message', () => {
    const webhooks = [built('newOrgWebhook', { url: 'https://a.example', secret: 'hunter2' })]
    const { problems, module } = readFile(organisationOf({ webhooks }))
    expect(problems.map(({ code }) => code)).toEqual(['HOOK-2'])
    expect(JSON.stringify([problems, module])).not.toContain('hunter2')
  })

  it('KB-028: variables of the organisation are validated', () => {
    const variables = [built('newOrgVariable', { name: 'github_x', value: 'a' })]
    expect(codes(organisationOf({ variables }))).toEqual(['VAR-1', 'VAR-2'])
  })

  it('KB-029: unknown actions of a repository are an error, also where the organisation limits them', () => {
    const outer = { workflows: { enabled_repositories: 'all', allowed_actions: 'selected' } }
    expect(codes(repository({ workflows: { enabled: true, allowed_actions: 'some' } }, outer))).toEqual(['WF-1'])
  })

  it('KB-030: a required property without a default is an error with its place', () => {
    const custom_properties = [built('newCustomProperty', { name: 'tier', required: true })]
    expect(readFile(organisationOf({}, { custom_properties })).problems).toMatchObject([
      { code: 'CP-3', at: '/settings/custom_properties/0/default_value' },
    ])
  })

  it('KB-031: each missing parameter of a merge queue is named', () => {
    const found = readFile(ruleset({ required_merge_queue: { merge_method: 'MERGE' } })).problems
    expect(found).toHaveLength(6)
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['RS-7']))
  })

  it('KB-032: each permission of a team that the message names is one that the file can have', () => {
    const [found] = readFile(repository({ team_permissions: { core: 'READ' } })).problems
    expect(found).toMatchObject({ code: 'REPO-12', value: '"READ"' })
    for (const word of found?.fix.replace(/^.*: /, '').split(', ') ?? [])
      expect([word, codes(repository({ team_permissions: { core: word } }))]).toEqual([word, []])
  })

  it('KB-033: rules look at what is written, before the organisation decides', () => {
    expect(notes(repository({ has_projects: true }, { has_organization_projects: false }))).toContain(
      'REPO-6 repositories/0/has_projects',
    )
    expect(notes(repository({ web_commit_signoff_required: false }))).toContain(
      'REPO-8 repositories/0/web_commit_signoff_required',
    )
    expect(codes(repository({ gh_pages_build_type: 'workflow', gh_pages_visibility: 'private' }))).toEqual(['REPO-17'])
  })

  it('KB-036: each policy of branches that the message names is one that the file can have', () => {
    const withPolicy = (deployment_branch_policy: string) =>
      repository({ environments: [{ name: 'live', deployment_branch_policy }] })
    const [found] = readFile(withPolicy('none')).problems
    expect(found?.code).toBe('ENV-3')
    for (const word of found?.fix.replace(/^.*: /, '').split(', ') ?? [])
      expect([word, codes(withPolicy(word))]).toEqual([word, []])
  })

  it('KB-037: the message about privacy has the words that are allowed', () => {
    const [found] = readFile(organisationOf({ teams: [built('newTeam', { name: 'a', privacy: 'closed' })] })).problems
    expect(found?.fix).toBe('use one of: visible, secret')
  })

  it('KB-039: an unknown role that may bypass is an error with the roles that exist', () => {
    const [found] = readFile(ruleset({ bypass_actors: ['#Admin'] })).problems
    expect(found).toMatchObject({ code: 'RS-10', value: '"#Admin"', fix: expect.stringContaining('#RepositoryAdmin') })
  })

  it('KB-062: properties can be of the type url', () => {
    const custom_properties = [built('newCustomProperty', { name: 'home', value_type: 'url' })]
    expect(codes(organisationOf({}, { custom_properties }))).toEqual([])
  })

  it('KB-068: a webhook with a pattern as its url is never sent', () => {
    expect(codes(organisationOf({ webhooks: [built('newOrgWebhook', { url: 'https://a.example/*' })] }))).toEqual([
      'HOOK-5',
    ])
  })
})

describe('what it means', () => {
  it('KB-004: a webhook with another url is the same webhook', () => {
    const webhooks = [built('newOrgWebhook', { url: 'https://new.example', aliases: ['https://old.example'] })]
    expect(readFile(organisationOf({ webhooks })).module?.moved).toEqual([
      {
        from: 'github_organization_webhook.named["https://old.example"]',
        to: 'github_organization_webhook.named["https://new.example"]',
      },
    ])
  })

  it('KB-005: each permission of a team is a resource, so that one which leaves the file is a change', () => {
    const { module } = readFile(repository({ team_permissions: { core: 'push', docs: 'pull' } }))
    const found = module?.resources.filter(({ type }) => type === 'github_team_repository')
    expect(found?.map(({ key, spec }) => [key, spec['permission']])).toEqual([
      ['core', 'push'],
      ['docs', 'pull'],
    ])
  })

  it('KB-020: any: before a status check of a ruleset is the same as nothing', () => {
    expect(checks('any:build')).toEqual(checks('build'))
    expect(checks('any:build')).not.toEqual(checks('ci:build'))
  })

  it('KB-021: an empty list of status checks makes no rule, and is a warning', () => {
    expect(checks().map(({ type }) => type)).not.toContain('required_status_checks')
    expect(notes(ruleset({ required_status_checks: { status_checks: [] } })).join()).toContain('RS-9')
  })

  it('KB-022: a secret waits for the repositories that it selects', () => {
    const secrets = [
      built('newOrgSecret', { name: 'A', value: 'env:A', visibility: 'selected', selected_repositories: ['website'] }),
    ]
    const { module } = readFile(organisationOf({ secrets, repositories: [repositoryOf()] }))
    expect(module?.resources.find(({ name }) => name === 'A')?.dependsOn).toEqual(['github_repository.website'])
  })

  it('KB-052: :always is the same as no mode', () => {
    expect(actors('#Maintain:always', '@acme/core')).toEqual(actors('#Maintain', '@acme/core:always'))
    expect(actors('#Maintain:pull_request')).not.toEqual(actors('#Maintain'))
  })

  it('KB-058: topics of an archived repository are not compared', () => {
    const spec = specOf(readFile(repository({ archived: true, topics: ['a'] })), 'github_repository', 'website')
    expect(spec).toMatchObject({ archived: true })
    expect(spec).not.toHaveProperty('topics')
  })

  it('names that end in * are exact names', () => {
    const branch_protection_rules = ['main', 'release/*', '*'].map((pattern) =>
      built('newBranchProtectionRule', { pattern }),
    )
    const { module } = readFile(repository({ branch_protection_rules }))
    const found = module?.resources.filter(({ type }) => type === 'github_branch_protection_rule')
    expect(found?.map(({ key, spec }) => [key, spec['pattern']])).toEqual([
      ['main', 'main'],
      ['release/*', 'release/*'],
      ['*', '*'],
    ])
  })

  it('actors and checks of branch protection are those of the shipped type, and a check without an app is one of GitHub Actions', () => {
    const rule = built('newBranchProtectionRule', {
      pattern: 'main',
      restricts_pushes: true,
      push_restrictions: ['@mona', '@acme/core-team', 'ci-app'],
      required_status_checks: ['ci', 'any:lint', 'ci-app:deploy'],
    })
    const teams = [built('newTeam', { name: 'Core Team' })]
    const repositories = [built('newRepo', { name: 'website', branch_protection_rules: [rule] })]
    const found = readFile(organisationOf({ teams, repositories })).module?.resources.find(
      ({ type }) => type === 'github_branch_protection_rule',
    )
    expect(found?.spec).toMatchObject({
      push_restrictions: [{ user: 'mona' }, { team: 'Core Team' }, { app: 'ci-app' }],
      required_status_checks: [
        { context: 'ci', app: 'github-actions' },
        { context: 'lint', app: 'any' },
        { context: 'deploy', app: 'ci-app' },
      ],
    })
  })

  it('the team of an organisation ruleset stays one of its actors', () => {
    const rulesets = [built('newOrgRuleset', { name: 'all', bypass_actors: ['@acme/core-team', 'ci-app'] })]
    const teams = [built('newTeam', { name: 'Core Team' })]
    const read = readFile(organisationOf({ rulesets, teams, repositories: [] }, { plan: 'team' }))
    expect(specOf(read, 'github_organization_ruleset', 'all')?.['bypass_actors']).toEqual([
      { actor_type: 'Team', team: 'Core Team', bypass_mode: 'always' },
      { actor_type: 'Integration', app: 'ci-app', bypass_mode: 'always' },
    ])
  })

  it('the language javascript-typescript stays', () => {
    const fields = {
      code_scanning_default_setup_enabled: true,
      code_scanning_default_languages: ['javascript-typescript'],
    }
    expect(specOf(readFile(repository(fields)), 'github_code_scanning', 'website')).toMatchObject({
      languages: ['javascript-typescript'],
    })
  })
})
