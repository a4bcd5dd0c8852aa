import { toPointer } from '../../json/pointer.ts'
import type { Diff } from '../../schema/diff.ts'
import type { Path } from '../../schema/json.ts'
import type { Change, Drift, NamedReference, Plan } from '../../schema/plan.ts'
import { nameNotes } from '../requests/name-words.ts'
import { causesByPath } from '../rows/causes-by-path.ts'
import { layOutDiff, noAnnotations } from '../rows/lay-out-diff.ts'
import type { Row } from '../rows/row.ts'
import { actions } from '../words.ts'

/** What the blocks of a page need to know of the rest of the plan. */
export interface PlanContext {
  /** Addresses that were deleted outside. */
  readonly vanished: ReadonlySet<string>
  /** Pointers of the attributes that nobody can read back, by address. */
  readonly unobserved: ReadonlyMap<string, ReadonlySet<string>>
  /** References that are configured by another name than they are sent by, by address. */
  readonly references: ReadonlyMap<string, readonly NamedReference[]>
}

export const contextOf = (plan: Plan): PlanContext => {
  const unobserved = new Map<string, Set<string>>()
  for (const { address, path } of plan.unobserved) {
    const pointers = unobserved.get(address) ?? new Set()
    unobserved.set(address, pointers.add(toPointer(path)))
  }
  const vanished = plan.drift.filter((drift) => drift.kind === 'deleted').map((drift) => drift.address)
  const references = Map.groupBy(plan.references ?? [], ({ address }) => address)
  return { vanished: new Set(vanished), unobserved, references }
}

export const layOutChange = (change: Change, { unobserved, references }: PlanContext): readonly Row[] => {
  const pointers = unobserved.get(change.address)
  const named = references.get(change.address) ?? []
  return layOutDiff(change.diff, {
    causesAt: change.action === 'update' || change.action === 'replace' ? causesByPath(change.causes) : () => [],
    notesAt: (path) => [...(pointers?.has(toPointer(path)) ? ['write-only'] : []), ...nameNotes(named, path)],
  })
}

export const layOutDrift = (drift: Drift): readonly Row[] => layOutDiff(drift.diff, noAnnotations)

/** Changes in the order of risk, within that in the order of the plan. */
export const byRisk = (changes: readonly Change[]): readonly Change[] =>
  actions.flatMap((action) => changes.filter((change) => change.action === action))

/** Moves that the changes of the plan do not show by themselves: nothing follows from them, or both sides moved. */
export const driftToShow = (plan: Plan): readonly Drift[] => {
  const changes = new Map(plan.changes.map((change) => [change.address, change]))
  return plan.drift.filter((drift) => {
    const change = changes.get(drift.address)
    if (change === undefined) return true
    if (drift.kind === 'deleted') return change.action !== 'create'
    const causesAt = causesByPath(change.causes)
    return !changedPaths(drift.diff).every((path) => causesAt(path).join() === 'drift')
  })
}

/** Where a diff changes; what comes or goes as a whole is one place. */
const changedPaths = (diff: Diff, path: Path = []): readonly Path[] => {
  if (diff.action === 'same') return []
  if (diff.action !== 'update' || diff.sensitive || diff.unknown) return [path]
  switch (diff.kind) {
    case 'object':
    case 'map':
      return Object.entries(diff.members).flatMap(([member, inner]) => changedPaths(inner, [...path, member]))
    case 'set':
      return diff.elements.flatMap(({ key, diff: inner }, position) => changedPaths(inner, [...path, key ?? position]))
    case 'list':
    case 'tuple':
      return diff.elements.flatMap(({ before, after, diff: inner }, position) =>
        changedPaths(inner, [...path, after ?? before ?? position]),
      )
    default:
      return [path]
  }
}
