import { keysOf, lacksKey, unknownKeys } from '../binding/sight.ts'
import { recordBeforeCreate } from '../plan/record.ts'
import type { Command } from '../schema/command.ts'
import { defined } from '../schema/defined.ts'
import type { CommandOutcome } from '../schema/records.ts'
import type { Address, RecordedResource } from '../schema/resource.ts'
import type { RecordedChange } from '../state/recorded.ts'
import type { Deps } from './deps.ts'
import { knownIn, lookUpMade, plannedOf } from './look-again.ts'
import type { Session } from './open-session.ts'

/**
 * What the record says of creates whose end is not known yet, so that the death of a worker, or a lost answer, leaves
 * nothing behind that nobody knows of. Each answers what is to be saved.
 */
export const recordCreates = (session: Session, deps: Deps) => {
  const before = new Map<Address, RecordedResource | undefined>()
  const gone = new Set<Address>()
  return {
    /** Before a create leaves. */
    sending: async ({ action, address }: Command): Promise<RecordedChange | undefined> => {
      const { type, planned, desired, recorded, refs, refersBy } = plannedOf(address, session)
      // The record of an object that is still there goes on until its successor is read.
      const isFree = planned.before === null || gone.has(address)
      if (action !== 'create' || !isFree || desired === undefined) return undefined
      await lookUpMade([planned.desired ?? {}, refs ?? {}], address, session, deps)
      const wanted = knownIn(planned.desired ?? {}, address, session)
      if (unknownKeys(type.schema, wanted).length > 0 || lacksKey(type.schema, wanted)) return undefined
      const sent = recordBeforeCreate({
        desired,
        wanted,
        keys: keysOf(type.schema),
        ...defined({ refs: refs && knownIn(refs, address, session), refersBy }),
      })
      before.set(address, gone.has(address) ? undefined : recorded)
      return { put: [sent], remove: [] }
    },
    /** After a command: a create that was refused has made nothing. */
    ended: ({ action, address }: Command, { status, httpStatus }: CommandOutcome): RecordedChange | undefined => {
      if (action === 'delete' && status === 'succeeded') gone.add(address)
      const isRefused = status === 'failed' && (httpStatus === undefined || (httpStatus >= 400 && httpStatus < 500))
      if (action !== 'create' || !isRefused || !before.has(address)) return undefined
      const earlier = before.get(address)
      return earlier === undefined ? { put: [], remove: [address] } : { put: [earlier], remove: [] }
    },
  }
}
