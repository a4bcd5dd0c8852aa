import type { Command } from '../../../schema/command.ts'
import type { Json } from '../../../schema/json.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import { mapMembers } from '../../../values/members.ts'
import type { Session } from '../../session/open-session.ts'
import type { UndoVerdict } from './judge-resource.ts'
import { partFaults } from './words.ts'

/** Refuses what others need as it is, and former requests that name an object by an id that it will not have again. */
export const refuseNeeded = (
  first: ReadonlyMap<Address, UndoVerdict>,
  done: readonly Command[],
  plan: Plan,
  session: Session,
): ReadonlyMap<Address, UndoVerdict> => {
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]))
  const verdicts = new Map(first)
  const isRefused = (address: Address): boolean => verdicts.get(address)?.refused !== undefined
  const whyNot = (address: Address): string | undefined => {
    const own = done.filter((each) => each.address === address)
    const renewed = done.find(
      (each) =>
        each.address !== address &&
        isRelated(each, own) &&
        (verdicts.get(each.address)?.steps ?? []).length > 0 &&
        mayName(own, lostWith(each, plan, session)),
    )
    if (renewed !== undefined) return partFaults.otherValues(renewed.address)
    const waiting = done.find((each) => isRefused(each.address) && needsOneOf(each, own))
    if (waiting !== undefined) return partFaults.waits(waiting.address, waiting.action)
    const isDelete = actions.get(address) === 'create' && verdicts.get(address)?.steps?.length !== 0
    const user = isDelete ? userOf(address, first, actions, session) : undefined
    return user && partFaults.needed(user)
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const address of [...verdicts.keys()].filter((each) => !isRefused(each))) {
      const refused = whyNot(address)
      if (refused === undefined) continue
      verdicts.set(address, { refused })
      isChanged = true
    }
  }
  return verdicts
}

const needsOneOf = ({ address, dependsOn }: Command, others: readonly Command[]): boolean =>
  others.some((other) => other.address !== address && dependsOn.includes(other.id))

/** Of two deletes, the first one is of what needs the other: only its former request can name that. */
const isRelated = (command: Command, others: readonly Command[]): boolean =>
  needsOneOf(command, others) || others.some((other) => other.action !== 'delete' && needsOneOf(other, [command]))

/** The ids and the other values that only the server gives, which an object that exists again does not have again. */
const lostWith = ({ address, action, precondition }: Command, plan: Plan, { resources }: Session): readonly Json[] => {
  if (action !== 'delete') return []
  const told = precondition !== undefined && 'identity' in precondition ? precondition.identity?.ids : undefined
  const before = plan.changes.find((each) => each.address === address)?.before ?? {}
  const computed = mapMembers(resources.get(address)?.type?.schema.attributes ?? {}, (facts, name) =>
    facts.computed === true ? (before[name] ?? null) : undefined,
  )
  return [...Object.values(told ?? {}), ...Object.values(computed)].filter((value) => value !== null && value !== '')
}

/** Whether a former request may have one of the values; what it has of a read, or hides, may be any value. */
const mayName = (own: readonly Command[], values: readonly Json[]): boolean => {
  const texts = own.map(({ inverse }) => JSON.stringify(inverse ?? ''))
  const isOpen = texts.some((text) => /"\$(?!number)/.test(text))
  return values.some((value) => isOpen || !isText(value) || texts.some((text) => text.includes(String(value))))
}

const isText = (value: Json): boolean => typeof value === 'string' || typeof value === 'number'

/** A resource whose object exists, that depends on an object that the undo would delete, and that this apply did not create. */
const userOf = (
  address: Address,
  ours: ReadonlyMap<Address, UndoVerdict>,
  actions: ReadonlyMap<Address, Change['action']>,
  { resources }: Session,
): Address | undefined =>
  [...resources.values()].find(
    ({ address: other, desired, recorded, planned }) =>
      (planned.before ?? null) !== null &&
      !(ours.has(other) && actions.get(other) === 'create') &&
      [...(desired?.dependsOn ?? []), ...(recorded?.dependsOn ?? [])].includes(address),
  )?.address
