import { AppError } from '../../errors/errors.ts'
import type { Address } from '../../schema/resource.ts'
import { addressPattern } from '../../values/addresses/address.ts'

/**
 * The recorded addresses that one means: itself, or else all instances of the resource, or all that is in the module, or all that
 * match its `*`. Throws RECORD_NOT_FOUND.
 */
export const meantBy = (address: Address, recorded: readonly Address[], workspace: string): readonly Address[] => {
  if (recorded.includes(address)) return [address]
  const within = recorded.filter(addressPattern(address))
  if (within.length === 0) throw new AppError('RECORD_NOT_FOUND', { workspace, address })
  return within
}
