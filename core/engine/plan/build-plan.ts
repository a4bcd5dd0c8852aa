import { digest } from '../json/digest.ts'
import { type Change, countActions, isReported, type Plan } from '../schema/stored/plan.ts'
import type { PlanCounts } from '../schema/stored/records.ts'
import { defined } from '../values/defined.ts'
import { unlessEmpty } from '../values/members.ts'
import type { PlannedResource } from './planning.ts'

/**
 * `changes` are all changes of `planned`, in apply order, with blocked dependents; `commands` are in the order in which
 * they are sent.
 */
interface PlanParts extends Pick<Plan, GivenPart> {
  readonly planned: readonly PlannedResource[]
}

type GivenPart =
  | 'workspace'
  | 'changes'
  | 'unmanaged'
  | 'notLookedInto'
  | 'idleRules'
  | 'idleEntries'
  | 'notes'
  | 'existing'
  | 'references'
  | 'commands'

export const buildPlan = (input: PlanParts): Plan => {
  const { workspace, planned, changes, unmanaged, notLookedInto, idleRules, idleEntries, notes, commands } = input
  const changed = new Set(changes.map(({ address }) => address))
  const references = input.references?.filter(({ address }) => changed.has(address))
  const drift = planned.flatMap((resource) => resource.drift ?? [])
  const unchecked = planned.flatMap((resource) => resource.unchecked ?? [])
  const moved = planned.flatMap(({ address, previousAddress }) =>
    previousAddress === undefined ? [] : [{ from: previousAddress, to: address }],
  )
  const orphans = planned.flatMap(({ orphan }) => orphan ?? [])
  const reported = orphans.filter(isReported)
  return {
    formatVersion: '2',
    workspace,
    changes,
    drift,
    unchecked,
    unobserved: planned.flatMap((resource) => resource.unobserved),
    unmanaged,
    ...defined({ notLookedInto: unlessEmpty(notLookedInto) }),
    ignored: planned.flatMap((resource) => resource.ignored),
    ...defined({
      moved: unlessEmpty(moved),
      orphans: unlessEmpty(orphans),
      idleEntries: unlessEmpty(idleEntries),
      idleRules: unlessEmpty(idleRules),
      notes: unlessEmpty(notes),
      references: unlessEmpty(references),
    }),
    commands,
    ...defined({ existing: unlessEmpty(input.existing) }),
    counts: countAll(planned, changes, { drifted: drift.length, commands: commands.length }),
    inSync: changes.length === 0 && unchecked.length === 0 && reported.length === 0,
    complete: unchecked.length === 0,
    digests: {
      observed: digest(Object.fromEntries(planned.map((each) => [each.address, seenIn(each)]))),
      plan: digest({
        changes: changes.map(({ position: _, ...change }) => change),
        drift,
        ...defined({ orphans: unlessEmpty(reported.map(({ address }) => address)) }),
      }),
      commands: digest(commands),
    },
  }
}

/** "Does not exist" and "could not be read" are different observations. */
const seenIn = ({ observedDigest }: PlannedResource): string =>
  observedDigest ?? (observedDigest === null ? 'absent' : 'unknown')

/** Counts what would be sent; a blocked change counts only as blocked. */
const countAll = (
  planned: readonly PlannedResource[],
  changes: readonly Change[],
  counted: Pick<PlanCounts, 'drifted' | 'commands'>,
): PlanCounts => {
  const sent = changes.filter(({ blocked }) => blocked === undefined)
  const unobserved = planned.reduce((sum, each) => sum + each.unobserved.length, 0)
  const orphaned = planned.filter(({ orphan }) => orphan && isReported(orphan)).length
  const isUnchanged = (each: PlannedResource): boolean =>
    each.change === undefined &&
    each.unchecked === undefined &&
    each.forgotten === undefined &&
    each.orphan === undefined
  return {
    ...countActions(sent),
    blocked: changes.length - sent.length,
    unchanged: planned.filter(isUnchanged).length,
    unchecked: planned.filter(({ unchecked }) => unchecked !== undefined).length,
    ...counted,
    ...defined({ orphaned: orphaned || undefined, unobserved: unobserved || undefined }),
  }
}
