import type { Address } from '../../schema/resource.ts'
import { commit } from '../store/commit.ts'
import { blobOf, documentChanges, getDocument } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { things } from '../store/words.ts'

/**
 * `at`: milliseconds since 1970. `counted` and `free`: requests that the read needed. `kept`: counted requests that are
 * free as long as nothing changes. `foreseen`: requests that the provider expected.
 */
export type PastRead = readonly [at: number, counted: number, free: number, kept?: number, foreseen?: number]

export interface ReadHistory {
  readonly resources: Readonly<Record<Address, PastRead>>
  /** Resources that the latest check did not read. */
  readonly left: readonly Address[]
  /** By provider. */
  readonly limits: Readonly<
    Record<string, { readonly limit?: number; readonly remaining: number; readonly resetAt: number }>
  >
  /**
   * By provider: points that still count for its limits per minute, and the time until which they were spent, in
   * milliseconds since 1970.
   */
  readonly spent?: Readonly<Record<string, readonly (readonly [until: number, points: number])[]>>
  /** For the latest check: milliseconds of reading without waits for limits, and the number of requests sent. */
  readonly ms: number
  readonly sent: number
}

export const noHistory: ReadHistory = { resources: {}, left: [], limits: {}, ms: 0, sent: 0 }

export const loadReadHistory = async (store: Store, workspace: string): Promise<ReadHistory> =>
  (await getDocument<ReadHistory>(store, keys.reads(workspace), things.reads(workspace))) ?? noHistory

/** If two checks save at the same time, the later one wins. */
export const saveReadHistory = async (store: Store, workspace: string, history: ReadHistory): Promise<void> => {
  const key = keys.reads(workspace)
  const replaces = blobOf(await store.get(key))
  await commit(store, await documentChanges(key, history, { replaces }))
}

export const forgetReadHistory = async (store: Store, workspace: string): Promise<void> => {
  const key = keys.reads(workspace)
  const item = await store.get(key)
  if (item === undefined) return
  const { behind } = await documentChanges(key, noHistory, { replaces: blobOf(item) })
  await store.write([{ kind: 'delete', key }, ...behind])
}
