import { isArray, isObject, type Json } from '../schema/json.ts'
import type { Removed } from '../schema/rules.ts'
import { canonicalAddress, isAddressPattern, isWithin } from '../values/addresses/address.ts'
import { nextAddressBy } from '../values/addresses/moves.ts'
import type { Configuration } from './shared/configuration.ts'
import { say } from './shared/words.ts'
import type { Report } from './syntax/parse-document.ts'

/**
 * Each forgotten address, of a resource or a module, must be written once; nothing of it may be declared, and it must
 * not move.
 */
export const loadRemoved = (
  written: Json | undefined,
  { resources, moved }: Pick<Configuration, 'resources' | 'moved'>,
  report: Report,
): readonly Removed[] => {
  const declared = new Set(resources.map(({ address }) => address))
  const isDeclared = (named: string): boolean => resources.some(({ address }) => isWithin(address, named))
  const next = nextAddressBy(moved)
  const moving = new Set(moved.map(({ from }) => from))
  const known = new Set<string>()
  return (isArray(written) ? written : []).flatMap((each, index) => {
    if (!isObject(each)) return []
    const { address: text, reason } = each
    if (typeof text !== 'string' || typeof reason !== 'string') return []
    const address = canonicalAddress(text)
    const path = ['removed', index, 'address']
    const to = next(address)
    if (isAddressPattern(address)) report(path, say('removesPattern', address))
    else if (isDeclared(address)) report(path, say('removesDeclared', address))
    // A resource that its module no longer declares does not move with the module.
    else if (to !== undefined && (moving.has(address) || declared.has(to)))
      report(path, say('removesMoved', address, to))
    else if (known.has(address)) report(path, say('removesTwice', address))
    known.add(address)
    return [{ address, reason }]
  })
}
