import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { built, organisationOf, repositoryOf } from '../../builders/otterdog/organisation.ts'

/** A rule with an organisation that breaks it at one place, and one that is nearly the same and does not. */
export interface RuleCase {
  readonly id: string
  readonly bad: JsonObject
  readonly good: JsonObject
  /** The pointer of the finding. */
  readonly at: string
}

type Placing = (fields: JsonObject) => JsonObject

/** Both versions of one subject. */
const pair = (id: string, at: string, place: Placing, bad: JsonObject, good: JsonObject): RuleCase => ({
  id,
  at,
  bad: place(bad),
  good: place(good),
})

const settings: Placing = (fields) => organisationOf({}, fields)
const property: Placing = (fields) =>
  organisationOf({}, { custom_properties: [built('newCustomProperty', { name: 'tier', ...fields })] })
const outerWorkflows: Placing = (fields) =>
  organisationOf({}, { workflows: { enabled_repositories: 'all', ...fields } })
const role: Placing = (fields) =>
  organisationOf({ roles: [built('newOrgRole', { name: 'auditor', ...fields })] }, { plan: 'enterprise' })
const team: Placing = (fields) => organisationOf({ teams: [built('newTeam', { name: 'core', ...fields })] })
const webhook: Placing = (fields) =>
  organisationOf({ webhooks: [built('newOrgWebhook', { url: 'https://ci.acme.example', ...fields })] })
const secret: Placing = (fields) =>
  organisationOf({ secrets: [built('newOrgSecret', { name: 'TOKEN', value: 'env:TOKEN', ...fields })] })
const variable: Placing = (fields) =>
  organisationOf({ variables: [built('newOrgVariable', { name: 'REGION', value: 'eu', ...fields })] })
const repositoryIn =
  (outer: JsonObject, parts: JsonObject = {}): Placing =>
  (fields) =>
    organisationOf({ ...parts, repositories: [repositoryOf(fields)] }, outer)
const repository = repositoryIn({})
const innerWorkflows =
  (outer: JsonObject): Placing =>
  (fields) =>
    repositoryIn({ workflows: { enabled_repositories: 'all', ...outer } })({ workflows: { enabled: true, ...fields } })
const ruleset: Placing = (fields) =>
  repository({ environments: [], rulesets: [built('newRepoRuleset', { name: 'main', ...fields, ...checks(fields) })] })
/** The default requires no status check, which is a finding of its own. */
const checks = (fields: JsonObject): JsonObject =>
  fields['required_status_checks'] === undefined ? { required_status_checks: null } : {}
const outerRuleset: Placing = (fields) =>
  organisationOf(
    {
      rulesets: [built('newOrgRuleset', { name: 'all', required_status_checks: null, ...fields })],
      repositories: [repositoryOf()],
    },
    { plan: 'team' },
  )
const protection: Placing = (fields) =>
  repository({
    environments: [],
    branch_protection_rules: [built('newBranchProtectionRule', { pattern: 'main', ...fields })],
  })
const environment: Placing = (fields) =>
  repository({ environments: [built('newEnvironment', { name: 'production', ...fields })] })

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))
const pick = (object: JsonObject, name: string): JsonObject => ({ [name]: object[name] ?? null })
const queue = built('newMergeQueue')
const review = built('newPullRequest')
const long = (length: number): string => 'x'.repeat(length)
const inRuleset = '/repositories/0/rulesets/0'
const pagesEnvironment = [built('newEnvironment', { name: 'github-pages' })]
const inProtection = '/repositories/0/branch_protection_rules/0'
const inRepository = '/repositories/0'

export const ruleCases: readonly RuleCase[] = [
  {
    id: 'ORG-1',
    at: '/roles',
    bad: organisationOf({ roles: [built('newOrgRole', { name: 'auditor' })] }, { plan: 'team' }),
    good: organisationOf({ roles: [built('newOrgRole', { name: 'auditor' })] }, { plan: 'enterprise' }),
  },
  {
    id: 'ORG-2',
    at: '/rulesets',
    bad: organisationOf({ rulesets: [built('newOrgRuleset', { name: 'all', required_status_checks: null })] }),
    good: outerRuleset({}),
  },
  pair(
    'SET-1',
    '/settings/description',
    settings,
    { description: long(161) },
    { description: '\u{1F600}'.repeat(160) },
  ),
  pair(
    'SET-2',
    '/settings/discussion_source_repository',
    settings,
    { has_discussions: true, discussion_source_repository: null },
    { has_discussions: true, discussion_source_repository: 'acme/talk' },
  ),
  pair(
    'SET-3',
    '/settings/discussion_source_repository',
    settings,
    { discussion_source_repository: 'talk' },
    { discussion_source_repository: 'acme/talk' },
  ),
  pair(
    'SET-4',
    '/settings/members_can_create_private_pages',
    settings,
    { plan: 'team', members_can_create_private_pages: true },
    { plan: 'enterprise', members_can_create_private_pages: true },
  ),
  pair(
    'SET-5',
    '/settings/default_repository_permission',
    settings,
    { default_repository_permission: 'maintain' },
    { default_repository_permission: 'none' },
  ),
  pair(
    'SET-6',
    '/settings/immutable_releases_enforced_repositories',
    settings,
    { immutable_releases_enforced_repositories: 'some' },
    { immutable_releases_enforced_repositories: 'all' },
  ),
  pair(
    'SET-7',
    '/settings/immutable_releases_selected_repositories',
    settings,
    { immutable_releases_enforced_repositories: 'all', immutable_releases_selected_repositories: ['web'] },
    { immutable_releases_enforced_repositories: 'selected', immutable_releases_selected_repositories: ['web'] },
  ),
  pair('CP-1', '/settings/custom_properties/0/value_type', property, { value_type: 'number' }, { value_type: 'url' }),
  pair(
    'CP-2',
    '/settings/custom_properties/0/allowed_values',
    property,
    { value_type: 'single_select', allowed_values: [] },
    { value_type: 'single_select', allowed_values: ['a'] },
  ),
  pair(
    'CP-2',
    '/settings/custom_properties/0/allowed_values',
    property,
    { value_type: 'multi_select', allowed_values: Array.from({ length: 201 }, (_, index) => `${index}`) },
    { value_type: 'multi_select', allowed_values: Array.from({ length: 200 }, (_, index) => `${index}`) },
  ),
  pair(
    'CP-3',
    '/settings/custom_properties/0/default_value',
    property,
    { required: true },
    { required: true, default_value: 'a' },
  ),
  pair(
    'CP-4',
    '/settings/custom_properties/0/default_value',
    property,
    { required: false, default_value: 'a' },
    { required: false, default_value: null },
  ),
  pair(
    'CP-5',
    '/settings/custom_properties/0/default_value',
    property,
    { required: true, value_type: 'single_select', allowed_values: ['a'], default_value: ['a'] },
    { required: true, value_type: 'multi_select', allowed_values: ['a'], default_value: ['a'] },
  ),
  pair(
    'CP-6',
    '/settings/custom_properties/0/default_value',
    property,
    { required: true, value_type: 'multi_select', allowed_values: ['a'], default_value: ['a', 'b'] },
    { required: true, value_type: 'multi_select', allowed_values: ['a', 'b'], default_value: ['a', 'b'] },
  ),
  pair(
    'CP-7',
    '/settings/custom_properties/0/values_editable_by',
    property,
    { values_editable_by: 'everybody' },
    { values_editable_by: 'org_and_repo_actors' },
  ),
  pair(
    'WF-1',
    '/settings/workflows/allowed_actions',
    outerWorkflows,
    { allowed_actions: 'some' },
    { allowed_actions: 'selected' },
  ),
  pair(
    'WF-2',
    '/settings/workflows/allow_action_patterns',
    outerWorkflows,
    { allowed_actions: 'all', allow_action_patterns: ['acme/*'] },
    { allowed_actions: 'selected', allow_action_patterns: ['acme/*'] },
  ),
  pair(
    'WF-3',
    '/settings/workflows/default_workflow_permissions',
    outerWorkflows,
    { default_workflow_permissions: 'admin' },
    { default_workflow_permissions: 'write' },
  ),
  pair(
    'WF-4',
    '/settings/workflows/fork_pr_approval_policy',
    outerWorkflows,
    { fork_pr_approval_policy: 'never' },
    { fork_pr_approval_policy: 'all_external_contributors' },
  ),
  pair(
    'WF-5',
    '/settings/workflows/enabled_repositories',
    outerWorkflows,
    { enabled_repositories: 'some' },
    { enabled_repositories: 'none' },
  ),
  pair(
    'WF-6',
    '/settings/workflows/selected_repositories',
    outerWorkflows,
    { selected_repositories: ['website'] },
    { enabled_repositories: 'selected', selected_repositories: ['website'] },
  ),
  pair(
    'WF-7',
    '/repositories/0/workflows/enabled',
    innerWorkflows({ enabled_repositories: 'none' }),
    {},
    { enabled: false },
  ),
  {
    id: 'WF-8',
    at: '/repositories/0/workflows/enabled',
    bad: innerWorkflows({ enabled_repositories: 'selected', selected_repositories: ['other'] })({}),
    good: innerWorkflows({ enabled_repositories: 'selected', selected_repositories: ['Website'] })({}),
  },
  pair(
    'WF-9',
    '/repositories/0/workflows/allowed_actions',
    innerWorkflows({ allowed_actions: 'selected' }),
    { allowed_actions: 'all' },
    { allowed_actions: 'local_only' },
  ),
  pair(
    'WF-10',
    '/repositories/0/workflows/default_workflow_permissions',
    innerWorkflows({ default_workflow_permissions: 'read' }),
    { default_workflow_permissions: 'write' },
    { default_workflow_permissions: 'read' },
  ),
  pair(
    'WF-11',
    '/repositories/0/workflows/actions_can_approve_pull_request_reviews',
    innerWorkflows({ actions_can_approve_pull_request_reviews: false }),
    { actions_can_approve_pull_request_reviews: true },
    { actions_can_approve_pull_request_reviews: false },
  ),
  pair(
    'WF-12',
    '/repositories/0/code_scanning_default_setup_enabled',
    repository,
    { code_scanning_default_setup_enabled: true, workflows: { enabled: false } },
    { code_scanning_default_setup_enabled: true, workflows: { enabled: true } },
  ),
  pair('ROLE-1', '/roles/0/base_role', role, { base_role: 'owner' }, { base_role: 'maintain' }),
  pair(
    'ROLE-2',
    '/roles/0/base_role',
    role,
    { base_role: 'none', permissions: ['write_organization_actions_secrets'] },
    { base_role: 'read', permissions: ['write_organization_actions_secrets'] },
  ),
  pair('TEAM-2', '/teams/0/privacy', team, { privacy: 'closed' }, { privacy: 'secret' }),
  pair(
    'TEAM-3',
    '/teams/0/members',
    team,
    { skip_members: true, members: ['ada'] },
    { skip_members: false, members: ['ada'] },
  ),
  pair('HOOK-1', '/webhooks/0/secret', webhook, { secret: '********' }, { secret: 'env:HOOK' }),
  pair('HOOK-2', '/webhooks/0/secret', webhook, { secret: 'hunter2' }, { secret: 'pass:hooks/ci' }),
  pair('HOOK-3', '/webhooks/0/content_type', webhook, { content_type: 'xml' }, { content_type: 'json' }),
  pair('HOOK-4', '/webhooks/0/insecure_ssl', webhook, { insecure_ssl: 'no' }, { insecure_ssl: '1' }),
  pair(
    'HOOK-5',
    '/webhooks/0/url',
    webhook,
    { url: 'https://ci.acme.example/*' },
    { url: 'https://ci.acme.example/*/x' },
  ),
  pair('SEC-1', '/secrets/0/value', secret, { value: '********' }, { value: 'ssm:/token' }),
  pair('SEC-2', '/secrets/0/value', secret, { value: 'hunter2' }, { value: 'vault:kv/acme/token' }),
  pair('SEC-3', '/secrets/0/name', secret, { name: 'GITHUB_TOKEN' }, { name: 'MY_GITHUB_TOKEN' }),
  pair('SEC-4', '/secrets/0/value', secret, { value: 'bitwarden:1234' }, { value: 'bitwarden:12:34:5@field' }),
  pair('SEC-4', '/webhooks/0/secret', webhook, { secret: 'vault:kv' }, { secret: 'vault:a:b/c:d' }),
  pair('OSEC-1', '/secrets/0/visibility', secret, { visibility: 'private' }, { visibility: 'selected' }),
  pair('OSEC-2', '/secrets/0/visibility', secret, { visibility: 'all' }, { visibility: 'public' }),
  pair(
    'OSEC-3',
    '/secrets/0/selected_repositories',
    secret,
    { selected_repositories: ['website'] },
    { visibility: 'selected', selected_repositories: ['website'] },
  ),
  pair('OSEC-1', '/variables/0/visibility', variable, { visibility: 'private' }, { visibility: 'public' }),
  pair(
    'OSEC-3',
    '/variables/0/selected_repositories',
    variable,
    { selected_repositories: ['website'] },
    { visibility: 'selected', selected_repositories: ['website'] },
  ),
  pair('VAR-1', '/variables/0/name', variable, { name: 'GITHUB_X' }, { name: 'X_GITHUB_' }),
  pair('VAR-2', '/variables/0/name', variable, { name: 'Region' }, { name: 'REGION_2' }),
  pair('VAR-3', '/variables/0/visibility', variable, { visibility: 'all' }, { visibility: 'selected' }),
  pair('RS-1', `${inRuleset}/target`, ruleset, { target: 'commit' }, { target: 'push' }),
  pair('RS-2', `${inRuleset}/enforcement`, ruleset, { enforcement: 'on' }, { enforcement: 'disabled' }),
  pair('RS-2', `${inRuleset}/enforcement`, ruleset, { enforcement: 'evaluate' }, { enforcement: 'active' }),
  pair(
    'RS-3',
    `${inRuleset}/include_refs/1`,
    ruleset,
    { include_refs: ['~DEFAULT_BRANCH', 'refs/tags/v*'] },
    { include_refs: ['~DEFAULT_BRANCH', 'refs/heads/v*', '~ALL'] },
  ),
  pair(
    'RS-3',
    `${inRuleset}/exclude_refs/0`,
    ruleset,
    { target: 'tag', exclude_refs: ['~DEFAULT_BRANCH'] },
    { target: 'tag', exclude_refs: ['refs/tags/v1', '~ALL'] },
  ),
  pair(
    'RS-4',
    `${inRuleset}/required_deployment_environments`,
    ruleset,
    { required_deployment_environments: ['production'] },
    { required_deployment_environments: [] },
  ),
  {
    id: 'RS-5',
    at: `${inRuleset}/required_deployment_environments/0`,
    bad: ruleset({ requires_deployments: true, required_deployment_environments: ['production'] }),
    good: outerRuleset({ requires_deployments: true, required_deployment_environments: ['production'] }),
  },
  pair(
    'RS-6',
    `${inRuleset}/required_pull_request`,
    ruleset,
    { required_pull_request: without(review, 'requires_last_push_approval') },
    { required_pull_request: { ...review, required_approving_review_count: 10 } },
  ),
  pair(
    'RS-6',
    `${inRuleset}/required_pull_request/required_approving_review_count`,
    ruleset,
    { required_pull_request: { ...review, required_approving_review_count: 11 } },
    { required_pull_request: null },
  ),
  pair(
    'RS-7',
    `${inRuleset}/required_merge_queue`,
    ruleset,
    { required_merge_queue: without(queue, 'max_group_size') },
    { required_merge_queue: queue },
  ),
  pair(
    'RS-7',
    `${inRuleset}/required_merge_queue/merge_method`,
    ruleset,
    { required_merge_queue: { ...queue, merge_method: 'FAST' } },
    { required_merge_queue: { ...queue, merge_method: 'REBASE' } },
  ),
  pair(
    'RS-7',
    `${inRuleset}/required_merge_queue/build_concurrency`,
    ruleset,
    { required_merge_queue: { ...queue, build_concurrency: -1 } },
    { required_merge_queue: { ...queue, build_concurrency: 0 } },
  ),
  pair(
    'RS-6',
    `${inRuleset}/required_pull_request/allowed_merge_methods`,
    ruleset,
    { required_pull_request: { ...review, allowed_merge_methods: [] } },
    { required_pull_request: { ...review, allowed_merge_methods: ['squash'] } },
  ),
  pair(
    'RS-6',
    `${inRuleset}/required_pull_request/allowed_merge_methods/1`,
    ruleset,
    { required_pull_request: { ...review, allowed_merge_methods: ['merge', 'MERGE'] } },
    { required_pull_request: without(review, 'allowed_merge_methods') },
  ),
  pair(
    'RS-8',
    `${inRuleset}/required_status_checks/status_checks/0`,
    ruleset,
    { required_status_checks: { status_checks: ['any:'] } },
    { required_status_checks: { status_checks: ['lint: strict', '15368:build', 'any:build'] } },
  ),
  pair(
    'RS-9',
    `${inRuleset}/required_status_checks/status_checks`,
    ruleset,
    { required_status_checks: { status_checks: [] } },
    { required_status_checks: null },
  ),
  pair(
    'RS-10',
    `${inRuleset}/bypass_actors/0`,
    ruleset,
    { bypass_actors: ['#Owner'] },
    { bypass_actors: ['#RepositoryAdmin', '@acme/core', '@core:pull_request', 'ci-app:always'] },
  ),
  pair('RS-10', `${inRuleset}/bypass_actors/0`, ruleset, { bypass_actors: ['ci-app:never'] }, { bypass_actors: [] }),
  {
    id: 'RS-10',
    at: `${inRuleset}/bypass_actors/0`,
    bad: organisationOf({
      teams: [built('newTeam', { name: 'core' })],
      ...pick(ruleset({ bypass_actors: ['@Core'] }), 'repositories'),
    }),
    good: organisationOf({
      teams: [built('newTeam', { name: 'core' })],
      ...pick(ruleset({ bypass_actors: ['@acme/core', '@ada'] }), 'repositories'),
    }),
  },
  pair(
    'ORS-1',
    '/rulesets/0/include_repo_names/1',
    outerRuleset,
    { include_repo_names: ['web*', 'docs*'] },
    { include_repo_names: ['~ALL', 'web*'] },
  ),
  pair(
    'ORS-2',
    '/rulesets/0/protect_repo_names',
    outerRuleset,
    { protect_repo_names: true },
    { protect_repo_names: true, include_repo_names: ['~ALL'] },
  ),
  pair(
    'BPR-1',
    `${inProtection}/required_approving_review_count`,
    protection,
    { requires_pull_request: false },
    { requires_pull_request: false, required_approving_review_count: null },
  ),
  pair(
    'BPR-2',
    `${inProtection}/dismisses_stale_reviews`,
    protection,
    { requires_pull_request: false, required_approving_review_count: null, dismisses_stale_reviews: true },
    { dismisses_stale_reviews: true },
  ),
  pair(
    'BPR-3',
    `${inProtection}/bypass_pull_request_allowances`,
    protection,
    { requires_pull_request: false, required_approving_review_count: null, bypass_pull_request_allowances: ['@ada'] },
    { bypass_pull_request_allowances: ['@ada'] },
  ),
  pair(
    'BPR-4',
    `${inProtection}/required_approving_review_count`,
    protection,
    { required_approving_review_count: null },
    { required_approving_review_count: 0 },
  ),
  pair(
    'BPR-5',
    `${inProtection}/review_dismissal_allowances`,
    protection,
    { review_dismissal_allowances: ['@ada'] },
    { restricts_review_dismissals: true, review_dismissal_allowances: ['@ada'] },
  ),
  pair(
    'BPR-6',
    `${inProtection}/bypass_force_push_allowances`,
    protection,
    { allows_force_pushes: true, bypass_force_push_allowances: ['@ada'] },
    { bypass_force_push_allowances: ['@ada'] },
  ),
  pair(
    'BPR-7',
    `${inProtection}/required_status_checks`,
    protection,
    { requires_status_checks: false, required_status_checks: ['build'] },
    { required_status_checks: ['build'] },
  ),
  pair(
    'BPR-8',
    `${inProtection}/required_deployment_environments`,
    protection,
    { required_deployment_environments: ['production'] },
    { required_deployment_environments: [] },
  ),
  {
    id: 'BPR-9',
    at: `${inProtection}/required_deployment_environments/0`,
    bad: protection({ requires_deployments: true, required_deployment_environments: ['production'] }),
    good: repository({
      environments: [built('newEnvironment', { name: 'Production' })],
      branch_protection_rules: [
        built('newBranchProtectionRule', {
          pattern: 'main',
          requires_deployments: true,
          required_deployment_environments: ['production'],
        }),
      ],
    }),
  },
  pair(
    'BPR-10',
    `${inProtection}/push_restrictions`,
    protection,
    { push_restrictions: ['@ada'] },
    { restricts_pushes: true, push_restrictions: ['@ada'] },
  ),
  pair(
    'BPR-11',
    `${inProtection}/blocks_creations`,
    protection,
    { blocks_creations: true },
    { restricts_pushes: true, blocks_creations: true },
  ),
  pair(
    'BPR-12',
    `${inProtection}/lock_allows_fetch_and_merge`,
    protection,
    { lock_allows_fetch_and_merge: true },
    { lock_branch: true, lock_allows_fetch_and_merge: true },
  ),
  pair(
    'BPR-13',
    `${inProtection}/required_status_checks/0`,
    protection,
    { required_status_checks: ['github-actions:'] },
    { required_status_checks: ['github-actions:build'] },
  ),
  pair(
    'ENV-1',
    '/repositories/0/environments/0/wait_timer',
    environment,
    { wait_timer: 43_201 },
    { wait_timer: 43_200 },
  ),
  pair(
    'ENV-2',
    '/repositories/0/environments/0/prevent_self_review',
    environment,
    { prevent_self_review: true },
    { prevent_self_review: true, reviewers: ['@ada'] },
  ),
  pair(
    'ENV-3',
    '/repositories/0/environments/0/deployment_branch_policy',
    environment,
    { deployment_branch_policy: 'protected_branches' },
    { deployment_branch_policy: 'protected' },
  ),
  pair(
    'ENV-4',
    '/repositories/0/environments/0/branch_policies',
    environment,
    { branch_policies: ['main'] },
    { deployment_branch_policy: 'selected', branch_policies: ['main', 'tag:v*'] },
  ),
  pair(
    'ENV-5',
    '/repositories/0/environments/0/reviewers/0',
    environment,
    { reviewers: ['ada'] },
    { reviewers: ['@ada', '@acme/core'] },
  ),
  pair('REPO-1', `${inRepository}/description`, repository, { description: long(351) }, { description: long(350) }),
  pair(
    'REPO-2',
    `${inRepository}/topics`,
    repository,
    { topics: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { topics: Array.from({ length: 20 }, (_, index) => `t${index}`) },
  ),
  pair('REPO-2', `${inRepository}/topics/1`, repository, { topics: ['web', 'Web'] }, { topics: ['web', 'web-2'] }),
  pair(
    'REPO-3',
    `${inRepository}/allow_forking`,
    repository,
    { allow_forking: false },
    { private: true, allow_forking: false, has_wiki: false },
  ),
  pair(
    'REPO-4',
    `${inRepository}/has_wiki`,
    repository,
    { private: true, allow_forking: false, has_wiki: true },
    { private: true, allow_forking: false, has_wiki: false },
  ),
  {
    id: 'REPO-5',
    at: `${inRepository}/has_discussions`,
    bad: repositoryIn({ has_discussions: true, discussion_source_repository: 'ACME/website' })({}),
    good: repositoryIn({ has_discussions: true, discussion_source_repository: 'acme/other' })({}),
  },
  pair(
    'REPO-6',
    `${inRepository}/has_projects`,
    repositoryIn({ has_organization_projects: false }),
    { has_projects: true },
    { has_projects: false },
  ),
  pair(
    'REPO-7',
    `${inRepository}/allow_forking`,
    repositoryIn({ members_can_fork_private_repositories: false }),
    { private: true, has_wiki: false, allow_forking: true },
    { private: true, has_wiki: false, allow_forking: false },
  ),
  pair(
    'REPO-8',
    `${inRepository}/web_commit_signoff_required`,
    repositoryIn({ web_commit_signoff_required: true }),
    { web_commit_signoff_required: false },
    { web_commit_signoff_required: true },
  ),
  pair(
    'REPO-9',
    `${inRepository}/secret_scanning_push_protection`,
    repository,
    { secret_scanning: 'disabled' },
    { secret_scanning: 'disabled', secret_scanning_push_protection: 'disabled' },
  ),
  pair(
    'REPO-10',
    `${inRepository}/forked_repository`,
    repository,
    { template_repository: 'acme/template', forked_repository: 'other/website' },
    { forked_repository: 'other/website' },
  ),
  {
    id: 'REPO-11',
    at: `${inRepository}/custom_properties/tier`,
    bad: repository({ custom_properties: { tier: 'a' } }),
    good: repositoryIn({ custom_properties: [built('newCustomProperty', { name: 'tier' })] })({
      custom_properties: { tier: 'a' },
    }),
  },
  pair(
    'REPO-12',
    `${inRepository}/team_permissions/core`,
    repository,
    { team_permissions: { core: 'READ' } },
    { team_permissions: { core: 'maintain' } },
  ),
  pair(
    'REPO-13',
    `${inRepository}/branch_protection_rules`,
    repository,
    { archived: true, branch_protection_rules: [built('newBranchProtectionRule', { pattern: 'main' })] },
    { branch_protection_rules: [built('newBranchProtectionRule', { pattern: 'main' })] },
  ),
  pair(
    'REPO-14',
    `${inRepository}/gh_pages_build_type`,
    (fields) =>
      repository({
        name: 'Acme.github.io',
        environments: [built('newEnvironment', { name: 'github-pages' })],
        ...fields,
      }),
    { gh_pages_build_type: 'disabled' },
    { gh_pages_build_type: 'workflow' },
  ),
  pair(
    'REPO-15',
    `${inRepository}/environments`,
    repository,
    { gh_pages_build_type: 'workflow' },
    { gh_pages_build_type: 'workflow', environments: [built('newEnvironment', { name: 'github-pages' })] },
  ),
  pair(
    'REPO-16',
    `${inRepository}/gh_pages_build_type`,
    repository,
    { gh_pages_build_type: 'branch' },
    { gh_pages_build_type: 'disabled' },
  ),
  pair(
    'REPO-16',
    `${inRepository}/gh_pages_source_path`,
    (fields) =>
      repository({
        environments: [built('newEnvironment', { name: 'github-pages' })],
        gh_pages_build_type: 'legacy',
        ...fields,
      }),
    { gh_pages_source_path: '/site' },
    { gh_pages_source_path: '/docs' },
  ),
  pair(
    'REPO-16',
    `${inRepository}/gh_pages_visibility`,
    repository,
    { gh_pages_visibility: 'internal' },
    { gh_pages_visibility: 'private' },
  ),
  pair(
    'REPO-17',
    `${inRepository}/gh_pages_visibility`,
    (fields) =>
      repository({
        environments: [built('newEnvironment', { name: 'github-pages' })],
        gh_pages_build_type: 'workflow',
        ...fields,
      }),
    { gh_pages_visibility: 'private' },
    { gh_pages_visibility: 'public' },
  ),
  {
    id: 'REPO-17',
    at: `${inRepository}/gh_pages_visibility`,
    ...(({ bad, good }) => ({ bad, good }))(
      pair(
        '',
        '',
        (outer) =>
          repositoryIn({ plan: 'enterprise', ...outer })({
            private: true,
            allow_forking: false,
            gh_pages_build_type: 'workflow',
            gh_pages_visibility: 'private',
            environments: [built('newEnvironment', { name: 'github-pages' })],
          }),
        { members_can_create_private_pages: false },
        { members_can_create_private_pages: true },
      ),
    ),
  },
  pair(
    'REPO-18',
    `${inRepository}/code_scanning_default_query_suite`,
    repository,
    { code_scanning_default_query_suite: 'all' },
    { code_scanning_default_query_suite: 'extended' },
  ),
  pair(
    'REPO-18',
    `${inRepository}/code_scanning_default_languages/1`,
    repository,
    { code_scanning_default_languages: ['go', 'cobol'] },
    { code_scanning_default_languages: ['go', 'javascript-typescript'] },
  ),
  pair(
    'REPO-20',
    `${inRepository}/forked_repository`,
    repository,
    { forked_repository: 'website' },
    { forked_repository: 'other/website' },
  ),
  pair(
    'REPO-21',
    `${inRepository}/squash_merge_commit_message`,
    repository,
    { squash_merge_commit_title: 'COMMIT_OR_PR_TITLE', squash_merge_commit_message: 'PR_BODY' },
    { squash_merge_commit_title: 'PR_TITLE', squash_merge_commit_message: 'PR_BODY' },
  ),
  pair(
    'REPO-21',
    `${inRepository}/squash_merge_commit_title`,
    repository,
    { squash_merge_commit_title: 'BODY' },
    { squash_merge_commit_title: 'PR_TITLE' },
  ),
  pair(
    'REPO-22',
    `${inRepository}/merge_commit_message`,
    repository,
    { merge_commit_title: 'MERGE_MESSAGE', merge_commit_message: 'BLANK' },
    { merge_commit_title: 'PR_TITLE', merge_commit_message: 'BLANK' },
  ),
  pair(
    'REPO-24',
    `${inRepository}/gh_pages_cname`,
    repository,
    { gh_pages_build_type: 'workflow', gh_pages_cname: 'https://docs.acme.example', environments: pagesEnvironment },
    { gh_pages_build_type: 'workflow', gh_pages_cname: 'docs.acme.example', environments: pagesEnvironment },
  ),
  pair(
    'REPO-24',
    `${inRepository}/gh_pages_cname`,
    repository,
    { gh_pages_build_type: 'workflow', gh_pages_cname: 'Acme.GitHub.io', environments: pagesEnvironment },
    { gh_pages_build_type: 'disabled', gh_pages_cname: 'acme.github.io', environments: pagesEnvironment },
  ),
  pair(
    'REPO-23',
    `${inRepository}/immutable_releases_enabled`,
    repositoryIn({
      immutable_releases_enforced_repositories: 'selected',
      immutable_releases_selected_repositories: ['Website'],
    }),
    { immutable_releases_enabled: false },
    { immutable_releases_enabled: true },
  ),
  {
    id: 'DUP-1',
    at: '/repositories/1/name',
    bad: organisationOf({ repositories: [repositoryOf(), repositoryOf({ name: 'WEBSITE' })] }),
    good: organisationOf({ repositories: [repositoryOf(), repositoryOf({ name: 'website-2' })] }),
  },
  pair(
    'DUP-1',
    `${inRepository}/environments/1/name`,
    repository,
    { environments: [built('newEnvironment', { name: 'a' }), built('newEnvironment', { name: 'A' })] },
    { environments: [built('newEnvironment', { name: 'a' }), built('newEnvironment', { name: 'b' })] },
  ),
  {
    id: 'DUP-1',
    at: '/repositories/1/aliases/0',
    bad: organisationOf({ repositories: [repositoryOf(), repositoryOf({ name: 'new', aliases: ['website'] })] }),
    good: organisationOf({ repositories: [repositoryOf(), repositoryOf({ name: 'new', aliases: ['old'] })] }),
  },
]
