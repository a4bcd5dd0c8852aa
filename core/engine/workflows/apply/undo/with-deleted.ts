import type { Address, RecordedResource } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { defined } from '../../../values/defined.ts'
import { mapMembers } from '../../../values/members.ts'
import type { OpenWorkspace } from '../../session/open-session.ts'
import { typeOf } from '../../session/shared/loaded-workspace.ts'
import type { UndoneApply } from './done-by.ts'

/**
 * Objects that the apply deleted have no record any more. They get one for this plan, so that they are looked for by their keys.
 * So does what the undo `applyId` was creating when its worker died: what is there now may be its result.
 */
export const withDeleted = (opened: OpenWorkspace, undone: UndoneApply, applyId?: string): OpenWorkspace => {
  const { recorded } = opened
  const isOpen = ({ doubted, ids, sentBy }: RecordedResource): boolean =>
    applyId !== undefined && doubted === 'sent' && ids === undefined && sentBy === applyId
  const kept = recorded.resources.filter((each) => !isOpen(each))
  const known = new Set(kept.map(({ address }) => address))
  const gone = undone.plan.changes.filter(({ address, action }) => action === 'delete' && !known.has(address))
  const deleted = new Map(gone.map((change) => [change.address, formerRecord(change, undone.plan, opened)]))
  const others = recorded.resources.filter(({ address }) => !deleted.has(address))
  const loaded = { ...opened.loaded, isGone: (each: Address) => deleted.has(each) || opened.loaded.isGone(each) }
  return { ...opened, loaded, recorded: { ...recorded, resources: [...others, ...deleted.values()] } }
}

/** An object is deleted after those that depend on it. What the server gave to it alone is gone with it. */
const formerRecord = (change: Change, { commands }: Plan, { loaded }: OpenWorkspace): RecordedResource => {
  const { address, type, name, module, provider, before } = change
  const needs = commands.filter((each) => each.dependsOn.some((id) => addressOf(id) === address))
  const dependsOn = [...new Set(needs.flatMap((each) => (each.address === address ? [] : each.address)))]
  const facts = typeOf(loaded, provider, type)?.schema.attributes ?? {}
  const attributes = mapMembers(before ?? {}, (value, member) =>
    facts[member]?.computed === true && facts[member].identity !== true ? undefined : value,
  )
  return { ...defined({ address, type, name, module, provider }), attributes, dependsOn, lifecycle: {} }
}
