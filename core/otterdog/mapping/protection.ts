import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { BranchProtectionRule } from '../shape/organisation.ts'
import { protectionCheck } from '../values/status-check.ts'
import { type FieldMap, literal, type Mapped, mapFields, same } from './fields.ts'
import { teamAddress } from './organisation.ts'

/** `@login`, `@organisation/team` or the name of an app. */
const actor = (written: string): JsonObject => {
  const [, first = '', team] = /^@([^/]+)(?:\/(.+))?$/.exec(written) ?? []
  if (first === '') return { type: 'App', name: literal(written) }
  return team === undefined ? { type: 'User', name: first } : { type: 'Team', name: team }
}

const actors = (all: Json): Json => (all as readonly string[]).map(actor)

const lists = [
  'bypass_pull_request_allowances',
  'review_dismissal_allowances',
  'bypass_force_push_allowances',
  'push_restrictions',
] as const

const fields: readonly FieldMap[] = [
  ...same(
    'pattern',
    'allows_deletions',
    'allows_force_pushes',
    'is_admin_enforced',
    'lock_branch',
    'lock_allows_fetch_and_merge',
    'required_approving_review_count',
    'dismisses_stale_reviews',
    'requires_code_owner_reviews',
    'require_last_push_approval',
    'restricts_review_dismissals',
    'restricts_pushes',
    'blocks_creations',
    'requires_commit_signatures',
    'requires_conversation_resolution',
    'requires_linear_history',
    'requires_status_checks',
    'requires_strict_status_checks',
    'requires_deployments',
    'required_deployment_environments',
  ),
  { from: 'requires_pull_request', to: 'requires_approving_reviews' },
  ...lists.map((from) => ({ from, as: actors })),
  {
    from: 'required_status_checks',
    as: (checks) => (checks as readonly string[]).map((text) => literal({ ...protectionCheck(text) } as JsonObject)),
  },
]

/** A rule of branch protection, and the teams that it names. */
export const mapBranchProtection = (
  rule: BranchProtectionRule,
  path: Path,
): { readonly mapped: Mapped; readonly needs: readonly string[] } => ({
  mapped: mapFields(rule, path, fields),
  needs: lists
    .flatMap((name) => rule[name] ?? [])
    .flatMap((written) => {
      const { type, name } = actor(written)
      return type === 'Team' ? [teamAddress(String(name))] : []
    }),
})
