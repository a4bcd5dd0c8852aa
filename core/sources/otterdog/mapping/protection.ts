import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import type { BranchProtectionRule } from '../shape/organisation.ts'
import { protectionCheck } from '../values/status-check.ts'
import { type FieldMap, literal, type Mapped, mapFields, same } from './fields.ts'
import type { Scope } from './mapping.ts'
import { teamAddress, teamName } from './organisation.ts'

/** `@login`, `@organisation/team` or the name of an app. */
const readActor = (written: string): { readonly kind: 'user' | 'team' | 'app'; readonly name: string } => {
  const [, first = '', team] = /^@([^/]+)(?:\/(.+))?$/.exec(written) ?? []
  if (first === '') return { kind: 'app', name: written }
  return team === undefined ? { kind: 'user', name: first } : { kind: 'team', name: team }
}

const actorIn =
  (scope: Scope) =>
  (written: string): JsonObject => {
    const { kind, name } = readActor(written)
    return { [kind]: literal(kind === 'team' ? teamName(name, scope) : name) }
  }

const lists = [
  'bypass_pull_request_allowances',
  'review_dismissal_allowances',
  'bypass_force_push_allowances',
  'push_restrictions',
] as const

const fieldsIn = (scope: Scope): readonly FieldMap[] => [
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
  ...lists.map((from) => ({ from, as: (all: Json) => (all as readonly string[]).map(actorIn(scope)) })),
  {
    from: 'required_status_checks',
    as: (checks) => (checks as readonly string[]).map((text) => literal({ app: 'any', ...protectionCheck(text) })),
  },
]

/** A rule of branch protection, and the teams that it names. */
export const mapBranchProtection = (
  rule: BranchProtectionRule,
  path: Path,
  scope: Scope,
): { readonly mapped: Mapped; readonly needs: readonly string[] } => ({
  mapped: mapFields(rule, path, fieldsIn(scope)),
  needs: lists
    .flatMap((name) => rule[name] ?? [])
    .flatMap((written) => {
      const { kind, name } = readActor(written)
      return kind === 'team' ? [teamAddress(name)] : []
    }),
})
