import type { Address } from '../schema/resource.ts'
import type { Plan, ShownPart } from '../schema/stored/plan.ts'
import { addressPattern } from '../values/addresses/address.ts'
import { defined } from '../values/defined.ts'
import { unlessEmpty } from '../values/members.ts'

type Change = Plan['changes'][number]

/** A change without a recorded value has no causes, and is pending. */
const isOf = (only: ShownPart['only'], { action, causes }: Change): boolean => {
  if (only === undefined) return true
  if (only === 'delete') return action === 'delete' || action === 'replace'
  const isDrift = causes.some(({ cause }) => cause === 'drift' || cause === 'conflict')
  const isPending = causes.length === 0 || causes.some(({ cause }) => cause !== 'drift')
  return (only === 'drift' && isDrift) || (only === 'pending' && isPending)
}

const pick = <Row extends { readonly address: Address }>(
  rows: readonly Row[] | undefined,
  isShown: (address: Address) => boolean,
): readonly Row[] => (rows ?? []).filter(({ address }) => isShown(address))

/**
 * The plan for a reader who looks for something: only these resources, and only findings of this kind. Counts, digests and
 * verdicts stay those of the whole plan, which alone can be approved. Throws USAGE for a text that is no address or pattern.
 */
export const showPart = (plan: Plan, part: ShownPart): Plan => {
  const { only, addresses = [] } = part
  const patterns = addresses.map(addressPattern)
  const isNamed = (address: Address): boolean => patterns.length === 0 || patterns.some((matches) => matches(address))
  const changes = pick(plan.changes, isNamed).filter((change) => isOf(only, change))
  const kept = new Set(changes.map(({ address }) => address))
  const isOther = only === undefined || only === 'drift'
  const isChanged = (address: Address): boolean => kept.has(address)
  return {
    ...plan,
    shown: part,
    changes,
    drift: pick(plan.drift, isOther ? isNamed : isChanged),
    unchecked: only === undefined || only === 'unchecked' ? pick(plan.unchecked, isNamed) : [],
    unobserved: only === undefined ? pick(plan.unobserved, isNamed) : [],
    unmanaged: [],
    ignored: only === undefined ? pick(plan.ignored, isNamed) : [],
    commands: pick(plan.commands, isChanged),
    ...defined({
      orphans: only === undefined ? unlessEmpty(pick(plan.orphans, isNamed)) : undefined,
      leftOut: only === undefined ? unlessEmpty(pick(plan.leftOut, isNamed)) : undefined,
      moved: undefined,
      notLookedInto: undefined,
    }),
  }
}
