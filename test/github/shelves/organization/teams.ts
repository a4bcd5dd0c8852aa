import { accountOf, type Call, done, listed, ok, organizationOf, type Shelf, teamOf } from '../../server/call.ts'
import { invalid, refuse } from '../../server/refusal.ts'
import { slugOf, teamBySlug } from '../../state/organization.ts'
import { repositoryByName } from '../../state/repository.ts'
import type { Organization, Team } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { teamFull, teamView } from '../../views/teams.ts'

interface TeamBody {
  readonly name?: string
  readonly description?: string
  readonly maintainers?: readonly string[]
  readonly repo_names?: readonly string[]
  readonly privacy?: string
  readonly notification_setting?: string
  readonly permission?: string
  readonly parent_team_id?: number | null
}

const slugFor = (organization: Organization, name: string, own?: Team): string => {
  const slug = slugOf(name)
  const taken = teamBySlug(organization, slug)
  return taken !== undefined && taken !== own
    ? invalid('Team', 'name', 'already_exists', 'Name must be unique for this org')
    : slug
}

/** A team that is a parent or has one is visible: GitHub makes it `closed`, and refuses `secret`. */
const checkNesting = (
  organization: Organization,
  { parent, privacy, id }: Pick<Team, 'parent' | 'privacy' | 'id'>,
): void => {
  if (parent === undefined) return
  const above = organization.teams.get(parent) ?? invalid('Team', 'parent_team_id', 'missing')
  if (privacy === 'secret' || above.privacy === 'secret')
    invalid('Team', 'privacy', 'invalid', 'nested teams must be visible')
  for (let at: Team | undefined = above; at !== undefined; at = organization.teams.get(at.parent ?? 0))
    if (at.id === id) invalid('Team', 'parent_team_id', 'invalid', 'a team cannot be below itself')
}

const create = (call: Call) => {
  const { world, actor } = call
  const organization = organizationOf(call)
  const body = call.body as unknown as TeamBody & { readonly name: string }
  const parent = body.parent_team_id ?? undefined
  const team: Team = {
    id: world.newId(),
    name: body.name,
    slug: slugFor(organization, body.name),
    description: body.description ?? null,
    privacy: body.privacy ?? (parent === undefined ? 'secret' : 'closed'),
    notification_setting: body.notification_setting ?? 'notifications_enabled',
    permission: body.permission ?? 'pull',
    parent,
    members: new Map(),
    repositories: new Map(),
    created_at: world.now(),
    updated_at: world.now(),
  }
  checkNesting(organization, team)
  const maintainers = (body.maintainers ?? []).map((login) => accountOf(call, login).login)
  // A person who creates a team is its first maintainer, whether he asked for it or not. An app is no person.
  if (actor.kind === 'classic' || actor.kind === 'fine-grained') maintainers.push(actor.login)
  for (const login of maintainers) team.members.set(keyOf(login), 'maintainer')
  for (const name of body.repo_names ?? []) {
    const repository = repositoryByName(world, name) ?? invalid('Team', 'repo_names', 'missing')
    team.repositories.set(repository.id, team.permission)
  }
  organization.teams.set(team.id, team)
  return ok(teamFull(world, organization, team), 201)
}

const update = (call: Call) => {
  const { world } = call
  const organization = organizationOf(call)
  const team = teamOf(call)
  const { name = team.name, parent_team_id, ...rest } = call.body as unknown as TeamBody
  const slug = slugFor(organization, name, team)
  const parent = parent_team_id === undefined ? team.parent : (parent_team_id ?? undefined)
  checkNesting(organization, { id: team.id, parent, privacy: rest.privacy ?? team.privacy })
  const hasChildren = [...organization.teams.values()].some((each) => each.parent === team.id)
  if (hasChildren && rest.privacy === 'secret') refuse(422, 'a parent team cannot be secret')
  const { description, privacy, notification_setting, permission } = rest
  for (const [key, value] of Object.entries({ description, privacy, notification_setting, permission }))
    if (value !== undefined) Object.assign(team, { [key]: value })
  Object.assign(team, { name, slug, parent, updated_at: world.now() })
  return ok(teamFull(world, organization, team))
}

/** The teams below it go with a team. */
const removeTree = (organization: Organization, team: Team): void => {
  for (const child of [...organization.teams.values()]) if (child.parent === team.id) removeTree(organization, child)
  organization.teams.delete(team.id)
}

const byName = (teams: Iterable<Team>): readonly Team[] =>
  [...teams].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))

export const teams: Shelf = {
  'teams/list': (call) => {
    const organization = organizationOf(call)
    return listed(byName(organization.teams.values()), (team) => teamView(call.world, organization, team))
  },
  'teams/create': create,
  'teams/get-by-name': (call) => ok(teamFull(call.world, organizationOf(call), teamOf(call))),
  'teams/update-in-org': update,
  'teams/delete-in-org': (call) => {
    removeTree(organizationOf(call), teamOf(call))
    return done
  },
  'teams/list-child-in-org': (call) => {
    const organization = organizationOf(call)
    const { id } = teamOf(call)
    const children = [...organization.teams.values()].filter(({ parent }) => parent === id)
    return listed(byName(children), (team) => teamView(call.world, organization, team))
  },
}
