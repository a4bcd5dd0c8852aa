import type { Command } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { loadSight, type Sight, saveSight } from '../../../state/applies/sights.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import type { Execution } from '../apply-run.ts'
import { plannedOf } from './look-again.ts'

/** The object that a command before it made, and not the one that the plan saw. */
const isAboutMade = ({ precondition }: Command): boolean => precondition?.kind === 'made'

/** Of a resource that is replaced two objects have commands. */
export const isAboutSame = (command: Command, next: Command): boolean =>
  command.address === next.address && (command.action === 'create' || isAboutMade(command)) === isAboutMade(next)

/** What was seen last of each object, by this worker or one before it. `done`: finished commands; it grows. */
export const lastSights = (
  { apply, log, session, approved }: Execution,
  done: ReadonlySet<string>,
  { store }: Deps,
) => {
  const sights = new Map<string, Sight>()
  const firsts = new Map<string, JsonObject>()
  const keyOf = (command: Command): string => `${isAboutMade(command)} ${command.address}`
  const seenOf = (command: Command) => ({ apply, address: command.address, isMade: isAboutMade(command) })
  const keep = (command: Command, attributes: JsonObject): Sight => {
    const counted = approved.commands.filter(({ id, address }) => address === command.address && done.has(id))
    const sight = { attributes, counted: counted.map(({ id }) => id) }
    sights.set(keyOf(command), sight)
    if (isAboutMade(command) && !firsts.has(keyOf(command))) firsts.set(keyOf(command), attributes)
    return sight
  }
  /** An object that was made by an earlier worker, who could not say what it saw, was read when this one planned. */
  const planned = (command: Command): JsonObject | undefined => {
    const { address } = command
    if (!isAboutMade(command)) return approved.changes.find((change) => change.address === address)?.before ?? undefined
    return session.produced.made.has(address) ? undefined : (plannedOf(address, session).planned.before ?? undefined)
  }
  return {
    /** Nothing is `counted` where it is as approved; no attributes where nobody saw it. `first`: before all our commands. */
    of: async (command: Command): Promise<Partial<Sight> & { readonly first?: JsonObject }> => {
      const known = sights.get(keyOf(command)) ?? (await loadSight(store, seenOf(command)))
      const attributes = planned(command)
      const first = firsts.get(keyOf(command)) ?? attributes ?? known?.attributes
      return { ...(known ?? defined({ attributes })), ...defined({ first }) }
    },
    /** It was what it should be. */
    keep: (command: Command, attributes: JsonObject) => void keep(command, attributes),
    /** The same, for the next worker of this apply. Throws LOCK_LOST. */
    save: (command: Command, attributes: JsonObject): Promise<void> =>
      saveSight(store, seenOf(command), keep(command, attributes), log.lock()),
  }
}
