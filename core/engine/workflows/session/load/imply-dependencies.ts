import { findCycles } from '../../../graph/graph.ts'
import { fromPointer, valueAt } from '../../../json/pointer.ts'
import type { NamedResource } from '../../../provider/references.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Address, DesiredResource } from '../../../schema/resource.ts'
import { isReference } from '../../../schema/value.ts'
import { type Prepared, typeOf } from '../shared/loaded-workspace.ts'

/**
 * Adds a dependency for each reference by name, so that an object that the plan creates comes first; not where that
 * would be a cycle.
 */
export const withImplied = <Workspace extends Prepared>(workspace: Workspace): Workspace => {
  const { resources } = workspace.configuration
  const find = finderIn(workspace)
  const implied = new Map(
    resources.flatMap((resource) => {
      const more = impliedBy(resource, workspace, find)
      return more.length === 0 ? [] : [[resource.address, more] as const]
    }),
  )
  if (implied.size === 0) return workspace
  const known = withoutCircles(resources, implied)
  return { ...workspace, configuration: { ...workspace.configuration, resources: known } }
}

type Find = (provider: string, named: NamedResource) => readonly Address[]

/** All resources with the name, in any parent: only a read shows which one is referred to. */
const impliedBy = (resource: DesiredResource, workspace: Prepared, find: Find): readonly Address[] => {
  const { address, provider, type, attributes, dependsOn } = resource
  const named = typeOf(workspace, provider, type)?.named?.(attributes) ?? []
  const meant = new Set(named.flatMap((each) => find(provider, each)))
  return [...meant].filter((each) => each !== address && !dependsOn.includes(each))
}

/** Finds resources by provider, type, key and parents. The index is built once for each set of names. */
const finderIn = ({ configuration: { resources } }: Prepared): Find => {
  const textOf = textIn(new Map(resources.map(({ address, attributes }) => [address, attributes])))
  const byType = Map.groupBy(
    resources.filter(({ absent }) => !absent),
    ({ provider, type }) => JSON.stringify([provider, type]),
  )
  const byKey = new Map<string, ReadonlyMap<string, readonly DesiredResource[]>>()
  return (provider, { type, key, value, within = {} }) => {
    // A parent that is not known yet excludes nothing.
    const parents = Object.keys(within).filter((name) => textOf(within[name]) !== undefined)
    const place = JSON.stringify([provider, type, key, ...parents])
    const all = byType.get(JSON.stringify([provider, type])) ?? []
    const spelled = (values: readonly (Json | undefined)[]): string =>
      JSON.stringify(values.map((each) => textOf(each) ?? null))
    const known =
      byKey.get(place) ??
      Map.groupBy(all, ({ attributes }) => spelled([key, ...parents].map((name) => attributes[name])))
    byKey.set(place, known)
    return (known.get(spelled([value, ...parents.map((name) => within[name])])) ?? []).map(({ address }) => address)
  }
}

/**
 * The text of a value, also of a reference to a declared value. An unnecessary dependency changes only the order; the
 * facts of the type decide later whether the names are equal.
 */
const textIn = (attributesOf: ReadonlyMap<Address, JsonObject>) => {
  const textOf = (value: Json | undefined, depth = 0): string | undefined => {
    if (typeof value === 'string' || typeof value === 'number') return String(value).toLowerCase()
    if (!isReference(value) || depth > deepest) return undefined
    return textOf(valueAt(attributesOf.get(value.$ref) ?? {}, fromPointer(value.pointer)), depth + 1)
  }
  return textOf
}

/** The longest chain of references that is followed, so that a circle of references ends. */
const deepest = 20

const withoutCircles = (
  resources: readonly DesiredResource[],
  implied: ReadonlyMap<Address, readonly Address[]>,
): readonly DesiredResource[] => {
  const all = resources.map((each) => dependingOn(each, implied.get(each.address) ?? []))
  const [circle] = findCycles(all, 1)
  if (circle === undefined) return all
  const known = new Set(circle)
  const kept = new Map(
    [...implied].map(([address, needed]) => [
      address,
      known.has(address) ? needed.filter((each) => !known.has(each)) : needed,
    ]),
  )
  return withoutCircles(resources, kept)
}

const dependingOn = (resource: DesiredResource, more: readonly Address[]): DesiredResource =>
  more.length === 0 ? resource : { ...resource, dependsOn: [...resource.dependsOn, ...more] }
