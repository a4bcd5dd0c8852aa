import type { Configuration } from '../../../config/shared/configuration.ts'
import {
  type EntryFacts,
  findIdleGone,
  findIdleMoves,
  findIdlePlaces,
  findIdleRemoved,
} from '../../../plan/idle-entries.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { ImportRule } from '../../../schema/rules.ts'
import type { IdleEntry } from '../../../schema/stored/plan.ts'
import type { ResourcePlan } from './observation.ts'

export type Entries = Pick<Configuration, 'moved' | 'movedPlaces' | 'imports' | 'removed' | 'gone'>

/** The entries of a configuration that did nothing in this check. */
export const idleEntriesIn = (
  { moved, movedPlaces, imports, removed, gone }: Entries,
  recorded: readonly RecordedResource[],
  resources: readonly ResourcePlan[],
): readonly IdleEntry[] => {
  const facts = factsOf(recorded, resources)
  return [
    ...findIdleMoves(moved, facts),
    ...findIdlePlaces(movedPlaces, recorded),
    ...findIdleImports(imports, resources),
    ...findIdleRemoved(removed, facts),
    ...findIdleGone(gone, facts),
  ]
}

const factsOf = (recorded: readonly RecordedResource[], resources: readonly ResourcePlan[]): EntryFacts => ({
  recorded: recorded.map(({ address }) => address),
  moved: new Map(
    resources.flatMap(({ address, previousAddress }): readonly (readonly [Address, Address])[] =>
      previousAddress === undefined ? [] : [[previousAddress, address]],
    ),
  ),
  left: resources.flatMap(({ address, desired }) => (desired === undefined ? [address] : [])),
  present: new Set(resources.filter(isThere).map(({ address }) => address)),
})

const isThere = ({ isOwn, observed: { result } }: ResourcePlan): boolean => isOwn && result.kind === 'present'

/** An entry has effect for an object without a record, or once the object of the record is gone. */
const findIdleImports = (rules: readonly ImportRule[], resources: readonly ResourcePlan[]): readonly IdleEntry[] => {
  const byAddress = new Map(resources.map((each) => [each.address, each]))
  return rules.flatMap((rule): readonly IdleEntry[] => {
    const one = byAddress.get(rule.to)
    return one !== undefined && isThere(one) && one.importsOther
      ? [{ kind: 'import', address: rule.to, why: 'taken' }]
      : []
  })
}
