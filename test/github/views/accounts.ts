import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { repositoriesOf } from '../state/repository.ts'
import type { Account, Organization, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { shaped } from './shaped.ts'

/** The id that GraphQL knows an object by: `next_global_id` form, a letter code and the number. */
export const nodeId = (kind: string, id: number): string => `${kind}_${Buffer.from(String(id)).toString('base64url')}`

const accountFacts = ({ url }: World, { id, login, type, name }: Account) => ({
  login,
  id,
  node_id: nodeId(type === 'Organization' ? 'O' : 'U', id),
  url: `${url}/users/${login}`,
  html_url: `https://github.com/${login}`,
  avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
  gravatar_id: '',
  type,
  site_admin: false,
  user_view_type: 'public',
  name,
})

export const accountView = (world: World, account: Account): JsonObject => {
  const { name, ...facts } = accountFacts(world, account)
  return shaped('simple-user', facts)
}

/** Of a login in any case, also of an account that nobody has seen. */
export const loginView = (world: World, login: string): JsonObject =>
  accountView(world, world.accounts.get(keyOf(login)) ?? { id: 0, login, type: 'User', name: null })

export const userView = (world: World, account: Account): JsonObject =>
  shaped('public-user', {
    ...accountFacts(world, account),
    company: null,
    blog: '',
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
  })

const organizationFacts = (world: World, organization: Organization) => ({
  login: organization.login,
  id: organization.id,
  node_id: nodeId('O', organization.id),
  url: `${world.url}/orgs/${organization.login}`,
  html_url: `https://github.com/${organization.login}`,
  avatar_url: `https://avatars.githubusercontent.com/u/${organization.id}?v=4`,
  description: organization.settings['description'] ?? null,
  type: 'Organization',
  created_at: organization.created_at,
  updated_at: organization.updated_at,
})

export const organizationSimple = (world: World, organization: Organization): JsonObject =>
  shaped('organization-simple', organizationFacts(world, organization))

export const organizationView = (world: World, organization: Organization): JsonObject => {
  const owned = repositoriesOf(world, organization)
  const open = owned.filter(({ settings }) => settings['visibility'] === 'public').length
  return shaped('organization-full', {
    ...organizationFacts(world, organization),
    ...organization.settings,
    public_repos: open,
    total_private_repos: owned.length - open,
    owned_private_repos: owned.length - open,
    archived_at: null,
  })
}
