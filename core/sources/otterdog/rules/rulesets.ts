import { globPattern } from '../../../engine/values/texts/glob.ts'
import { repositoryRuleset, type repositoryRuleset as Shape } from '../shape/rulesets.ts'
import { bypassModes, bypassRoles, readBypassActor } from '../values/actor.ts'
import { rulesetCheck } from '../values/status-check.ts'
import { teamSlug } from '../values/team-slug.ts'
import { type Around, about, type Finding, isFilled, isPlanWithout, notAmong, when } from './rule.ts'
import { say } from './words.ts'

const ruleset = about('ruleset')

const targets = ['branch', 'tag', 'push']
const enforcements = ['active', 'disabled', 'evaluate']
const methods = ['MERGE', 'SQUASH', 'REBASE']
const mergeMethods = ['merge', 'squash', 'rebase']

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
  // What libraries before version 1.7 do not have may be missing.
  Object.keys(unwrapped(repositoryRuleset.shape[part])).filter((name) => name !== 'allowed_merge_methods')

const unwrapped = (
  shape: (typeof Shape.shape)['required_pull_request' | 'required_merge_queue'],
): Readonly<Record<string, unknown>> => shape.unwrap().unwrap().shape

interface RequiresDeployments {
  readonly requires_deployments?: boolean | undefined
  readonly required_deployment_environments?: readonly string[] | undefined
}

/** Environments that a repository does not have. An organisation has none, and a list that is not written is not known. */
export const lackingEnvironments = (
  { requires_deployments, required_deployment_environments: required = [] }: RequiresDeployments,
  { repository }: Around,
): readonly Finding[] => {
  const declared = repository?.environments
  if (declared === undefined || requires_deployments === false) return []
  const names = new Set(declared.map(({ name }) => name.toLowerCase()))
  return required.flatMap((name, index) =>
    when(!names.has(name.toLowerCase()), ['required_deployment_environments', index], say('RS-5', name)),
  )
}

const numbers = [
  'build_concurrency',
  'min_group_size',
  'max_group_size',
  'wait_time_for_minimum_group_size',
  'status_check_timeout',
] as const

const checkActor = (text: string, index: number, { organisation }: Around): readonly Finding[] => {
  const actor = readBypassActor(text)
  const at = ['bypass_actors', index]
  if (actor === undefined) {
    return when(true, at, say('RS-10', text, Object.keys(bypassRoles)))
  }
  const isMode = (bypassModes as readonly string[]).includes(actor.mode)
  const isTeam = organisation.teams?.some(({ name }) => teamSlug(name) === actor.name.toLowerCase())
  return [
    ...when(!isMode, at, say('RS-10 mode', actor.mode, bypassModes)),
    ...when(actor.kind === 'user' && isTeam, at, say('RS-10 person', actor.name, organisation.github_id)).map(
      (each) => ({
        ...each,
        level: 'warning' as const,
      }),
    ),
  ]
}

/** Patterns of references that do not fit what the ruleset is for. */
const unfit = (list: string, patterns: readonly string[], target: string): readonly Finding[] => {
  const forms = patternsOf[target]
  if (forms === undefined) return []
  return patterns.flatMap((pattern, index) =>
    when(!fitsTarget(pattern, forms), [list, index], say('RS-3', target, forms)),
  )
}

/** An embedded object must have all its members. */
const lacking = (
  part: 'required_pull_request' | 'required_merge_queue',
  value: object,
  id: 'RS-6' | 'RS-7',
): readonly Finding[] => membersOf(part).flatMap((name) => when(!Object.hasOwn(value, name), [part], say(id, name)))

/** Patterns of names that no repository of the file has. */
const idle = (list: string, patterns: readonly string[], repositories: readonly { readonly name: string }[]) =>
  patterns.flatMap((pattern, index) => {
    const isIt = globPattern(pattern)
    return when(pattern !== '~ALL' && !repositories.some(({ name }) => isIt(name)), [list, index], say('ORS-1'))
  })

/** The rules about rulesets, of the organisation and of repositories. */
export const rulesetRules = [
  ruleset.oneOf('RS-1', 'target', targets),
  ruleset.each('error', 'RS-2', ({ enforcement }, { organisation }) => [
    ...notAmong(enforcement, ['enforcement'], enforcements),
    ...when(
      enforcement === 'evaluate' && isPlanWithout(organisation, ['enterprise']),
      ['enforcement'],
      say('RS-2 plan', organisation.settings.plan ?? ''),
    ),
  ]),
  ruleset.each('error', 'RS-3', ({ target = 'branch', include_refs = [], exclude_refs = [] }) => [
    ...unfit('include_refs', include_refs, target),
    ...unfit('exclude_refs', exclude_refs, target),
  ]),
  ruleset.warning(
    'RS-4',
    'required_deployment_environments',
    ({ requires_deployments, required_deployment_environments: names }) =>
      requires_deployments === false && isFilled(names),
  ),
  ruleset.each('error', 'RS-5', lackingEnvironments),
  ruleset.each('error', 'RS-6', ({ required_pull_request: part }) => {
    if (part === undefined || part === null) return []
    const { required_approving_review_count: count, allowed_merge_methods: allowed } = part
    return [
      ...lacking('required_pull_request', part, 'RS-6'),
      ...when(
        count !== undefined && (count < 0 || count > 10),
        ['required_pull_request', 'required_approving_review_count'],
        say('RS-6 count'),
      ),
      ...when(allowed?.length === 0, ['required_pull_request', 'allowed_merge_methods'], say('RS-6 methods')),
      ...(allowed ?? []).flatMap((method, index) =>
        notAmong(
          method,
          ['required_pull_request', 'allowed_merge_methods', index],
          mergeMethods,
          'allowed_merge_methods',
        ),
      ),
    ]
  }),
  ruleset.each('error', 'RS-7', ({ required_merge_queue: part }) => {
    if (part === undefined || part === null) return []
    return [
      ...lacking('required_merge_queue', part, 'RS-7'),
      ...notAmong(part.merge_method, ['required_merge_queue', 'merge_method'], methods),
      ...numbers.flatMap((name) =>
        when((part[name] ?? 0) < 0, ['required_merge_queue', name], say('RS-7 number', name)),
      ),
    ]
  }),
  ruleset.each('error', 'RS-8', ({ required_status_checks: part }) =>
    (part?.status_checks ?? []).flatMap((check, index) =>
      when(rulesetCheck(check).context.trim() === '', ['required_status_checks', 'status_checks', index], say('RS-8')),
    ),
  ),
  ruleset.each('info', 'RS-9', ({ required_status_checks: part }) =>
    when(part?.status_checks?.length === 0, ['required_status_checks', 'status_checks'], say('RS-9')),
  ),
  ruleset.each('error', 'RS-10', ({ bypass_actors = [] }, around) =>
    bypass_actors.flatMap((text, index) => checkActor(text, index, around)),
  ),
  ruleset.each('warning', 'ORS-1', ({ include_repo_names = [], exclude_repo_names = [] }, { organisation }) => {
    const { repositories } = organisation
    if (repositories === undefined) return []
    return [
      ...idle('include_repo_names', include_repo_names, repositories),
      ...idle('exclude_repo_names', exclude_repo_names, repositories),
    ]
  }),
  ruleset.warning(
    'ORS-2',
    'protect_repo_names',
    ({ protect_repo_names, include_repo_names, exclude_repo_names }) =>
      protect_repo_names === true && !isFilled(include_repo_names) && !isFilled(exclude_repo_names),
  ),
]
