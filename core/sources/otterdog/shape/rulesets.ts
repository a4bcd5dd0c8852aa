import * as z from 'zod'
import { count, flag, text, texts } from './parts.ts'

const pullRequest = z.strictObject({
  required_approving_review_count: count,
  dismisses_stale_reviews: flag,
  requires_code_owner_review: flag,
  requires_last_push_approval: flag,
  requires_review_thread_resolution: flag,
  allowed_merge_methods: texts,
})

const statusChecks = z.strictObject({ do_not_enforce_on_create: flag, strict: flag, status_checks: texts })

const mergeQueue = z.strictObject({
  merge_method: text,
  build_concurrency: count,
  min_group_size: count,
  max_group_size: count,
  wait_time_for_minimum_group_size: count,
  status_check_timeout: count,
  requires_all_group_entries_to_pass_required_checks: flag,
})

const rulesetFields = {
  name: z.string(),
  target: text,
  enforcement: z.string(),
  bypass_actors: texts,
  include_refs: texts,
  exclude_refs: texts,
  allows_creations: flag,
  allows_deletions: flag,
  allows_force_pushes: flag,
  allows_updates: flag,
  requires_commit_signatures: flag,
  requires_linear_history: flag,
  requires_deployments: flag,
  required_deployment_environments: texts,
  required_pull_request: pullRequest.nullable().exactOptional(),
  required_status_checks: statusChecks.nullable().exactOptional(),
  required_merge_queue: mergeQueue.nullable().exactOptional(),
}

export const repositoryRuleset = z.strictObject(rulesetFields)

export const organisationRuleset = z.strictObject({
  ...rulesetFields,
  include_repo_names: texts,
  exclude_repo_names: texts,
  protect_repo_names: flag,
})

export const branchProtectionRule = z.strictObject({
  pattern: z.string(),
  allows_deletions: flag,
  allows_force_pushes: flag,
  is_admin_enforced: flag,
  lock_branch: flag,
  lock_allows_fetch_and_merge: flag,
  requires_pull_request: flag,
  required_approving_review_count: z.int().nullable().exactOptional(),
  dismisses_stale_reviews: flag,
  requires_code_owner_reviews: flag,
  require_last_push_approval: flag,
  restricts_review_dismissals: flag,
  bypass_pull_request_allowances: texts,
  review_dismissal_allowances: texts,
  bypass_force_push_allowances: texts,
  restricts_pushes: flag,
  blocks_creations: flag,
  push_restrictions: texts,
  requires_commit_signatures: flag,
  requires_conversation_resolution: flag,
  requires_linear_history: flag,
  requires_status_checks: flag,
  requires_strict_status_checks: flag,
  required_status_checks: texts,
  requires_deployments: flag,
  required_deployment_environments: texts,
})
