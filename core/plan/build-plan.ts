import { digest } from '../digest.ts'
import { type Change, countActions, type Plan } from '../schema/plan.ts'
import type { PlanCounts } from '../schema/records.ts'
import { defined } from '../values/defined.ts'
import { unlessEmpty } from '../values/members.ts'
import type { PlannedResource } from './planning.ts'

/** Changes are all of `planned`, in apply order, with blocked dependents; commands are in the order in which they are sent. */
interface PlanParts extends Pick<Plan, GivenPart> {
  readonly planned: readonly PlannedResource[]
}

type GivenPart = 'workspace' | 'changes' | 'unmanaged' | 'notLookedInto' | 'idleRules' | 'references' | 'commands'

/** Builds the plan of a workspace: counts, qualities and digests. */
export const buildPlan = (input: PlanParts): Plan => {
  const { workspace, planned, changes, unmanaged, notLookedInto, idleRules, commands } = input
  const changed = new Set(changes.map(({ address }) => address))
  const references = input.references?.filter(({ address }) => changed.has(address))
  const drift = planned.flatMap((resource) => resource.drift ?? [])
  const unchecked = planned.flatMap((resource) => resource.unchecked ?? [])
  const moved = planned.flatMap(({ address, previousAddress }) =>
    previousAddress === undefined ? [] : [{ from: previousAddress, to: address }],
  )
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
      idleRules: unlessEmpty(idleRules),
      references: unlessEmpty(references),
    }),
    commands,
    counts: countAll(planned, changes, { drifted: drift.length, commands: commands.length }),
    inSync: changes.length === 0 && unchecked.length === 0,
    complete: unchecked.length === 0,
    digests: {
      observed: digest(Object.fromEntries(planned.map((each) => [each.address, seenIn(each)]))),
      plan: digest({ changes: changes.map(({ position: _, ...change }) => change), drift }),
      commands: digest(commands),
    },
  }
}

/** "Does not exist" and "could not be read" are two findings. */
const seenIn = ({ observedDigest }: PlannedResource): string =>
  observedDigest ?? (observedDigest === null ? 'absent' : 'unknown')

/** Counts of what would be sent; a blocked change counts as blocked only. */
const countAll = (
  planned: readonly PlannedResource[],
  changes: readonly Change[],
  counted: Pick<PlanCounts, 'drifted' | 'commands'>,
): PlanCounts => {
  const sent = changes.filter(({ blocked }) => blocked === undefined)
  const isUnchanged = (each: PlannedResource): boolean =>
    each.change === undefined && each.unchecked === undefined && each.forgotten === undefined
  return {
    ...countActions(sent),
    blocked: changes.length - sent.length,
    unchanged: planned.filter(isUnchanged).length,
    unchecked: planned.filter(({ unchecked }) => unchecked !== undefined).length,
    ...counted,
  }
}
