import type { JsonObject, Path } from '../../../engine/schema/json.ts'
import type { Environment, Repository } from '../shape/organisation.ts'
import { addressOf, nameOf, nameWithin } from '../values/address-name.ts'
import { teamSlug } from '../values/team-slug.ts'
import { type FieldMap, joined, literal, type Mapped, mapFields, same } from './fields.ts'
import { type Draft, type Scope, secretField } from './mapping.ts'
import { repositoryAddress, teamAddress, teamName, webhooks } from './organisation.ts'
import { mapBranchProtection } from './protection.ts'
import { propertyAddresses, repositoryFields, withoutOrigins } from './repository-fields.ts'
import { mapRuleset } from './rulesets.ts'
import { workflowFields } from './workflows.ts'

const pages: readonly FieldMap[] = [
  { from: 'gh_pages_build_type', to: 'build_type' },
  { from: 'gh_pages_source_branch', to: 'source_branch' },
  { from: 'gh_pages_source_path', to: 'source_path' },
  { from: 'gh_pages_visibility', to: 'visibility' },
  { from: 'gh_pages_cname', to: 'cname' },
  { from: 'gh_pages_https_enforced', to: 'https_enforced' },
]

const codeScanning: readonly FieldMap[] = [
  {
    from: 'code_scanning_default_setup_enabled',
    to: 'state',
    as: (on) => (on === true ? 'configured' : 'not-configured'),
  },
  { from: 'code_scanning_default_query_suite', to: 'query_suite' },
  { from: 'code_scanning_default_languages', to: 'languages' },
]

/** A repository and where it is in the file. */
interface PlacedRepository {
  readonly repository: Repository
  readonly path: Path
  readonly scope: Scope
}

/** The attribute that says in which repository something is. */
const within = ({ repository, path }: PlacedRepository): Mapped =>
  mapFields(repository, path, [{ from: 'name', to: 'repository' }])

/** A part of a repository that exists once, if any of its fields is written. */
const single = (type: string, placed: PlacedRepository, mapped: Mapped): readonly Draft[] =>
  Object.keys(mapped.spec).length === 0
    ? []
    : [
        {
          type,
          at: nameOf(placed.repository.name),
          path: placed.path,
          mapped: joined(within(placed), mapped),
          needs: [repositoryAddress(placed.repository.name)],
        },
      ]

/** A site that is switched off must not exist. Without `gh_pages_build_type` it is not managed. */
const ofPages = (placed: PlacedRepository): readonly Draft[] => {
  const { repository, path } = placed
  const { gh_pages_build_type: type } = repository
  if (type === undefined) return []
  const isOff = type === 'disabled'
  const drafts = single('github_pages', placed, isOff ? within(placed) : mapFields(repository, path, pages))
  return isOff ? drafts.map((draft) => ({ ...draft, absent: true as const })) : drafts
}

const inside = (
  type: string,
  placed: PlacedRepository,
  {
    name,
    needs = [],
    mapped,
    ...more
  }: { readonly name: string } & Pick<Draft, 'path' | 'mapped' | 'needs' | 'lifecycle'>,
): Draft => ({
  type,
  ...more,
  at: nameWithin(placed.repository.name, name),
  mapped: joined(within(placed), mapped),
  needs: [repositoryAddress(placed.repository.name), ...needs],
})

const ofWebhooks = (placed: PlacedRepository): readonly Draft[] =>
  (placed.repository.webhooks ?? []).map((hook, index) => {
    const path = [...placed.path, 'webhooks', index]
    const mapped = mapFields(hook, path, [...webhooks, ...secretField(placed.scope)('secret', 'secret', hook)])
    return inside('github_repository_webhook', placed, { name: hook.url, path, mapped })
  })

const ofSecrets = (placed: PlacedRepository): readonly Draft[] =>
  (placed.repository.secrets ?? []).map((secret, index) => {
    const path = [...placed.path, 'secrets', index]
    const mapped = mapFields(secret, path, [{ from: 'name' }, ...secretField(placed.scope)('value', 'value', secret)])
    return inside('github_repository_secret', placed, { name: secret.name, path, mapped })
  })

const ofVariables = (placed: PlacedRepository): readonly Draft[] =>
  (placed.repository.variables ?? []).map((variable, index) => {
    const path = [...placed.path, 'variables', index]
    return inside('github_repository_variable', placed, {
      name: variable.name,
      path,
      mapped: mapFields(variable, path, same('name', 'value')),
    })
  })

const reviewer = (written: string): { readonly type: string; readonly name: string } => {
  const [, first = '', team] = /^@([^/]+)(?:\/(.+))?$/.exec(written) ?? []
  return team === undefined ? { type: 'User', name: first } : { type: 'Team', name: team }
}

const reviewerIn =
  (scope: Scope) =>
  (written: string): JsonObject => {
    const { type, name } = reviewer(written)
    return type === 'Team' ? { type, team: literal(teamName(name, scope)) } : { type, user: literal(name) }
  }

const environmentFields = (scope: Scope): readonly FieldMap[] => [
  ...same('name', 'wait_timer', 'prevent_self_review'),
  { from: 'deployment_branch_policy', to: 'deployment_branches' },
  { from: 'reviewers', as: (all) => (all as readonly string[]).map(reviewerIn(scope)) },
  {
    from: 'branch_policies',
    as: (all) =>
      (all as readonly string[]).map((text) =>
        text.startsWith('tag:') ? { name: text.slice(4), type: 'tag' } : { name: text, type: 'branch' },
      ),
  },
]

const ofEnvironment = (environment: Environment, path: Path, placed: PlacedRepository): readonly Draft[] => {
  const { name, reviewers = [], secrets = [], variables = [] } = environment
  const own = addressOf('github_environment', nameWithin(placed.repository.name, name))
  const teams = reviewers.map(reviewer).flatMap((each) => (each.type === 'Team' ? [teamAddress(each.name)] : []))
  const around = mapFields(environment, path, [{ from: 'name', to: 'environment' }])
  return [
    inside('github_environment', placed, {
      name,
      path,
      mapped: mapFields(environment, path, environmentFields(placed.scope)),
      needs: teams,
    }),
    ...secrets.map((secret, index) => {
      const at = [...path, 'secrets', index]
      const fields = [{ from: 'name' }, ...secretField(placed.scope)('value', 'value', secret)]
      const mapped = joined(around, mapFields(secret, at, fields))
      return inside('github_environment_secret', placed, {
        name: `${name}/${secret.name}`,
        path: at,
        mapped,
        needs: [own],
      })
    }),
    ...variables.map((variable, index) => {
      const at = [...path, 'variables', index]
      const mapped = joined(around, mapFields(variable, at, same('name', 'value')))
      return inside('github_environment_variable', placed, {
        name: `${name}/${variable.name}`,
        path: at,
        mapped,
        needs: [own],
      })
    }),
  ]
}

const ofTeams = (placed: PlacedRepository): readonly Draft[] =>
  Object.entries(placed.repository.team_permissions ?? {}).map(([team, permission]) => {
    const path = [...placed.path, 'team_permissions', team]
    const spec = { team: literal(teamName(team, placed.scope)), permission: literal(permission) }
    return inside('github_team_repository', placed, {
      name: team,
      path,
      mapped: { spec, origins: { team: path, permission: path } },
      needs: [teamAddress(teamSlug(team))],
    })
  })

const ofRepository = (placed: PlacedRepository): readonly Draft[] => {
  const { repository, path, scope } = placed
  const workflowsPath = [...path, 'workflows']
  return [
    {
      type: 'github_repository',
      at: nameOf(repository.name),
      path,
      mapped: mapFields(withoutOrigins(repository), path, repositoryFields(repository, scope)),
      needs: propertyAddresses(repository),
    },
    ...single(
      'github_repository_actions',
      placed,
      mapFields(repository.workflows ?? {}, workflowsPath, workflowFields),
    ),
    ...ofPages(placed),
    ...single('github_code_scanning', placed, mapFields(repository, path, codeScanning)),
    ...ofWebhooks(placed),
    ...ofSecrets(placed),
    ...ofVariables(placed),
    ...(repository.environments ?? []).flatMap((environment, index) =>
      ofEnvironment(environment, [...path, 'environments', index], placed),
    ),
    ...ofTeams(placed),
    ...(repository.branch_protection_rules ?? []).map((rule, index) => {
      const at = [...path, 'branch_protection_rules', index]
      return inside('github_branch_protection_rule', placed, {
        name: rule.pattern,
        path: at,
        ...mapBranchProtection(rule, at, scope),
      })
    }),
    ...(repository.rulesets ?? []).map((ruleset, index) => {
      const at = [...path, 'rulesets', index]
      return inside('github_ruleset', placed, { name: ruleset.name, path: at, ...mapRuleset(ruleset, at, scope) })
    }),
  ]
}

/** Every repository with what is in it. */
export const mapRepositories = (scope: Scope): readonly Draft[] =>
  (scope.organisation.repositories ?? []).flatMap((repository, index) =>
    ofRepository({ repository, path: ['repositories', index], scope }),
  )
