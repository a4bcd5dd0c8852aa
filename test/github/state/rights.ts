import type { Repository } from './parts.ts'
import type { Organization, Team, World } from './shapes.ts'
import { keyOf } from './world.ts'

/** One way to a repository: what it gives, and who gives it. */
export interface Way {
  readonly permission: string
  readonly by: 'repository' | 'organization' | Team
}

const basePermission: Readonly<Record<string, string>> = { read: 'pull', write: 'push', admin: 'admin' }

/** Who is in a team below another one has what that one has. */
const withAbove = (organization: Organization, team: Team): readonly Team[] => {
  const above = organization.teams.get(team.parent ?? 0)
  return above === undefined ? [team] : [team, ...withAbove(organization, above)]
}

/** All ways of a person to a repository: as a collaborator, by teams, as a member or an owner of the organisation. */
export const waysTo = (world: World, repository: Repository, login: string): readonly Way[] => {
  const organization = world.organizations.get(keyOf(repository.owner))
  const role = organization?.members.get(login)
  const own = repository.collaborators.get(login)
  const base = basePermission[String(organization?.settings['default_repository_permission'])]
  const asMember = role === 'admin' ? 'admin' : role === undefined ? undefined : base
  const teams = [...(organization?.teams.values() ?? [])].filter(({ members }) => members.has(login))
  const giving = new Set(teams.flatMap((team) => (organization === undefined ? [] : withAbove(organization, team))))
  const way = (permission: string | undefined, by: Way['by']): readonly Way[] =>
    permission === undefined ? [] : [{ permission, by }]
  return [
    ...way(asMember, 'organization'),
    ...way(own, 'repository'),
    ...[...giving].flatMap((team) => way(team.repositories.get(repository.id), team)),
  ]
}
