import type { Address } from '../../schema/resource.ts'

/*
 * The address under which the create of a successor, or a new name, is recorded while the old record is still valid. No
 * configuration can declare such an address, so later checks treat it as a resource that left the configuration: its
 * object is the resource's own object if it became that, else it is unchecked.
 */

/** The first free address: a record that an earlier apply left there stays. */
export const successorOf = (address: Address, isTaken: (address: Address) => boolean): Address => {
  for (let n = 2; ; n += 1) {
    const under = `${address} (object ${n})`
    if (!isTaken(under)) return under
  }
}

/** The resource whose successor has this address, or the address itself. Records of earlier versions say `(successor)`. */
export const successorTo = (address: Address): Address => address.replace(/ \((?:object \d+|successor(?: \d+)?)\)$/, '')

/**
 * The address of what is recorded of a replacement under way, once the resource has the address that `next` gives: it belongs to the
 * object, and follows its record. The same for the resource itself; `undefined` if it stays.
 */
export const movedWith = (address: Address, next: (owner: Address) => Address | undefined): Address | undefined => {
  const owner = successorTo(address)
  const to = next(owner)
  return to === undefined ? undefined : `${to}${address.slice(owner.length)}`
}
