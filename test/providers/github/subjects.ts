import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import type { startGitHub } from '../../github/start-github.ts'

/** One resource of a type, and what the round trip does with each of its attributes. */
export interface Subject {
  /** What every resource of the type needs. */
  readonly spec: JsonObject
  /** By attribute: the declared value, and the one that somebody else gives it. */
  readonly values: Readonly<Record<string, readonly [declared: Json, other: Json]>>
  /** What an attribute needs beside it. */
  readonly with?: Readonly<Record<string, JsonObject>>
  /** What somebody else changes together with an attribute, because neither can stand alone. */
  readonly otherWith?: Readonly<Record<string, JsonObject>>
  /** Attributes that cannot go the way, with the reason. */
  readonly except?: Readonly<Record<string, string>>
  /** Resources that the subject refers to. */
  readonly around?: readonly Wanted[]
  /** What must be there, and has no type here. */
  readonly prepare?: (github: Awaited<ReturnType<typeof startGitHub>>) => unknown
}

const flag = [true, false] as const
const aRepository: Pick<Subject, 'prepare'> = {
  prepare: ({ as }) => as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' }),
}

const hook = {
  values: {
    active: flag,
    events: [['push', 'create'], ['push']],
    content_type: ['json', 'form'],
    insecure_ssl: ['0', '1'],
  },
  except: { secret: 'it cannot be read: hooks.test.ts' },
} satisfies Partial<Subject>

const actors = [[{ user: 'mona' }, { team: 'Core' }, { app: 'github-actions' }], [{ user: 'hubot' }]] as const

const ruleset = (where: JsonObject, conditions: JsonObject) =>
  ({
    spec: { ...where, name: 'main', target: 'branch', enforcement: 'active', conditions },
    values: {
      target: ['branch', 'tag'],
      enforcement: ['active', 'disabled'],
      conditions: [conditions, { ...conditions, ref_name: { include: ['~ALL'], exclude: [] } }],
      bypass_actors: [
        [
          { actor_type: 'OrganizationAdmin' },
          { actor_type: 'RepositoryRole', role: 'admin', bypass_mode: 'pull_request' },
          { actor_type: 'Team', team: 'Core' },
        ],
        [{ actor_type: 'RepositoryRole', role: 'write' }],
      ],
      rules: [
        [
          { type: 'deletion' },
          {
            type: 'pull_request',
            parameters: {
              required_approving_review_count: 2,
              dismiss_stale_reviews_on_push: true,
              require_code_owner_review: false,
              require_last_push_approval: false,
              required_review_thread_resolution: false,
            },
          },
        ],
        [{ type: 'non_fast_forward' }],
      ],
    },
    around: [{ type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }],
  }) satisfies Subject

const aSecret = { name: 'deploy_key', value: { secret: 'env:VALUE' } }
const unread = { values: {}, except: { value: 'it cannot be read: secrets.test.ts' } } satisfies Partial<Subject>
const organizationSecret: Subject = {
  spec: { ...aSecret, visibility: 'all' },
  values: { visibility: ['all', 'private'], selected_repositories: [['web'], ['web', 'api']] },
  except: unread.except,
  with: { selected_repositories: { visibility: 'selected' } },
  prepare: async ({ as }) => {
    for (const name of ['web', 'api']) await as('octo-owner').request('POST', '/orgs/acme/repos', { name })
  },
}

/** By type. */
export const subjects: Readonly<Record<string, Subject>> = {
  github_organization: {
    spec: {},
    values: {
      name: ['Acme', 'Emca'],
      description: ['What we do', ''],
      company: ['Acme Ltd', 'Emca'],
      blog: ['https://acme.example', 'https://other.example'],
      location: ['Here', 'There'],
      email: ['hello@acme.example', 'x@acme.example'],
      twitter_username: ['acme', ''],
      billing_email: ['pay@acme.example', 'x@acme.example'],
      has_organization_projects: flag,
      has_repository_projects: flag,
      default_repository_permission: ['none', 'write'],
      members_can_create_repositories: flag,
      members_can_create_public_repositories: flag,
      members_can_create_private_repositories: flag,
      members_can_create_internal_repositories: flag,
      members_can_create_pages: flag,
      members_can_create_public_pages: flag,
      members_can_create_private_pages: flag,
      members_can_fork_private_repositories: flag,
      web_commit_signoff_required: flag,
      deploy_keys_enabled_for_repositories: flag,
      advanced_security_enabled_for_new_repositories: flag,
      dependabot_alerts_enabled_for_new_repositories: flag,
      dependabot_security_updates_enabled_for_new_repositories: flag,
      dependency_graph_enabled_for_new_repositories: flag,
      secret_scanning_enabled_for_new_repositories: flag,
      secret_scanning_push_protection_enabled_for_new_repositories: flag,
      secret_scanning_push_protection_custom_link_enabled: flag,
      secret_scanning_push_protection_custom_link: ['https://acme.example/help', ''],
      immutable_releases: ['all', 'none'],
      immutable_releases_repositories: [['web'], []],
    },
    with: { immutable_releases_repositories: { immutable_releases: 'selected' } },
    ...aRepository,
  },
  github_organization_actions: {
    spec: {},
    values: {
      enabled_repositories: ['all', 'none'],
      allowed_actions: ['all', 'local_only'],
      sha_pinning_required: flag,
      selected_repositories: [['web'], []],
      github_owned_allowed: flag,
      verified_allowed: flag,
      patterns_allowed: [['acme/deploy@*'], []],
      default_workflow_permissions: ['read', 'write'],
      can_approve_pull_request_reviews: flag,
      approval_policy: ['all_external_contributors', 'first_time_contributors'],
      run_workflows_from_fork_pull_requests: flag,
      send_write_tokens_to_workflows: flag,
      send_secrets_and_variables: flag,
      require_approval_for_fork_pr_workflows: flag,
      max_cache_size_gb: [10, 5],
    },
    with: {
      selected_repositories: { enabled_repositories: 'selected' },
      github_owned_allowed: { allowed_actions: 'selected' },
      verified_allowed: { allowed_actions: 'selected' },
      patterns_allowed: { allowed_actions: 'selected' },
    },
    ...aRepository,
  },
  github_repository_actions: {
    spec: { repository: 'web' },
    values: {
      enabled: flag,
      allowed_actions: ['all', 'local_only'],
      sha_pinning_required: flag,
      github_owned_allowed: flag,
      verified_allowed: flag,
      patterns_allowed: [['acme/deploy@*'], []],
      default_workflow_permissions: ['read', 'write'],
      can_approve_pull_request_reviews: flag,
      approval_policy: ['all_external_contributors', 'first_time_contributors'],
      run_workflows_from_fork_pull_requests: flag,
      send_write_tokens_to_workflows: flag,
      send_secrets_and_variables: flag,
      require_approval_for_fork_pr_workflows: flag,
      max_cache_size_gb: [10, 5],
      access_level: ['organization', 'none'],
    },
    with: {
      github_owned_allowed: { allowed_actions: 'selected' },
      verified_allowed: { allowed_actions: 'selected' },
      patterns_allowed: { allowed_actions: 'selected' },
      // Only what is not public has these.
      run_workflows_from_fork_pull_requests: { repository: 'inner' },
      send_write_tokens_to_workflows: { repository: 'inner' },
      send_secrets_and_variables: { repository: 'inner' },
      require_approval_for_fork_pr_workflows: { repository: 'inner' },
      access_level: { repository: 'inner' },
    },
    prepare: async ({ as }) => {
      await as('octo-owner').request('PUT', '/orgs/acme/actions/permissions/workflow', {
        default_workflow_permissions: 'write',
      })
      await as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web', visibility: 'public' })
      await as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'inner', visibility: 'private' })
    },
  },
  github_organization_role: {
    spec: { name: 'auditor', permissions: ['read_organization_custom_org_role'] },
    values: {
      description: ['Who looks', ''],
      permissions: [['read_organization_custom_org_role'], ['write_organization_actions_secrets']],
      base_role: ['read', 'none'],
    },
  },
  github_issue_type: {
    spec: { name: 'Incident' },
    values: { description: ['Something broke', ''], color: ['red', 'blue'], is_enabled: flag },
  },
  github_custom_property: {
    spec: { property_name: 'tier', value_type: 'string' },
    values: {
      required: [true, false],
      default_value: ['gold', 'silver'],
      description: ['How important it is', ''],
      allowed_values: [['gold', 'silver'], ['gold']],
      values_editable_by: ['org_actors', 'org_and_repo_actors'],
      require_explicit_values: flag,
    },
    otherWith: { required: { default_value: null } },
    with: {
      required: { default_value: 'gold' },
      default_value: { required: true },
      allowed_values: { value_type: 'single_select' },
    },
  },
  github_organization_role_teams: {
    spec: { role: 'security_manager' },
    values: { teams: [[{ team: 'Core' }], [{ team: 'Other' }]] },
    around: [
      { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } },
      { type: 'github_team', name: 'other', spec: { name: 'Other', privacy: 'closed' } },
    ],
  },
  github_repository_teams: {
    spec: { repository: 'web' },
    values: {
      teams: [
        [
          { team: 'Core', permission: 'push' },
          { team: 'Other', permission: 'pull' },
        ],
        [{ team: 'Core', permission: 'admin' }],
      ],
    },
    around: [
      { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } },
      { type: 'github_team', name: 'other', spec: { name: 'Other', privacy: 'closed' } },
    ],
    ...aRepository,
  },
  github_repository_collaborators: {
    spec: { repository: 'web' },
    values: {
      collaborators: [
        [
          { login: 'Mona', permission: 'push' },
          { login: 'hubot', permission: 'pull' },
        ],
        [{ login: 'mona', permission: 'maintain' }],
      ],
    },
    ...aRepository,
  },
  github_organization_members: {
    spec: {},
    values: {
      members: [
        [{ login: 'octo-owner', role: 'admin' }, { login: 'Mona' }, { login: 'hubot' }],
        [
          { login: 'octo-owner', role: 'admin' },
          { login: 'mona', role: 'admin' },
        ],
      ],
    },
  },
  github_team: {
    spec: { name: 'Docs', privacy: 'closed' },
    values: {
      description: ['Who writes', ''],
      privacy: ['closed', 'secret'],
      notification_setting: ['notifications_disabled', 'notifications_enabled'],
      parent: ['Core', 'Other'],
      members: [[{ login: 'octo-owner' }, { login: 'Mona' }], [{ login: 'octo-owner' }]],
      maintainers: [[{ login: 'octo-owner' }, { login: 'mona' }], [{ login: 'octo-owner' }]],
    },
    with: { maintainers: { members: [{ login: 'octo-owner' }, { login: 'mona' }] } },
    around: [
      { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } },
      { type: 'github_team', name: 'other', spec: { name: 'Other', privacy: 'closed' } },
    ],
  },
  github_repository: {
    spec: { name: 'web' },
    prepare: async ({ as }) => {
      await as('octo-owner').request('PATCH', '/orgs/acme', { members_can_fork_private_repositories: true })
      await as('octo-owner').request('PUT', '/orgs/acme/properties/schema/tier', { value_type: 'string' })
    },
    values: {
      description: ['What it does', ''],
      homepage: ['https://acme.example', 'https://other.example'],
      visibility: ['private', 'public'],
      has_issues: flag,
      has_projects: flag,
      has_wiki: flag,
      is_template: flag,
      allow_squash_merge: flag,
      allow_merge_commit: flag,
      allow_rebase_merge: flag,
      allow_auto_merge: flag,
      delete_branch_on_merge: flag,
      squash_merge_commit_title: ['PR_TITLE', 'COMMIT_OR_PR_TITLE'],
      squash_merge_commit_message: ['BLANK', 'PR_BODY'],
      merge_commit_title: ['PR_TITLE', 'MERGE_MESSAGE'],
      merge_commit_message: ['BLANK', 'PR_BODY'],
      allow_update_branch: flag,
      allow_forking: flag,
      web_commit_signoff_required: flag,
      secret_scanning: ['enabled', 'disabled'],
      secret_scanning_push_protection: ['enabled', 'disabled'],
      dependabot_security_updates: ['enabled', 'disabled'],
      archived: [false, true],
      topics: [['zone', 'api'], ['api']],
      dependabot_alerts: flag,
      private_vulnerability_reporting: flag,
      immutable_releases: flag,
      custom_properties: [{ tier: 'gold' }, { tier: 'silver' }],
    },
    with: {
      private_vulnerability_reporting: { visibility: 'public' },
      dependabot_security_updates: { dependabot_alerts: true },
      allow_forking: { visibility: 'private' },
      squash_merge_commit_title: { squash_merge_commit_message: 'PR_BODY' },
      squash_merge_commit_message: { squash_merge_commit_title: 'PR_TITLE' },
      merge_commit_title: { merge_commit_message: 'PR_BODY' },
      merge_commit_message: { merge_commit_title: 'PR_TITLE' },
    },
    otherWith: {
      squash_merge_commit_title: { squash_merge_commit_message: 'COMMIT_MESSAGES' },
      merge_commit_title: { merge_commit_message: 'PR_TITLE' },
    },
    except: {
      default_branch: 'it needs a branch: repositories.test.ts',
      has_discussions: 'the description of the request does not have it: repositories.test.ts',
      auto_init: 'only the create uses it',
      gitignore_template: 'only the create uses it',
      license_template: 'only the create uses it',
      template: 'only the create uses it: creation.test.ts',
      fork_of: 'only the create uses it: creation.test.ts',
    },
  },
  github_organization_variable: {
    spec: { name: 'zone', value: 'a', visibility: 'all' },
    values: { value: ['a', 'b'], visibility: ['all', 'private'], selected_repositories: [['web'], ['web', 'api']] },
    with: { selected_repositories: { visibility: 'selected' } },
    prepare: async ({ as }) => {
      for (const name of ['web', 'api']) await as('octo-owner').request('POST', '/orgs/acme/repos', { name })
    },
  },
  ...Object.fromEntries(
    ['', '_dependabot', '_codespaces'].flatMap((kind): readonly [string, Subject][] => [
      [`github_organization${kind}_secret`, organizationSecret],
      [`github_repository${kind}_secret`, { spec: { repository: 'web', ...aSecret }, ...unread, ...aRepository }],
    ]),
  ),
  github_environment_secret: {
    spec: { repository: 'web', environment: 'live', ...aSecret },
    ...unread,
    prepare: async ({ as }) => {
      await as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' })
      await as('octo-owner').request('PUT', '/repos/acme/web/environments/live', {})
    },
  },
  github_repository_variable: {
    spec: { repository: 'web', name: 'zone', value: 'a' },
    values: { value: ['a', 'b'] },
    ...aRepository,
  },
  github_environment_variable: {
    spec: { repository: 'web', environment: 'live', name: 'zone', value: 'a' },
    values: { value: ['a', 'b'] },
    prepare: async ({ as }) => {
      await as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' })
      await as('octo-owner').request('PUT', '/repos/acme/web/environments/live', {})
    },
  },
  github_label: {
    spec: { repository: 'web', name: 'Needs work' },
    values: { color: ['c0ffee', 'ffffff'], description: ['Not done', ''] },
    ...aRepository,
  },
  github_autolink: {
    spec: { repository: 'web', key_prefix: 'TICKET-', url_template: 'https://acme.example/t/<num>' },
    values: {},
    ...aRepository,
  },
  github_deploy_key: {
    spec: { repository: 'web', title: 'robot', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDrobot' },
    values: {},
    ...aRepository,
  },
  github_organization_webhook: { spec: { url: 'https://hooks.example/acme' }, ...hook },
  github_repository_webhook: {
    spec: { repository: 'web', url: 'https://hooks.example/web' },
    ...hook,
    ...aRepository,
  },
  github_organization_ruleset: ruleset(
    {},
    { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] }, repository_name: { include: ['~ALL'], exclude: [] } },
  ),
  github_branch_protection_rule: {
    spec: { repository: 'web', pattern: 'release/*' },
    values: {
      is_admin_enforced: flag,
      allows_deletions: flag,
      allows_force_pushes: flag,
      bypass_force_push_allowances: actors,
      lock_branch: flag,
      lock_allows_fetch_and_merge: flag,
      requires_approving_reviews: flag,
      required_approving_review_count: [2, 1],
      dismisses_stale_reviews: flag,
      requires_code_owner_reviews: flag,
      require_last_push_approval: flag,
      bypass_pull_request_allowances: actors,
      restricts_review_dismissals: flag,
      review_dismissal_allowances: actors,
      restricts_pushes: flag,
      blocks_creations: flag,
      push_restrictions: actors,
      requires_commit_signatures: flag,
      requires_conversation_resolution: flag,
      requires_linear_history: flag,
      requires_status_checks: flag,
      requires_strict_status_checks: flag,
      required_status_checks: [
        [{ context: 'ci', app: 'github-actions' }, { context: 'any', app: 'any' }, { context: 'some' }],
        [{ context: 'ci', app: 'any' }],
      ],
      requires_deployments: flag,
      required_deployment_environments: [['production'], []],
    },
    with: { required_approving_review_count: { requires_approving_reviews: true } },
    around: [{ type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }],
    prepare: (github) => {
      github.app({ slug: 'github-actions' })
      return aRepository.prepare?.(github)
    },
  },
  github_ruleset: {
    ...ruleset({ repository: 'web' }, { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } }),
    ...aRepository,
  },
  github_team_repository: {
    spec: { team: 'Core', repository: 'Web', permission: 'push' },
    values: { permission: ['pull', 'admin'] },
    around: [{ type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }],
    ...aRepository,
  },
  github_collaborator: {
    spec: { repository: 'web', login: 'Mona', permission: 'push' },
    values: { permission: ['pull', 'maintain'] },
    ...aRepository,
  },
  github_environment: {
    spec: { repository: 'web', name: 'live / blå' },
    values: {
      wait_timer: [30, 0],
      prevent_self_review: flag,
      reviewers: [
        [
          { type: 'Team', team: 'Core' },
          { type: 'User', user: 'Mona' },
        ],
        [{ type: 'User', user: 'hubot' }],
      ],
      can_admins_bypass: [false, true],
      deployment_branches: ['protected', 'all'],
      branch_policies: [
        [{ name: 'release/*' }, { name: 'v*', type: 'tag' }],
        [{ name: 'main' }, { name: 'v*', type: 'tag' }],
      ],
    },
    with: {
      prevent_self_review: { reviewers: [{ type: 'User', user: 'mona' }] },
      branch_policies: { deployment_branches: 'selected' },
    },
    around: [{ type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }],
    ...aRepository,
  },
  github_pages: {
    spec: { repository: 'web', build_type: 'legacy', source_branch: 'main', source_path: '/' },
    values: {
      build_type: ['legacy', 'workflow'],
      source_path: ['/docs', '/'],
      visibility: ['private', 'public'],
      https_enforced: flag,
      cname: ['www.acme.example', 'evil.example'],
    },
    except: { source_branch: 'no request of the stand-in makes a second branch' },
    prepare: ({ as }) => as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true }),
  },
  github_code_scanning: {
    spec: { repository: 'web', state: 'configured' },
    values: {
      state: ['configured', 'not-configured'],
      query_suite: ['extended', 'default'],
      threat_model: ['remote_and_local', 'remote'],
      runner_type: ['labeled', 'standard'],
      runner_label: ['big', 'small'],
      languages: [['javascript-typescript', 'go'], ['go']],
    },
    with: { runner_label: { runner_type: 'labeled' } },
    ...aRepository,
  },
  github_code_security_configuration: {
    spec: { name: 'Strict', description: 'Everything on' },
    values: {
      description: ['Everything on', 'Little'],
      enforcement: ['enforced', 'unenforced'],
      advanced_security: ['enabled', 'disabled'],
      ...Object.fromEntries(
        [
          'dependency_graph',
          'dependency_graph_autosubmit_action',
          'dependabot_alerts',
          'dependabot_security_updates',
          'dependabot_delegated_alert_dismissal',
          'code_scanning_default_setup',
          'code_scanning_delegated_alert_dismissal',
          'secret_scanning',
          'secret_scanning_push_protection',
          'secret_scanning_delegated_bypass',
          'secret_scanning_validity_checks',
          'secret_scanning_non_provider_patterns',
          'secret_scanning_generic_secrets',
          'secret_scanning_delegated_alert_dismissal',
          'secret_scanning_extended_metadata',
          'private_vulnerability_reporting',
        ].map((name) => [name, ['enabled', 'not_set'] as const]),
      ),
      dependency_graph_labeled_runners: flag,
      code_scanning_runner_type: ['labeled', 'standard'],
      code_scanning_runner_label: ['big', 'small'],
      default_for_new_repos: ['all', 'public'],
    },
    with: { code_scanning_runner_label: { code_scanning_runner_type: 'labeled' } },
  },
}
