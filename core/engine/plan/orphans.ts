import type { OrphanFate, RecordedResource } from '../schema/resource.ts'
import type { Removed } from '../schema/rules.ts'
import type { Orphan } from '../schema/stored/plan.ts'
import { isWithin } from '../values/addresses/address.ts'
import { successorTo } from '../values/addresses/successor.ts'
import { defined } from '../values/defined.ts'
import type { PlannedResource } from './planning.ts'

export interface OrphanRules {
  readonly orphans: OrphanFate
  readonly removed: readonly Removed[]
}

/**
 * The rule for a recorded resource that is not declared: `removed`, or else what its record says, or else the rule of
 * the workspace. The rule of a resource also applies to its successor.
 */
export const orphanOf = (
  { address, lifecycle, lastApplied }: Pick<RecordedResource, 'address' | 'lifecycle' | 'lastApplied'>,
  { orphans, removed }: OrphanRules,
): Orphan => {
  const owner = successorTo(address)
  const entry = removed.find((each) => each.address === owner) ?? removed.find((each) => isWithin(owner, each.address))
  if (entry !== undefined) return { address, fate: 'forget', by: 'removed', reason: entry.reason }
  const { orphan: fate = orphans } = lifecycle
  const by = lifecycle.orphan === undefined ? 'workspace' : 'lifecycle'
  return { address, fate, by, ...(fate !== 'forget' && lastApplied === undefined && { neverApplied: true }) }
}

/** Adds the rule if it decides: not if the object could not be read, is ignored, or no longer exists. */
export const withOrphan = (planned: PlannedResource, orphan: Orphan | undefined): PlannedResource => {
  const { unchecked, ignored, forgotten = false } = planned
  const isForgotten = orphan?.fate === 'forget'
  const isMoot = unchecked !== undefined || ignored.length > 0 || forgotten !== isForgotten
  return isMoot ? planned : { ...planned, ...defined({ orphan }) }
}
