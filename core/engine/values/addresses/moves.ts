import type { Address } from '../../schema/resource.ts'
import type { Move } from '../../schema/rules.ts'
import { moduleSteps } from './address.ts'

/** Whether an address is that of a module or of one of its instances. */
export const isModuleAddress = (address: Address): boolean =>
  address !== '' && moduleSteps(address).join('.') === address

/** A module's own address and the key of its instance, as written: `module.a` and `["x"]`. */
const splitKey = (module: Address): readonly [base: Address, key: string] => {
  const last = moduleSteps(module).at(-1) ?? ''
  const start = last.indexOf('[')
  const key = start < 0 ? '' : last.slice(start)
  return [module.slice(0, module.length - key.length), key]
}

const hasKey = (module: Address): boolean => splitKey(module)[1] !== ''

/**
 * The address that follows an address by one move, if any. A move of a module moves all that is in it; between two addresses
 * without a key it also moves all instances, each to the one with its key. The move of the resource itself counts first, then
 * that of the innermost module.
 */
export const nextAddressBy = (moves: readonly Move[]): ((address: Address) => Address | undefined) => {
  const next = new Map<Address, Address>()
  for (const { from, to } of moves) if (!next.has(from)) next.set(from, to)
  const byModule = (address: Address): Address | undefined => {
    const steps = moduleSteps(address)
    for (let count = steps.length; count > 0; count -= 1) {
      const module = steps.slice(0, count).join('.')
      const rest = address.slice(module.length)
      const own = next.get(module)
      if (own !== undefined) return own + rest
      const [base, key] = splitKey(module)
      const all = key === '' ? undefined : next.get(base)
      if (all !== undefined && !hasKey(all)) return all + key + rest
    }
    return undefined
  }
  return (address) => next.get(address) ?? byModule(address)
}
