import { pathText } from '../../../json/pointer.ts'
import {
  type CommandOutcome,
  isFailure,
  type Left,
  type ResourceResult,
  type ResultCounts,
} from '../../../schema/stored/outcome.ts'
import type { Plan, Selection, Unobserved } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { defined } from '../../../values/defined.ts'
import { blockedIn } from './policy.ts'
import { commandsOf } from './selection.ts'

/** The resources of the approved part of a plan, in the order of the plan, before anything is sent. */
export const resourcesOf = ({ changes, commands }: Plan, selection: Selection): readonly ResourceResult[] => {
  const sent = Map.groupBy(commandsOf(commands, selection), ({ address }) => address)
  const blocked = new Set(blockedIn(changes, selection).map(({ address }) => address))
  return changes
    .filter(({ address }) => sent.has(address) || blocked.has(address))
    .map(({ address }) => ({ address, commands: sent.get(address)?.length ?? 0, result: 'remaining' }))
}

/**
 * Sorts outcomes by resource in the order of the plan, then by the number of the command. Outcomes of blocked changes
 * come last, because they have no command.
 */
export const inPlanOrder = (
  outcomes: readonly CommandOutcome[],
  { resources = [] }: Pick<Apply, 'resources'>,
): readonly CommandOutcome[] => {
  const places = new Map(resources.map(({ address }, place) => [address, place]))
  const placeOf = ({ command, status }: CommandOutcome): number =>
    (status === 'blocked' ? undefined : places.get(addressOf(command))) ?? resources.length
  const numberOf = ({ command }: CommandOutcome): number => Number(command.slice(command.lastIndexOf('#') + 1))
  return outcomes.toSorted((left, right) => {
    const [before, after] = [placeOf(left), placeOf(right)]
    if (before !== after) return before - after
    return before === resources.length ? 0 : numberOf(left) - numberOf(right)
  })
}

/** Derives the results of the resources from the outcomes of the commands. Nothing else decides them. */
export const withResults = (apply: Apply): Apply => {
  if (apply.resources === undefined) return apply
  const outcomes = Map.groupBy(
    apply.outcomes.filter(({ status }) => status !== 'blocked'),
    ({ command }) => addressOf(command),
  )
  const resources = apply.resources.map((resource) => resultOf(resource, outcomes.get(resource.address) ?? []))
  return { ...apply, outcomes: [...inPlanOrder(apply.outcomes, apply)], resources, results: countResults(resources) }
}

const resultOf = (
  { address, commands, verdict, unobserved, besides, lost }: ResourceResult,
  outcomes: readonly CommandOutcome[],
): ResourceResult => {
  const known = { address, commands, ...defined({ verdict, unobserved, besides, lost }) }
  const failed = outcomes.filter(isFailure)
  if (failed.some(({ status }) => status !== 'skipped')) return { ...known, result: 'failed' }
  const [skipped] = failed
  if (skipped !== undefined) {
    const because = skipped.because === undefined ? undefined : addressOf(skipped.because)
    return { ...known, result: 'skipped', ...defined({ because }) }
  }
  const done = outcomes.filter(({ status }) => status !== 'logged')
  return { ...known, result: commands > 0 && done.length === commands ? 'applied' : 'remaining' }
}

export const countResults = (resources: readonly ResourceResult[]): ResultCounts => {
  const counts = { applied: 0, failed: 0, skipped: 0, remaining: 0 }
  for (const { result } of resources) counts[result] += 1
  return counts
}

/** What a new read found after an apply, and what of the resources it cannot show. */
export interface FoundAgain {
  readonly left: readonly Left[]
  /** Of an undo: what is as before the apply, and not as configured. */
  readonly asBefore?: ReadonlySet<string>
  /** Of an undo: what the undone commands lost for good. */
  readonly lost?: ReadonlyMap<string, readonly string[]>
  readonly unobserved: readonly Unobserved[]
  readonly besides: ReadonlyMap<string, readonly string[]>
}

/** Adds the verdict of a new read to each resource. `again` is undefined if that read failed as a whole. */
export const withVerdicts = (
  resources: readonly ResourceResult[],
  again: FoundAgain | undefined,
): readonly ResourceResult[] => {
  const kinds = Map.groupBy(again?.left ?? [], ({ address }) => address)
  const hidden = Map.groupBy(again?.unobserved ?? [], ({ address }) => address)
  return resources.map((resource) => {
    const found = kinds.get(resource.address)
    const unobserved = hidden.get(resource.address)?.map(({ path }) => pathText(path))
    const besides = again?.besides.get(resource.address)
    const lost = again?.lost?.get(resource.address)
    const known = { ...resource, ...defined({ unobserved, besides: besides && [...besides], lost: lost && [...lost] }) }
    if (again === undefined || found?.some(({ kind }) => kind === 'unchecked')) return { ...known, verdict: 'unknown' }
    if (found !== undefined) return { ...known, verdict: 'differs' }
    return { ...known, verdict: again.asBefore?.has(resource.address) ? 'as_before' : 'in_sync' }
  })
}
