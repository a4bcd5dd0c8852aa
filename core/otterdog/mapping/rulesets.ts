import type { Json, JsonObject, Path } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import type { Ruleset } from '../shape/organisation.ts'
import { type BypassActor, readBypassActor } from '../values/actor.ts'
import { rulesetCheck } from '../values/status-check.ts'
import { type FieldMap, joined, literal, type Mapped, mapFields, same } from './fields.ts'
import type { Scope } from './mapping.ts'
import { teamAddress } from './organisation.ts'

const kinds: Readonly<Record<BypassActor['kind'], string>> = {
  role: 'RepositoryRole',
  organisationAdmin: 'OrganizationAdmin',
  team: 'Team',
  app: 'Integration',
}

const actorOf = (text: string): JsonObject => {
  const { kind = 'app', name = '', mode = 'always' } = readBypassActor(text) ?? {}
  return { actor_type: kinds[kind], actor: name, bypass_mode: mode }
}

const fields: readonly FieldMap[] = [
  ...same('name', 'target', 'enforcement'),
  { from: 'bypass_actors', as: (actors) => (actors as readonly string[]).map(actorOf) },
]

/** Rules that are there or not. The file says for the first ones what is allowed, GitHub what is forbidden. */
const switches: readonly (readonly [field: keyof Ruleset, rule: string, on: boolean])[] = [
  ['allows_creations', 'creation', false],
  ['allows_updates', 'update', false],
  ['allows_deletions', 'deletion', false],
  ['allows_force_pushes', 'non_fast_forward', false],
  ['requires_commit_signatures', 'required_signatures', true],
  ['requires_linear_history', 'required_linear_history', true],
]

const ruleOf = (type: string, parameters?: JsonObject): JsonObject => ({ type, ...defined({ parameters }) })

const pullRequest = (part: NonNullable<Ruleset['required_pull_request']>): JsonObject =>
  mapFields(
    part,
    [],
    [
      { from: 'required_approving_review_count' },
      { from: 'dismisses_stale_reviews', to: 'dismiss_stale_reviews_on_push' },
      { from: 'requires_code_owner_review', to: 'require_code_owner_review' },
      { from: 'requires_last_push_approval', to: 'require_last_push_approval' },
      { from: 'requires_review_thread_resolution', to: 'required_review_thread_resolution' },
    ],
  ).spec

const statusChecks = (part: NonNullable<Ruleset['required_status_checks']>): JsonObject =>
  mapFields(
    part,
    [],
    [
      { from: 'do_not_enforce_on_create' },
      { from: 'strict', to: 'strict_required_status_checks_policy' },
      {
        from: 'status_checks',
        to: 'required_status_checks',
        as: (checks) => (checks as readonly string[]).map((text) => literal({ ...rulesetCheck(text) } as JsonObject)),
      },
    ],
  ).spec

const mergeQueue = (part: NonNullable<Ruleset['required_merge_queue']>): JsonObject =>
  mapFields(
    part,
    [],
    [
      { from: 'merge_method' },
      { from: 'build_concurrency', to: 'max_entries_to_build' },
      { from: 'min_group_size', to: 'min_entries_to_merge' },
      { from: 'max_group_size', to: 'max_entries_to_merge' },
      { from: 'wait_time_for_minimum_group_size', to: 'min_entries_to_merge_wait_minutes' },
      { from: 'status_check_timeout', to: 'check_response_timeout_minutes' },
      {
        from: 'requires_all_group_entries_to_pass_required_checks',
        to: 'grouping_strategy',
        as: (all) => (all === true ? 'ALLGREEN' : 'HEADGREEN'),
      },
    ],
  ).spec

const rulesIn = (ruleset: Ruleset): readonly Json[] => {
  const { required_pull_request: review, required_status_checks: checks, required_merge_queue: queue } = ruleset
  return [
    ...switches.flatMap(([field, type, on]) => (ruleset[field] === on ? [ruleOf(type)] : [])),
    ...present<Json>(
      ruleset.requires_deployments === true &&
        ruleOf('required_deployments', {
          required_deployment_environments: literal(ruleset.required_deployment_environments ?? []),
        }),
      review && ruleOf('pull_request', pullRequest(review)),
      checks && checks.status_checks?.length !== 0 && ruleOf('required_status_checks', statusChecks(checks)),
      queue && ruleOf('merge_queue', mergeQueue(queue)),
    ),
  ]
}

/** Fields that become rules. */
const ruleFields: readonly (keyof Ruleset)[] = [
  ...switches.map(([field]) => field),
  'requires_deployments',
  'required_pull_request',
  'required_status_checks',
  'required_merge_queue',
]

const conditions = (ruleset: Ruleset, path: Path): Mapped => {
  const references = mapFields(ruleset, path, [
    { from: 'include_refs', to: 'include' },
    { from: 'exclude_refs', to: 'exclude' },
  ])
  const names = mapFields(ruleset, path, [
    { from: 'include_repo_names', to: 'include' },
    { from: 'exclude_repo_names', to: 'exclude' },
    { from: 'protect_repo_names', to: 'protected' },
  ])
  const isWritten = (part: Mapped): boolean => Object.keys(part.spec).length > 0
  if (!isWritten(references) && !isWritten(names)) return { spec: {}, origins: {} }
  const value = defined({
    ref_name: isWritten(references) ? references.spec : undefined,
    repository_name: isWritten(names) ? names.spec : undefined,
  })
  return { spec: { conditions: value as JsonObject }, origins: { conditions: path } }
}

/** A ruleset as GitHub describes it, and the teams that it names. */
export const mapRuleset = (
  ruleset: Ruleset,
  path: Path,
  _scope: Scope,
): { readonly mapped: Mapped; readonly needs: readonly string[] } => {
  const hasRules = ruleFields.some((field) => ruleset[field] !== undefined)
  const rules: Mapped = hasRules
    ? { spec: { rules: rulesIn(ruleset) }, origins: { rules: path } }
    : { spec: {}, origins: {} }
  return {
    mapped: joined(mapFields(ruleset, path, fields), conditions(ruleset, path), rules),
    needs: (ruleset.bypass_actors ?? []).flatMap((text) => {
      const actor = readBypassActor(text)
      return actor?.kind === 'team' ? [teamAddress(actor.name)] : []
    }),
  }
}
