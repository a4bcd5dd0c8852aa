import type { GraphNode } from '../graph/graph.ts'
import type { Change, Unchecked } from '../schema/plan.ts'
import type { Address } from '../schema/resource.ts'
import { blockDependents, isCreatedFirst } from './order-changes.ts'
import { blocks } from './words.ts'

interface Around {
  readonly unchecked: readonly Unchecked[]
  readonly desired: readonly GraphNode[]
  readonly recorded: readonly GraphNode[]
}

/**
 * Blocks each replacement that creates first if something that depends on the resource is not changed: the old object
 * would be deleted although somebody still points at it. What needs the new object is blocked with it, and so on.
 * `changes` are in apply order.
 */
export const keepNeeded = (changes: readonly Change[], around: Around): readonly Change[] => {
  if (!changes.some(isCreatedFirst)) return changes
  const dependents = dependentsOf(around)
  // What is unknown because of the resource itself says nothing.
  const unread = around.unchecked.filter(({ reason }) => reason !== 'unresolved' && reason !== 'dependency')
  const unknown = new Map(unread.map(({ address, detail }) => [address, detail]))
  for (let current = changes; ; ) {
    const kept = new Map([...unknown, ...current.flatMap(keptBy)])
    const blocked: Change[] = []
    const next = current.map((change) => {
      if (!isCreatedFirst(change) || change.blocked !== undefined) return change
      const by = dependents.get(change.address)?.find((address) => kept.has(address))
      if (by === undefined) return change
      const detail = blocks.dependent(by, kept.get(by) ?? '')
      blocked.push({ ...change, blocked: { reason: 'dependent_kept', detail } })
      return blocked.at(-1) ?? change
    })
    if (blocked.length === 0) return current
    current = blockDependents(next, blocked, around.desired)
  }
}

/** What does not exist yet cannot point at an old object. */
const keptBy = ({ address, action, blocked }: Change): readonly (readonly [Address, string])[] =>
  blocked === undefined || action === 'create' ? [] : [[address, blocked.detail]]

const dependentsOf = ({ desired, recorded }: Around): ReadonlyMap<Address, readonly Address[]> => {
  const dependents = new Map<Address, Address[]>()
  for (const { address, dependsOn } of [...desired, ...recorded]) {
    for (const needed of dependsOn) {
      const all = dependents.get(needed) ?? []
      all.push(address)
      dependents.set(needed, all)
    }
  }
  return dependents
}
