import { accountOf, type Call, done, listed, ok, organizationOf, param, type Shelf, teamOf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { TeamRole } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { accountView } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'

const membership = (call: Call, login: string) => {
  const organization = organizationOf(call)
  const team = teamOf(call)
  const own = team.members.get(keyOf(login)) ?? notFound()
  // An owner of the organisation is a maintainer of each of its teams.
  const role = organization.members.get(keyOf(login)) === 'admin' ? 'maintainer' : own
  return shaped('team-membership', {
    url: `${call.world.url}/organizations/${organization.id}/team/${team.id}/memberships/${login}`,
    role,
    state: organization.members.has(keyOf(login)) ? 'active' : 'pending',
  })
}

export const teamMembers: Shelf = {
  'teams/list-members-in-org': (call) => {
    const organization = organizationOf(call)
    const { role: wanted = 'all' } = call.query
    const shown = [...teamOf(call).members].filter(([login, own]) => {
      // Somebody who has not accepted his invitation is no member yet.
      if (!organization.members.has(login)) return false
      const role = organization.members.get(login) === 'admin' ? 'maintainer' : own
      return wanted === 'all' || role === wanted
    })
    const accounts = shown.map(([login]) => accountOf(call, login)).sort((a, b) => a.id - b.id)
    return listed(accounts, (account) => accountView(call.world, account))
  },
  'teams/list-pending-invitations-in-org': (call) => {
    const { members } = organizationOf(call)
    const pending = [...teamOf(call).members.keys()].filter((login) => !members.has(login))
    return listed(pending, (login) =>
      shaped('organization-invitation', {
        id: accountOf(call, login).id,
        login: accountOf(call, login).login,
        email: null,
        role: 'direct_member',
        created_at: call.world.now(),
        inviter: accountView(call.world, accountOf(call, call.actor.login)),
        team_count: 1,
        invitation_source: 'member',
      }),
    )
  },
  'teams/get-membership-for-user-in-org': (call) => ok(membership(call, param(call, 'username'))),
  /** Somebody from outside of the organisation is invited to it, and his membership is pending. */
  'teams/add-or-update-membership-for-user-in-org': (call) => {
    const account = accountOf(call, param(call, 'username'))
    if (account.type === 'Organization') refuse(422, 'Cannot add an organization as a member.')
    const organization = organizationOf(call)
    const key = keyOf(account.login)
    const { role = 'member' } = call.body as { role?: TeamRole }
    if (!organization.members.has(key)) organization.invited.set(key, organization.invited.get(key) ?? 'member')
    teamOf(call).members.set(key, role)
    return ok(membership(call, account.login))
  },
  'teams/remove-membership-for-user-in-org': (call) => {
    if (!teamOf(call).members.delete(keyOf(param(call, 'username')))) notFound()
    return done
  },
}
