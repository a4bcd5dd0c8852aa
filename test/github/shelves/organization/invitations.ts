import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { byId, type Call, done, listed, ok, organizationOf, type Shelf } from '../../server/call.ts'
import { invalid } from '../../server/refusal.ts'
import type { OrganizationInvitation } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { loginView, nodeId } from '../../views/accounts.ts'

const view = (call: Call, invitation: OrganizationInvitation): JsonObject => {
  const { id, login, email, role, inviter, teams, created_at } = invitation
  return {
    id,
    node_id: nodeId('OI', id),
    login,
    email,
    role,
    created_at,
    inviter: loginView(call.world, inviter),
    team_count: teams.length,
    invitation_teams_url: `${call.world.url}/organizations/${organizationOf(call).id}/invitations/${id}/teams`,
    invitation_source: 'member',
  }
}

const create = (call: Call) => {
  const { world, actor } = call
  const organization = organizationOf(call)
  const {
    invitee_id,
    email = null,
    role = 'direct_member',
    team_ids = [],
  } = call.body as {
    readonly invitee_id?: number
    readonly email?: string
    readonly role?: string
    readonly team_ids?: readonly number[]
  }
  const invitee = [...world.accounts.values()].find(({ id }) => id === invitee_id)
  if (invitee === undefined && email === null) invalid('OrganizationInvitation', 'invitee_id', 'missing')
  const login = invitee?.login ?? null
  const invitation = {
    id: world.newId(),
    login,
    email,
    role,
    inviter: actor.login,
    teams: team_ids,
    created_at: world.now(),
  }
  organization.invitations.set(invitation.id, invitation)
  if (login !== null) {
    organization.invited.set(keyOf(login), role === 'admin' ? 'admin' : 'member')
    for (const id of team_ids) organization.teams.get(id)?.members.set(keyOf(login), 'member')
  }
  return ok(view(call, invitation), 201)
}

export const invitations: Shelf = {
  'orgs/list-pending-invitations': (call) =>
    listed(organizationOf(call).invitations.values(), (each) => view(call, each)),
  'orgs/create-invitation': create,
  'orgs/cancel-invitation': (call) => {
    const organization = organizationOf(call)
    const { id, login } = byId(call, organization.invitations, 'invitation_id')
    organization.invitations.delete(id)
    if (login !== null) organization.invited.delete(keyOf(login))
    return done
  },
}
