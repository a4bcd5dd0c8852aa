import type { Provider } from '../../../provider/provider.ts'
import { mapMembers } from '../../../values/members.ts'

/** Changes the types for a store that keeps nothing: that an object has no record says nothing about it. */
export const forUnkept = (providers: ReadonlyMap<string, Provider>): Map<string, Provider> =>
  new Map(
    [...providers].map(([alias, provider]) => [
      alias,
      {
        ...provider,
        types: mapMembers(provider.types, (type) => ({ ...type, lifecycle: { ...type.lifecycle, isUnkept: true } })),
      },
    ]),
  )
