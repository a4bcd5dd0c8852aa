import type { Address } from '../../schema/resource.ts'

/* No configuration can declare such an address: to later checks it is what left, while the old one still counts. */

/** The first that is free: one that an earlier apply left behind stays. */
export const successorOf = (address: Address, isTaken: (address: Address) => boolean): Address => {
  for (let n = 1; ; n += 1) {
    const under = `${address} (successor${n === 1 ? '' : ` ${n}`})`
    if (!isTaken(under)) return under
  }
}

/** The resource that an address is a successor of, or itself. */
export const successorTo = (address: Address): Address => address.replace(/ \(successor(?: \d+)?\)$/, '')
