import type { Json } from '../../../core/engine/schema/json.ts'
import { newActionsSettings } from './actions.ts'
import { issueTypesAtFirst, rolesAtFirst } from './at-first.ts'
import type { Organization, Team, World } from './shapes.ts'
import { newVaults } from './vault.ts'
import { addAccount, keyOf } from './world.ts'

/**
 * What an organisation has before anybody changes it: https://docs.github.com/en/rest/orgs/orgs#update-an-organization, and the
 * defaults of the pages of its settings.
 */
const settingsAtFirst = (): Record<string, Json> => ({
  name: null,
  company: null,
  blog: null,
  location: null,
  email: null,
  twitter_username: null,
  description: null,
  billing_email: 'billing@example.com',
  has_organization_projects: true,
  has_repository_projects: true,
  default_repository_permission: 'read',
  default_repository_branch: 'main',
  two_factor_requirement_enabled: false,
  members_can_create_repositories: true,
  members_can_create_public_repositories: true,
  members_can_create_private_repositories: true,
  members_can_create_internal_repositories: false,
  members_allowed_repository_creation_type: 'all',
  members_can_create_pages: true,
  members_can_create_public_pages: true,
  members_can_create_private_pages: true,
  members_can_delete_repositories: true,
  members_can_change_repo_visibility: true,
  members_can_invite_outside_collaborators: true,
  members_can_delete_issues: false,
  display_commenter_full_name_setting_enabled: false,
  readers_can_create_discussions: true,
  members_can_create_teams: true,
  members_can_view_dependency_insights: true,
  members_can_fork_private_repositories: false,
  web_commit_signoff_required: false,
  deploy_keys_enabled_for_repositories: true,
  advanced_security_enabled_for_new_repositories: false,
  dependabot_alerts_enabled_for_new_repositories: false,
  dependabot_security_updates_enabled_for_new_repositories: false,
  dependency_graph_enabled_for_new_repositories: false,
  secret_scanning_enabled_for_new_repositories: false,
  secret_scanning_push_protection_enabled_for_new_repositories: false,
  secret_scanning_push_protection_custom_link_enabled: false,
  secret_scanning_push_protection_custom_link: null,
  plan: { name: 'enterprise', space: 976_562_499, private_repos: 999_999, filled_seats: 4, seats: 50 },
})

export const addOrganization = (world: World, login: string): Organization => {
  const { id } = addAccount(world, login, 'Organization')
  const organization: Organization = {
    id,
    login,
    settings: settingsAtFirst(),
    members: new Map(),
    invited: new Map(),
    teams: new Map(),
    hooks: new Map(),
    rulesets: new Map(),
    invitations: new Map(),
    properties: new Map(),
    roles: rolesAtFirst(world),
    issueTypes: issueTypesAtFirst(world),
    security: new Map(),
    actions: newActionsSettings(true),
    immutableReleases: { enforced: 'none', repositories: new Set() },
    vaults: newVaults(world),
    variables: new Map(),
    repositoryRoles: new Set(),
    created_at: world.now(),
    updated_at: world.now(),
  }
  world.organizations.set(keyOf(login), organization)
  return organization
}

/** What GitHub makes of a team's name: small letters, no accents, a hyphen for everything that is no letter or digit. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

export const teamBySlug = (organization: Organization, slug: string): Team | undefined =>
  [...organization.teams.values()].find((team) => team.slug === slug.toLowerCase())
