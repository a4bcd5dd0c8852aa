import { digest } from '../json/digest.ts'
import type { AlertRoute } from '../schema/alert-route.ts'
import type { Alert, Episode } from '../schema/stored/findings.ts'
import { defined, presentIn } from '../values/defined.ts'
import { routedWrites } from './routed-writes.ts'
import { type Changes, eachItem, eachKey, joinChanges, soundItems } from './store/commit.ts'
import { blobOf, documentChanges, readItem, soundDocuments } from './store/documents.ts'
import { keys } from './store/keys.ts'
import { workspaceIn } from './store/kinds.ts'
import type { Condition, Damaged, Item, Store, Write } from './store/store.ts'
import { things } from './store/words.ts'

interface StoredEpisode {
  readonly episode: Episode
  readonly item: Item
}

export const loadEpisodes = async (store: Store, workspace: string): Promise<readonly StoredEpisode[]> => {
  const { pk, sk } = keys.episode(workspace, '')
  const read = (item: Item) => readItem<Episode>(store, item, things.episode(workspace))
  const found = await Array.fromAsync(eachItem(store, { pk, prefix: sk }), read)
  return presentIn(found).map(({ item, body }) => ({ item, episode: body }))
}

/** `damaged` has the keys of those of which nothing is known, and which nothing may replace. */
export const loadSoundEpisodes = async (
  store: Store,
  workspace: string,
): Promise<{ readonly sound: readonly StoredEpisode[]; readonly damaged: ReadonlySet<string> }> => {
  const { pk, sk: prefix } = keys.episode(workspace, '')
  const damaged = new Set<string>()
  const tell = ({ key }: Damaged): void => {
    damaged.add(key.sk.slice(prefix.length))
  }
  const found = soundDocuments<Episode>(store, { pk, prefix }, things.episode(workspace), tell)
  const sound = await Array.fromAsync(found, ({ item, body }) => ({ item, episode: body }))
  return { sound, damaged }
}

/** The latest episode of each key, open or resolved. */
export const listEpisodes = (store: Store, workspace: string): Promise<readonly Episode[]> => {
  const { pk, sk: prefix } = keys.episode(workspace, '')
  return Array.fromAsync(soundDocuments<Episode>(store, { pk, prefix }, things.episode(workspace)), ({ body }) => body)
}

/** Each write requires that the stored episode is still the one that it was computed from. */
export const episodeChanges = async (before: readonly StoredEpisode[], after: readonly Episode[]): Promise<Changes> =>
  joinChanges(
    await Promise.all(
      after.map(async (episode): Promise<Changes> => {
        const old = before.find((one) => one.episode.key === episode.key)
        const unchanged: Condition =
          old === undefined
            ? { kind: 'absent' }
            : { kind: 'equals', attribute: 'version', value: String(old.item['version']) }
        const key = keys.episode(episode.workspace, episode.key)
        const version = digest(episode)
        const replaces = blobOf(old?.item)
        const changes = await documentChanges(key, episode, { attributes: { version }, if: [unchanged], replaces })
        const isCurrent: Condition = { kind: 'equals', attribute: 'version', value: version }
        return replaces === undefined ? changes : { ...changes, guard: [{ kind: 'check', key, if: [isCurrent] }] }
      }),
    ),
  )

/** Stores alerts until they are delivered, in the transaction of the run that caused them. */
export const outboxWrites = (alerts: readonly Alert[], routes: readonly AlertRoute[] = []): readonly Write[] =>
  alerts.flatMap((alert): readonly Write[] => [
    ...routedWrites(alert, routes),
    { kind: 'put', item: { ...keys.alert(alert.workspace, alert.id), body: alert } },
    {
      kind: 'put',
      item: { ...keys.undelivered(alert.workspace, alert.id), workspace: alert.workspace, at: alert.at },
    },
  ])

/** Oldest first. A damaged alert stays in the outbox. */
export const pendingAlerts = (store: Store, workspace: string): Promise<readonly Alert[]> => {
  const { pk, sk } = keys.alert(workspace, '')
  return Array.fromAsync(soundItems(store, { pk, prefix: sk }), (item) => item['body'] as Alert)
}

/** The time that a process has to deliver an alert that it claimed, before another process tries. */
const claimMs = 60_000

/**
 * True for exactly one of all processes that want to deliver an alert now: a check and the tick may find it at the same
 * time.
 */
export const claimAlert = async (store: Store, alert: Alert, now: Date): Promise<boolean> => {
  const key = keys.alert(alert.workspace, alert.id)
  const since = new Date(now.getTime() - claimMs).toISOString()
  const unclaimed: readonly Condition[] = [
    { kind: 'exists' },
    { kind: 'absentOrAtMost', attribute: 'claimedAt', value: since },
  ]
  const claimed = { ...key, body: alert, claimedAt: now.toISOString() }
  return (await store.write([{ kind: 'put', item: claimed, if: unclaimed }])).ok
}

/** Releases a claim after a failure, so that the next attempt need not wait. */
export const unclaimAlert = async (store: Store, alert: Alert): Promise<void> => {
  const item = { ...keys.alert(alert.workspace, alert.id), body: alert }
  await store.write([{ kind: 'put', item, if: [{ kind: 'exists' }] }])
}

export const markSent = async (store: Store, { workspace, id }: Pick<Alert, 'workspace' | 'id'>): Promise<void> => {
  await store.write([
    { kind: 'delete', key: keys.alert(workspace, id) },
    { kind: 'delete', key: keys.undelivered(workspace, id) },
  ])
}

/** Workspaces with undelivered alerts, after a crash between storing and publishing or while the channel is down. */
export const listUndelivered = async (store: Store): Promise<readonly string[]> => {
  const { pk } = keys.undelivered('', '')
  const waiting = eachKey(store, { pk })
  return [...new Set(await Array.fromAsync(waiting, ({ sk }) => workspaceIn({ pk, sk })))]
}

/**
 * By workspace, the ISO time of the check that caused the oldest undelivered alert. `only` limits the result to a
 * workspace.
 */
export const undeliveredSince = async (store: Store, only?: string): Promise<ReadonlyMap<string, string>> => {
  const oldest = new Map<string, string>()
  const { pk, sk } = keys.undelivered(only ?? '', '')
  for await (const item of soundItems(store, { pk, ...defined({ prefix: only === undefined ? undefined : sk }) })) {
    const at = String(item['at'])
    const workspace = workspaceIn(item)
    const known = oldest.get(workspace)
    if (known === undefined || Date.parse(at) < Date.parse(known)) oldest.set(workspace, at)
  }
  return oldest
}

/** The time of the oldest undelivered alert of all workspaces; `undefined` if there is none. */
export const oldestUndelivered = async (store: Store): Promise<string | undefined> =>
  [...(await undeliveredSince(store)).values()].toSorted((left, right) => Date.parse(left) - Date.parse(right))[0]
