import type { GraphNode } from '../graph/graph.ts'
import type { Address } from '../schema/resource.ts'
import type { Change, Unchecked } from '../schema/stored/plan.ts'
import { successorTo } from '../values/addresses/successor.ts'
import { blockDependents, isCreatedFirst } from './order-changes.ts'
import { blocks } from './words.ts'

interface PlanNodes {
  readonly unchecked: readonly Unchecked[]
  readonly desired: readonly GraphNode[]
  readonly recorded: readonly GraphNode[]
}

/**
 * Blocks each delete, and each replacement that creates first, if something that depends on the object is not changed:
 * the object would be deleted while something still refers to it. Resources that need the new object of a replacement
 * are blocked too, what the object itself depends on is kept too, and so on. `changes` are in apply order.
 */
export const keepNeeded = (changes: readonly Change[], around: PlanNodes): readonly Change[] => {
  if (!changes.some(isLeaving)) return changes
  const dependents = dependentsOf(around)
  // These two reasons may come from the changed resource itself, so they do not show that a dependent still refers to
  // it.
  const unread = around.unchecked.filter(({ reason }) => reason !== 'unresolved' && reason !== 'dependency')
  const unknown = new Map(unread.map(({ address, detail }) => [address, detail]))
  const open = new Map(around.unchecked.map(({ address, detail }) => [address, detail]))
  for (let current = changes; ; ) {
    const kept = new Map([...unknown, ...current.flatMap(keptBy)])
    const blocked: Change[] = []
    const next = current.map((change) => {
      if (!isLeaving(change) || change.blocked !== undefined) return change
      const isFormer = successorTo(change.address) !== change.address
      const whyKept = (address: Address): string | undefined =>
        kept.get(address) ?? (isFormer ? open.get(address) : undefined)
      const by = dependents(change).find((address) => whyKept(address) !== undefined)
      if (by === undefined) return change
      const words = change.action === 'delete' ? blocks.dependent : blocks.dependentOfOld
      const detail = words(by, whyKept(by) ?? '')
      blocked.push({ ...change, blocked: { reason: 'dependent_kept', detail } })
      return blocked.at(-1) ?? change
    })
    if (blocked.length === 0) return current
    current = blockDependents(next, blocked, around.desired)
  }
}

/** Only existing objects can refer to an old object. */
const keptBy = ({ address, action, blocked }: Change): readonly (readonly [Address, string])[] =>
  blocked === undefined || action === 'create' ? [] : [[address, blocked.detail]]

const isLeaving = (change: Change): boolean => change.action === 'delete' || isCreatedFirst(change)

/**
 * The resources that refer to the object by their record; if there will be a new object, also those that declare it as
 * a dependency.
 */
const dependentsOf = ({ desired, recorded }: PlanNodes): ((change: Change) => readonly Address[]) => {
  const [byRecord, byDeclaration] = [invert(recorded), invert(desired)]
  return ({ action, address }) => {
    const owner = successorTo(address)
    const needs = byDeclaration.get(owner) ?? []
    const held = byRecord.get(owner) ?? []
    // A former object may be needed by everything that needs the resource: it has another one, and not all have changed to it.
    if (owner !== address) return [...needs, ...held]
    // For a delete, a dependency that the configuration declares decides only the order.
    return action === 'delete' ? held.filter((each) => !needs.includes(each)) : [...needs, ...held]
  }
}

const invert = (nodes: readonly GraphNode[]): ReadonlyMap<Address, readonly Address[]> => {
  const dependents = new Map<Address, Address[]>()
  for (const { address, dependsOn } of nodes) {
    for (const needed of dependsOn) {
      const all = dependents.get(needed) ?? []
      all.push(address)
      dependents.set(needed, all)
    }
  }
  return dependents
}
