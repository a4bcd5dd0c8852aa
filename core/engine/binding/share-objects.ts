import type { Address } from '../schema/resource.ts'

/**
 * States that a resource is an object: one that exists, one that will be created, or, if that is unclear, one that the
 * resource may be.
 */
export interface Claim {
  readonly address: Address
  /** Equal for claims of the same object. */
  readonly object: string
  readonly isDeclared: boolean
  /** The object will be destroyed, because it must not exist or the resource left the configuration. */
  readonly goes: boolean
  readonly isRecorded: boolean
  readonly isSure: boolean
  /** The keys of an existing object, as texts. */
  readonly keys?: KeyTexts
  readonly site?: Site
}

/**
 * The URLs of one object. `object` distinguishes objects of the same type; objects of two types with the same URL may
 * be the same.
 */
export interface Site {
  readonly type: string
  readonly urls: readonly string[]
  /** The URL that a delete is sent to. */
  readonly deleted?: string
}

/** The place of the objects of the type, and the known keys of one object. */
export interface KeyTexts {
  readonly place: string
  readonly texts: Readonly<Record<string, string>>
}

/** Whether no known key distinguishes the desired object from the observed one. */
export const mayBe = (desired: KeyTexts, observed: KeyTexts): boolean =>
  desired.place === observed.place &&
  Object.entries(desired.texts).every(
    ([name, text]) => observed.texts[name] === undefined || observed.texts[name] === text,
  )

/** A declared resource that could not be read. It may be any object with these keys. */
export interface Want {
  readonly address: Address
  readonly keys: KeyTexts
}

export type Sharing =
  /** The record of `from` describes the object of this resource: it is the same object under another address. */
  | { readonly kind: 'renamed'; readonly from: Address }
  /** The object is declared as `to`: nothing more is done for this address. */
  | { readonly kind: 'moved'; readonly to: Address }
  /** Other resources claim the object too; none of them gets it. */
  | { readonly kind: 'contested'; readonly others: readonly Address[] }
  /** A delete would destroy the object of another resource, which has another type. */
  | { readonly kind: 'alsoDeclared'; readonly others: readonly Address[] }

/** Compares all resources. An address that is absent in the result does not share its object. */
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
  for (const [address, others] of findDestroyed(claims, ({ goes }) => goes)) {
    if (!shared.has(address)) shared.set(address, { kind: 'alsoDeclared', others })
  }
  return shared
}

/**
 * The resources whose object is deleted (also for a replacement), with the declared resources of other types whose
 * objects this would destroy.
 */
export const findDestroyed = (
  claims: readonly Claim[],
  isDeleted: (claim: Claim) => boolean,
): ReadonlyMap<Address, readonly Address[]> => {
  const staying = new Map<string, Claim[]>()
  for (const claim of claims) {
    for (const url of claim.goes ? [] : (claim.site?.urls ?? [])) staying.set(url, [...(staying.get(url) ?? []), claim])
  }
  const destroyed = new Map<Address, readonly Address[]>()
  for (const claim of claims) {
    const { address, site } = claim
    const there = (isDeleted(claim) && site?.deleted !== undefined && staying.get(site.deleted)) || []
    const others = there.filter((other) => other.site?.type !== site?.type).map((other) => other.address)
    if (others.length > 0) destroyed.set(address, [...new Set(others)])
  }
  return destroyed
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
