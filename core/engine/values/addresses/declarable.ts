import { isOwnName } from '../../schema/described.ts'
import type { Address } from '../../schema/resource.ts'
import { parseAddress } from './address.ts'

/*
 * What a configuration accepts as an address. Records come from configurations, so every other door that names a record anew
 * has the same law.
 */

/** Of a resource or a module. */
export const namePattern = /^[A-Za-z0-9_-]+$/

/** In characters. A key is part of an address, which the store uses as a key. */
export const maxKey = 200

/** Whether a text can be a key of `forEach`. */
export const isKey = (key: string): boolean => key !== '' && key.length <= maxKey && !/\p{Cc}/u.test(key)

/** The sort key of a DynamoDB item has at most 1,024 bytes; a prefix and the keys of blobs need some of them. */
export const maxAddressBytes = 900

export const isTooLong = (address: string): boolean =>
  address.length > maxAddressBytes / 4 && bytesOf(address) > maxAddressBytes

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength

type NamedParts = NonNullable<ReturnType<typeof parseAddress>>

const stepsOf = (parsed: NamedParts) => [...parsed.modules, parsed]

const isName = (name: string): boolean => namePattern.test(name) && isOwnName(name)

/** Whether a configuration can declare a resource with this address. */
export const isDeclarable = (address: Address): boolean => {
  const parsed = parseAddress(address)
  if (parsed === undefined || isTooLong(address)) return false
  return stepsOf(parsed).every(({ name, key }) => isName(name) && (key === undefined || isKey(key)))
}
