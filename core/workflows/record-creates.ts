import { keysOf, lacksKey, unknownKeys } from '../binding/sight.ts'
import { recordBeforeCreate } from '../plan/record.ts'
import type { Command } from '../schema/command.ts'
import type { CommandOutcome } from '../schema/records.ts'
import type { Address, RecordedResource } from '../schema/resource.ts'
import type { RecordedChange } from '../state/recorded.ts'
import { defined } from '../values/defined.ts'
import type { Deps } from './deps.ts'
import { knownIn, lookUpMade, plannedOf } from './look-again.ts'
import type { Session } from './open-session.ts'

/**
 * Where the create of a successor is recorded while the old object is still there. No configuration can declare it, so that
 * it is to later checks what left: the resource's own where that is the object by now, and else what nobody can tell. One that
 * an earlier apply left behind stays.
 */
const successorOf = (address: Address, isTaken: (address: Address) => boolean): Address => {
  for (let n = 1; ; n += 1) {
    const under = `${address} (successor${n === 1 ? '' : ` ${n}`})`
    if (!isTaken(under)) return under
  }
}

/**
 * What the record says of creates whose end is not known yet, so that the death of a worker, or a lost answer, leaves
 * nothing behind that nobody knows of. Each answers what is to be saved.
 */
export const recordCreates = (session: Session, deps: Deps) => {
  const before = new Map<Address, { readonly under: Address; readonly earlier?: RecordedResource }>()
  const gone = new Set<Address>()
  const known = new Set(session.recorded.resources.map((each) => each.address))
  return {
    /** Before a create leaves. */
    sending: async ({ action, address }: Command): Promise<RecordedChange | undefined> => {
      const { type, planned, desired, recorded, refs, refersBy } = plannedOf(address, session)
      if (action !== 'create' || desired === undefined) return undefined
      // The record of an object that is still there goes on until its successor is read, which stands beside it.
      const isFree = planned.before === null || gone.has(address)
      const under = isFree ? address : successorOf(address, (each) => known.has(each))
      await lookUpMade([planned.desired ?? {}, refs ?? {}], address, session, deps)
      const wanted = knownIn(planned.desired ?? {}, address, session)
      if (unknownKeys(type.schema, wanted).length > 0 || lacksKey(type.schema, wanted)) return undefined
      const sent = recordBeforeCreate({
        desired: { ...desired, address: under },
        wanted,
        keys: keysOf(type.schema),
        ...defined({ refs: refs && knownIn(refs, address, session), refersBy }),
      })
      const earlier = isFree && !gone.has(address) ? recorded : undefined
      before.set(address, { under, ...defined({ earlier }) })
      return { put: [sent], remove: [] }
    },
    /** What is not needed beside the record of an object that was read after all its commands. */
    beside: (address: Address): readonly Address[] => {
      const { under = address } = before.get(address) ?? {}
      return under === address ? [] : [under]
    },
    /** After a command: a create that was refused has made nothing. */
    ended: ({ action, address }: Command, { status, httpStatus }: CommandOutcome): RecordedChange | undefined => {
      if (action === 'delete' && status === 'succeeded') gone.add(address)
      const isRefused = status === 'failed' && (httpStatus === undefined || (httpStatus >= 400 && httpStatus < 500))
      const sent = before.get(address)
      if (action !== 'create' || !isRefused || sent === undefined) return undefined
      const { under, earlier } = sent
      return earlier === undefined ? { put: [], remove: [under] } : { put: [earlier], remove: [] }
    },
  }
}
