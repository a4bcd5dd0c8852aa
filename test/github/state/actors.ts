import { nodeId } from '../views/accounts.ts'
import { teamBySlug } from './organization.ts'
import type { Repository } from './parts.ts'
import type { Account, App, Organization, Team, World } from './shapes.ts'
import { keyOf } from './world.ts'

/** People, teams and apps that a rule for branches names: by login and slug in REST, by node id in GraphQL. */

export interface Actors {
  readonly users: readonly Account[]
  readonly teams: readonly Team[]
  readonly apps: readonly App[]
}

export const organizationOwning = (world: World, { owner }: Repository): Organization | undefined =>
  world.organizations.get(keyOf(owner))

export const actorsBehind = (world: World, repository: Repository, ids: readonly string[]): Actors => {
  const wanted = new Set(ids)
  const teams = organizationOwning(world, repository)?.teams ?? new Map<number, Team>()
  return {
    users: [...world.accounts.values()].filter(({ id }) => wanted.has(nodeId('U', id))),
    teams: [...teams.values()].filter(({ id }) => wanted.has(nodeId('T', id))),
    apps: [...world.apps.values()].filter(({ id }) => wanted.has(nodeId('A', id))),
  }
}

interface Named {
  readonly users?: readonly string[]
  readonly teams?: readonly string[]
  readonly apps?: readonly string[]
}

/** The node ids of those that are there; GitHub leaves unknown names out in silence. */
export const idsOfNamed = (world: World, repository: Repository, { users = [], teams = [], apps = [] }: Named) => {
  const organization = organizationOwning(world, repository)
  return [
    ...users.flatMap((login) => world.accounts.get(keyOf(login)) ?? []).map(({ id }) => nodeId('U', id)),
    ...teams.flatMap((slug) => (organization && teamBySlug(organization, slug)) ?? []).map(({ id }) => nodeId('T', id)),
    ...apps
      .flatMap((slug) => [...world.apps.values()].find((each) => each.slug === slug) ?? [])
      .map(({ id }) => nodeId('A', id)),
  ]
}
