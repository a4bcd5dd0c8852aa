import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  type Call,
  done,
  listed,
  ok,
  organizationOf,
  param,
  type Reply,
  repositoryOf,
  type Shelf,
} from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Variable } from '../../state/parts.ts'
import { keyOf } from '../../state/world.ts'
import { environmentOf } from '../repository/environments.ts'
import { addSelected, listSelected, reaches, removeSelected, replaceSelected, setSelected } from './selected.ts'

interface Place {
  readonly variables: Map<string, Variable>
  readonly url: string
  readonly isShared: boolean
}

const view = ({ url, isShared }: Place, { name, value, visibility, created_at, updated_at }: Variable): JsonObject => ({
  name,
  value,
  created_at,
  updated_at,
  ...(isShared ? { visibility } : {}),
  ...(isShared && visibility === 'selected' ? { selected_repositories_url: `${url}/${name}/repositories` } : {}),
})

const checkName = (name: string): string => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || /^GITHUB_/i.test(name))
    refuse(
      422,
      `Variable names can only contain alphanumeric characters and underscores, and must not start with GITHUB_: ${name}`,
    )
  return name.toUpperCase()
}

const variableOf = (call: Call, { variables }: Place): Variable =>
  variables.get(param(call, 'name').toUpperCase()) ?? notFound()

interface VariableBody {
  readonly name?: string
  readonly value?: string
  readonly visibility?: string
  readonly selected_repository_ids?: readonly number[]
}

const create = (call: Call, { variables }: Place): Reply => {
  const {
    name: sent = '',
    value = '',
    visibility = 'all',
    selected_repository_ids: ids = [],
  } = call.body as VariableBody
  const name = checkName(sent)
  if (variables.has(name)) refuse(409, 'Already exists - Variable already exists')
  const now = call.world.now()
  variables.set(name, { name, value, visibility, repositories: new Set(ids), created_at: now, updated_at: now })
  return ok({}, 201)
}

/** A variable can take a new name. */
const update = (call: Call, place: Place): Reply => {
  const variable = variableOf(call, place)
  const body = call.body as VariableBody
  const name = body.name === undefined ? variable.name : checkName(body.name)
  if (name !== variable.name && place.variables.has(name)) refuse(409, 'Already exists - Variable already exists')
  place.variables.delete(variable.name)
  const { value = variable.value, visibility = variable.visibility, selected_repository_ids: ids } = body
  if (ids !== undefined) setSelected(variable.repositories, ids)
  Object.assign(variable, { name, value, visibility, updated_at: call.world.now() })
  place.variables.set(name, variable)
  return done
}

const inOrder = ({ variables }: Place): readonly Variable[] =>
  [...variables.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

const shelfOf = (where: string, placeOf: (call: Call) => Place): Shelf => ({
  [`actions/list-${where}-variables`]: (call) => {
    const place = placeOf(call)
    return listed(inOrder(place), (each) => view(place, each), 'variables')
  },
  [`actions/create-${where}-variable`]: (call) => create(call, placeOf(call)),
  [`actions/get-${where}-variable`]: (call) => ok(view(placeOf(call), variableOf(call, placeOf(call)))),
  [`actions/update-${where}-variable`]: (call) => update(call, placeOf(call)),
  [`actions/delete-${where}-variable`]: (call) => {
    const place = placeOf(call)
    place.variables.delete(variableOf(call, place).name)
    return done
  },
})

const inOrganization = (call: Call): Place => {
  const { variables, login } = organizationOf(call)
  return { variables, url: `${call.world.url}/orgs/${login}/actions/variables`, isShared: true }
}
const shared = (call: Call): Variable => variableOf(call, inOrganization(call))

export const variables: Shelf = {
  ...shelfOf('org', inOrganization),
  ...shelfOf('repo', (call) => ({ variables: repositoryOf(call).variables, url: '', isShared: false })),
  ...shelfOf('environment', (call) => ({ variables: environmentOf(call).variables, url: '', isShared: false })),
  'actions/list-selected-repos-for-org-variable': (call) => listSelected(call, shared(call)),
  'actions/set-selected-repos-for-org-variable': (call) => replaceSelected(call, shared(call)),
  'actions/add-selected-repo-to-org-variable': (call) => addSelected(call, shared(call)),
  'actions/remove-selected-repo-from-org-variable': (call) => removeSelected(call, shared(call)),
  'actions/list-repo-organization-variables': (call) => {
    const repository = repositoryOf(call)
    const own = call.world.organizations.get(keyOf(repository.owner))?.variables ?? notFound()
    const place = { variables: own, url: '', isShared: false }
    return listed(
      inOrder(place).filter((each) => reaches(each, repository)),
      (each) => view(place, each),
      'variables',
    )
  },
}
