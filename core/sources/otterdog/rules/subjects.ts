import type { Path } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import type { Environment, Organisation, Repository } from '../shape/organisation.ts'
import type { SubjectKind, Subjects } from './rule.ts'

/** One thing that rules are about, and where it is in the file. */
export type Subject = {
  readonly [Kind in SubjectKind]: {
    readonly kind: Kind
    readonly value: Subjects[Kind]
    readonly path: Path
    readonly repository?: Repository
  }
}[SubjectKind]

/** Each item of a list as a subject. */
const each = <Kind extends SubjectKind>(
  kind: Kind,
  list: readonly Subjects[Kind][] | undefined,
  path: Path,
  repository?: Repository,
): readonly Subject[] =>
  (list ?? []).map(
    (value, index) =>
      ({ kind, value, path: [...path, index], ...(repository && { repository }) }) as unknown as Subject,
  )

const ofEnvironment = (environment: Environment, path: Path, repository: Repository): readonly Subject[] => [
  ...each('secret', environment.secrets, [...path, 'secrets'], repository),
  ...each('variable', environment.variables, [...path, 'variables'], repository),
]

const ofRepository = (repository: Repository, path: Path): readonly Subject[] => {
  const list = <Kind extends SubjectKind>(kind: Kind, name: keyof Repository): readonly Subject[] =>
    each(kind, repository[name] as readonly Subjects[Kind][] | undefined, [...path, name], repository)
  return [
    ...present<Subject>(
      repository.workflows && {
        kind: 'workflows',
        value: repository.workflows,
        path: [...path, 'workflows'],
        repository,
      },
    ),
    ...list('webhook', 'webhooks'),
    ...list('secret', 'secrets'),
    ...list('variable', 'variables'),
    ...list('environment', 'environments'),
    ...(repository.environments ?? []).flatMap((environment, index) =>
      ofEnvironment(environment, [...path, 'environments', index], repository),
    ),
    ...list('branchProtection', 'branch_protection_rules'),
    ...list('ruleset', 'rulesets'),
  ]
}

/** Everything in an organisation file that rules are about. */
export const subjectsIn = (organisation: Organisation): readonly Subject[] => {
  const { settings, roles, teams, webhooks, secrets, variables, rulesets, repositories } = organisation
  return [
    { kind: 'organisation', value: organisation, path: [] },
    { kind: 'settings', value: settings, path: ['settings'] },
    ...each('customProperty', settings.custom_properties, ['settings', 'custom_properties']),
    ...present<Subject>(
      settings.workflows && { kind: 'workflows', value: settings.workflows, path: ['settings', 'workflows'] },
    ),
    ...each('role', roles, ['roles']),
    ...each('team', teams, ['teams']),
    ...each('webhook', webhooks, ['webhooks']),
    ...each('secret', secrets, ['secrets']),
    ...each('variable', variables, ['variables']),
    ...each('ruleset', rulesets, ['rulesets']),
    ...each('repository', repositories, ['repositories']),
    ...(repositories ?? []).flatMap((repository, index) => ofRepository(repository, ['repositories', index])),
  ]
}
