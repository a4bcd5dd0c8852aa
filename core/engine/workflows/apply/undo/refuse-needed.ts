import type { Command } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
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
        willBeAnother(each, verdicts.get(each.address) ?? {}, session),
    )
    if (renewed !== undefined) return partFaults.otherValues(renewed.address)
    const waiting = done.find((each) => isRefused(each.address) && needsOneOf(each, own))
    if (waiting !== undefined) return partFaults.waits(waiting.address)
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

const isRelated = (command: Command, others: readonly Command[]): boolean =>
  needsOneOf(command, others) || others.some((other) => needsOneOf(other, [command]))

/** Whether an object that exists again has other ids, or other values that only the server gives: requests may name it by them. */
const willBeAnother = (
  { address, action, precondition }: Command,
  { steps = [] }: Partial<UndoVerdict>,
  { resources }: Session,
): boolean => {
  if (action !== 'delete' || steps.length === 0) return false
  const told = precondition !== undefined && 'identity' in precondition ? precondition.identity?.ids : undefined
  const attributes = resources.get(address)?.type?.schema.attributes ?? {}
  return Object.keys(told ?? {}).length > 0 || Object.values(attributes).some(({ computed }) => computed === true)
}

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
