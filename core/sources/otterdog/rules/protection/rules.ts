import { protectionCheck } from '../../values/status-check.ts'
import { isFilled, ruleOf, when } from '../rule.ts'
import { missingEnvironments } from '../rulesets/rules.ts'
import { say } from './words.ts'

const reviewFlags = [
  'dismisses_stale_reviews',
  'requires_code_owner_reviews',
  'require_last_push_approval',
  'restricts_review_dismissals',
] as const
const reviewLists = ['bypass_pull_request_allowances', 'review_dismissal_allowances'] as const

/** The rules about branch protection. */
export const protectionRules = [
  ruleOf('BPR-1', 'info', 'branchProtection', ({ requires_pull_request, required_approving_review_count: count }) =>
    when(
      requires_pull_request === false && typeof count === 'number',
      ['required_approving_review_count'],
      say('BPR-1'),
    ),
  ),
  ruleOf('BPR-2', 'warning', 'branchProtection', (rule) =>
    reviewFlags.flatMap((name) =>
      when(rule.requires_pull_request === false && rule[name] === true, [name], say('BPR-2')),
    ),
  ),
  ruleOf('BPR-3', 'warning', 'branchProtection', (rule) =>
    reviewLists.flatMap((name) =>
      when(rule.requires_pull_request === false && isFilled(rule[name]), [name], say('BPR-3')),
    ),
  ),
  ruleOf('BPR-4', 'error', 'branchProtection', ({ requires_pull_request, required_approving_review_count: count }) =>
    when(
      requires_pull_request === true && count !== undefined && (count === null || count < 0),
      ['required_approving_review_count'],
      say('BPR-4'),
    ),
  ),
  ruleOf('BPR-5', 'info', 'branchProtection', ({ restricts_review_dismissals, review_dismissal_allowances: list }) =>
    when(restricts_review_dismissals === false && isFilled(list), ['review_dismissal_allowances'], say('BPR-5')),
  ),
  ruleOf('BPR-6', 'info', 'branchProtection', ({ allows_force_pushes, bypass_force_push_allowances: list }) =>
    when(allows_force_pushes === true && isFilled(list), ['bypass_force_push_allowances'], say('BPR-6')),
  ),
  ruleOf('BPR-7', 'info', 'branchProtection', ({ requires_status_checks, required_status_checks: list }) =>
    when(requires_status_checks === false && isFilled(list), ['required_status_checks'], say('BPR-7')),
  ),
  ruleOf('BPR-8', 'warning', 'branchProtection', ({ requires_deployments, required_deployment_environments: list }) =>
    when(requires_deployments === false && isFilled(list), ['required_deployment_environments'], say('BPR-8')),
  ),
  ruleOf('BPR-9', 'error', 'branchProtection', ({ requires_deployments, required_deployment_environments }, around) =>
    requires_deployments === false
      ? []
      : missingEnvironments(required_deployment_environments, around).map(([index, name]) => ({
          at: ['required_deployment_environments', index],
          diagnostic: say('BPR-9', name),
        })),
  ),
  ruleOf('BPR-10', 'warning', 'branchProtection', ({ restricts_pushes, push_restrictions }) =>
    when(restricts_pushes === false && isFilled(push_restrictions), ['push_restrictions'], say('BPR-10')),
  ),
  ruleOf('BPR-11', 'warning', 'branchProtection', ({ restricts_pushes, blocks_creations }) =>
    when(restricts_pushes === false && blocks_creations === true, ['blocks_creations'], say('BPR-11')),
  ),
  ruleOf('BPR-12', 'warning', 'branchProtection', ({ lock_branch, lock_allows_fetch_and_merge }) =>
    when(lock_branch === false && lock_allows_fetch_and_merge === true, ['lock_allows_fetch_and_merge'], say('BPR-12')),
  ),
  ruleOf('BPR-13', 'error', 'branchProtection', ({ required_status_checks: list = [] }) =>
    list.flatMap((check, index) =>
      when(protectionCheck(check).context.trim() === '', ['required_status_checks', index], say('BPR-13')),
    ),
  ),
]
