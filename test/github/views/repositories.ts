import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Repository } from '../state/parts.ts'
import { valuesOf } from '../state/properties.ts'
import type { World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { loginView, nodeId } from './accounts.ts'
import { shaped } from './shaped.ts'

/** The five permissions in order; each one holds those before it. */
export const permissionNames = ['pull', 'triage', 'push', 'maintain', 'admin'] as const

/** A role has a name of its own where somebody reads it. */
export const roleNames: Readonly<Record<string, string>> = { pull: 'read', push: 'write' }

export const permissionsUpTo = (permission: string): JsonObject => {
  // A custom role is shown as the role that it is built on.
  const top = Math.max(0, permissionNames.indexOf(permission as 'pull'))
  return Object.fromEntries(permissionNames.map((name, at) => [name, at <= top]))
}

const settingsShown = (world: World, { owner, settings, enabled, pages }: Repository): Record<string, Json> => {
  const organization = world.organizations.get(keyOf(owner))?.settings ?? {}
  const isPrivate = settings['visibility'] !== 'public'
  return {
    ...settings,
    private: isPrivate,
    security_and_analysis: {
      ...(settings['security_and_analysis'] as JsonObject),
      dependabot_security_updates: { status: enabled.has('fixes') ? 'enabled' : 'disabled' },
    },
    has_pages: pages !== undefined,
    // An organisation without projects or with a required sign-off hides the repository's own setting.
    has_projects: organization['has_repository_projects'] === false ? false : (settings['has_projects'] ?? true),
    web_commit_signoff_required:
      organization['web_commit_signoff_required'] === true || settings['web_commit_signoff_required'] === true,
    allow_forking: isPrivate
      ? organization['members_can_fork_private_repositories'] === true && settings['allow_forking'] === true
      : true,
  }
}

const repositoryFacts = (world: World, repository: Repository) => {
  const { id, owner, name } = repository
  const fullName = `${owner}/${name}`
  return {
    id,
    node_id: nodeId('R', id),
    name,
    full_name: fullName,
    owner: loginView(world, owner),
    url: `${world.url}/repos/${fullName}`,
    html_url: `https://github.com/${fullName}`,
    clone_url: `https://github.com/${fullName}.git`,
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    svn_url: `https://github.com/${fullName}`,
    ...settingsShown(world, repository),
    fork: repository.upstream !== undefined,
    topics: repository.topics,
    language: null,
    license: null,
    mirror_url: null,
    permissions: permissionsUpTo('admin'),
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    pushed_at: repository.created_at,
  }
}

export const fullOf = (world: World, repository: Repository): JsonObject =>
  shaped('repository', repositoryFacts(world, repository))

export const minimalRepository = (world: World, repository: Repository): JsonObject =>
  shaped('minimal-repository', { ...repositoryFacts(world, repository), ...propertiesShown(world, repository) })

/** Only repositories of an organisation have them. */
const propertiesShown = (world: World, repository: Repository): JsonObject => {
  const organization = world.organizations.get(keyOf(repository.owner))
  return organization === undefined ? {} : { custom_properties: valuesOf(organization, repository) }
}

const repositoryById = (world: World, id: number | undefined): JsonObject | undefined => {
  const found = id === undefined ? undefined : world.repositories.get(id)
  return found && fullOf(world, found)
}

export const repositoryView = (world: World, repository: Repository): JsonObject => {
  const organization = world.organizations.get(keyOf(repository.owner))
  const upstream = repositoryById(world, repository.upstream)
  return shaped('full-repository', {
    ...repositoryFacts(world, repository),
    organization: organization && loginView(world, repository.owner),
    ...propertiesShown(world, repository),
    template_repository: repositoryById(world, repository.template),
    parent: upstream,
    source: upstream,
  })
}

export const teamRepository = (world: World, repository: Repository, permission: string): JsonObject =>
  shaped('team-repository', {
    ...repositoryFacts(world, repository),
    permissions: permissionsUpTo(permission),
    role_name: roleNames[permission] ?? permission,
  })
