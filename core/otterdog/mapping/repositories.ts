import type { Json, JsonObject, Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { Environment, Repository } from '../shape/organisation.ts'
import { addressOf, nameOf, nameWithin } from '../values/address-name.ts'
import { teamSlug } from '../values/team-slug.ts'
import { type FieldMap, joined, literal, type Mapped, mapFields, same } from './fields.ts'
import { type Draft, type Scope, secretField } from './mapping.ts'
import { repositoryAddress, teamAddress, teamName, webhooks } from './organisation.ts'
import { mapBranchProtection } from './protection.ts'
import { mapRuleset } from './rulesets.ts'
import { workflowFields } from './workflows.ts'

/** `owner/name`; of something else GitHub says what is wrong with it. */
const fullName = (written: Json): JsonObject => {
  const [owner = '', ...rest] = String(written).split('/')
  return { owner: literal(owner), repository: literal(rest.join('/')) }
}

const repositoryFields: readonly FieldMap[] = [
  ...same(
    'name',
    'description',
    'homepage',
    'has_discussions',
    'has_issues',
    'has_projects',
    'has_wiki',
    'is_template',
    'auto_init',
    'topics',
    'default_branch',
    'allow_rebase_merge',
    'allow_squash_merge',
    'allow_merge_commit',
    'allow_auto_merge',
    'delete_branch_on_merge',
    'allow_update_branch',
    'squash_merge_commit_title',
    'squash_merge_commit_message',
    'merge_commit_title',
    'merge_commit_message',
    'archived',
    'allow_forking',
    'web_commit_signoff_required',
    'secret_scanning',
    'secret_scanning_push_protection',
  ),
  { from: 'dependabot_alerts_enabled', to: 'dependabot_alerts' },
  {
    from: 'dependabot_security_updates_enabled',
    to: 'dependabot_security_updates',
    as: (on) => (on === true ? 'enabled' : 'disabled'),
  },
  { from: 'private', to: 'visibility', as: (isPrivate) => (isPrivate === true ? 'private' : 'public') },
  { from: 'private_vulnerability_reporting_enabled', to: 'private_vulnerability_reporting' },
  { from: 'template_repository', to: 'template', as: fullName },
]

/** What a new repository is a fork of. */
const forkField = ({ fork_default_branch_only: one }: Repository): FieldMap => ({
  from: 'forked_repository',
  to: 'fork_of',
  as: (written) => ({ ...fullName(written), ...defined({ default_branch_only: one }) }),
})

/** A property of the organisation that the file gives no value has none: what leaves the file leaves the repository. */
const propertiesField = ({ organisation }: Scope): FieldMap => ({
  from: 'custom_properties',
  as: (own) => {
    const declared = (organisation.settings.custom_properties ?? []).map(({ name }) => [name, null] as const)
    return literal({ ...Object.fromEntries(declared), ...(own as JsonObject) })
  },
})

/** Definitions come before values. */
const propertyAddresses = ({ custom_properties: own = {} }: Repository): readonly string[] =>
  Object.keys(own).map((name) => addressOf('github_custom_property', nameOf(name)))

/** GitHub makes a repository of nothing, of a template or of a fork: null is the first. */
const withoutOrigins = ({
  template_repository: template,
  forked_repository: fork,
  ...rest
}: Repository): Repository => ({
  ...rest,
  ...(template !== null && defined({ template_repository: template })),
  ...(fork !== null && defined({ forked_repository: fork })),
})

const pages: readonly FieldMap[] = [
  { from: 'gh_pages_build_type', to: 'build_type' },
  { from: 'gh_pages_source_branch', to: 'branch' },
  { from: 'gh_pages_source_path', to: 'path' },
  { from: 'gh_pages_visibility', to: 'public', as: (visibility) => visibility === 'public' },
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
interface Placed {
  readonly repository: Repository
  readonly path: Path
  readonly scope: Scope
}

/** The attribute that says in which repository something is. */
const within = ({ repository, path }: Placed): Mapped =>
  mapFields(repository, path, [{ from: 'name', to: 'repository' }])

/** A part of a repository that exists once, if any of its fields is written. */
const single = (type: string, placed: Placed, mapped: Mapped): readonly Draft[] =>
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

const inside = (
  type: string,
  placed: Placed,
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

const ofWebhooks = (placed: Placed): readonly Draft[] =>
  (placed.repository.webhooks ?? []).map((hook, index) => {
    const path = [...placed.path, 'webhooks', index]
    const mapped = mapFields(hook, path, [...webhooks, ...secretField(placed.scope)('secret', 'secret', hook)])
    return inside('github_repository_webhook', placed, { name: hook.url, path, mapped })
  })

const ofSecrets = (placed: Placed): readonly Draft[] =>
  (placed.repository.secrets ?? []).map((secret, index) => {
    const path = [...placed.path, 'secrets', index]
    const mapped = mapFields(secret, path, [{ from: 'name' }, ...secretField(placed.scope)('value', 'value', secret)])
    return inside('github_repository_secret', placed, { name: secret.name, path, mapped })
  })

const ofVariables = (placed: Placed): readonly Draft[] =>
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

const environmentFields: readonly FieldMap[] = [
  ...same('name', 'wait_timer', 'prevent_self_review', 'deployment_branch_policy'),
  { from: 'reviewers', as: (all) => (all as readonly string[]).map(reviewer) },
  {
    from: 'branch_policies',
    as: (all) =>
      (all as readonly string[]).map((text) =>
        text.startsWith('tag:') ? { name: text.slice(4), type: 'tag' } : { name: text, type: 'branch' },
      ),
  },
]

const ofEnvironment = (environment: Environment, path: Path, placed: Placed): readonly Draft[] => {
  const { name, reviewers = [], secrets = [], variables = [] } = environment
  const own = addressOf('github_environment', nameWithin(placed.repository.name, name))
  const teams = reviewers.map(reviewer).flatMap((each) => (each.type === 'Team' ? [teamAddress(each.name)] : []))
  const around = mapFields(environment, path, [{ from: 'name', to: 'environment' }])
  return [
    inside('github_environment', placed, {
      name,
      path,
      mapped: mapFields(environment, path, environmentFields),
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

const ofTeams = (placed: Placed): readonly Draft[] =>
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

const ofRepository = (placed: Placed): readonly Draft[] => {
  const { repository, path, scope } = placed
  const workflowsPath = [...path, 'workflows']
  return [
    {
      type: 'github_repository',
      at: nameOf(repository.name),
      path,
      mapped: mapFields(withoutOrigins(repository), path, [
        ...repositoryFields,
        forkField(repository),
        propertiesField(scope),
      ]),
      needs: propertyAddresses(repository),
    },
    ...single(
      'github_repository_actions',
      placed,
      mapFields(repository.workflows ?? {}, workflowsPath, workflowFields),
    ),
    ...single('github_pages', placed, mapFields(repository, path, pages)),
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
