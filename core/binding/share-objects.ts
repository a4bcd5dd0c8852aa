import type { Address } from '../schema/resource.ts'

/** That a resource is an object, which is there or is to be made; or may be, where nobody can tell. */
export interface Claim {
  readonly address: Address
  /** Equal for claims of one object. */
  readonly object: string
  readonly isDeclared: boolean
  /** It shall not exist, or left the configuration: its object is to be destroyed. */
  readonly goes: boolean
  readonly isRecorded: boolean
  readonly isSure: boolean
  /** Of an object that is there: its keys, as texts. */
  readonly keys?: KeyTexts
}

/** The place of a type's objects, and what is known of the keys of one. */
export interface KeyTexts {
  readonly place: string
  readonly texts: Readonly<Record<string, string>>
}

/** What a declared resource wants of which nothing could be read: it may be any object that has these keys. */
export interface Want {
  readonly address: Address
  readonly keys: KeyTexts
}

/** What follows where several resources are one object. */
export type Sharing =
  /** The record of `from` is about this resource's object: it is the same one under another address. */
  | { readonly kind: 'renamed'; readonly from: Address }
  /** Declared as `to`: nothing is to be done for this address any more. */
  | { readonly kind: 'moved'; readonly to: Address }
  /** Others want the object too; none of them may have it. */
  | { readonly kind: 'contested'; readonly others: readonly Address[] }

/** Looks at all resources together. An address that is not in the answer has its object for itself. */
export const shareObjects = (claims: readonly Claim[], wants: readonly Want[] = []): ReadonlyMap<Address, Sharing> => {
  const shared = new Map<Address, Sharing>()
  for (const group of Map.groupBy(claims, ({ object }) => object).values()) {
    if (group.length < 2) continue
    for (const [address, sharing] of shareOne(group)) {
      if (shared.get(address)?.kind !== 'contested') shared.set(address, sharing)
    }
  }
  for (const { address, goes, keys } of claims) {
    const rivals = !goes || keys === undefined ? [] : wants.filter((want) => mayBe(want.keys, keys))
    if (rivals.length > 0) shared.set(address, { kind: 'contested', others: rivals.map((want) => want.address) })
  }
  return shared
}

const mayBe = (wanted: KeyTexts, found: KeyTexts): boolean =>
  wanted.place === found.place &&
  Object.entries(wanted.texts).every(([name, text]) => found.texts[name] === undefined || found.texts[name] === text)

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
