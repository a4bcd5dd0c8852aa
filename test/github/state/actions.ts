import type { ActionsSettings } from './parts.ts'

/** https://docs.github.com/en/rest/actions/permissions; what nobody has set. */
export const newActionsSettings = (isOrganization: boolean): ActionsSettings => ({
  permissions: {
    ...(isOrganization ? { enabled_repositories: 'all' } : { enabled: true }),
    allowed_actions: 'all',
    sha_pinning_required: false,
  },
  selected: { github_owned_allowed: true, verified_allowed: false, patterns_allowed: [] },
  workflow: { default_workflow_permissions: 'read', can_approve_pull_request_reviews: false },
  approval: 'first_time_contributors',
  cacheGb: 10,
  privateForks: {
    run_workflows_from_fork_pull_requests: false,
    send_write_tokens_to_workflows: false,
    send_secrets_and_variables: false,
    require_approval_for_fork_pr_workflows: false,
  },
  access: 'none',
  repositories: new Set(),
})
