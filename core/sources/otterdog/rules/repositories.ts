import { enforcesImmutable } from '../inherit/decided.ts'
import type { Repository } from '../shape/organisation.ts'
import { lengthOf } from './organisation.ts'
import { type Around, about, type Finding, isFilled, isOutside, isRepositoryName, notAmong, when } from './rule.ts'
import { say } from './words.ts'

const environment = about('environment')
const repository = about('repository')

const permissions = ['pull', 'triage', 'push', 'maintain', 'admin']
const policies = ['all', 'protected', 'selected']
const buildTypes = ['disabled', 'legacy', 'workflow']
const pagesPaths = ['/', '/docs']
const pagesVisibilities = ['public', 'private']
/** Labels of letters, digits and hyphens, and at least two of them. */
const domainPattern = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
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
const checkPair = (
  id: 'REPO-21' | 'REPO-22',
  repository: Repository,
  title: keyof Repository & string,
  message: keyof Repository & string,
  pairs: Pairs,
): readonly Finding[] => {
  const [heading, text] = [title, message].map((field) => repository[field as keyof Repository] as string | undefined)
  const allowed = heading === undefined || !Object.hasOwn(pairs, heading) ? undefined : pairs[heading]
  const otherMessage = notAmong(text, [message], [...new Set(Object.values(pairs).flat())])
  return [
    ...notAmong(heading, [title], Object.keys(pairs)),
    ...otherMessage,
    ...when(
      otherMessage.length === 0 && allowed !== undefined && isOutside(text, allowed),
      [message],
      say(`${id} pair`, heading ?? '', allowed ?? []),
    ),
  ]
}

const environmentRules = [
  environment.error(
    'ENV-1',
    'wait_timer',
    ({ wait_timer: minutes }) => minutes !== undefined && (minutes < 0 || minutes > 43_200),
  ),
  environment.warning(
    'ENV-2',
    'prevent_self_review',
    ({ prevent_self_review, reviewers }) => prevent_self_review === true && reviewers?.length === 0,
  ),
  environment.oneOf('ENV-3', 'deployment_branch_policy', policies),
  environment.warning(
    'ENV-4',
    'branch_policies',
    ({ deployment_branch_policy: policy, branch_policies }) =>
      policy !== undefined && policy !== 'selected' && isFilled(branch_policies),
  ),
  environment.each('error', 'ENV-5', ({ reviewers = [] }) =>
    reviewers.flatMap((reviewer, index) =>
      when(!/^@[^/\s]+(?:\/[^/\s]+)?$/.test(reviewer), ['reviewers', index], say('ENV-5')),
    ),
  ),
]

/** What the settings of the organisation forbid, or make idle. */
const underOrganisation = [
  repository.warning(
    'REPO-4',
    'has_wiki',
    (repository, { organisation }) =>
      repository.private && repository.has_wiki === true && organisation.settings.plan === 'free',
  ),
  repository.error(
    'REPO-5',
    'has_discussions',
    ({ name, has_discussions }, { organisation: { github_id, settings } }) =>
      has_discussions === false &&
      settings.has_discussions === true &&
      settings.discussion_source_repository?.toLowerCase() === `${github_id}/${name}`.toLowerCase(),
  ),
  repository.warning(
    'REPO-6',
    'has_projects',
    ({ has_projects }, { organisation }) =>
      has_projects === true && organisation.settings.has_organization_projects === false,
  ),
  repository.error(
    'REPO-7',
    'allow_forking',
    (repository, { organisation }) =>
      repository.private &&
      repository.allow_forking === true &&
      organisation.settings.members_can_fork_private_repositories === false,
  ),
  repository.warning(
    'REPO-8',
    'web_commit_signoff_required',
    ({ web_commit_signoff_required: own }, { organisation }) =>
      own === false && organisation.settings.web_commit_signoff_required === true,
  ),
  repository.info(
    'REPO-23',
    'immutable_releases_enabled',
    (repository, { organisation }) =>
      repository.immutable_releases_enabled === false && enforcesImmutable(organisation, repository),
  ),
  repository.each('error', 'REPO-11', ({ custom_properties = {} }, { organisation }) => {
    const defined = organisation.settings.custom_properties
    if (defined === undefined) return []
    const names = new Set(defined.map(({ name }) => name))
    return Object.keys(custom_properties).flatMap((name) =>
      when(!names.has(name), ['custom_properties', name], say('REPO-11', name)),
    )
  }),
]

const pageRules = [
  repository.error(
    'REPO-14',
    'gh_pages_build_type',
    (repository, around) => isSite(repository, around) && repository.gh_pages_build_type === 'disabled',
  ),
  repository.info(
    'REPO-15',
    'environments',
    (repository, around) =>
      repository.environments !== undefined &&
      !repository.environments.some(({ name }) => name === 'github-pages') &&
      (hasPages(repository) || isSite(repository, around)),
  ),
  repository.each('error', 'REPO-16', (repository) => {
    const { gh_pages_build_type: type, gh_pages_source_path: path, gh_pages_visibility: visibility } = repository
    return [
      ...notAmong(type, ['gh_pages_build_type'], buildTypes),
      ...notAmong(type === 'legacy' ? path : undefined, ['gh_pages_source_path'], pagesPaths),
      ...notAmong(visibility, ['gh_pages_visibility'], pagesVisibilities),
    ]
  }),
  repository.each('error', 'REPO-17', (repository, { organisation }) => {
    const isPrivate = hasPages(repository) && repository.gh_pages_visibility === 'private'
    const isForbidden = organisation.settings.members_can_create_private_pages === false
    const at = ['gh_pages_visibility']
    return [
      ...when(isPrivate && !repository.private, at, say('REPO-17 public')),
      ...when(isPrivate && repository.private && isForbidden, at, say('REPO-17 forbidden')),
    ]
  }),
  repository.each('error', 'REPO-24', ({ gh_pages_build_type: type, gh_pages_cname: domain }) => {
    if (type === 'disabled' || !isFilled(domain)) return []
    const isDomain = domainPattern.test(domain ?? '')
    return [
      ...when(!isDomain, ['gh_pages_cname'], say('REPO-24')),
      ...when(isDomain && /\.github\.io$/i.test(domain ?? ''), ['gh_pages_cname'], say('REPO-24 github')),
    ]
  }),
]

const scanningRules = [
  repository.error(
    'REPO-9',
    'secret_scanning_push_protection',
    ({ archived, secret_scanning_push_protection: protection, secret_scanning: scanning }) =>
      archived !== true && protection === 'enabled' && scanning === 'disabled',
  ),
  repository.each('error', 'REPO-18', (repository) => [
    ...notAmong(repository.code_scanning_default_query_suite, ['code_scanning_default_query_suite'], suites),
    ...(repository.code_scanning_default_languages ?? []).flatMap((language, index) =>
      notAmong(language, ['code_scanning_default_languages', index], languages, 'this language'),
    ),
  ]),
  repository.each('error', 'REPO-19', (repository, { observed }) => {
    const {
      name,
      code_scanning_default_setup_enabled: isOn,
      code_scanning_default_languages: desired = [],
    } = repository
    if (isOn === false || desired.length === 0) return []
    const shown = observed.languages?.[name]
    if (shown === undefined)
      return [{ at: ['code_scanning_default_languages'], level: 'info', diagnostic: say('REPO-19 unread') }]
    return desired.flatMap((language, index) =>
      when(!shown.includes(language), ['code_scanning_default_languages', index], say('REPO-19', language)),
    )
  }),
]

/** The rules about repositories and their environments. */
export const repositoryRules = [
  ...environmentRules,
  repository.error(
    'REPO-1',
    'description',
    ({ description }) => lengthOf(description) > 350,
    ({ description }) => [lengthOf(description)],
  ),
  repository.each('error', 'REPO-2', ({ topics = [] }) => [
    ...when(topics.length > 20, ['topics'], say('REPO-2 count', topics.length)),
    ...topics.flatMap((topic, index) => when(!/^[a-z0-9-]+$/.test(topic), ['topics', index], say('REPO-2'))),
  ]),
  repository.warning(
    'REPO-3',
    'allow_forking',
    (repository) => !repository.private && repository.allow_forking === false,
  ),
  ...underOrganisation,
  repository.error(
    'REPO-10',
    'forked_repository',
    ({ template_repository: template, forked_repository: fork }) => isFilled(template) && isFilled(fork),
  ),
  repository.each('error', 'REPO-12', ({ team_permissions = {} }) =>
    Object.entries(team_permissions).flatMap(([team, permission]) =>
      notAmong(permission, ['team_permissions', team], permissions, 'team permission'),
    ),
  ),
  repository.info(
    'REPO-13',
    'branch_protection_rules',
    ({ archived, branch_protection_rules: rules }) => archived === true && isFilled(rules),
  ),
  ...pageRules,
  ...scanningRules,
  ...(['forked_repository', 'template_repository'] as const).map((field) =>
    repository.error(
      'REPO-20',
      field,
      ({ [field]: name }) => isFilled(name) && !isRepositoryName(name ?? ''),
      () => [field],
    ),
  ),
  repository.each('error', 'REPO-21', (repository) =>
    checkPair('REPO-21', repository, 'squash_merge_commit_title', 'squash_merge_commit_message', squashPairs),
  ),
  repository.each('error', 'REPO-22', (repository) =>
    checkPair('REPO-22', repository, 'merge_commit_title', 'merge_commit_message', mergePairs),
  ),
]
