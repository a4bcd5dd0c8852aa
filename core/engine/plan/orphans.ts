import type { Address, OrphanFate, RecordedResource } from '../schema/resource.ts'
import type { Removed } from '../schema/rules.ts'
import type { Orphan } from '../schema/stored/plan.ts'
import { successorTo } from '../values/addresses/successor.ts'
import { defined } from '../values/defined.ts'
import type { PlannedResource } from './planning.ts'

/** The part of a configuration that decides what happens to resources that left it. */
export interface OrphanRules {
  readonly orphans: OrphanFate
  readonly removed: readonly Removed[]
}

/**
 * The rule for a recorded resource that is not declared: `removed`, else what its record says, else the workspace. The
 * successor of a resource follows the rule of the resource.
 */
export const orphanOf = (
  { address, lifecycle }: Pick<RecordedResource, 'address' | 'lifecycle'>,
  { orphans, removed }: OrphanRules,
): Orphan => {
  const owner = successorTo(address)
  const entry = removed.find((each) => each.address === owner)
  if (entry !== undefined) return { address, fate: 'forget', by: 'removed', reason: entry.reason }
  const { orphan } = lifecycle
  return orphan === undefined ? { address, fate: orphans, by: 'workspace' } : { address, fate: orphan, by: 'lifecycle' }
}

/** Names the rule where it decides: not if the object could not be read, is ignored, or does not exist any more. */
export const withOrphan = (planned: PlannedResource, orphan: Orphan | undefined): PlannedResource => {
  const { unchecked, ignored, forgotten = false } = planned
  const isForgotten = orphan?.fate === 'forget'
  const isMoot = unchecked !== undefined || ignored.length > 0 || forgotten !== isForgotten
  return isMoot ? planned : { ...planned, ...defined({ orphan }) }
}

/** Entries of `removed` without effect. */
export const findIdleRemoved = (removed: readonly Removed[], recorded: readonly Address[]): readonly Removed[] => {
  const known = new Set(recorded.map(successorTo))
  return removed.filter(({ address }) => !known.has(address))
}
