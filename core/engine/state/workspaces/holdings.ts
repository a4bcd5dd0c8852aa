import { digest } from '../../json/digest.ts'
import type { Holdings } from '../../schema/stored/holdings.ts'
import { commit } from '../store/commit.ts'
import { blobDeletes, blobOf, documentChanges, getDocument, soundDocuments } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { things } from '../store/words.ts'

/*
 * What each workspace manages is stored by server and by the first steps of the path, so that a check reads only what others manage
 * near its own objects. A second item has these places of a workspace: what is stored there is found again when the workspace
 * leaves them.
 */

/** The place of what a server has anywhere. It sorts before all paths. */
export const anywhere = '*'

/** The place of a path. What contains it is at the same place, or at the beginning of its text. */
const partOf = (path: string): string => /^(?:\/[^/]*){0,2}/.exec(path)?.[0].slice(0, maxPart) || anywhere

/** Characters: the key of an item has a limit. */
const maxPart = 200

/** More queries cost more than to read all that is known of a server. */
const maxParts = 6

/** The places of paths at one server; `anywhere` alone if they are many. */
export const partsOf = (paths: Iterable<string>): readonly string[] => {
  const parts = [...new Set([...paths].map(partOf))]
  return parts.length > maxParts ? [anywhere] : parts.sort()
}

export const homeAt = (server: string, part: string): string => `${server} ${part}`

/** Of few places, those with which the others are found: what is at a place is found with what its text begins with. */
const outermost = (parts: readonly string[]): Set<string> =>
  new Set(parts.filter((part) => !parts.some((other) => other !== part && part.startsWith(other))))

/** The holdings of all workspaces at a server, by place. */
export const loadHoldings = async (
  store: Store,
  server: string,
  paths: Iterable<string>,
): Promise<readonly { readonly home: string; readonly holdings: Holdings }[]> => {
  const all = [...new Set([...paths].map(partOf))]
  const { pk } = keys.holdings(homeAt(server, anywhere), '')
  // Blobs of the partition sort after all places.
  const queries =
    all.length > maxParts
      ? [{ pk, from: anywhere, to: '0' }]
      : [...outermost(all).add(anywhere)].map((prefix) => ({ pk, prefix }))
  const found = await Promise.all(
    queries.map((query) => Array.fromAsync(soundDocuments<Holdings>(store, query, things.holdings(server)))),
  )
  const read = found.flat().map(({ item: { sk }, body }) => [sk, body] as const)
  return [...new Map(read)].map(([sk, holdings]) => ({
    home: homeAt(server, sk.slice(0, sk.indexOf('#'))),
    holdings,
  }))
}

/** `before` and `next` have the holdings of the workspace by place. What is equal is not stored again. */
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
  // First the list: what is stored at a place must be found again.
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
