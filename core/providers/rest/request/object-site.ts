import type { Target } from '../../../engine/provider/provider.ts'
import type { ObjectSite } from '../../../engine/provider/references.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { deleteOf, lookupOp, type RestResource } from '../document/document.ts'
import { type Scope, variablesOf } from '../document/shared/template.ts'
import { buildUrl } from './build-url.ts'
import { objectScope, placeOf, type TypeContext, withRefs } from './context.ts'

/** The URLs of an object that is in the path by its keys or its ids; a URL of a list, or of all objects, is none. */
export const siteOf = (
  context: TypeContext,
  { attributes, ids = {}, refs }: Pick<Target, 'attributes' | 'ids' | 'refs'>,
): ObjectSite => {
  const { resource } = context
  const urlOf = (op: string) => urlOfObject(withRefs(context, refs), op, attributes, ids)
  const deleted = urlOf(deleteOf(resource))
  const found = lookupOp(resource)
  return {
    urls: present(urlOf(found), urlOf('retrieve'), deleted),
    ...defined({
      deleted,
      asked: urlOfOperation(withRefs(context, refs), found, objectScope(context, attributes, ids)),
    }),
  }
}

const urlOfObject = (
  context: TypeContext,
  op: string,
  attributes: JsonObject,
  ids: Readonly<Record<string, string>>,
): string | undefined => {
  if (!isOfOne(context.resource, op)) return undefined
  return urlOfOperation(context, op, objectScope(context, attributes, ids))
}

const urlOfOperation = (context: TypeContext, op: string, scope: Scope): string | undefined => {
  const { settings, socket, resource } = context
  const operation = resource.operations[op]
  if (operation === undefined) return undefined
  const built = buildUrl({ ...placeOf(context, operation), encoding: settings.encodePath }, scope)
  // The query does not tell objects apart here: it says how they are shown or deleted.
  return built.ok && typeof built.url === 'string' ? `${socket?.path ?? ''} ${built.url}` : undefined
}

/** Whether an operation is sent to a URL of one object alone. */
export const isOfOne = ({ operations, identity, serverId = {} }: RestResource, op: string): boolean => {
  const { path } = operations[op] ?? {}
  return path !== undefined && names(path, identity.keys, Object.keys(serverId))
}

/** Whether a path contains all keys, or all ids. */
const names = (path: string, ...identities: readonly (readonly string[])[]): boolean => {
  const used = new Set(variablesOf(path).map(([name]) => name))
  return identities.some((identity) => identity.length > 0 && identity.every((name) => used.has(name)))
}
