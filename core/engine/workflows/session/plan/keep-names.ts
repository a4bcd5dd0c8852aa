import { blockDependents } from '../../../plan/order-changes.ts'
import { blocks } from '../../../plan/words.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { ResourcePlan } from './observation.ts'

/**
 * Blocks what refers to an object by a name that this plan cannot give it, and what that may mean. `found`: the changes
 * before others were blocked for what could not be read.
 */
export const keepNames = (
  { found, changes }: { readonly found: readonly Change[]; readonly changes: readonly Change[] },
  resources: ReadonlyMap<Address, ResourcePlan>,
  desired: Parameters<typeof blockDependents>[2],
): readonly Change[] => {
  const unnamed = found.filter((change) => keepsItsName(change, resources))
  return keepNamesakes(blockDependents(changes, unnamed, desired, blocks.keepsItsName), unnamed, resources)
}

/** An object that keeps the name that it has: what refers to it by the other one would reach nothing, or an object of others. */
const keepsItsName = (
  { address, action, blocked, causes }: Change,
  resources: ReadonlyMap<Address, ResourcePlan>,
): boolean => {
  if (blocked === undefined || (action !== 'update' && action !== 'replace')) return false
  const facts = resources.get(address)?.type?.schema.attributes ?? {}
  return causes.some(({ path: [name = ''] }) => facts[String(name)]?.identity === true)
}

/** What is to be created in such an object may be what is to be deleted there: both would have waited for its name. */
const keepNamesakes = (
  changes: readonly Change[],
  unnamed: readonly Change[],
  resources: ReadonlyMap<Address, ResourcePlan>,
): readonly Change[] => {
  if (unnamed.length === 0) return changes
  const isIn = (address: Address, outer: Address): boolean => {
    const { desired, recorded } = resources.get(address) ?? {}
    return (desired ?? recorded)?.dependsOn.includes(outer) === true
  }
  const created = changes.filter(({ action, blocked }) => action === 'create' && blocked !== undefined)
  return changes.map((change) => {
    if (change.action !== 'delete' || change.blocked !== undefined) return change
    const cause = unnamed.find(
      ({ address }) =>
        isIn(change.address, address) &&
        created.some((each) => each.type === change.type && isIn(each.address, address)),
    )
    if (cause === undefined) return change
    return { ...change, blocked: { reason: 'dependency_unknown', detail: blocks.keepsItsName(cause.address) } }
  })
}
