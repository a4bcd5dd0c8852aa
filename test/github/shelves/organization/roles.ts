import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  accountOf,
  byId,
  type Call,
  done,
  listed,
  ok,
  organizationOf,
  param,
  type Shelf,
  teamOf,
} from '../../server/call.ts'
import { invalid, refuse } from '../../server/refusal.ts'
import type { Organization, OrganizationRole } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { loginView } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'
import { teamView } from '../../views/teams.ts'

const view = (
  call: Call,
  { login }: Organization,
  { id, source, settings, created_at, updated_at }: OrganizationRole,
): JsonObject =>
  shaped('organization-role', {
    id,
    source,
    ...settings,
    organization: source === 'Predefined' ? null : loginView(call.world, login),
    created_at,
    updated_at,
  })

const roleOf = (call: Call): OrganizationRole => byId(call, organizationOf(call).roles, 'role_id')

const ownRoleOf = (call: Call): OrganizationRole => {
  const role = roleOf(call)
  return role.source === 'Predefined' ? refuse(422, 'A predefined role cannot be changed.') : role
}

const checkName = ({ roles }: Organization, name: unknown, own?: OrganizationRole): void => {
  const isTaken = [...roles.values()].some(
    (role) => role !== own && keyOf(String(role.settings['name'])) === keyOf(String(name)),
  )
  if (isTaken) invalid('OrganizationRole', 'name', 'already_exists')
}

/** `none` is what an update says for no base role; it reads as null. */
const baseFrom = ({ base_role: base }: JsonObject): JsonObject =>
  base === undefined ? {} : { base_role: base === 'none' ? null : base }

const create = (call: Call) => {
  const organization = organizationOf(call)
  checkName(organization, call.body['name'])
  const now = call.world.now()
  const role: OrganizationRole = {
    id: call.world.newId(),
    source: 'Organization',
    settings: { description: null, base_role: null, ...call.body, ...baseFrom(call.body) },
    teams: new Set(),
    users: new Set(),
    created_at: now,
    updated_at: now,
  }
  organization.roles.set(role.id, role)
  return ok(view(call, organization, role), 201)
}

const update = (call: Call) => {
  const organization = organizationOf(call)
  const role = ownRoleOf(call)
  if (call.body['name'] !== undefined) checkName(organization, call.body['name'], role)
  role.settings = { ...role.settings, ...call.body, ...baseFrom(call.body) }
  role.updated_at = call.world.now()
  return ok(view(call, organization, role))
}

const forAll = (call: Call, take: (role: OrganizationRole) => void) => {
  for (const role of organizationOf(call).roles.values()) take(role)
  return done
}

const userKey = (call: Call): string => keyOf(accountOf(call, param(call, 'username')).login)

export const roles: Shelf = {
  'orgs/list-org-roles': (call) => {
    const organization = organizationOf(call)
    return listed(organization.roles.values(), (role) => view(call, organization, role), 'roles')
  },
  'orgs/create-custom-organization-role': create,
  'orgs/get-org-role': (call) => ok(view(call, organizationOf(call), roleOf(call))),
  'orgs/patch-custom-organization-role': update,
  'orgs/delete-custom-organization-role': (call) => {
    organizationOf(call).roles.delete(ownRoleOf(call).id)
    return done
  },
  'orgs/list-org-role-teams': (call) => {
    const organization = organizationOf(call)
    const teams = [...roleOf(call).teams].flatMap((id) => organization.teams.get(id) ?? [])
    return listed(teams, (team) => ({ ...teamView(call.world, organization, team), assignment: 'direct' }))
  },
  'orgs/list-org-role-users': (call) =>
    listed(roleOf(call).users, (login) => ({
      ...loginView(call.world, login),
      assignment: 'direct',
      inherited_from: [],
    })),
  'orgs/assign-team-to-org-role': (call) => {
    roleOf(call).teams.add(teamOf(call).id)
    return done
  },
  'orgs/revoke-org-role-team': (call) => {
    roleOf(call).teams.delete(teamOf(call).id)
    return done
  },
  'orgs/revoke-all-org-roles-team': (call) => {
    const { id } = teamOf(call)
    return forAll(call, ({ teams }) => teams.delete(id))
  },
  'orgs/assign-user-to-org-role': (call) => {
    roleOf(call).users.add(userKey(call))
    return done
  },
  'orgs/revoke-org-role-user': (call) => {
    roleOf(call).users.delete(userKey(call))
    return done
  },
  'orgs/revoke-all-org-roles-user': (call) => {
    const key = userKey(call)
    return forAll(call, ({ users }) => users.delete(key))
  },
  'orgs/list-organization-fine-grained-permissions': (call) => {
    organizationOf(call)
    return ok([
      { name: 'read_organization_actions_usage_metrics', description: 'View organization Actions usage metrics' },
      { name: 'read_organization_custom_org_role', description: 'View organization roles' },
      { name: 'write_organization_actions_secrets', description: 'Manage organization Actions secrets' },
    ])
  },
}
