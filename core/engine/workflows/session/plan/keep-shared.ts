import { findDestroyed } from '../../../binding/share-objects.ts'
import { unclear } from '../../../binding/words.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { claimsOf } from './claims.ts'
import type { BoundResource } from './observation.ts'

/** Blocks each replacement whose delete would destroy the object of another declared resource of another type. */
export const keepShared = (
  changes: readonly Change[],
  resources: ReadonlyMap<Address, BoundResource>,
): readonly Change[] => {
  const replaced = new Set(
    changes.flatMap(({ action, blocked, address }) => (action === 'replace' && blocked === undefined ? [address] : [])),
  )
  if (replaced.size === 0) return changes
  const destroyed = findDestroyed([...resources.values()].flatMap(claimsOf), ({ address }) => replaced.has(address))
  return changes.map((change) => {
    const others = destroyed.get(change.address)
    if (others === undefined) return change
    return { ...change, blocked: { reason: 'also_declared', detail: unclear.alsoReplaced(others) } }
  })
}
