import { ok, organizationOf, type Shelf } from '../../server/call.ts'
import { organizationView } from '../../views/accounts.ts'

/** `members_can_create_repositories` and the kinds are one setting, seen from two sides. */
const kinds = ['public', 'private', 'internal'] as const

export const organizations: Shelf = {
  'orgs/get': (call) => ok(organizationView(call.world, organizationOf(call))),
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
