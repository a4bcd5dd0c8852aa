import type { Address } from '../../schema/resource.ts'

/*
 * Where the create of a successor, or another name, is recorded while the old one still counts. No configuration can declare
 * such an address, so that it is to later checks what left: the resource's own where that is the object by now, and else what
 * nobody can tell.
 */

/** The first that is free: one that an earlier apply left behind stays. */
export const successorOf = (address: Address, isTaken: (address: Address) => boolean): Address => {
  for (let n = 1; ; n += 1) {
    const under = `${address} (successor${n === 1 ? '' : ` ${n}`})`
    if (!isTaken(under)) return under
  }
}

/** The resource that an address is a successor of, or itself. */
export const successorTo = (address: Address): Address => address.replace(/ \(successor(?: \d+)?\)$/, '')
