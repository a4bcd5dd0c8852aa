import type { Target } from '../../../engine/provider/provider.ts'
import type { PlaceAmong } from '../../../engine/provider/references.ts'
import type { Json } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { deleteOf, isKept, lookupOp, type RestResource } from '../document/document.ts'
import { type Scope, variablesOf } from '../document/shared/template.ts'
import { buildUrl } from './build-url.ts'
import { objectScope, type TypeContext, withRefs } from './context.ts'
import { isOfOne } from './object-site.ts'

/**
 * The places of many objects that an object is in. Documents lead to one object by its id, by its name or from a list alone: these
 * places are what they have in common.
 */
export const amongOf = (
  context: TypeContext,
  { attributes, ids = {}, refs }: Pick<Target, 'attributes' | 'ids' | 'refs'>,
): readonly PlaceAmong[] => {
  const { resource } = context
  // Settings are no objects beside others.
  if (isKept(resource)) return []
  const own = withRefs(context, refs)
  const scope = objectScope(own, attributes, ids)
  const idNames = resource.identity.ids === 'position' ? [] : Object.keys(resource.serverId ?? {})
  return placesOf(context).flatMap((path): readonly PlaceAmong[] => {
    const built = buildUrl({ baseUrl: own.baseUrl, path, encoding: own.settings.encodePath }, scope)
    if (!built.ok || typeof built.url !== 'string') return []
    const left = resource.identity.keys.filter((key) => !namesIn(path).includes(key))
    const keys = Object.values(textsAt(scope, left))
    const url = `${own.socket?.path ?? ''} ${built.url}`
    // Some of several keys are no name.
    return [{ url, ids: textsAt(scope, idNames), keys: keys.length === left.length ? keys : [] }]
  })
}

const namesIn = (path: string): readonly string[] => variablesOf(path).map(([name]) => String(name))

const textsAt = (scope: Scope, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value: Json | undefined = scope([name])
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )

const placesOf = (context: TypeContext): readonly string[] => {
  const { resource } = context
  const ofOne = [lookupOp(resource), 'retrieve', deleteOf(resource)].filter((op) => isOfOne(resource, op))
  const found = [
    ...ofOne.flatMap((op) => above(resource, resource.operations[op]?.path ?? '')),
    ...[lookupOp(resource), 'create'].flatMap((op) => present(ofMany(context, op))),
  ]
  return [...new Set(found)]
}

/** Without the last step, if that is what tells the object from others. */
const above = ({ identity, serverId = {} }: RestResource, path: string): readonly string[] => {
  const end = path.lastIndexOf('/')
  const own = [...identity.keys, ...Object.keys(serverId)]
  return end >= 0 && namesIn(path.slice(end)).some((name) => own.includes(name)) ? [path.slice(0, end)] : []
}

/** What is asked at one URL for several types, or chosen by a word in the query, may be objects of any kind. */
const ofMany = ({ name, resource, types = {} }: TypeContext, op: string): string | undefined => {
  const { path, graphql, query = {} } = resource.operations[op] ?? {}
  if (path === undefined || graphql === true || path.includes('?') || isOfOne(resource, op)) return undefined
  if (Object.values(query).some(isWord)) return undefined
  const isOfOthers = Object.entries(types).some(
    ([other, { operations }]) =>
      other !== name && Object.values(operations).some((each) => bare(each.path) === bare(path)),
  )
  return isOfOthers ? undefined : path
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' && variablesOf(value).length === 0 && Number.isNaN(Number(value))

/** Documents call one variable by different names. */
const bare = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')
