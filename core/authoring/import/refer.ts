import type { Attribute } from '../../schema/attribute.ts'
import type { Json } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { KnownObject } from './known-object.ts'
import { isBeside, meantBy } from './known-object.ts'
import type { Replace } from './spec-of.ts'

interface Owner extends KnownObject {
  readonly address: Address
}

/**
 * References in the place of values that mean another object of the configuration. Where several could be meant, or
 * where a circle would come of it, the value stays. One for a whole configuration: it remembers who refers to whom.
 */
export const createReferrer = (objects: readonly Owner[]): ((owner: Owner) => Replace) => {
  const edges = new Map<Address, Set<Address>>()
  const byType = Map.groupBy(objects, ({ provider, type }) => `${provider} ${type.name}`)
  const reaches = (from: Address, to: Address, seen: Set<Address>): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(edges.get(from) ?? [])].some((next) => reaches(next, to, seen))
  }
  const referTo = (owner: Owner, { refersTo }: Attribute, value: Json): string | undefined => {
    if (refersTo === undefined) return undefined
    const candidates = byType.get(`${owner.provider} ${refersTo.type}`) ?? []
    const meant = candidates.flatMap((object) => {
      const name = meantBy(object, refersTo, value)
      const isHere = name !== undefined && isBeside(object, owner.type.schema.attributes, owner.attributes)
      return isHere ? [{ address: object.address, name }] : []
    })
    const [only, another] = meant
    if (only === undefined || another !== undefined || reaches(only.address, owner.address, new Set())) return undefined
    edges.set(owner.address, (edges.get(owner.address) ?? new Set()).add(only.address))
    return `\${resource.${only.address}${stepText(only.name)}}`
  }
  return (owner) => (attribute, value) => referTo(owner, attribute, value)
}

const stepText = (name: string): string => (/^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)
