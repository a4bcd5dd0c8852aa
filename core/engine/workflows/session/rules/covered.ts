import type { Address } from '../../../schema/resource.ts'
import { instanceAddress, resourceAddress } from '../../../values/addresses/address.ts'

/* The objects that rules cover and no resource declares are instances of one name, so that no rule moves their records. */

export const coveredBase = (type: string): Address => resourceAddress({ type, name: 'all' })

export const coveredAddress = (type: string, key: string): Address => instanceAddress(coveredBase(type), key)

export const isCovered = (type: string, address: Address): boolean => address.startsWith(`${coveredBase(type)}[`)
