import { protectionCheck } from '../values/status-check.ts'
import { about, isFilled, when } from './rule.ts'
import { lackingEnvironments } from './rulesets.ts'
import { say } from './words.ts'

const protection = about('branchProtection')

const reviewFlags = [
  'dismisses_stale_reviews',
  'requires_code_owner_reviews',
  'require_last_push_approval',
  'restricts_review_dismissals',
] as const
const reviewLists = ['bypass_pull_request_allowances', 'review_dismissal_allowances'] as const

/** The rules about branch protection. */
export const protectionRules = [
  protection.info(
    'BPR-1',
    'required_approving_review_count',
    ({ requires_pull_request, required_approving_review_count: count }) =>
      requires_pull_request === false && typeof count === 'number',
  ),
  ...reviewFlags.map((field) =>
    protection.warning('BPR-2', field, (rule) => rule.requires_pull_request === false && rule[field] === true),
  ),
  ...reviewLists.map((field) =>
    protection.warning('BPR-3', field, (rule) => rule.requires_pull_request === false && isFilled(rule[field])),
  ),
  protection.error(
    'BPR-4',
    'required_approving_review_count',
    ({ requires_pull_request, required_approving_review_count: count }) =>
      requires_pull_request === true && count !== undefined && (count === null || count < 0),
  ),
  protection.info(
    'BPR-5',
    'review_dismissal_allowances',
    ({ restricts_review_dismissals, review_dismissal_allowances: list }) =>
      restricts_review_dismissals === false && isFilled(list),
  ),
  protection.info(
    'BPR-6',
    'bypass_force_push_allowances',
    ({ allows_force_pushes, bypass_force_push_allowances: list }) => allows_force_pushes === true && isFilled(list),
  ),
  protection.info(
    'BPR-7',
    'required_status_checks',
    ({ requires_status_checks, required_status_checks: list }) => requires_status_checks === false && isFilled(list),
  ),
  protection.warning(
    'BPR-8',
    'required_deployment_environments',
    ({ requires_deployments, required_deployment_environments: list }) =>
      requires_deployments === false && isFilled(list),
  ),
  protection.each('error', 'BPR-9', lackingEnvironments),
  protection.warning(
    'BPR-10',
    'push_restrictions',
    ({ restricts_pushes, push_restrictions }) => restricts_pushes === false && isFilled(push_restrictions),
  ),
  protection.warning(
    'BPR-11',
    'blocks_creations',
    ({ restricts_pushes, blocks_creations }) => restricts_pushes === false && blocks_creations === true,
  ),
  protection.warning(
    'BPR-12',
    'lock_allows_fetch_and_merge',
    ({ lock_branch, lock_allows_fetch_and_merge }) => lock_branch === false && lock_allows_fetch_and_merge === true,
  ),
  protection.each('error', 'BPR-13', ({ required_status_checks: list = [] }) =>
    list.flatMap((check, index) =>
      when(protectionCheck(check).context.trim() === '', ['required_status_checks', index], say('BPR-13')),
    ),
  ),
]
