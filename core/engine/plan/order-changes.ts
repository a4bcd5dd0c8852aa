import { type GraphNode, orderLeniently } from '../graph/graph.ts'
import type { Address } from '../schema/resource.ts'
import type { Change, Unchecked } from '../schema/stored/plan.ts'
import { blocks } from './words.ts'

/** Creates and updates, dependencies first; then deletes in the order of `orderRemovals`. */
export const orderChanges = (
  changes: readonly Change[],
  desired: readonly GraphNode[],
  recorded: readonly GraphNode[],
  places: ReadonlyMap<Address, RowPlace> = new Map(),
): readonly Change[] => {
  const others = changes.filter(({ action }) => action !== 'delete')
  const removals = orderRemovals(changes, desired, recorded, places)
  return [...sortBy(others, () => orderLeniently(desired)), ...removals.filter(({ action }) => action === 'delete')]
}

/** Whether the new object of a replacement exists beside the old one for a time. */
export const isCreatedFirst = ({ action, replaceOrder }: Change): boolean =>
  action === 'replace' && replaceOrder === 'createFirst'

/** Whether the old object of a replacement is gone before the new one is made. */
export const isDeletedFirst = (change: Change): boolean => change.action === 'replace' && !isCreatedFirst(change)

/**
 * The changes that remove an object after everything else is done (deletes, and replacements that create first), in the
 * order of the removals. Dependents are first, by their recorded dependencies. Resources that stay are not counted,
 * because their records may change between two plans of the same commands.
 */
export const orderRemovals = (
  changes: readonly Change[],
  desired: readonly GraphNode[],
  recorded: readonly GraphNode[],
  places: ReadonlyMap<Address, RowPlace> = new Map(),
): readonly Change[] => {
  const going = changes.filter((change) => change.action === 'delete' || isCreatedFirst(change))
  const removed = new Set(going.map(({ address }) => address))
  const deleted = new Set(going.flatMap(({ action, address }) => (action === 'delete' ? [address] : [])))
  const known = new Set(recorded.map(({ address }) => address))
  // The old object of a replacement has the recorded dependencies, and the new one has the declared dependencies.
  const recreated = desired.filter(
    ({ address }) => deleted.has(address) || (removed.has(address) && !known.has(address)),
  )
  const nodes = () =>
    mergeNodes(
      recreated,
      recorded.filter(({ address }) => removed.has(address)),
    )
  return lastFirst(
    sortBy(going, () => orderLeniently(nodes()).toReversed()),
    places,
  )
}

/** The position of an object among its neighbours. The positions after it change when it is deleted. */
export interface RowPlace {
  /** Equal for neighbours. */
  readonly row: string
  readonly position: number
}

/** Neighbours are deleted from last to first; everything else keeps its position. */
const lastFirst = (changes: readonly Change[], places: ReadonlyMap<Address, RowPlace>): readonly Change[] => {
  const rowOf = ({ address }: Change): string | undefined => places.get(address)?.row
  const positionOf = ({ address }: Change): number => places.get(address)?.position ?? 0
  const rows = new Map(
    [...Map.groupBy(changes, rowOf)].map(([row, each]) => [
      row,
      each.toSorted((left, right) => positionOf(left) - positionOf(right)),
    ]),
  )
  return changes.map((change) => (rowOf(change) === undefined ? change : (rows.get(rowOf(change))?.pop() ?? change)))
}

/** Merges the dependencies of both sides; a resource that is absent by configuration may have some on either side. */
const mergeNodes = (desired: readonly GraphNode[], recorded: readonly GraphNode[]): readonly GraphNode[] =>
  [...Map.groupBy([...recorded, ...desired], ({ address }) => address)].map(([address, nodes]) => ({
    address,
    dependsOn: nodes.flatMap(({ dependsOn }) => dependsOn),
  }))

const sortBy = (changes: readonly Change[], order: () => readonly Address[]): readonly Change[] => {
  if (changes.length < 2) return changes
  const rank = new Map(order().map((address, index) => [address, index]))
  return changes.toSorted((left, right) => (rank.get(left.address) ?? 0) - (rank.get(right.address) ?? 0))
}

/** Blocks everything that depends, directly or not, on something unknown. `changes` are in apply order; deletes are not blocked. */
export const blockDependents = (
  changes: readonly Change[],
  unchecked: readonly Pick<Unchecked, 'address'>[],
  desired: readonly GraphNode[],
  detailOf: (cause: Address) => string = blocks.dependency,
): readonly Change[] => {
  if (unchecked.length === 0) return changes
  const unknown = new Set(unchecked.map(({ address }) => address))
  const needs = new Map(desired.map(({ address, dependsOn }) => [address, dependsOn]))
  return changes.map((change) => {
    const cause = needs.get(change.address)?.find((address) => unknown.has(address))
    if (cause === undefined || change.action === 'delete') return change
    unknown.add(change.address)
    if (change.blocked !== undefined) return change
    return { ...change, blocked: { reason: 'dependency_unknown', detail: detailOf(cause) } }
  })
}
