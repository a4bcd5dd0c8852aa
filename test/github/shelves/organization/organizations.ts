import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, ok, organizationOf, type Shelf } from '../../server/call.ts'
import { mayRead } from '../../server/tokens.ts'
import { keyOf } from '../../state/world.ts'
import { organizationView } from '../../views/accounts.ts'

/** `members_can_create_repositories` and the kinds are one setting, seen from two sides. */
const kinds = ['public', 'private', 'internal'] as const

/** The settings of an organisation are for its owners; somebody else gets the same answer without them. */
const publicPart = (view: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(view).filter(([name]) => !isForOwners.test(name)))
const isForOwners =
  /^(members_(can|allowed)_|default_repository|two_factor|billing_email|plan$|web_commit|deploy_keys|readers_|display_|.*_for_new_repositories$|secret_scanning|total_private|owned_private|private_gists|disk_usage|collaborators)/

const seesAll = ({ world, params, actor }: Call): boolean => {
  if (actor.kind === 'outside' || actor.installation !== undefined || actor.permissions !== undefined)
    return mayRead(actor, 'organization_administration')
  const isOwner = world.organizations.get(keyOf(params['org'] ?? ''))?.members.get(keyOf(actor.login)) === 'admin'
  return isOwner && (actor.scopes === undefined || actor.scopes.includes('admin:org'))
}

export const organizations: Shelf = {
  'orgs/get': (call) => {
    const view = organizationView(call.world, organizationOf(call))
    return ok(seesAll(call) ? view : publicPart(view))
  },
  'orgs/update': (call) => {
    const organization = organizationOf(call)
    const { members_can_create_repositories: anybody, ...rest } = call.body
    Object.assign(organization.settings, rest)
    const { settings } = organization
    if (anybody !== undefined)
      for (const kind of kinds) {
        const name = `members_can_create_${kind}_repositories`
        if (rest[name] === undefined) settings[name] = kind === 'internal' ? false : anybody
      }
    const may = kinds.filter((kind) => settings[`members_can_create_${kind}_repositories`] === true)
    settings['members_can_create_repositories'] = may.length > 0
    settings['members_allowed_repository_creation_type'] =
      may.length === 0 ? 'none' : may.includes('public') ? 'all' : 'private'
    organization.updated_at = call.world.now()
    return ok(organizationView(call.world, organization))
  },
}
