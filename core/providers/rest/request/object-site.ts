import type { ResourceType, Target } from '../../../engine/provider/provider.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { deleteOf, lookupOp } from '../document/document.ts'
import { variablesOf } from '../document/shared/template.ts'
import { buildUrl } from './build-url.ts'
import { objectScope, type TypeContext, withRefs } from './context.ts'

type ObjectSite = ReturnType<NonNullable<ResourceType['siteOf']>>

/** The URLs of an object that is in the path by its keys or its ids; a URL of a list, or of all objects, is none. */
export const siteOf = (
  context: TypeContext,
  { attributes, ids = {}, refs }: Pick<Target, 'attributes' | 'ids' | 'refs'>,
): ObjectSite => {
  const { resource } = context
  const urlOf = (op: string) => urlOfObject(withRefs(context, refs), op, attributes, ids)
  const deleted = urlOf(deleteOf(resource))
  return { urls: present(urlOf(lookupOp(resource)), urlOf('retrieve'), deleted), ...defined({ deleted }) }
}

const urlOfObject = (
  context: TypeContext,
  op: string,
  attributes: JsonObject,
  ids: Readonly<Record<string, string>>,
): string | undefined => {
  const { baseUrl, settings, socket, resource } = context
  const { path } = resource.operations[op] ?? {}
  if (path === undefined || !names(path, resource.identity.keys, Object.keys(resource.serverId ?? {}))) return undefined
  const built = buildUrl({ baseUrl, path, encoding: settings.encodePath }, objectScope(context, attributes, ids))
  // The query does not tell objects apart here: it says how they are shown or deleted.
  return built.ok && typeof built.url === 'string' ? `${socket?.path ?? ''} ${built.url}` : undefined
}

/** Whether a path contains all keys, or all ids. */
const names = (path: string, ...identities: readonly (readonly string[])[]): boolean => {
  const used = new Set(variablesOf(path).map(([name]) => name))
  return identities.some((identity) => identity.length > 0 && identity.every((name) => used.has(name)))
}
