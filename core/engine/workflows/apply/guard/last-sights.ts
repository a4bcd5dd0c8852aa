import type { Command } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { loadSight, type Sight, saveSight } from '../../../state/applies/sights.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import type { Execution } from '../execution/apply-run.ts'
import { plannedOf } from './look-again.ts'

/** Whether the command is about the object that an earlier command created, and not about the one that the plan saw. */
const isAboutMade = ({ precondition }: Command): boolean => precondition?.kind === 'made'

/** Commands with the same address can be about two objects, if the resource is replaced. */
export const isAboutSame = (command: Command, next: Command): boolean =>
  command.address === next.address && (command.action === 'create' || isAboutMade(command)) === isAboutMade(next)

/** The last observation of each object, by this worker or an earlier one. `done`: finished commands; the set grows. */
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
  /** If an earlier worker created the object without storing an observation, this worker read it when it planned. */
  const planned = (command: Command): JsonObject | undefined => {
    const { address } = command
    if (!isAboutMade(command)) return approved.changes.find((change) => change.address === address)?.before ?? undefined
    return session.known.of(address).isMade ? undefined : (plannedOf(address, session).planned.before ?? undefined)
  }
  return {
    /**
     * `counted`: the commands that the observation includes. Without `attributes`, nobody saw the object. `first`: the
     * observation before all our commands.
     */
    of: async (command: Command): Promise<Partial<Sight> & { readonly first?: JsonObject }> => {
      const known = sights.get(keyOf(command)) ?? (await loadSight(store, seenOf(command)))
      const attributes = planned(command)
      const first = firsts.get(keyOf(command)) ?? attributes ?? known?.attributes
      return { ...(known ?? defined({ attributes })), ...defined({ first }) }
    },
    /** Keeps an observation without unexpected differences. */
    keep: (command: Command, attributes: JsonObject) => void keep(command, attributes),
    /** Also keeps it for the next worker of this apply. Throws LOCK_LOST. */
    save: (command: Command, attributes: JsonObject): Promise<void> =>
      log.inTurn(() => saveSight(store, seenOf(command), keep(command, attributes), log.lock())),
  }
}
