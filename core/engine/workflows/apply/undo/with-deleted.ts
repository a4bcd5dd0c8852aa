import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import type { OpenWorkspace } from '../../session/open-session.ts'
import type { UndoneApply } from './done-by.ts'

/**
 * Objects that the apply deleted have no record any more. They get one for this plan, so that they are looked for, and recorded
 * when they exist again.
 */
export const withDeleted = (opened: OpenWorkspace, undone: UndoneApply): OpenWorkspace => {
  const { recorded } = opened
  const known = new Set(recorded.resources.map(({ address }) => address))
  const gone = undone.plan.changes.filter(({ address, action }) => action === 'delete' && !known.has(address))
  const resources = [...recorded.resources, ...gone.map((change) => formerRecord(change, undone.plan))]
  const deleted = new Set(gone.map(({ address }) => address))
  const loaded = { ...opened.loaded, isGone: (each: Address) => deleted.has(each) || opened.loaded.isGone(each) }
  return gone.length === 0 ? opened : { ...opened, loaded, recorded: { ...recorded, resources } }
}

/** An object is deleted after those that depend on it. */
const formerRecord = (change: Change, { commands }: Plan): RecordedResource => {
  const { address, type, name, module, provider, before } = change
  const needs = commands.filter((each) => each.dependsOn.some((id) => addressOf(id) === address))
  const dependsOn = [...new Set(needs.flatMap((each) => (each.address === address ? [] : each.address)))]
  const named = { address, type, name, ...(module !== undefined && { module }), provider }
  return { ...named, attributes: before ?? {}, dependsOn, lifecycle: {} }
}
