import { globPattern } from '../../../../engine/values/texts/glob.ts'
import { repositoryRuleset, type repositoryRuleset as Shape } from '../../shape/rulesets.ts'
import { bypassModes, bypassRoles, readBypassActor } from '../../values/actor.ts'
import { rulesetCheck } from '../../values/status-check.ts'
import { type Around, type Finding, isFilled, isOutside, isPlanWithout, ruleOf, when } from '../rule.ts'
import { say } from './words.ts'

const targets = ['branch', 'tag', 'push']
const enforcements = ['active', 'disabled', 'evaluate']
const methods = ['MERGE', 'SQUASH', 'REBASE']

/** What patterns of references begin with, by the target; names with `~` stand for themselves. */
const branches = ['refs/heads/', '~DEFAULT_BRANCH', '~ALL']
const patternsOf: Readonly<Record<string, readonly string[]>> = {
  branch: branches,
  push: branches,
  tag: ['refs/tags/', '~ALL'],
}

const fitsTarget = (pattern: string, forms: readonly string[]): boolean =>
  forms.some((form) => (form.startsWith('~') ? pattern === form : pattern.startsWith(form)))

/** Names of the members that an embedded object of a ruleset has. */
const membersOf = (part: 'required_pull_request' | 'required_merge_queue'): readonly string[] =>
  Object.keys(unwrapped(repositoryRuleset.shape[part]))

const unwrapped = (
  shape: (typeof Shape.shape)['required_pull_request' | 'required_merge_queue'],
): Readonly<Record<string, unknown>> => shape.unwrap().unwrap().shape

/** Environments that a repository does not have. An organisation has none, and a list that is not written is not known. */
export const missingEnvironments = (
  required: readonly string[] | undefined,
  { repository }: Around,
): readonly (readonly [index: number, name: string])[] => {
  const declared = repository?.environments
  if (declared === undefined) return []
  const names = new Set(declared.map(({ name }) => name.toLowerCase()))
  return [...(required ?? []).entries()].filter(([, name]) => !names.has(name.toLowerCase()))
}

const numbers = [
  'build_concurrency',
  'min_group_size',
  'max_group_size',
  'wait_time_for_minimum_group_size',
  'status_check_timeout',
] as const

const actorFindings = (text: string, index: number): readonly Finding[] => {
  const actor = readBypassActor(text)
  const at = ['bypass_actors', index]
  if (actor === undefined) return [{ at, diagnostic: say('RS-10', text, Object.keys(bypassRoles)) }]
  const isMode = (bypassModes as readonly string[]).includes(actor.mode)
  return when(!isMode, at, say('RS-10 mode', actor.mode, bypassModes))
}

/** The rules about rulesets, of the organisation and of repositories. */
export const rulesetRules = [
  ruleOf('RS-1', 'error', 'ruleset', ({ target }) =>
    when(isOutside(target, targets), ['target'], say('RS-1', targets)),
  ),
  ruleOf('RS-2', 'error', 'ruleset', ({ enforcement }, { organisation }) => [
    ...when(isOutside(enforcement, enforcements), ['enforcement'], say('RS-2', enforcements)),
    ...when(
      enforcement === 'evaluate' && isPlanWithout(organisation, ['enterprise']),
      ['enforcement'],
      say('RS-2 plan', organisation.settings.plan ?? ''),
    ),
  ]),
  ruleOf('RS-3', 'error', 'ruleset', ({ target = 'branch', include_refs = [], exclude_refs = [] }) => {
    const forms = patternsOf[target]
    const wrong = (list: string, patterns: readonly string[]): readonly Finding[] =>
      patterns.flatMap((pattern, index) =>
        when(forms !== undefined && !fitsTarget(pattern, forms), [list, index], say('RS-3', target, forms ?? [])),
      )
    return [...wrong('include_refs', include_refs), ...wrong('exclude_refs', exclude_refs)]
  }),
  ruleOf('RS-4', 'warning', 'ruleset', ({ requires_deployments, required_deployment_environments: names }) =>
    when(requires_deployments === false && isFilled(names), ['required_deployment_environments'], say('RS-4')),
  ),
  ruleOf('RS-5', 'error', 'ruleset', ({ requires_deployments, required_deployment_environments: names }, around) =>
    requires_deployments === false
      ? []
      : missingEnvironments(names, around).map(([index, name]) => ({
          at: ['required_deployment_environments', index],
          diagnostic: say('RS-5', name),
        })),
  ),
  ruleOf('RS-6', 'error', 'ruleset', ({ required_pull_request: part }) => {
    if (part === undefined || part === null) return []
    const { required_approving_review_count: count } = part
    const missing = membersOf('required_pull_request').filter((name) => !Object.hasOwn(part, name))
    return [
      ...missing.map((name) => ({ at: ['required_pull_request'], diagnostic: say('RS-6', name) })),
      ...when(
        count !== undefined && (count < 0 || count > 10),
        ['required_pull_request', 'required_approving_review_count'],
        say('RS-6 count'),
      ),
    ]
  }),
  ruleOf('RS-7', 'error', 'ruleset', ({ required_merge_queue: part }) => {
    if (part === undefined || part === null) return []
    const missing = membersOf('required_merge_queue').filter((name) => !Object.hasOwn(part, name))
    return [
      ...missing.map((name) => ({ at: ['required_merge_queue'], diagnostic: say('RS-7', name) })),
      ...when(
        isOutside(part.merge_method, methods),
        ['required_merge_queue', 'merge_method'],
        say('RS-7 method', methods),
      ),
      ...numbers.flatMap((name) =>
        when((part[name] ?? 0) < 0, ['required_merge_queue', name], say('RS-7 number', name)),
      ),
    ]
  }),
  ruleOf('RS-8', 'error', 'ruleset', ({ required_status_checks: part }) =>
    (part?.status_checks ?? []).flatMap((check, index) =>
      when(rulesetCheck(check).context.trim() === '', ['required_status_checks', 'status_checks', index], say('RS-8')),
    ),
  ),
  ruleOf('RS-9', 'warning', 'ruleset', ({ required_status_checks: part }) =>
    when(part?.status_checks?.length === 0, ['required_status_checks', 'status_checks'], say('RS-9')),
  ),
  ruleOf('RS-10', 'error', 'ruleset', ({ bypass_actors = [] }) => bypass_actors.flatMap(actorFindings)),
  ruleOf('ORS-1', 'warning', 'ruleset', ({ include_repo_names = [], exclude_repo_names = [] }, { organisation }) => {
    const { repositories } = organisation
    if (repositories === undefined) return []
    const isIdle = (pattern: string): boolean => {
      const isIt = globPattern(pattern)
      return pattern !== '~ALL' && !repositories.some(({ name }) => isIt(name))
    }
    const idle = (list: string, patterns: readonly string[]): readonly Finding[] =>
      patterns.flatMap((pattern, index) => when(isIdle(pattern), [list, index], say('ORS-1')))
    return [...idle('include_repo_names', include_repo_names), ...idle('exclude_repo_names', exclude_repo_names)]
  }),
  ruleOf('ORS-2', 'warning', 'ruleset', ({ protect_repo_names, include_repo_names, exclude_repo_names }) =>
    when(
      protect_repo_names === true && !isFilled(include_repo_names) && !isFilled(exclude_repo_names),
      ['protect_repo_names'],
      say('ORS-2'),
    ),
  ),
]
