import type { Address } from '../../schema/resource.ts'
import { commit } from '../store/commit.ts'
import { blobOf, documentChanges, getDocument } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { things } from '../store/words.ts'

/**
 * When a resource was read (milliseconds since 1970), and how many requests that cost: counted, and free. `kept`: how many of the
 * counted ones are free as long as nothing changes. `foreseen`: how many its provider had expected.
 */
export type PastRead = readonly [at: number, counted: number, free: number, kept?: number, foreseen?: number]

/** What earlier checks of a workspace did, to foresee what the next one costs. */
export interface ReadHistory {
  /** What the latest read of each resource cost. */
  readonly resources: Readonly<Record<Address, PastRead>>
  /** Resources that the latest check left out. */
  readonly left: readonly Address[]
  /** What was left of the limits of each provider. */
  readonly limits: Readonly<
    Record<string, { readonly limit?: number; readonly remaining: number; readonly resetAt: number }>
  >
  /** What each provider's limits of a minute still count: points, and the milliseconds since 1970 until which they were spent. */
  readonly spent?: Readonly<Record<string, readonly (readonly [until: number, points: number])[]>>
  /** Of the latest check: how long it read, in milliseconds and without waiting for limits, and how many requests it sent. */
  readonly ms: number
  readonly sent: number
}

export const noHistory: ReadHistory = { resources: {}, left: [], limits: {}, ms: 0, sent: 0 }

export const loadReadHistory = async (store: Store, workspace: string): Promise<ReadHistory> =>
  (await getDocument<ReadHistory>(store, keys.reads(workspace), things.reads(workspace))) ?? noHistory

/** Two checks at once: the later one counts. */
export const saveReadHistory = async (store: Store, workspace: string, history: ReadHistory): Promise<void> => {
  const key = keys.reads(workspace)
  const replaces = blobOf(await store.get(key))
  await commit(store, await documentChanges(key, history, { replaces }))
}

/** Deletes what is known of a removed workspace. */
export const forgetReadHistory = async (store: Store, workspace: string): Promise<void> => {
  const key = keys.reads(workspace)
  const item = await store.get(key)
  if (item === undefined) return
  const { behind } = await documentChanges(key, noHistory, { replaces: blobOf(item) })
  await store.write([{ kind: 'delete', key }, ...behind])
}
