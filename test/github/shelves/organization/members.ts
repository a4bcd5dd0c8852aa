import { accountOf, type Call, done, listed, ok, organizationOf, param, type Shelf } from '../../server/call.ts'
import { notFound } from '../../server/refusal.ts'
import type { Organization } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { accountView, loginView, organizationSimple } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'

const membership = (call: Call, organization: Organization, login: string) => {
  const key = keyOf(login)
  const active = organization.members.get(key)
  const role = active ?? organization.invited.get(key) ?? notFound()
  const { world } = call
  return shaped('org-membership', {
    url: `${world.url}/orgs/${organization.login}/memberships/${login}`,
    state: active === undefined ? 'pending' : 'active',
    role,
    organization_url: `${world.url}/orgs/${organization.login}`,
    organization: organizationSimple(world, organization),
    user: loginView(world, login),
  })
}

/** A member who leaves the organisation leaves its teams too. */
const remove = (call: Call) => {
  const organization = organizationOf(call)
  const key = keyOf(param(call, 'username'))
  if (!organization.members.delete(key) && !organization.invited.delete(key)) notFound()
  for (const { id, login } of organization.invitations.values())
    if (login !== null && keyOf(login) === key) organization.invitations.delete(id)
  for (const team of organization.teams.values()) team.members.delete(key)
  return done
}

/** Somebody who is invited already gets the other role. */
const invite = (
  { world, actor }: Call,
  { invited, invitations }: Organization,
  { login, role }: { readonly login: string; readonly role: 'admin' | 'member' },
): void => {
  invited.set(keyOf(login), role)
  const open = [...invitations.values()].find((each) => each.login !== null && keyOf(each.login) === keyOf(login))
  const { id, created_at } = open ?? { id: world.newId(), created_at: world.now() }
  const asShown = role === 'admin' ? 'admin' : 'direct_member'
  invitations.set(id, { id, login, email: null, role: asShown, inviter: actor.login, teams: [], created_at })
}

export const members: Shelf = {
  'orgs/list-members': (call) => {
    const organization = organizationOf(call)
    const { role = 'all' } = call.query
    const shown = [...organization.members].filter(([, own]) => role === 'all' || own === role)
    const accounts = shown.map(([login]) => accountOf(call, login)).sort((a, b) => a.id - b.id)
    return listed(accounts, (account) => accountView(call.world, account))
  },
  'orgs/check-membership-for-user': (call) =>
    organizationOf(call).members.has(keyOf(param(call, 'username'))) ? done : notFound(),
  'orgs/remove-member': remove,
  'orgs/remove-membership-for-user': remove,
  'orgs/get-membership-for-user': (call) => ok(membership(call, organizationOf(call), param(call, 'username'))),
  /** Somebody new is invited, and is a member after he accepts: the stand-in keeps him `pending` until a test says otherwise. */
  'orgs/set-membership-for-user': (call) => {
    const organization = organizationOf(call)
    const { login } = accountOf(call, param(call, 'username'))
    const key = keyOf(login)
    const { role = 'member' } = call.body as { role?: 'admin' | 'member' }
    if (organization.members.has(key)) organization.members.set(key, role)
    else invite(call, organization, { login, role })
    return ok(membership(call, organization, login))
  },
}
