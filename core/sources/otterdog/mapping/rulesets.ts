import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Ruleset } from '../shape/organisation.ts'
import { type BypassActor, readBypassActor } from '../values/actor.ts'
import { rulesetCheck } from '../values/status-check.ts'
import { type FieldMap, joined, literal, type Mapped, mapFields, same } from './fields.ts'
import type { Draft, Scope } from './mapping.ts'
import { teamAddress, teamName } from './organisation.ts'

const roles: Readonly<Record<string, string>> = { 2: 'maintain', 4: 'write', 5: 'admin' }

const whoOf = ({ kind, name }: BypassActor, scope: Scope): JsonObject => {
  switch (kind) {
    case 'role':
      return { actor_type: 'RepositoryRole', role: roles[name] ?? name }
    case 'organisationAdmin':
      return { actor_type: 'OrganizationAdmin' }
    case 'team':
      return { actor_type: 'Team', team: literal(teamName(name, scope)) }
    case 'user':
      return { actor_type: 'User', user: literal(name) }
    case 'app':
      return { actor_type: 'Integration', app: name }
  }
}

const actorOf = (text: string, scope: Scope): readonly JsonObject[] => {
  const actor = readBypassActor(text)
  return actor === undefined ? [] : [{ ...whoOf(actor, scope), bypass_mode: actor.mode }]
}

const fieldsIn = (scope: Scope): readonly FieldMap[] => [
  ...same('name', 'target', 'enforcement'),
  {
    from: 'bypass_actors',
    as: (actors) => (actors as readonly string[]).flatMap((text) => actorOf(text, scope)),
  },
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
      { from: 'allowed_merge_methods' },
    ],
  ).spec

/** An app by its slug, or by its number. */
const appOf = (written: string | undefined): JsonObject => {
  if (written === undefined) return {}
  return /^\d{1,15}$/.test(written) ? { app_id: Number(written) } : { app: written }
}

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
        as: (checks) =>
          (checks as readonly string[])
            .map(rulesetCheck)
            .map(({ context, app }) => literal({ context, ...appOf(app) } as JsonObject)),
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
  const environments = literal(ruleset.required_deployment_environments ?? [])
  const hasChecks = checks?.status_checks?.length !== 0
  return [
    ...switches.flatMap(([field, type, on]) => (ruleset[field] === on ? [ruleOf(type)] : [])),
    ...(ruleset.requires_deployments === true
      ? [ruleOf('required_deployments', { required_deployment_environments: environments })]
      : []),
    ...(review ? [ruleOf('pull_request', pullRequest(review))] : []),
    ...(checks && hasChecks ? [ruleOf('required_status_checks', statusChecks(checks))] : []),
    ...(queue ? [ruleOf('merge_queue', mergeQueue(queue))] : []),
  ]
}

/** The rule that each field decides. */
const ruleOfField: Readonly<Partial<Record<keyof Ruleset, string>>> = {
  ...Object.fromEntries(switches.map(([field, type]) => [field, type])),
  requires_deployments: 'required_deployments',
  required_pull_request: 'pull_request',
  required_status_checks: 'required_status_checks',
  required_merge_queue: 'merge_queue',
}

/** Rules that the format cannot name: what GitHub has of them is left alone. */
const otherRules = ['*_pattern', 'code_*', 'copilot_*', 'file_*', 'max_file_*', 'repository_*', 'workflows']

const isWrittenIn =
  (ruleset: Ruleset) =>
  (field: string): boolean =>
    ruleset[field as keyof Ruleset] !== undefined

/** Rules that the file does not decide: those of fields that are not written, and those that the format cannot name. */
const leftAlone = (ruleset: Ruleset): readonly string[] =>
  [
    ...Object.entries(ruleOfField).flatMap(([field, type]) => (isWrittenIn(ruleset)(field) ? [] : [type])),
    ...otherRules,
  ].map((type) => `rules[${type}]`)

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
  scope: Scope,
): Pick<Draft, 'mapped' | 'lifecycle'> & { readonly needs: readonly string[] } => {
  const isRuled = Object.keys(ruleOfField).some(isWrittenIn(ruleset))
  const rules: Mapped = { spec: { rules: rulesIn(ruleset) }, origins: { rules: path } }
  const base = joined(mapFields(ruleset, path, fieldsIn(scope)), conditions(ruleset, path))
  return {
    mapped: isRuled ? joined(base, rules) : base,
    ...(isRuled && { lifecycle: { ignoreChanges: leftAlone(ruleset) } }),
    needs: (ruleset.bypass_actors ?? []).flatMap((text) => {
      const actor = readBypassActor(text)
      return actor?.kind === 'team' ? [teamAddress(actor.name)] : []
    }),
  }
}
