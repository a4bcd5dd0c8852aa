import { isAppError } from '../errors/errors.ts'
import { type AnchoredHead, anchoredHeadShape } from '../schema/stored/anchor.ts'
import { soundItems } from './store/commit.ts'
import { keys } from './store/keys.ts'
import { workspaceIn } from './store/kinds.ts'
import type { Item, Key, Store } from './store/store.ts'
import { isUnusable } from './store/verified.ts'

/** A damaged item is as none: the next write replaces it, because everything in it can be found again. */
const findSound = async (store: Store, key: Key): Promise<Item | undefined> => {
  try {
    return await store.get(key)
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT')) return undefined
    throw error
  }
}

/** The latest anchored head. */
export const findAnchored = async (store: Store, workspace: string): Promise<AnchoredHead | undefined> =>
  anchoredHeadShape.safeParse((await findSound(store, keys.anchored(workspace)))?.['head']).data

/** The workspace leaves the list of what is to be anchored. `head` is absent if its ledger is empty. */
export const noteAnchored = async (store: Store, workspace: string, head: AnchoredHead | undefined): Promise<void> => {
  if (head !== undefined) await store.write([{ kind: 'put', item: { ...keys.anchored(workspace), head } }])
  await store.write([{ kind: 'delete', key: keys.unanchored(workspace) }])
}

/** `at` counts from the first time that the workspace was noted. */
export const noteUnanchored = async (store: Store, workspace: string, at: string): Promise<void> => {
  const item = { ...keys.unanchored(workspace), at }
  await store.write([{ kind: 'put', item, if: [{ kind: 'absent' }] }]).catch((error: unknown) => {
    // What is there and cannot be used is there all the same.
    if (!isUnusable(error)) throw error
  })
}

interface Unanchored {
  readonly workspace: string
  /** ISO time since which it waits. */
  readonly at: string
}

/** Those that have waited longest come first. */
export const listUnanchored = async (store: Store): Promise<readonly Unanchored[]> => {
  const items = soundItems(store, { pk: keys.unanchored('').pk })
  const all = await Array.fromAsync(items, (item) => ({ workspace: workspaceIn(item), at: String(item['at']) }))
  const waiting = all.filter(({ workspace }) => workspace !== keys.anchorRound.sk)
  return waiting.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at))
}

/** ISO time of the latest day's round. */
export const findRound = async (store: Store): Promise<string | undefined> => {
  const at = (await findSound(store, keys.anchorRound))?.['at']
  return at === undefined ? undefined : String(at)
}

export const noteRound = async (store: Store, at: string): Promise<void> => {
  await store.write([{ kind: 'put', item: { ...keys.anchorRound, at } }])
}
