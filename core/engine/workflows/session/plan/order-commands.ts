import { isCreatedFirst, isDeletedFirst } from '../../../plan/order-changes.ts'
import type { Command, CommandDraft } from '../../../schema/command.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import { successorTo } from '../../../values/addresses/successor.ts'
import type { ResourcePlan } from './observation.ts'

type Resources = ReadonlyMap<Address, ResourcePlan>

/** The commands of one change, in the four steps between which commands of others may have to be sent. */
export interface CommandSteps {
  /** Commands that remove the old object before the new one is made. */
  readonly clear: readonly Command[]
  /** Commands that make what others may build on. */
  readonly make: readonly Command[]
  /** Commands for when nobody needs the object any more. */
  readonly remove: readonly Command[]
  /** Commands that wait for all changes of the resources that depend on this one. */
  readonly close: readonly Command[]
}

const noSteps: CommandSteps = { clear: [], make: [], remove: [], close: [] }

/** If a replacement creates first, the commands after the last one about the new object remove the old object. */
export const stepsOf = (
  change: Change,
  commands: readonly Command[],
  drafts: readonly CommandDraft[],
): CommandSteps => {
  if (change.action === 'delete') return { ...noSteps, remove: commands }
  const made = isCreatedFirst(change) ? commands.findLastIndex(isAboutNew) + 1 : 0
  if (made > 0) return { ...noSteps, make: commands.slice(0, made), remove: commands.slice(made) }
  const open = drafts.findLastIndex(({ last }) => last !== true) + 1
  const cleared = isDeletedFirst(change) ? Math.max(0, commands.findIndex(isAboutNew)) : 0
  return {
    clear: commands.slice(0, cleared),
    make: commands.slice(cleared, open),
    remove: [],
    close: commands.slice(Math.max(cleared, open)),
  }
}

const isAboutNew = ({ action, precondition }: Command): boolean =>
  action === 'create' || precondition?.kind === 'made' || precondition?.kind === 'absent'

/**
 * All commands in the order in which they are sent. Each waits for those before it that it needs, so there is no cycle: where
 * changes need each other, the one that comes first does not wait.
 */
export const orderCommands = (
  changes: readonly Change[],
  steps: ReadonlyMap<Address, CommandSteps>,
  resources: Resources,
  removals: readonly Change[],
): readonly Command[] => {
  const sent: Command[] = []
  const last = new Map<Address, string>()
  const send = (address: Address, step: keyof CommandSteps, waitsFor: readonly Address[]): void => {
    const [first, ...rest] = steps.get(address)?.[step] ?? []
    if (first === undefined) return
    const needs = waitsFor.flatMap((each) => last.get(each) ?? [])
    last.set(address, (rest.at(-1) ?? first).id)
    sent.push({ ...first, dependsOn: [...new Set([...first.dependsOn, ...needs])] }, ...rest)
  }
  const leaves = new Set(changes.flatMap(({ action, address }) => (action === 'delete' ? [address] : [])))
  const stays = (address: Address): boolean => steps.has(address) && !leaves.has(address)
  const wantedOf = (address: Address): readonly Address[] =>
    stays(address) ? (resources.get(address)?.desired?.dependsOn ?? []).filter(stays) : []
  const inside = goneBefore(changes, resources)
  const insideOf = (address: Address): readonly Address[] => inside.get(address) ?? []
  const done = new Set<string>()
  const running = new Set<Address>()
  /** Runs a step once, and never while another step of the same resource runs. */
  const run = (address: Address, step: keyof CommandSteps, body: () => void): void => {
    if (running.has(address) || done.has(`${step} ${address}`)) return
    done.add(`${step} ${address}`)
    running.add(address)
    body()
    running.delete(address)
  }
  /** Whether it can be made now: nothing that it needs is begun and waits. */
  const isFree = (address: Address, seen = new Set<Address>()): boolean => {
    if (seen.has(address) || (done.has(`make ${address}`) && !running.has(address))) return true
    seen.add(address)
    if (running.has(address) || insideOf(address).some((each) => running.has(each))) return false
    return wantedOf(address).every((each) => isFree(each, seen))
  }
  const clear = (address: Address): void =>
    run(address, 'clear', () => {
      // What is created again waits for what it will need, if that does not wait for it.
      for (const each of wantedOf(address)) if (isFree(each)) make(each)
      for (const each of insideOf(address)) letGo(each)
      send(address, 'clear', [...wantedOf(address), ...insideOf(address)])
    })
  const make = (address: Address): void => {
    if (steps.get(address)?.clear.length) clear(address)
    run(address, 'make', () => {
      for (const each of wantedOf(address)) make(each)
      send(address, 'make', [...wantedOf(address), ...insideOf(address)])
    })
  }
  const dependents = dependentsOf(changes, resources)
  const remove = (address: Address): void =>
    run(address, 'remove', () => {
      for (const each of insideOf(address)) letGo(each)
      const owner = successorTo(address)
      send(address, 'remove', [owner, ...insideOf(address), ...(dependents.get(owner) ?? [])])
    })
  const letGo = (address: Address): void => (leaves.has(address) ? remove(address) : clear(address))
  for (const { address } of changes) if (stays(address)) make(address)
  for (const { address } of removals) remove(address)
  const users = usersOf(changes, resources, ({ desired, recorded }) => [
    ...(desired?.dependsOn ?? []),
    ...(recorded?.dependsOn ?? []),
  ])
  for (const { address } of changes) send(address, 'close', users.get(address) ?? [])
  return sent
}

/**
 * For each resource that is replaced or leaves: those whose objects go before its own does, because most targets refuse to delete
 * what is in use. They are replaced too and come back after it, or they leave, and nothing that stays needs them until something
 * new is made. Where ids are positions, deletes keep their order.
 */
const goneBefore = (changes: readonly Change[], resources: Resources): ReadonlyMap<Address, readonly Address[]> => {
  const replaced = changes.filter(isDeletedFirst).map(({ address }) => address)
  if (replaced.length === 0) return new Map()
  const users = usersOf(changes, resources, ({ recorded }) => recorded?.dependsOn)
  const kinds = new Map(changes.map((change) => [change.address, change]))
  const canGo = (address: Address): boolean => {
    const change = kinds.get(address)
    if (change === undefined || resources.get(address)?.type?.identity?.ids === 'position') return false
    return isDeletedFirst(change) || change.action === 'delete'
  }
  const found = new Map<Address, readonly Address[]>()
  const open = [...replaced]
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (found.has(address)) continue
    const inside = (users.get(address) ?? []).filter(canGo)
    found.set(address, inside)
    open.push(...inside)
  }
  const kept = keptIn(found, users, replaced)
  return new Map([...found].map(([address, inside]) => [address, inside.filter((each) => !kept.has(each))]))
}

/** Of what leaves, what a resource still uses that does not go with it, and what holds that, and so on. */
const keptIn = (
  found: ReadonlyMap<Address, readonly Address[]>,
  users: ReadonlyMap<Address, readonly Address[]>,
  replaced: readonly Address[],
): ReadonlySet<Address> => {
  const isReplaced = new Set(replaced)
  const leaving = [...found.keys()].filter((address) => !isReplaced.has(address))
  const kept = new Set<Address>()
  for (let size = -1; size < kept.size; ) {
    size = kept.size
    for (const address of leaving) {
      if (users.get(address)?.some((each) => !found.has(each) || kept.has(each))) kept.add(address)
    }
  }
  return kept
}

/** The changes of the resources that depend on each address, by the dependencies that are picked. */
const usersOf = (
  changes: readonly Change[],
  resources: Resources,
  pick: (one: ResourcePlan) => readonly Address[] | undefined,
): ReadonlyMap<Address, readonly Address[]> => {
  const users = new Map<Address, Address[]>()
  for (const { address } of changes) {
    const one = resources.get(address)
    if (one === undefined) continue
    for (const needed of new Set(pick(one))) users.set(needed, [...(users.get(needed) ?? []), address])
  }
  return users
}

/**
 * The changes that a removal waits for. If one of them fails, the object is still needed. A delete waits for everything
 * that depended on the object until now: for the deletes, and for the changes that stop using it. If another object of
 * the same resource stays, the delete also waits for the changes that start using that one.
 */
const dependentsOf = (changes: readonly Change[], resources: Resources): ReadonlyMap<Address, readonly Address[]> => {
  const leaving = changes.filter((each) => isCreatedFirst(each) || successorTo(each.address) !== each.address)
  const hasTwo = new Set(leaving.map(({ address }) => successorTo(address)))
  const dependents = new Map<Address, Address[]>()
  for (const { address, action } of changes) {
    const one = resources.get(address)
    if (one === undefined) continue
    const dependsOn = action === 'delete' ? [] : (one.desired?.dependsOn ?? [])
    const kept = new Set(dependsOn)
    const held = one.recorded?.dependsOn ?? (action === 'delete' ? (one.desired?.dependsOn ?? []) : [])
    for (const needed of new Set([...held, ...dependsOn])) {
      if (kept.has(needed) && !hasTwo.has(needed)) continue
      const waiting = dependents.get(needed) ?? []
      waiting.push(address)
      dependents.set(needed, waiting)
    }
  }
  return dependents
}
