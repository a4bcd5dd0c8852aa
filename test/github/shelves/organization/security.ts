import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { byId, type Call, done, listed, ok, organizationOf, repositoryOf, type Shelf } from '../../server/call.ts'
import { invalid } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import { repositoriesOf } from '../../state/repository.ts'
import type { Organization, SecurityConfiguration } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { minimalRepository } from '../../views/repositories.ts'
import { shaped } from '../../views/shaped.ts'
import { addSelected, listRepositories, removeSelected, setSelected } from '../places/selected.ts'

/** Code security configurations and immutable releases: what an organisation decides for its repositories. */

const settingsAtFirst = {
  advanced_security: 'disabled',
  dependency_graph: 'enabled',
  dependency_graph_autosubmit_action: 'disabled',
  dependabot_alerts: 'disabled',
  dependabot_security_updates: 'disabled',
  code_scanning_default_setup: 'disabled',
  code_scanning_delegated_alert_dismissal: 'not_set',
  secret_scanning: 'disabled',
  secret_scanning_push_protection: 'disabled',
  secret_scanning_delegated_bypass: 'disabled',
  secret_scanning_validity_checks: 'disabled',
  secret_scanning_non_provider_patterns: 'disabled',
  private_vulnerability_reporting: 'disabled',
  enforcement: 'enforced',
} as const

const view = ({ world }: Call, { login }: Organization, each: SecurityConfiguration): JsonObject => ({
  id: each.id,
  target_type: 'organization',
  ...each.settings,
  url: `${world.url}/orgs/${login}/code-security/configurations/${each.id}`,
  html_url: `https://github.com/organizations/${login}/settings/security_products/configurations/edit/${each.id}`,
  created_at: each.created_at,
  updated_at: each.updated_at,
})

const configurationOf = (call: Call): SecurityConfiguration =>
  byId(call, organizationOf(call).security, 'configuration_id')

const checkFree = ({ security }: Organization, name: unknown, own?: SecurityConfiguration): void => {
  if ([...security.values()].some((each) => each !== own && each.settings['name'] === name))
    invalid('SecurityConfiguration', 'name', 'already_exists')
}

const isIn = ({ settings }: Repository, scope: string): boolean =>
  scope.startsWith('all') || (settings['visibility'] === 'public') === (scope === 'public')

const attach = (call: Call) => {
  const organization = organizationOf(call)
  const { scope, selected_repository_ids: ids = [] } = call.body as {
    scope: string
    selected_repository_ids?: number[]
  }
  const wanted = configurationOf(call)
  const chosen =
    scope === 'selected'
      ? ids
      : repositoriesOf(call.world, organization)
          .filter((each) => isIn(each, scope))
          .map(({ id }) => id)
  for (const id of chosen) {
    const others = [...organization.security.values()].filter((each) => each !== wanted)
    if (scope === 'all_without_configurations' && others.some(({ repositories }) => repositories.has(id))) continue
    // A repository has one configuration.
    for (const other of others) other.repositories.delete(id)
    wanted.repositories.add(id)
  }
  return ok({}, 202)
}

const overlaps = (a: string, b: string): boolean => a === 'all' || b === 'all' || a === b

const setDefault = (call: Call) => {
  const organization = organizationOf(call)
  const wanted = configurationOf(call)
  const { default_for_new_repos: scope = 'none' } = call.body as { default_for_new_repos?: string }
  // One default for each kind of new repository: the former one ends.
  for (const other of organization.security.values())
    if (other !== wanted && scope !== 'none' && overlaps(other.defaultFor, scope)) other.defaultFor = 'none'
  wanted.defaultFor = scope
  return ok({ default_for_new_repos: scope, configuration: view(call, organization, wanted) })
}

const immutable = (call: Call) => {
  const { immutableReleases } = organizationOf(call)
  return { visibility: immutableReleases.enforced, repositories: immutableReleases.repositories }
}

const configurations: Shelf = {
  'code-security/get-configurations-for-org': (call) => {
    const organization = organizationOf(call)
    return listed(organization.security.values(), (each) => view(call, organization, each))
  },
  'code-security/create-configuration': (call) => {
    const organization = organizationOf(call)
    checkFree(organization, call.body['name'])
    const now = call.world.now()
    const made: SecurityConfiguration = {
      id: call.world.newId(),
      settings: { ...settingsAtFirst, ...call.body },
      defaultFor: 'none',
      repositories: new Set(),
      created_at: now,
      updated_at: now,
    }
    organization.security.set(made.id, made)
    return ok(view(call, organization, made), 201)
  },
  'code-security/get-default-configurations': (call) => {
    const organization = organizationOf(call)
    const defaults = [...organization.security.values()].filter(({ defaultFor }) => defaultFor !== 'none')
    return ok(
      defaults.map((each) => ({
        default_for_new_repos: each.defaultFor,
        configuration: view(call, organization, each),
      })),
    )
  },
  'code-security/detach-configuration': (call) => {
    for (const { repositories } of organizationOf(call).security.values())
      for (const id of call.body['selected_repository_ids'] as readonly number[]) repositories.delete(id)
    return done
  },
  'code-security/get-configuration': (call) => ok(view(call, organizationOf(call), configurationOf(call))),
  'code-security/update-configuration': (call) => {
    const organization = organizationOf(call)
    const configuration = configurationOf(call)
    if (call.body['name'] !== undefined) checkFree(organization, call.body['name'], configuration)
    const next = { ...configuration.settings, ...call.body }
    // 204 says that there was nothing to change.
    if (JSON.stringify(next) === JSON.stringify(configuration.settings)) return done
    configuration.settings = next
    configuration.updated_at = call.world.now()
    return ok(view(call, organization, configuration))
  },
  'code-security/delete-configuration': (call) => {
    organizationOf(call).security.delete(configurationOf(call).id)
    return done
  },
  'code-security/attach-configuration': attach,
  'code-security/set-configuration-as-default': setDefault,
  'code-security/get-repositories-for-configuration': (call) => {
    const found = [...configurationOf(call).repositories].flatMap((id) => call.world.repositories.get(id) ?? [])
    return listed(found, (each) => ({
      status: 'attached',
      repository: shaped('simple-repository', minimalRepository(call.world, each)),
    }))
  },
  'code-security/get-configuration-for-repository': (call) => {
    const { owner, id } = repositoryOf(call)
    const organization = call.world.organizations.get(keyOf(owner))
    const found = [...(organization?.security.values() ?? [])].find(({ repositories }) => repositories.has(id))
    if (organization === undefined || found === undefined) return done
    return ok({ status: 'attached', configuration: view(call, organization, found) })
  },
}

const immutableReleases: Shelf = {
  'orgs/get-immutable-releases-settings': (call) => {
    const { login, immutableReleases: own } = organizationOf(call)
    const url = `${call.world.url}/orgs/${login}/settings/immutable-releases/repositories`
    return ok({
      enforced_repositories: own.enforced,
      ...(own.enforced === 'selected' ? { selected_repositories_url: url } : {}),
    })
  },
  'orgs/set-immutable-releases-settings': (call) => {
    const { immutableReleases: own } = organizationOf(call)
    own.enforced = String(call.body['enforced_repositories'])
    if (call.body['selected_repository_ids'] !== undefined)
      setSelected(own.repositories, call.body['selected_repository_ids'])
    return done
  },
  'orgs/get-immutable-releases-settings-repositories': (call) =>
    listRepositories(call, organizationOf(call).immutableReleases.repositories),
  'orgs/set-immutable-releases-settings-repositories': (call) => {
    setSelected(organizationOf(call).immutableReleases.repositories, call.body['selected_repository_ids'])
    return done
  },
  'orgs/enable-selected-repository-immutable-releases-organization': (call) => addSelected(call, immutable(call)),
  'orgs/disable-selected-repository-immutable-releases-organization': (call) => removeSelected(call, immutable(call)),
}

export const security: Shelf = { ...configurations, ...immutableReleases }
