import type { Repository } from '../../shape/organisation.ts'
import { lengthOf } from '../organisation/rules.ts'
import { type Around, type Finding, isFilled, isOutside, isRepositoryName, ruleOf, when } from '../rule.ts'
import { say, unread } from './words.ts'

const permissions = ['pull', 'triage', 'push', 'maintain', 'admin']
const policies = ['all', 'protected', 'selected']
const buildTypes = ['disabled', 'legacy', 'workflow']
const pagesPaths = ['/', '/docs']
const pagesVisibilities = ['public', 'private']
const suites = ['default', 'extended']
const languages = [
  'actions',
  'c-cpp',
  'csharp',
  'go',
  'java-kotlin',
  'javascript-typescript',
  'python',
  'ruby',
  'swift',
  'rust',
]

/** Messages that GitHub allows for each title. */
type Pairs = Readonly<Record<string, readonly string[]>>
const squashPairs: Pairs = {
  PR_TITLE: ['PR_BODY', 'BLANK', 'COMMIT_MESSAGES'],
  COMMIT_OR_PR_TITLE: ['COMMIT_MESSAGES'],
}
const mergePairs: Pairs = { PR_TITLE: ['PR_BODY', 'BLANK'], MERGE_MESSAGE: ['PR_TITLE'] }

const isSite = ({ name }: Pick<Repository, 'name'>, { organisation }: Pick<Around, 'organisation'>): boolean =>
  name.toLowerCase() === `${organisation.github_id}.github.io`.toLowerCase()

const hasPages = ({ gh_pages_build_type: type }: Repository): boolean => type === 'legacy' || type === 'workflow'

/** The title and the message of a merge: each must be one that GitHub has, and both together. */
const pairFindings = (
  id: 'REPO-21' | 'REPO-22',
  fields: readonly [title: keyof Repository, message: keyof Repository],
  pairs: Pairs,
  repository: Repository,
): readonly Finding[] => {
  const [title, message] = fields.map((field) => repository[field] as string | undefined)
  const titles = Object.keys(pairs)
  const messages = [...new Set(Object.values(pairs).flat())]
  const allowed = title === undefined || !Object.hasOwn(pairs, title) ? undefined : pairs[title]
  const isMessage = !isOutside(message, messages)
  return [
    ...when(isOutside(title, titles), [fields[0]], say(id, fields[0], titles)),
    ...when(!isMessage, [fields[1]], say(id, fields[1], messages)),
    ...when(
      isMessage && allowed !== undefined && isOutside(message, allowed),
      [fields[1]],
      say(`${id} pair`, title ?? '', allowed ?? []),
    ),
  ]
}

/** The rules about repositories and their environments. */
export const repositoryRules = [
  ruleOf('ENV-1', 'error', 'environment', ({ wait_timer: minutes }) =>
    when(minutes !== undefined && (minutes < 0 || minutes > 43_200), ['wait_timer'], say('ENV-1')),
  ),
  ruleOf('ENV-2', 'warning', 'environment', ({ prevent_self_review, reviewers }) =>
    when(
      prevent_self_review === true && reviewers !== undefined && reviewers.length === 0,
      ['prevent_self_review'],
      say('ENV-2'),
    ),
  ),
  ruleOf('ENV-3', 'error', 'environment', ({ deployment_branch_policy: policy }) =>
    when(isOutside(policy, policies), ['deployment_branch_policy'], say('ENV-3', policies)),
  ),
  ruleOf('ENV-4', 'warning', 'environment', ({ deployment_branch_policy: policy, branch_policies }) =>
    when(policy !== undefined && policy !== 'selected' && isFilled(branch_policies), ['branch_policies'], say('ENV-4')),
  ),
  ruleOf('ENV-5', 'error', 'environment', ({ reviewers = [] }) =>
    reviewers.flatMap((reviewer, index) =>
      when(!/^@[^/\s]+(?:\/[^/\s]+)?$/.test(reviewer), ['reviewers', index], say('ENV-5')),
    ),
  ),
  ruleOf('REPO-1', 'error', 'repository', ({ description }) =>
    when(lengthOf(description) > 350, ['description'], say('REPO-1', lengthOf(description))),
  ),
  ruleOf('REPO-2', 'error', 'repository', ({ topics = [] }) => [
    ...when(topics.length > 20, ['topics'], say('REPO-2 count', topics.length)),
    ...topics.flatMap((topic, index) => when(!/^[a-z0-9-]+$/.test(topic), ['topics', index], say('REPO-2'))),
  ]),
  ruleOf('REPO-3', 'warning', 'repository', (repository) =>
    when(!repository.private && repository.allow_forking === false, ['allow_forking'], say('REPO-3')),
  ),
  ruleOf('REPO-4', 'warning', 'repository', (repository, { organisation }) =>
    when(
      repository.private && repository.has_wiki === true && organisation.settings.plan === 'free',
      ['has_wiki'],
      say('REPO-4'),
    ),
  ),
  ruleOf('REPO-5', 'error', 'repository', ({ name, has_discussions }, { organisation }) => {
    const { has_discussions: outer, discussion_source_repository: source } = organisation.settings
    const isSource = source?.toLowerCase() === `${organisation.github_id}/${name}`.toLowerCase()
    return when(has_discussions === false && outer === true && isSource, ['has_discussions'], say('REPO-5'))
  }),
  ruleOf('REPO-6', 'warning', 'repository', ({ has_projects }, { organisation }) =>
    when(
      has_projects === true && organisation.settings.has_organization_projects === false,
      ['has_projects'],
      say('REPO-6'),
    ),
  ),
  ruleOf('REPO-7', 'error', 'repository', (repository, { organisation }) =>
    when(
      repository.private &&
        repository.allow_forking === true &&
        organisation.settings.members_can_fork_private_repositories === false,
      ['allow_forking'],
      say('REPO-7'),
    ),
  ),
  ruleOf('REPO-8', 'warning', 'repository', ({ web_commit_signoff_required: own }, { organisation }) =>
    when(
      own === false && organisation.settings.web_commit_signoff_required === true,
      ['web_commit_signoff_required'],
      say('REPO-8'),
    ),
  ),
  ruleOf('REPO-9', 'error', 'repository', (repository) =>
    when(
      repository.archived !== true &&
        repository.secret_scanning_push_protection === 'enabled' &&
        repository.secret_scanning === 'disabled',
      ['secret_scanning_push_protection'],
      say('REPO-9'),
    ),
  ),
  ruleOf('REPO-10', 'error', 'repository', ({ template_repository: template, forked_repository: fork }) =>
    when(isFilled(template) && isFilled(fork), ['forked_repository'], say('REPO-10')),
  ),
  ruleOf('REPO-11', 'error', 'repository', ({ custom_properties = {} }, { organisation }) => {
    const defined = organisation.settings.custom_properties
    if (defined === undefined) return []
    const names = new Set(defined.map(({ name }) => name))
    return Object.keys(custom_properties).flatMap((name) =>
      when(!names.has(name), ['custom_properties', name], say('REPO-11', name)),
    )
  }),
  ruleOf('REPO-12', 'error', 'repository', ({ team_permissions = {} }) =>
    Object.entries(team_permissions).flatMap(([team, permission]) =>
      when(isOutside(permission, permissions), ['team_permissions', team], say('REPO-12', permissions)),
    ),
  ),
  ruleOf('REPO-13', 'info', 'repository', ({ archived, branch_protection_rules: rules }) =>
    when(archived === true && isFilled(rules), ['branch_protection_rules'], say('REPO-13')),
  ),
  ruleOf('REPO-14', 'error', 'repository', (repository, around) =>
    when(
      isSite(repository, around) && repository.gh_pages_build_type === 'disabled',
      ['gh_pages_build_type'],
      say('REPO-14'),
    ),
  ),
  ruleOf('REPO-15', 'info', 'repository', (repository, around) => {
    const { environments } = repository
    const isMissing = environments !== undefined && !environments.some(({ name }) => name === 'github-pages')
    return when(isMissing && (hasPages(repository) || isSite(repository, around)), ['environments'], say('REPO-15'))
  }),
  ruleOf('REPO-16', 'error', 'repository', (repository) => {
    const { gh_pages_build_type: type, gh_pages_source_path: path, gh_pages_visibility: visibility } = repository
    return [
      ...when(isOutside(type, buildTypes), ['gh_pages_build_type'], say('REPO-16', 'gh_pages_build_type', buildTypes)),
      ...when(
        type === 'legacy' && isOutside(path, pagesPaths),
        ['gh_pages_source_path'],
        say('REPO-16', 'gh_pages_source_path', pagesPaths),
      ),
      ...when(
        isOutside(visibility, pagesVisibilities),
        ['gh_pages_visibility'],
        say('REPO-16', 'gh_pages_visibility', pagesVisibilities),
      ),
    ]
  }),
  ruleOf('REPO-17', 'error', 'repository', (repository, { organisation }) => {
    const isPrivate = hasPages(repository) && repository.gh_pages_visibility === 'private'
    const isForbidden = organisation.settings.members_can_create_private_pages === false
    return [
      ...when(isPrivate && !repository.private, ['gh_pages_visibility'], say('REPO-17 public')),
      ...when(isPrivate && repository.private && isForbidden, ['gh_pages_visibility'], say('REPO-17 forbidden')),
    ]
  }),
  ruleOf('REPO-18', 'error', 'repository', (repository) => [
    ...when(
      isOutside(repository.code_scanning_default_query_suite, suites),
      ['code_scanning_default_query_suite'],
      say('REPO-18', 'code_scanning_default_query_suite', suites),
    ),
    ...(repository.code_scanning_default_languages ?? []).flatMap((language, index) =>
      when(
        isOutside(language, languages),
        ['code_scanning_default_languages', index],
        say('REPO-18', 'this language', languages),
      ),
    ),
  ]),
  ruleOf('REPO-19', 'error', 'repository', (repository, { observed }) => {
    const { name, code_scanning_default_setup_enabled: isOn, code_scanning_default_languages: wanted = [] } = repository
    if (isOn === false || wanted.length === 0) return []
    const found = observed.languages?.[name]
    if (found === undefined)
      return [{ at: ['code_scanning_default_languages'], level: 'info', diagnostic: unread('REPO-19') }]
    return wanted.flatMap((language, index) =>
      when(!found.includes(language), ['code_scanning_default_languages', index], say('REPO-19', language)),
    )
  }),
  ruleOf('REPO-20', 'error', 'repository', (repository) =>
    (['forked_repository', 'template_repository'] as const).flatMap((field) =>
      when(isFilled(repository[field]) && !isRepositoryName(repository[field] ?? ''), [field], say('REPO-20', field)),
    ),
  ),
  ruleOf('REPO-21', 'error', 'repository', (repository) =>
    pairFindings('REPO-21', ['squash_merge_commit_title', 'squash_merge_commit_message'], squashPairs, repository),
  ),
  ruleOf('REPO-22', 'error', 'repository', (repository) =>
    pairFindings('REPO-22', ['merge_commit_title', 'merge_commit_message'], mergePairs, repository),
  ),
]
