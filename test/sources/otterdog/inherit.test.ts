import { expect, it } from 'vitest'
import { valueAt } from '../../../core/engine/json/pointer.ts'
import type { Json, JsonObject, Path } from '../../../core/engine/schema/json.ts'
import { inherit } from '../../../core/sources/otterdog/inherit/inherit.ts'
import { organisationShape } from '../../../core/sources/otterdog/shape/organisation.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'

/* Which fields do not count, and when. The same file with the condition the other way keeps them. */

const inherited = (written: JsonObject): Json => inherit(organisationShape.parse(written)) as unknown as Json

type Place = readonly [build: (fields: JsonObject) => JsonObject, path: Path]

const settings: Place = [(fields) => organisationOf({}, fields), ['settings']]
const outerWorkflows: Place = [
  (fields) => organisationOf({}, { workflows: { enabled_repositories: 'all', ...fields } }),
  ['settings', 'workflows'],
]
const property: Place = [
  (fields) => organisationOf({}, { custom_properties: [built('newCustomProperty', { name: 'tier', ...fields })] }),
  ['settings', 'custom_properties', 0],
]
const team: Place = [(fields) => organisationOf({ teams: [built('newTeam', { name: 'a', ...fields })] }), ['teams', 0]]
const repository: Place = [
  (fields) =>
    organisationOf(
      { repositories: [repositoryOf(fields)] },
      { plan: 'enterprise', web_commit_signoff_required: false },
    ),
  ['repositories', 0],
]
const inRepository = (list: string, builder: string, key: string): Place => [
  (fields) => organisationOf({ repositories: [repositoryOf({ [list]: [built(builder, { [key]: 'a', ...fields })] })] }),
  ['repositories', 0, list, 0],
]
const protection = inRepository('branch_protection_rules', 'newBranchProtectionRule', 'pattern')
const ruleset = inRepository('rulesets', 'newRepoRuleset', 'name')
const environment = inRepository('environments', 'newEnvironment', 'name')
const innerWorkflows: Place = [
  (fields) =>
    organisationOf({
      repositories: [repositoryOf({ workflows: { ...(built('newRepo')['workflows'] as JsonObject), ...fields } })],
    }),
  ['repositories', 0, 'workflows'],
]
/** A repository of an organisation with these settings. */
const under = (field: string): Place => [
  (outer) => organisationOf({ repositories: [repositoryOf()] }, { plan: 'enterprise', ...outer }),
  ['repositories', 0, ...field.split('.').slice(0, -1)],
]

const cases: readonly (readonly [field: string, Place, off: JsonObject, on: JsonObject])[] = [
  ['discussion_source_repository', settings, { has_discussions: false }, { has_discussions: true }],
  ['billing_email', settings, { billing_email: '' }, { billing_email: 'a@acme.example' }],
  [
    'selected_repositories',
    outerWorkflows,
    { selected_repositories: [] },
    { enabled_repositories: 'selected', selected_repositories: [] },
  ],
  [
    'allowed_actions',
    outerWorkflows,
    { enabled_repositories: 'none', allowed_actions: 'all' },
    { allowed_actions: 'all' },
  ],
  [
    'allow_action_patterns',
    outerWorkflows,
    { allowed_actions: 'local_only', allow_action_patterns: [] },
    { allowed_actions: 'selected', allow_action_patterns: [] },
  ],
  ['default_value', property, { required: false }, { required: true, default_value: 'a' }],
  ['allowed_values', property, { value_type: 'true_false' }, { value_type: 'multi_select' }],
  ['members', team, { skip_members: true }, { skip_members: false }],
  ['required_approving_review_count', protection, { requires_pull_request: false }, {}],
  ['bypass_pull_request_allowances', protection, { requires_pull_request: false }, {}],
  [
    'review_dismissal_allowances',
    protection,
    { restricts_review_dismissals: false },
    { restricts_review_dismissals: true },
  ],
  ['bypass_force_push_allowances', protection, { allows_force_pushes: true }, { allows_force_pushes: false }],
  ['requires_strict_status_checks', protection, { requires_status_checks: false }, { requires_status_checks: true }],
  ['required_deployment_environments', protection, { requires_deployments: false }, { requires_deployments: true }],
  ['push_restrictions', protection, { restricts_pushes: false }, { restricts_pushes: true }],
  ['required_deployment_environments', ruleset, { requires_deployments: false }, { requires_deployments: true }],
  ['branch_policies', environment, { deployment_branch_policy: 'protected' }, { deployment_branch_policy: 'selected' }],
  ['secret_scanning', repository, { private: true }, { private: false }],
  ['private_vulnerability_reporting_enabled', repository, { private: true }, { private: false }],
  ['gh_pages_source_branch', repository, { gh_pages_build_type: 'workflow' }, { gh_pages_build_type: 'legacy' }],
  ['gh_pages_visibility', repository, { gh_pages_build_type: 'disabled' }, { gh_pages_build_type: 'workflow' }],
  [
    'code_scanning_default_languages',
    repository,
    { code_scanning_default_setup_enabled: false },
    { code_scanning_default_setup_enabled: true },
  ],
  ['description', repository, { archived: true }, { archived: false }],
  ['workflows', repository, { archived: true }, { archived: false }],
  ['allowed_actions', innerWorkflows, { enabled: false }, { enabled: true }],
  ['allow_github_owned_actions', innerWorkflows, { allowed_actions: 'all' }, { allowed_actions: 'selected' }],
  ['has_projects', under('has_projects'), { has_organization_projects: false }, { has_organization_projects: true }],
  [
    'web_commit_signoff_required',
    under('web_commit_signoff_required'),
    { web_commit_signoff_required: true },
    { web_commit_signoff_required: false },
  ],
  [
    'enabled',
    under('workflows.enabled'),
    { workflows: { enabled_repositories: 'none' } },
    { workflows: { enabled_repositories: 'all' } },
  ],
  [
    'allowed_actions',
    under('workflows.allowed_actions'),
    { workflows: { enabled_repositories: 'all', allowed_actions: 'local_only' } },
    { workflows: { enabled_repositories: 'all', allowed_actions: 'all' } },
  ],
  [
    'default_workflow_permissions',
    under('workflows.x'),
    { workflows: { enabled_repositories: 'all', default_workflow_permissions: 'read' } },
    { workflows: { enabled_repositories: 'all', default_workflow_permissions: 'write' } },
  ],
  [
    'actions_can_approve_pull_request_reviews',
    under('workflows.x'),
    { workflows: { enabled_repositories: 'all', actions_can_approve_pull_request_reviews: false } },
    { workflows: { enabled_repositories: 'all', actions_can_approve_pull_request_reviews: true } },
  ],
]

it.each(cases)(
  '%s is declared only where the organisation does not decide it (%#)',
  (field, [build, path], off, on) => {
    expect(valueAt(inherited(build(off)), [...path, field])).toBeUndefined()
    expect(valueAt(inherited(build(on)), [...path, field])).toBeDefined()
  },
)

it('gh_pages_visibility is declared in the plan enterprise only', () => {
  const visibility = (plan: string) =>
    valueAt(
      inherited(organisationOf({ repositories: [repositoryOf({ gh_pages_build_type: 'workflow' })] }, { plan })),
      ['repositories', 0, 'gh_pages_visibility'],
    )
  expect([visibility('team'), visibility('enterprise')]).toEqual([undefined, 'public'])
})

it('a repository has the default of each required property', () => {
  const custom_properties = [
    built('newCustomProperty', { name: 'tier', required: true, default_value: 'low' }),
    built('newCustomProperty', { name: 'team' }),
  ]
  const valuesOf = (own: JsonObject) =>
    valueAt(inherited(organisationOf({ repositories: [repositoryOf(own)] }, { custom_properties })), [
      'repositories',
      0,
      'custom_properties',
    ])
  expect(valuesOf({ custom_properties: { team: 'a' } })).toEqual({ tier: 'low', team: 'a' })
  expect(valuesOf({ custom_properties: { tier: 'high' } })).toEqual({ tier: 'high' })
})
