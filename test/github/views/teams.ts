import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { repositoriesOf } from '../state/repository.ts'
import type { Organization, Team, World } from '../state/shapes.ts'
import { nodeId } from './accounts.ts'
import { shaped } from './shaped.ts'

const teamFacts = (world: World, organization: Organization, team: Team) => {
  const { id, name, slug, description, privacy, notification_setting, permission } = team
  const url = `${world.url}/organizations/${organization.id}/team/${id}`
  return {
    id,
    node_id: nodeId('T', id),
    name,
    slug,
    description,
    privacy,
    notification_setting,
    permission,
    url,
    html_url: `https://github.com/orgs/${organization.login}/teams/${slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.id,
    created_at: team.created_at,
    updated_at: team.updated_at,
  }
}

const parentOf = (world: World, organization: Organization, { parent }: Team): JsonObject | null => {
  const found = parent === undefined ? undefined : organization.teams.get(parent)
  return found === undefined ? null : shaped('team-simple', teamFacts(world, organization, found))
}

export const teamView = (world: World, organization: Organization, team: Team): JsonObject =>
  shaped('team', { ...teamFacts(world, organization, team), parent: parentOf(world, organization, team) })

/** Members and repositories of the teams below count too. */
const below = (organization: Organization, team: Team): readonly Team[] => [
  team,
  ...[...organization.teams.values()]
    .filter(({ parent }) => parent === team.id)
    .flatMap((child) => below(organization, child)),
]

export const teamFull = (world: World, organization: Organization, team: Team): JsonObject =>
  shaped('team-full', {
    ...teamFacts(world, organization, team),
    parent: parentOf(world, organization, team),
    members_count: new Set(below(organization, team).flatMap(({ members }) => [...members.keys()])).size,
    repos_count: team.repositories.size,
    organization: shaped('team-organization', {
      login: organization.login,
      id: organization.id,
      node_id: nodeId('O', organization.id),
      url: `${world.url}/orgs/${organization.login}`,
      html_url: `https://github.com/${organization.login}`,
      avatar_url: `https://avatars.githubusercontent.com/u/${organization.id}?v=4`,
      description: organization.settings['description'] ?? null,
      public_repos: repositoriesOf(world, organization).length,
      type: 'Organization',
      created_at: organization.created_at,
      updated_at: organization.updated_at,
    }),
  })
