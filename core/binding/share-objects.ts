import type { Address } from '../schema/resource.ts'

/** That a resource is an object, which is there or is to be made; or may be, where nobody can tell. */
export interface Claim {
  readonly address: Address
  /** Equal for claims of one object. */
  readonly object: string
  readonly isDeclared: boolean
  readonly isRecorded: boolean
  readonly isSure: boolean
}

/** What follows where several resources are one object. */
export type Sharing =
  /** The record of `from` is about this resource's object: it is the same one under another address. */
  | { readonly kind: 'renamed'; readonly from: Address }
  /** Declared as `to`: nothing is to be done for this address any more. */
  | { readonly kind: 'moved'; readonly to: Address }
  /** Others want the object too; none of them may have it. */
  | { readonly kind: 'contested'; readonly others: readonly Address[] }

/**
 * Looks at all resources together. An address that is not in the answer has its object for itself. What a declared resource
 * may be is nobody else's to take or to destroy.
 */
export const shareObjects = (claims: readonly Claim[]): ReadonlyMap<Address, Sharing> => {
  const shared = new Map<Address, Sharing>()
  for (const group of Map.groupBy(claims, ({ object }) => object).values()) {
    if (group.length < 2) continue
    for (const [address, sharing] of shareOne(group)) {
      if (shared.get(address)?.kind !== 'contested') shared.set(address, sharing)
    }
  }
  return shared
}

const shareOne = (group: readonly Claim[]): readonly (readonly [Address, Sharing])[] => {
  const [owner, ...rivals] = group.filter(({ isDeclared }) => isDeclared)
  const leaving = group.filter(({ isDeclared }) => !isDeclared)
  if (owner === undefined || rivals.length > 0 || !owner.isSure) {
    return group.map(({ address }) => [address, { kind: 'contested', others: othersOf(group, address) }])
  }
  const [from] = leaving
  return [
    ...leaving.map(({ address }) => [address, { kind: 'moved', to: owner.address }] as const),
    ...(owner.isRecorded || from === undefined
      ? []
      : [[owner.address, { kind: 'renamed', from: from.address }] as const]),
  ]
}

const othersOf = (group: readonly Claim[], own: Address): readonly Address[] =>
  group.map(({ address }) => address).filter((address) => address !== own)
