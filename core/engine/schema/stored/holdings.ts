import type { Address } from '../resource.ts'

/** What a workspace manages at one target. */
export interface Holdings {
  readonly workspace: string
  /** The workspace that this one is a preview of. */
  readonly base?: string
  /** All targets of the workspace, so that it is known without another read whether some were left. */
  readonly homes: readonly string[]
  /** By address, short digests of everything that identifies the object. */
  readonly objects: Readonly<Record<Address, readonly string[]>>
}
