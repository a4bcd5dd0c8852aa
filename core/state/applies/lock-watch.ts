import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { isSameBeat, type Lock } from './lock.ts'

/*
 * A challenger may live for less time than a lease lasts. What it has watched so far is kept for the next one: each number
 * is a time that has surely passed while the lease stood still, measured by one machine alone, so that adding to it and
 * writing it over are both right.
 */

/** Milliseconds for which this very lease has been seen unchanged by challengers before. */
export const loadWatched = async (store: Store, lock: Lock): Promise<number> => {
  const item = await store.get(keys.watch(lock.workspace))
  if (item === undefined) return 0
  const seen = { ...lock, fence: Number(item['fence']), beat: Number(item['beat']), until: String(item['until']) }
  return isSameBeat(seen, lock) ? Number(item['watchedMs']) : 0
}

/** Keeps how long a lease has been seen unchanged. */
export const saveWatched = async (
  store: Store,
  { workspace, fence, beat, until }: Lock,
  watchedMs: number,
): Promise<void> => {
  await store.write([{ kind: 'put', item: { ...keys.watch(workspace), fence, beat, until, watchedMs } }])
}
