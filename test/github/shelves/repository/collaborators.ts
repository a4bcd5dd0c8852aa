import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { accountOf, byId, type Call, done, listed, ok, param, repositoryOf, type Shelf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Invitation, Repository } from '../../state/parts.ts'
import { waysTo } from '../../state/rights.ts'
import type { Organization } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { loginView, nodeId } from '../../views/accounts.ts'
import { minimalRepository, permissionNames, permissionsUpTo, roleNames } from '../../views/repositories.ts'
import { shaped } from '../../views/shaped.ts'

const organizationOwning = ({ world }: Call, { owner }: Repository): Organization | undefined =>
  world.organizations.get(keyOf(owner))

const rank = (permission: string | undefined): number => permissionNames.indexOf((permission ?? '') as 'pull')

/** The highest of all ways to a repository: as a collaborator, by a team, as a member or an owner of the organisation. */
const permissionOf = (call: Call, repository: Repository, login: string): string | undefined => {
  const ways = waysTo(call.world, repository, login).map(({ permission }) => permission)
  return ways.reduce<string | undefined>((best, each) => (rank(each) > rank(best) ? each : best), undefined)
}

const invitationView = (call: Call, repository: Repository, invitation: Invitation): JsonObject => {
  const { id, invitee, inviter, permission, created_at } = invitation
  const full = `${repository.owner}/${repository.name}`
  return shaped('repository-invitation', {
    id,
    node_id: nodeId('RI', id),
    repository: minimalRepository(call.world, repository),
    invitee: loginView(call.world, invitee),
    inviter: loginView(call.world, inviter),
    permissions: roleNames[permission] ?? permission,
    created_at,
    expired: false,
    url: `${call.world.url}/repos/${full}/invitations/${id}`,
    html_url: `https://github.com/${full}/invitations`,
  })
}

const add = (call: Call) => {
  const { world, actor } = call
  const repository = repositoryOf(call)
  const { login } = accountOf(call, param(call, 'username'))
  const { permission = 'push' } = call.body as { permission?: string }
  const organization = organizationOwning(call, repository)
  if (!permissionNames.includes(permission as 'pull') && !organization?.repositoryRoles.has(permission))
    refuse(422, 'Validation Failed', { errors: [{ resource: 'Repository', field: 'permission', code: 'invalid' }] })
  const key = keyOf(login)
  // A member of the organisation, or somebody who is one already, needs no invitation.
  if (organization?.members.has(key) || repository.collaborators.has(key)) {
    repository.collaborators.set(key, permission)
    return done
  }
  const open = [...repository.invitations.values()].find(({ invitee }) => keyOf(invitee) === key)
  const invitation = open ?? {
    id: world.newId(),
    invitee: login,
    inviter: actor.login,
    permission,
    created_at: world.now(),
  }
  invitation.permission = permission
  repository.invitations.set(invitation.id, invitation)
  return ok(invitationView(call, repository, invitation), 201)
}

const remove = (call: Call) => {
  const { collaborators, invitations } = repositoryOf(call)
  const key = keyOf(param(call, 'username'))
  collaborators.delete(key)
  // Invitations that this person sent end; one that he got does not.
  for (const { id, inviter } of invitations.values()) if (keyOf(inviter) === key) invitations.delete(id)
  return done
}

const shownLogins = (call: Call, repository: Repository): readonly string[] => {
  const { affiliation = 'all' } = call.query
  const members = organizationOwning(call, repository)?.members ?? new Map()
  const direct = [...repository.collaborators.keys()]
  if (affiliation === 'direct') return direct
  if (affiliation === 'outside') return direct.filter((login) => !members.has(login))
  return [...new Set([...direct, ...members.keys()])]
}

const legacyName = (permission: string): string =>
  ({ pull: 'read', triage: 'read', push: 'write', maintain: 'write' })[permission] ?? permission

export const collaborators: Shelf = {
  'repos/list-collaborators': (call) => {
    const repository = repositoryOf(call)
    const found = shownLogins(call, repository).flatMap((login) => {
      const permission = permissionOf(call, repository, login)
      return permission === undefined ? [] : [{ account: accountOf(call, login), permission }]
    })
    const { permission: least = 'pull' } = call.query
    const shown = found.filter(({ permission }) => rank(permission) >= rank(String(least)))
    return listed(
      shown.sort((a, b) => a.account.id - b.account.id),
      ({ account, permission }) => ({
        ...loginView(call.world, account.login),
        permissions: permissionsUpTo(permission),
        role_name: roleNames[permission] ?? permission,
      }),
    )
  },
  'repos/check-collaborator': (call) =>
    permissionOf(call, repositoryOf(call), keyOf(param(call, 'username'))) === undefined ? notFound() : done,
  'repos/add-collaborator': add,
  'repos/remove-collaborator': remove,
  'repos/get-collaborator-permission-level': (call) => {
    const { login } = accountOf(call, param(call, 'username'))
    const permission = permissionOf(call, repositoryOf(call), keyOf(login)) ?? 'none'
    const role = roleNames[permission] ?? permission
    const user = { ...loginView(call.world, login), permissions: permissionsUpTo(permission), role_name: role }
    return ok({ permission: legacyName(permission), role_name: role, user })
  },
  'repos/list-invitations': (call) => {
    const repository = repositoryOf(call)
    return listed(repository.invitations.values(), (each) => invitationView(call, repository, each))
  },
  'repos/update-invitation': (call) => {
    const repository = repositoryOf(call)
    const invitation = byId(call, repository.invitations, 'invitation_id')
    const { permissions = 'read' } = call.body as { permissions?: string }
    invitation.permission = { read: 'pull', write: 'push' }[permissions] ?? permissions
    return ok(invitationView(call, repository, invitation))
  },
  'repos/delete-invitation': (call) => {
    const { invitations } = repositoryOf(call)
    invitations.delete(byId(call, invitations, 'invitation_id').id)
    return done
  },
  /** People with a repository of the organisation who are no members of it. */
  'orgs/list-outside-collaborators': (call) => {
    const organization = call.world.organizations.get(keyOf(param(call, 'org'))) ?? notFound()
    const owned = [...call.world.repositories.values()].filter(
      ({ owner }) => keyOf(owner) === keyOf(organization.login),
    )
    const logins = new Set(owned.flatMap((each) => [...each.collaborators.keys()]))
    const outside = [...logins].filter((login) => !organization.members.has(login))
    return listed(outside, (login) => loginView(call.world, login))
  },
}
