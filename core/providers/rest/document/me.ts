import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { allEntries } from './attributes.ts'
import type { RestResource } from './document.ts'
import { refsIn } from './references.ts'
import type { ResolverEntry } from './refs.ts'
import { names } from './shared/template.ts'

/* Who the caller is: `{me.uuid}`. */

/** The name under which it is kept beside the objects behind references; no attribute has this name. */
export const callerKey = '@me'

interface Asking {
  readonly resource: RestResource
  readonly types?: Readonly<Record<string, RestResource>>
  readonly resolvers?: Readonly<Record<string, ResolverEntry>>
}

/** Whether requests or rules of a type name the caller, or those of the types that it refers to. */
export const namesCaller = ({ resource, types = {}, resolvers = {} }: Asking): boolean => {
  const refs = Object.values(allEntries(resource)).flatMap(refsIn)
  const found = refs.flatMap(({ type = '', resolver = '' }) => [types[type], resolvers[resolver]])
  return [resource, ...found].some((one) => one !== undefined && names(one as unknown as Json, 'me'))
}

/** The lookup rules about the owner of an object, with the caller inserted. */
export const ownedBy = ({ lookup }: RestResource, filled: RestResource): JsonObject => {
  const where: JsonObject = 'where' in lookup ? (lookup.where ?? {}) : {}
  const put: JsonObject = 'where' in filled.lookup ? (filled.lookup.where ?? {}) : {}
  return Object.fromEntries(Object.entries(put).filter(([place]) => names(where[place] ?? null, 'me')))
}
