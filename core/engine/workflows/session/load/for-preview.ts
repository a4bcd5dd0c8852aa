import type { Provider, ResourceType } from '../../../provider/provider.ts'
import { mapMembers } from '../../../values/members.ts'

/**
 * Changes the types for a preview: nothing is adopted, and what the preview created is deleted in the end where that is
 * possible. Objects that are only referred to are never written.
 */
export const forPreview = (providers: ReadonlyMap<string, Provider>): Map<string, Provider> =>
  new Map(
    [...providers].map(([alias, provider]) => [alias, { ...provider, types: mapMembers(provider.types, asOwned) }]),
  )

const asOwned = (type: ResourceType): ResourceType => {
  if (type.identity?.isShared) return type
  const { preventDelete, ...lifecycle } = type.lifecycle ?? {}
  const isKept = preventDelete === true && lifecycle.mayDelete !== true
  return { ...type, lifecycle: { ...lifecycle, isPreview: true, ...(isKept && { preventDelete }) } }
}
