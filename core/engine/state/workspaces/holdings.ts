import { digest } from '../../json/digest.ts'
import type { Holdings } from '../../schema/stored/holdings.ts'
import { commit } from '../store/commit.ts'
import { blobDeletes, blobOf, documentChanges, getDocument, soundDocuments } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { things } from '../store/words.ts'

/*
 * What each workspace manages is stored by target, so that a check reads only what others manage at its own targets. A
 * second item has the targets of a workspace: what is stored there is found again when the workspace leaves them.
 */

/** The holdings of all workspaces at a target. */
export const loadHoldings = async (store: Store, home: string): Promise<readonly Holdings[]> => {
  const { pk } = keys.holdings(home, '')
  return Array.fromAsync(soundDocuments<Holdings>(store, { pk }, things.holdings(home)), ({ body }) => body)
}

/** `before` and `next` have the holdings of the workspace by target. What is equal is not stored again. */
export const saveHoldings = async (
  store: Store,
  workspace: string,
  before: ReadonlyMap<string, Holdings>,
  next: ReadonlyMap<string, Holdings>,
): Promise<void> => {
  const changed = [...next].filter(([home, holdings]) => digest(before.get(home) ?? null) !== digest(holdings))
  if (changed.length === 0 && next.size > 0) return
  const key = keys.homes(workspace)
  const known = (await getDocument<readonly string[]>(store, key, things.holdings(workspace))) ?? []
  const homes = [...next.keys()]
  // First the list: what is stored at a target must be found again.
  if (homes.some((home) => !known.includes(home)))
    await commit(store, await documentChanges(key, [...new Set([...known, ...homes])].sort()))
  for (const [home, holdings] of changed) {
    const at = keys.holdings(home, workspace)
    await commit(store, await documentChanges(at, holdings, { replaces: blobOf(await store.get(at)) }))
  }
  const left = known.filter((home) => !next.has(home))
  await leaveHomes(store, workspace, left)
  if (left.length > 0) await commit(store, await documentChanges(key, homes.sort()))
}

export const forgetHoldings = async (store: Store, workspace: string): Promise<void> => {
  const key = keys.homes(workspace)
  const homes = (await getDocument<readonly string[]>(store, key, things.holdings(workspace))) ?? []
  await leaveHomes(store, workspace, homes)
  if (homes.length > 0) await store.write([{ kind: 'delete', key }])
}

const leaveHomes = async (store: Store, workspace: string, homes: readonly string[]): Promise<void> => {
  for (const home of homes) {
    const key = keys.holdings(home, workspace)
    await store.write([{ kind: 'delete', key }, ...blobDeletes(key.pk, blobOf(await store.get(key)))])
  }
}
