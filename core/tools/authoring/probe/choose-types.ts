import { orderLeniently } from '../../../engine/graph/graph.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { allEntries, isSent } from '../../../providers/rest/document/attributes.ts'
import { withLeftOut, withProviderDefaults } from '../../../providers/rest/document/defaults.ts'
import { deleteOf, isKept, type RestDocument, type RestResource } from '../../../providers/rest/document/document.ts'
import { makeValue, namesAnother, type ValueSource } from './make-values.ts'
import { skips } from './words.ts'

export interface ProbedType {
  readonly type: string
  readonly resource: RestResource
  readonly entries: Readonly<Record<string, AttributeEntry>>
  /** True: created only because other types are inside it. */
  readonly isParent: boolean
}

/** Returns types in an order in which they can be created. `wanted`: all when empty. */
export const chooseProbed = (
  { provider, ...document }: RestDocument,
  wanted: readonly string[],
): readonly ProbedType[] => {
  const resources = mapMembers(document.resources, (resource) => ({
    ...withLeftOut(provider, resource),
    operations: mapMembers(resource.operations, (operation) => withProviderDefaults(provider, operation)),
  }))
  const chosen = new Map<string, boolean>()
  const visit = (type: string, isParent: boolean): void => {
    const known = chosen.get(type)
    if (known === false || known === isParent || !Object.hasOwn(resources, type)) return
    chosen.set(type, isParent)
    for (const parent of parentsOf(resources[type])) visit(parent, true)
  }
  for (const type of wanted.length === 0 ? Object.keys(resources) : wanted) visit(type, false)
  const nodes = [...chosen.keys()].map((type) => ({ address: type, dependsOn: [...parentsOf(resources[type])] }))
  return orderLeniently(nodes).flatMap((type) => {
    const resource = resources[type]
    return resource === undefined
      ? []
      : [{ type, resource, entries: allEntries(resource), isParent: chosen.get(type) === true }]
  })
}

const parentsOf = (resource: RestResource | undefined): ReadonlySet<string> =>
  new Set(
    Object.entries(resource === undefined ? {} : allEntries(resource)).flatMap(([name, entry]) =>
      resource !== undefined && isNeeded(resource, name, entry) ? (entry.refersTo?.type ?? entry.ref?.type ?? []) : [],
    ),
  )

export const whyNot = ({ resource }: ProbedType): string | undefined => {
  if (isKept(resource)) return skips.kept
  return resource.operations[deleteOf(resource)] === undefined ? skips.noDelete : undefined
}

const isNeeded = (resource: RestResource, name: string, entry: AttributeEntry): boolean =>
  !entry.computed &&
  entry.default === undefined &&
  (resource.identity.keys.includes(name) || entry.required === true || entry.in === 'path')

export type MadeSpec =
  | { readonly ok: true; readonly spec: JsonObject }
  | { readonly ok: false; readonly attribute: string }

/**
 * Makes the smallest spec of an object, with the values of the user; `also` lists attributes that a server asked for.
 */
export const makeSpec = (probed: ProbedType, source: ValueSource, also: readonly string[] = []): MadeSpec => {
  const { type, resource, entries } = probed
  const given = source.given[type] ?? {}
  const spec: [string, Json][] = []
  for (const [name, entry] of Object.entries(entries)) {
    if (!isNeeded(resource, name, entry) && !Object.hasOwn(given, name) && !also.includes(name)) continue
    const isInvented = !Object.hasOwn(given, name) && !resource.identity.keys.includes(name)
    const value = isInvented && isOnlyAnId(name, entry) ? undefined : makeValue(type, name, entry, 0, source)
    if (value === undefined) return { ok: false, attribute: name }
    spec.push([name, value])
  }
  return { ok: true, spec: Object.fromEntries(spec) }
}

const isOnlyAnId = (name: string, entry: AttributeEntry): boolean =>
  entry.ref === undefined && entry.refersTo === undefined && namesAnother(name, entry)

export const namedIn = ({ entries }: ProbedType, said: string, spec: JsonObject): readonly string[] => {
  const words = new Set(said.split(/[^\w-]+/))
  return Object.entries(entries).flatMap(([name, entry]) =>
    words.has(name) && !entry.computed && !Object.hasOwn(spec, name) ? [name] : [],
  )
}

/** The attributes that an update or an action of the document writes. */
export const writableIn = ({ resource, entries }: ProbedType): readonly (readonly [string, AttributeEntry])[] => {
  const written = new Set([
    ...Object.values(resource.actions ?? {}).flatMap(({ on }) => on),
    ...resource.parts.flatMap(({ write, attributes = {}, collection }) => [
      ...(write === undefined ? [] : Object.keys(attributes)),
      ...present(collection?.write !== undefined && collection.field),
    ]),
  ])
  return Object.entries(entries).filter(
    ([name, entry]) =>
      written.has(name) && !entry.immutable && isSent(entry, 'update') && !resource.identity.keys.includes(name),
  )
}
