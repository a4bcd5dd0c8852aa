import { type FieldMap, same } from './fields.ts'

/** The settings of workflows, of the organisation or of a repository. */
export const workflowFields: readonly FieldMap[] = [
  ...same('enabled_repositories', 'selected_repositories', 'enabled', 'allowed_actions'),
  { from: 'allow_github_owned_actions', to: 'github_owned_allowed' },
  { from: 'allow_verified_creator_actions', to: 'verified_allowed' },
  { from: 'allow_action_patterns', to: 'patterns_allowed' },
  { from: 'default_workflow_permissions' },
  { from: 'actions_can_approve_pull_request_reviews', to: 'can_approve_pull_request_reviews' },
  { from: 'fork_pr_approval_policy', to: 'approval_policy' },
  { from: 'max_cache_size_gb' },
]
