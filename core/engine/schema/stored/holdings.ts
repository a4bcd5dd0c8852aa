import type { Address } from '../resource.ts'

/** Values that choose a part of a target, such as an organisation in a header, by the place in the requests. */
export type Tenant = Readonly<Record<string, readonly string[]>>

/** What a workspace manages in one place of a server. */
export interface Holdings {
  readonly workspace: string
  /** The workspace that this one is a preview of. */
  readonly base?: string
  /** All places of the workspace, so that it is known without another read whether some were left. */
  readonly homes: readonly string[]
  readonly tenants: readonly TenantHoldings[]
}

/** The digests are short. */
export interface TenantHoldings {
  readonly tenant: Tenant
  /** By address, digests of everything that identifies the object. */
  readonly objects: Readonly<Record<Address, readonly string[]>>
  /** By address, what may identify the object to others. */
  readonly alike?: Readonly<Record<Address, Alike>>
  /** By the digest of the URL of what may contain objects, the address of one that is in it. */
  readonly around: Readonly<Record<string, Address>>
}

/** How other documents may know an object. One with an equal text may be the same, unless an id of both has another value. */
export interface Alike {
  readonly texts: readonly string[]
  readonly ids: Readonly<Record<string, readonly string[]>>
}
