import type { Address } from '../../schema/resource.ts'
import type { Move } from '../../schema/rules.ts'
import { moduleSteps } from './address.ts'

/** Whether moves lead from a declared address back to it by declared ones alone: these exchange their objects. */
export const isExchanged = (
  from: Address,
  next: (address: Address) => Address | undefined,
  isDeclared: (address: Address) => boolean,
): boolean => {
  const passed = new Set<Address>()
  for (let at: Address | undefined = from; at !== undefined && isDeclared(at) && !passed.has(at); at = next(at)) {
    passed.add(at)
    if (next(at) === from) return passed.size > 1
  }
  return false
}

export const isModuleAddress = (address: Address): boolean =>
  address !== '' && moduleSteps(address).join('.') === address

/** Splits the address of a module into `module.a` and the key as written, `["x"]`. */
const splitKey = (module: Address): readonly [base: Address, key: string] => {
  const last = moduleSteps(module).at(-1) ?? ''
  const start = last.indexOf('[')
  const key = start < 0 ? '' : last.slice(start)
  return [module.slice(0, module.length - key.length), key]
}

const hasKey = (module: Address): boolean => splitKey(module)[1] !== ''

/**
 * The address that one move gives to an address, if any. A move of a module moves everything in it; between two
 * addresses without a key it also moves all instances, each to the instance with the same key. A move of the resource
 * itself has priority, then that of the innermost module.
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
