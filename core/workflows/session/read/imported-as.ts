import { keysOf } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import type { ResourceType } from '../../../providers/provider.ts'
import type { Address } from '../../../schema/resource.ts'
import { mapMembers, pick } from '../../../values/members.ts'
import type { LoadedWorkspace } from '../load/loaded-workspace.ts'
import type { ObjectToLocate } from './locate-object.ts'

/** What `import` says of the object of a resource, as a record would; `undefined` if it says nothing. */
export const importedAs = (
  { configuration }: LoadedWorkspace,
  address: Address,
  { schema, idNames = [] }: ResourceType,
): ObjectToLocate['recorded'] => {
  const id = configuration.imports.find(({ to }) => to === address)?.id
  if (id === undefined) return undefined
  return {
    attributes: normalise(schema, pick(id, keysOf(schema)), 'recorded'),
    ids: mapMembers(pick(id, idNames), String),
  }
}
