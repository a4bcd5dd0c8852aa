import type { Store } from '#core'

/** The table of a DynamoDB that the environment names. */
export const tableName = 'plumbline'

export interface OpenStore {
  readonly store: Store
  /** Whether other machines may use it too: the environment names it. */
  readonly shared: boolean
  /** The DynamoDB that holds it; absent for the file of this machine. */
  readonly endpoint?: string
  stop(): Promise<void>
}
