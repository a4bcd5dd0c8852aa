import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { byId, type Call, done, listed, ok, organizationOf, type Shelf } from '../../server/call.ts'
import { invalid } from '../../server/refusal.ts'
import type { IssueType } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { nodeId } from '../../views/accounts.ts'

const view = ({ id, settings, created_at, updated_at }: IssueType): JsonObject => ({
  id,
  node_id: nodeId('IT', id),
  ...settings,
  created_at,
  updated_at,
})

const checkFree = (types: ReadonlyMap<number, IssueType>, name: unknown, own?: IssueType): void => {
  if ([...types.values()].some((each) => each !== own && keyOf(String(each.settings['name'])) === keyOf(String(name))))
    invalid('IssueType', 'name', 'already_exists')
}

const settingsFrom = (body: JsonObject) => ({ description: null, color: null, ...body })
const typeOf = (call: Call): IssueType => byId(call, organizationOf(call).issueTypes, 'issue_type_id')

export const issueTypes: Shelf = {
  'orgs/list-issue-types': (call) => listed(organizationOf(call).issueTypes.values(), view),
  'orgs/create-issue-type': (call) => {
    const { issueTypes: types } = organizationOf(call)
    checkFree(types, call.body['name'])
    const now = call.world.now()
    const type: IssueType = {
      id: call.world.newId(),
      settings: settingsFrom(call.body),
      created_at: now,
      updated_at: now,
    }
    types.set(type.id, type)
    return ok(view(type))
  },
  /** PUT: what is not sent goes back to nothing. */
  'orgs/update-issue-type': (call) => {
    const type = typeOf(call)
    checkFree(organizationOf(call).issueTypes, call.body['name'], type)
    type.settings = settingsFrom(call.body)
    type.updated_at = call.world.now()
    return ok(view(type))
  },
  'orgs/delete-issue-type': (call) => {
    organizationOf(call).issueTypes.delete(typeOf(call).id)
    return done
  },
}
