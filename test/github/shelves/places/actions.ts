import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, ok, organizationOf, param, repositoryOf, type Shelf } from '../../server/call.ts'
import { refuse } from '../../server/refusal.ts'
import type { ActionsSettings } from '../../state/parts.ts'
import type { Organization } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { fullOf } from '../../views/repositories.ts'
import { listRepositories, setSelected } from './selected.ts'

/** Settings of GitHub Actions: https://docs.github.com/en/rest/actions/permissions */

interface Place {
  readonly settings: ActionsSettings
  readonly url: string
  /** Of a repository: what stands above it. */
  readonly above?: ActionsSettings
}

const strictness = ['all', 'selected', 'local_only']

/** The settings of the organisation bind those of its repositories. */
const checkAbove = ({ above }: Place, { allowed_actions: allowed }: JsonObject): void => {
  const most = above?.permissions['allowed_actions']
  if (allowed === undefined || most === undefined) return
  if (strictness.indexOf(String(allowed)) < strictness.indexOf(String(most)))
    refuse(409, 'The organization allows fewer actions than this repository would.')
}

const permissionsView = ({ settings: { permissions }, url }: Place): JsonObject => {
  const { allowed_actions: allowed, ...rest } = permissions
  const isOff = rest['enabled'] === false || rest['enabled_repositories'] === 'none'
  return {
    ...rest,
    ...(rest['enabled_repositories'] === 'selected' ? { selected_repositories_url: `${url}/repositories` } : {}),
    ...(isOff || allowed === undefined ? {} : { allowed_actions: allowed }),
    ...(!isOff && allowed === 'selected' ? { selected_actions_url: `${url}/selected-actions` } : {}),
  }
}

const whereSelected = ({ settings: { permissions } }: Place): void => {
  if (permissions['allowed_actions'] !== 'selected') refuse(409, 'Allowed actions are not set to selected')
}

const shelfOf = (suffix: 'organization' | 'repository', placeOf: (call: Call) => Place): Shelf => ({
  [`actions/get-github-actions-permissions-${suffix}`]: (call) => ok(permissionsView(placeOf(call))),
  [`actions/set-github-actions-permissions-${suffix}`]: (call) => {
    const place = placeOf(call)
    checkAbove(place, call.body)
    place.settings.permissions = { ...place.settings.permissions, ...call.body }
    return done
  },
  [`actions/get-allowed-actions-${suffix}`]: (call) => {
    const place = placeOf(call)
    whereSelected(place)
    return ok(place.settings.selected)
  },
  [`actions/set-allowed-actions-${suffix}`]: (call) => {
    const place = placeOf(call)
    whereSelected(place)
    Object.assign(place.settings.selected, call.body)
    return done
  },
  [`actions/get-github-actions-default-workflow-permissions-${suffix}`]: (call) => ok(placeOf(call).settings.workflow),
  [`actions/set-github-actions-default-workflow-permissions-${suffix}`]: (call) => {
    const { settings, above } = placeOf(call)
    if (
      call.body['default_workflow_permissions'] === 'write' &&
      above?.workflow['default_workflow_permissions'] === 'read'
    )
      refuse(409, 'The organization allows workflows to read only.')
    Object.assign(settings.workflow, call.body)
    return done
  },
  [`actions/get-fork-pr-contributor-approval-permissions-${suffix}`]: (call) =>
    ok({ approval_policy: placeOf(call).settings.approval }),
  [`actions/set-fork-pr-contributor-approval-permissions-${suffix}`]: (call) => {
    placeOf(call).settings.approval = String(call.body['approval_policy'])
    return done
  },
  [`actions/get-actions-cache-storage-limit-for-${suffix}`]: (call) =>
    ok({ max_cache_size_gb: placeOf(call).settings.cacheGb }),
  [`actions/set-actions-cache-storage-limit-for-${suffix}`]: (call) => {
    const { settings, above } = placeOf(call)
    const asked = Number(call.body['max_cache_size_gb'])
    if (asked > (above?.cacheGb ?? asked)) refuse(400, 'The limit of the organization is lower.')
    settings.cacheGb = asked
    return done
  },
  [`actions/get-private-repo-fork-pr-workflows-settings-${suffix}`]: (call) => ok(placeOf(call).settings.privateForks),
  [`actions/set-private-repo-fork-pr-workflows-settings-${suffix}`]: (call) => {
    Object.assign(placeOf(call).settings.privateForks, call.body)
    return done
  },
})

const inRepository = (call: Call): Place => {
  const { actions, owner, name } = repositoryOf(call)
  const above = call.world.organizations.get(keyOf(owner))?.actions
  return {
    settings: actions,
    url: `${call.world.url}/repos/${owner}/${name}/actions/permissions`,
    ...(above && { above }),
  }
}

const inOrganization = (call: Call): Place => {
  const { actions, login } = organizationOf(call)
  return { settings: actions, url: `${call.world.url}/orgs/${login}/actions/permissions` }
}

const selectedOf = ({ actions }: Organization): Set<number> => {
  if (actions.permissions['enabled_repositories'] !== 'selected')
    refuse(409, 'Enabled repositories are not set to selected')
  return actions.repositories
}

const where = 'github-actions-organization'

export const actions: Shelf = {
  ...shelfOf('organization', inOrganization),
  ...shelfOf('repository', inRepository),
  [`actions/list-selected-repositories-enabled-${where}`]: (call) =>
    listRepositories(call, selectedOf(organizationOf(call)), fullOf),
  [`actions/set-selected-repositories-enabled-${where}`]: (call) => {
    setSelected(selectedOf(organizationOf(call)), call.body['selected_repository_ids'])
    return done
  },
  [`actions/enable-selected-repository-${where}`]: (call) => {
    selectedOf(organizationOf(call)).add(Number(param(call, 'repository_id')))
    return done
  },
  [`actions/disable-selected-repository-${where}`]: (call) => {
    selectedOf(organizationOf(call)).delete(Number(param(call, 'repository_id')))
    return done
  },
  'actions/get-workflow-access-to-repository': (call) => ok({ access_level: repositoryOf(call).actions.access }),
  'actions/set-workflow-access-to-repository': (call) => {
    repositoryOf(call).actions.access = String(call.body['access_level'])
    return done
  },
}
