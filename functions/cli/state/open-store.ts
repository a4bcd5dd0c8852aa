import type { Store } from '#core'

export const tableName = 'plumbline'

export interface OpenStore {
  readonly store: Store
  /** True if the environment names the store, so that other machines may use it too. */
  readonly shared: boolean
  /** The endpoint of its DynamoDB; absent for the file of this machine. */
  readonly endpoint?: string
  stop(): Promise<void>
}
