import type {
  BranchProtectionRule,
  CustomProperty,
  Environment,
  Organisation,
  Repository,
  Ruleset,
  Settings,
  Team,
  Workflows,
} from '../shape/organisation.ts'
import { enforcesImmutable, strictness, workflowsOff } from './decided.ts'
import type { Exclusion } from './leave-out.ts'

/*
 * Which fields do not count, and when. GitHub ignores or refuses them there, or the organisation decides them. A field that
 * does not count is not managed, as if it were not written.
 */

type Exclusions<Part, Around = undefined> = readonly Exclusion<Part, Around>[]

/** A repository, and what is around it. */
interface Owner {
  readonly organisation: Organisation
}
interface WorkflowsOwner extends Owner {
  readonly repository: Repository
}

const actionFields = ['allow_github_owned_actions', 'allow_verified_creator_actions', 'allow_action_patterns'] as const
const workflowFields = [
  'allowed_actions',
  ...actionFields,
  'default_workflow_permissions',
  'actions_can_approve_pull_request_reviews',
  'fork_pr_approval_policy',
  'max_cache_size_gb',
] as const

export const ofSettings: Exclusions<Settings> = [
  { when: ({ has_discussions }) => has_discussions === false, fields: ['discussion_source_repository'] },
  {
    when: ({ immutable_releases_enforced_repositories: where }) => where !== 'selected',
    fields: ['immutable_releases_selected_repositories'],
  },
  // The default of the library. GitHub always has an address, and takes no empty one.
  { when: ({ billing_email }) => billing_email === '', fields: ['billing_email'] },
]

/** Of any place, so nothing around it counts. */
const ofAnyWorkflows: readonly Exclusion<Workflows, unknown>[] = [
  {
    when: ({ allowed_actions }) => allowed_actions === 'all' || allowed_actions === 'local_only',
    fields: actionFields,
  },
  { when: ({ max_cache_size_gb: size }) => size === null, fields: ['max_cache_size_gb'] },
]

export const ofOrganisationWorkflows: Exclusions<Workflows> = [
  ...ofAnyWorkflows,
  {
    when: ({ enabled_repositories }) => enabled_repositories === 'none',
    fields: ['selected_repositories', ...workflowFields],
  },
  { when: ({ enabled_repositories }) => enabled_repositories !== 'selected', fields: ['selected_repositories'] },
]

export const ofRepositoryWorkflows: Exclusions<Workflows, WorkflowsOwner> = [
  ...ofAnyWorkflows,
  { when: ({ enabled }) => enabled === false, fields: workflowFields },
  {
    when: (_, { organisation, repository }) => workflowsOff(organisation, repository.name) !== undefined,
    fields: ['enabled', ...workflowFields],
  },
  {
    // An organisation that allows all actions decides nothing.
    when: ({ allowed_actions }, { organisation }) => {
      const outer = strictness(organisation.settings.workflows?.allowed_actions) ?? 0
      return outer > 0 && outer >= (strictness(allowed_actions) ?? 0)
    },
    fields: ['allowed_actions', ...actionFields],
  },
  {
    when: (_, { organisation }) => organisation.settings.workflows?.default_workflow_permissions === 'read',
    fields: ['default_workflow_permissions'],
  },
  {
    when: (_, { organisation }) => organisation.settings.workflows?.actions_can_approve_pull_request_reviews === false,
    fields: ['actions_can_approve_pull_request_reviews'],
  },
  { when: (_, { repository }) => repository.private, fields: ['fork_pr_approval_policy'] },
]

export const ofCustomProperty: Exclusions<CustomProperty> = [
  { when: ({ required }) => required !== true, fields: ['default_value'] },
  {
    when: ({ value_type }) =>
      value_type !== undefined && value_type !== 'single_select' && value_type !== 'multi_select',
    fields: ['allowed_values'],
  },
]

export const ofTeam: Exclusions<Team> = [{ when: ({ skip_members }) => skip_members === true, fields: ['members'] }]

export const ofRuleset: Exclusions<Ruleset> = [
  { when: ({ requires_deployments }) => requires_deployments === false, fields: ['required_deployment_environments'] },
]

export const ofBranchProtection: Exclusions<BranchProtectionRule> = [
  {
    when: ({ requires_pull_request }) => requires_pull_request === false,
    fields: [
      'required_approving_review_count',
      'dismisses_stale_reviews',
      'requires_code_owner_reviews',
      'require_last_push_approval',
      'restricts_review_dismissals',
      'review_dismissal_allowances',
      'bypass_pull_request_allowances',
    ],
  },
  { when: (rule) => rule.restricts_review_dismissals === false, fields: ['review_dismissal_allowances'] },
  { when: (rule) => rule.allows_force_pushes === true, fields: ['bypass_force_push_allowances'] },
  {
    when: (rule) => rule.requires_status_checks === false,
    fields: ['required_status_checks', 'requires_strict_status_checks'],
  },
  { when: (rule) => rule.requires_deployments === false, fields: ['required_deployment_environments'] },
  { when: (rule) => rule.restricts_pushes === false, fields: ['push_restrictions', 'blocks_creations'] },
]

export const ofEnvironment: Exclusions<Environment> = [
  {
    when: ({ deployment_branch_policy: policy }) => policy !== undefined && policy !== 'selected',
    fields: ['branch_policies'],
  },
]

export const ofRepository: Exclusions<Repository, Owner> = [
  {
    when: (_, { organisation }) => organisation.settings.has_organization_projects === false,
    fields: ['has_projects'],
  },
  {
    when: (_, { organisation }) => organisation.settings.web_commit_signoff_required === true,
    fields: ['web_commit_signoff_required'],
  },
  {
    when: (_, { organisation: { settings } }) => settings.plan !== undefined && settings.plan !== 'enterprise',
    fields: ['gh_pages_visibility'],
  },
  {
    when: (repository) => repository.private,
    fields: [
      'secret_scanning',
      'secret_scanning_push_protection',
      'dependabot_security_updates_enabled',
      'private_vulnerability_reporting_enabled',
    ],
  },
  {
    when: ({ gh_pages_build_type: type }) => type === 'disabled',
    fields: [
      'gh_pages_source_branch',
      'gh_pages_source_path',
      'gh_pages_visibility',
      'gh_pages_cname',
      'gh_pages_https_enforced',
    ],
  },
  {
    when: ({ gh_pages_build_type: type }) => type === 'workflow',
    fields: ['gh_pages_source_branch', 'gh_pages_source_path'],
  },
  // Without a domain of its own, a site is always served over HTTPS.
  { when: ({ gh_pages_cname: domain }) => domain === null, fields: ['gh_pages_https_enforced'] },
  {
    when: (repository, { organisation }) => enforcesImmutable(organisation, repository),
    fields: ['immutable_releases_enabled'],
  },
  {
    when: ({ code_scanning_default_setup_enabled: isOn }) => isOn === false,
    fields: ['code_scanning_default_query_suite', 'code_scanning_default_languages'],
  },
  {
    // GitHub refuses changes of these while a repository is archived.
    when: ({ archived }) => archived === true,
    fields: [
      'description',
      'homepage',
      'topics',
      'allow_auto_merge',
      'allow_merge_commit',
      'allow_rebase_merge',
      'allow_squash_merge',
      'allow_update_branch',
      'delete_branch_on_merge',
      'merge_commit_title',
      'merge_commit_message',
      'squash_merge_commit_title',
      'squash_merge_commit_message',
      'secret_scanning',
      'secret_scanning_push_protection',
      'dependabot_alerts_enabled',
      'dependabot_security_updates_enabled',
      'private_vulnerability_reporting_enabled',
      'code_scanning_default_setup_enabled',
      'code_scanning_default_query_suite',
      'code_scanning_default_languages',
      'has_issues',
      'has_wiki',
      'has_projects',
      'web_commit_signoff_required',
      'workflows',
    ],
  },
]
