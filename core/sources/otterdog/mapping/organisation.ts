import type { Path } from '../../../engine/schema/json.ts'
import type { Organisation, Workflows } from '../shape/organisation.ts'
import { addressOf, nameOf } from '../values/address-name.ts'
import { teamSlug } from '../values/team-slug.ts'
import { type FieldMap, literal, type Mapped, mapFields, same, words } from './fields.ts'
import { type Draft, type Scope, secretField } from './mapping.ts'
import { workflowFields } from './workflows.ts'

/* The parts of an organisation beside its repositories and rulesets. */

/** There is one of them, so the file gives it no name. */
const only = nameOf('this')

const settings: readonly FieldMap[] = [
  ...same(
    'name',
    'billing_email',
    'company',
    'email',
    'twitter_username',
    'location',
    'description',
    'blog',
    'has_organization_projects',
    'default_repository_permission',
    'members_can_create_private_repositories',
    'members_can_create_public_repositories',
    'members_can_fork_private_repositories',
    'deploy_keys_enabled_for_repositories',
    'web_commit_signoff_required',
    'members_can_create_public_pages',
    'members_can_create_private_pages',
    'has_discussions',
    'discussion_source_repository',
    'packages_containers_public',
    'packages_containers_internal',
    'members_can_change_project_visibility',
  ),
  { from: 'immutable_releases_enforced_repositories', to: 'immutable_releases' },
  { from: 'immutable_releases_selected_repositories', to: 'immutable_releases_repositories' },
]

/** What GitHub shows and no request changes: a difference is a blocked change. */
const privileges: readonly FieldMap[] = [
  ...same(
    'plan',
    'members_can_change_repo_visibility',
    'members_can_delete_repositories',
    'members_can_delete_issues',
    'readers_can_create_discussions',
    'members_can_create_teams',
  ),
  { from: 'two_factor_requirement', to: 'two_factor_requirement_enabled' },
  { from: 'default_branch_name', to: 'default_repository_branch' },
]

const properties: readonly FieldMap[] = [
  { from: 'name', to: 'property_name' },
  ...same('value_type', 'required', 'default_value', 'description', 'allowed_values', 'values_editable_by'),
]

const roles: readonly FieldMap[] = same('name', 'description', 'permissions', 'base_role')

const teams: readonly FieldMap[] = [
  ...same('name', 'description'),
  { from: 'privacy', as: words({ visible: 'closed' }) },
  {
    from: 'notifications',
    to: 'notification_setting',
    as: (on) => (on === true ? 'notifications_enabled' : 'notifications_disabled'),
  },
  // The role of a member is not written, so it is not managed.
  { from: 'members', as: (logins) => (logins as readonly string[]).map((login) => ({ login })) },
]

export const webhooks: readonly FieldMap[] = same('url', 'active', 'events', 'content_type', 'insecure_ssl')

/** `public` in the file is every repository. Repositories are selected only with the visibility `selected`. */
const sharedFields = ({ visibility }: NonNullable<Organisation['secrets']>[number]): readonly FieldMap[] => [
  { from: 'visibility', as: words({ public: 'all' }) },
  ...(visibility === 'selected' ? same('selected_repositories') : []),
]

/** The name of a team that the file declares, which may not exist yet; the slug of another one. */
export const teamName = (slug: string, { organisation }: Scope): string =>
  organisation.teams?.find(({ name }) => teamSlug(name) === slug.toLowerCase())?.name ?? slug

export const teamAddress = (name: string): string => addressOf('github_team', nameOf(teamSlug(name)))
export const repositoryAddress = (name: string): string => addressOf('github_repository', nameOf(name))

/** What exists once; none if none of its fields is written. */
const single = (type: string, path: Path, mapped: Mapped, needs: readonly string[] = []): readonly Draft[] =>
  Object.keys(mapped.spec).length === 0 ? [] : [{ type, at: only, path, mapped, needs }]

/** The teams with the role for security: another team loses it. */
const ofSecurityManagers = (scope: Scope): readonly Draft[] => {
  const { security_managers: teams } = scope.organisation.settings
  if (teams === undefined) return []
  const path = ['settings', 'security_managers']
  const spec = { role: 'security_manager', teams: teams.map((slug) => ({ team: literal(teamName(slug, scope)) })) }
  const mapped = { spec, origins: { role: path, teams: path } }
  const needs = teams.map(teamAddress)
  return [{ type: 'github_organization_role_teams', at: nameOf(spec.role), path, mapped, needs }]
}

const ofSettings = (scope: Scope): readonly Draft[] => {
  const written = scope.organisation.settings
  const path = ['settings']
  const { custom_properties } = written
  const workflows: Workflows = written.workflows ?? {}
  const selected = workflows.enabled_repositories === 'selected' ? (workflows.selected_repositories ?? []) : []
  return [
    ...single('github_organization', path, mapFields(written, path, settings)),
    ...single('github_organization_privileges', path, mapFields(written, path, privileges)),
    ...ofSecurityManagers(scope),
    ...single(
      'github_organization_actions',
      [...path, 'workflows'],
      mapFields(workflows, [...path, 'workflows'], workflowFields),
      selected.map(repositoryAddress),
    ),
    ...(custom_properties ?? []).map((property, index) => ({
      type: 'github_custom_property',
      at: nameOf(property.name),
      path: [...path, 'custom_properties', index],
      mapped: mapFields(property, [...path, 'custom_properties', index], properties),
    })),
  ]
}

const ofShared = (scope: Scope, list: 'secrets' | 'variables'): readonly Draft[] =>
  (scope.organisation[list] ?? []).map((each, index) => {
    const path = [list, index]
    const value = list === 'secrets' ? secretField(scope)('value', 'value', each) : same('value')
    return {
      type: list === 'secrets' ? 'github_organization_secret' : 'github_organization_variable',
      at: nameOf(each.name),
      path,
      mapped: mapFields(each, path, [{ from: 'name' }, ...value, ...sharedFields(each)]),
      needs: (each.selected_repositories ?? []).map(repositoryAddress),
    }
  })

/** The organisation, its workflows, properties, roles, teams, webhooks, secrets and variables. */
export const mapOrganisation = (scope: Scope): readonly Draft[] => {
  const { organisation } = scope
  return [
    ...ofSettings(scope),
    ...(organisation.roles ?? []).map((role, index) => ({
      type: 'github_organization_role',
      at: nameOf(role.name),
      path: ['roles', index],
      mapped: mapFields(role, ['roles', index], roles),
    })),
    ...(organisation.teams ?? []).map((team, index) => ({
      type: 'github_team',
      at: nameOf(teamSlug(team.name)),
      path: ['teams', index],
      mapped: mapFields(team, ['teams', index], teams),
    })),
    ...(organisation.webhooks ?? []).map((hook, index) => ({
      type: 'github_organization_webhook',
      at: nameOf(hook.url),
      path: ['webhooks', index],
      mapped: mapFields(hook, ['webhooks', index], [...webhooks, ...secretField(scope)('secret', 'secret', hook)]),
    })),
    ...ofShared(scope, 'secrets'),
    ...ofShared(scope, 'variables'),
  ]
}
