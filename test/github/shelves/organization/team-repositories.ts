import { type Call, done, listed, ok, organizationOf, repositoryOf, type Shelf, teamOf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import type { Organization, Team } from '../../state/shapes.ts'
import {
  minimalRepository,
  permissionNames,
  permissionsUpTo,
  roleNames,
  teamRepository,
} from '../../views/repositories.ts'
import { teamView } from '../../views/teams.ts'

/** Of the team itself, or of the nearest team above it. */
const permissionOf = (organization: Organization, team: Team, repository: Repository): string | undefined =>
  team.repositories.get(repository.id) ??
  (team.parent === undefined
    ? undefined
    : permissionOf(organization, organization.teams.get(team.parent) as Team, repository))

const isMediaType = (call: Call, type: string): boolean => String(call.accept).includes(type)

export const teamRepositories: Shelf = {
  'teams/list-repos-in-org': (call) => {
    const organization = organizationOf(call)
    const team = teamOf(call)
    const shown = [...call.world.repositories.values()].flatMap((repository) => {
      const permission = permissionOf(organization, team, repository)
      return permission === undefined ? [] : [{ repository, permission }]
    })
    return listed(shown, ({ repository, permission }) => ({
      ...minimalRepository(call.world, repository),
      role_name: roleNames[permission] ?? permission,
      permissions: permissionsUpTo(permission),
    }))
  },
  /** 204 without a body, unless the media type asks for the repository. */
  'teams/check-permissions-for-repo-in-org': (call) => {
    const repository = repositoryOf(call)
    const permission = permissionOf(organizationOf(call), teamOf(call), repository) ?? notFound()
    return isMediaType(call, 'v3.repository') ? ok(teamRepository(call.world, repository, permission)) : done
  },
  'teams/add-or-update-repo-permissions-in-org': (call) => {
    const organization = organizationOf(call)
    const repository = repositoryOf(call)
    const team = teamOf(call)
    const { permission = team.permission } = call.body as { permission?: string }
    if (repository.owner.toLowerCase() !== organization.login.toLowerCase())
      refuse(422, 'Validation Failed', { errors: [{ message: 'the repository is not owned by the organization' }] })
    const isCustom = organization.repositoryRoles.has(permission)
    if (!isCustom && !permissionNames.includes(permission as 'pull'))
      refuse(422, 'Validation Failed', { errors: [{ resource: 'Team', field: 'permission', code: 'invalid' }] })
    team.repositories.set(repository.id, permission)
    return done
  },
  'teams/remove-repo-in-org': (call) => {
    teamOf(call).repositories.delete(repositoryOf(call).id)
    return done
  },
  /** The teams that have the repository, each with its permission for it. */
  'repos/list-teams': (call) => {
    const { world } = call
    const repository = repositoryOf(call)
    const organization = world.organizations.get(repository.owner.toLowerCase())
    const found = [...(organization?.teams.values() ?? [])].flatMap((team) => {
      const permission = organization && permissionOf(organization, team, repository)
      return permission === undefined ? [] : [{ team, permission }]
    })
    return listed(found, ({ team, permission }) => ({
      ...teamView(world, organization as Organization, team),
      permission,
      permissions: permissionsUpTo(permission),
    }))
  },
}
