import { findCycles } from '../../../graph/graph.ts'
import type { NamedResource } from '../../../providers/provider.ts'
import type { Json } from '../../../schema/json.ts'
import type { Address, DesiredResource } from '../../../schema/resource.ts'
import { type Prepared, typeOf } from './loaded-workspace.ts'

/** A reference by name implies a dependency, so that an object that the plan creates comes first; not if that would be a cycle. */
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

/** All resources with the name, whatever contains them: only a read shows which one is referred to. */
const impliedBy = (resource: DesiredResource, workspace: Prepared, find: Find): readonly Address[] => {
  const { address, provider, type, attributes, dependsOn } = resource
  const named = typeOf(workspace, provider, type)?.named?.(attributes) ?? []
  const meant = new Set(named.flatMap((each) => find(provider, each)))
  return [...meant].filter((each) => each !== address && !dependsOn.includes(each))
}

/** Resources by provider, type and the value of their key; indexed once for each key that is requested. */
const finderIn = ({ configuration: { resources } }: Prepared): Find => {
  const byType = Map.groupBy(
    resources.filter(({ absent }) => !absent),
    ({ provider, type }) => JSON.stringify([provider, type]),
  )
  const byKey = new Map<string, ReadonlyMap<string | undefined, readonly DesiredResource[]>>()
  return (provider, { type, key, value }) => {
    const place = JSON.stringify([provider, type, key])
    const all = byType.get(JSON.stringify([provider, type])) ?? []
    const known = byKey.get(place) ?? Map.groupBy(all, ({ attributes }) => textOf(attributes[key]))
    byKey.set(place, known)
    return (known.get(textOf(value)) ?? []).map(({ address }) => address)
  }
}

/** A dependency too many changes only the order; the facts of the type decide later whether the names are equal. */
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : undefined

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
