import { isObject } from '../../schema/json.ts'
import type { Failure } from '../../schema/stored/records.ts'
import { defined } from '../../values/defined.ts'
import { lostMs } from '../../values/pending.ts'
import { soundItems } from '../store/commit.ts'
import { duePartitions, keys, sortable } from '../store/keys.ts'
import type { Condition, Item, Key, Paging, Store, Write } from '../store/store.ts'

/** The facts of an entry are in its key, so that it can be read whatever else the item contains. */
export interface DueEntry {
  readonly key: Key
  readonly workspace: string
  readonly time: string
  /** The time from which on the check could not be queued. */
  readonly since?: string
  readonly asRead: readonly Condition[]
}

interface DuePage {
  readonly entries: readonly DueEntry[]
  /** Keys without a valid workspace and time. */
  readonly unreadable: readonly Key[]
  readonly next?: string
}

/** `mark`: an attribute that each write changes. For an item without it the condition is only that the item exists. */
const asRead = (item: Item, mark: string): readonly Condition[] => {
  const value = item[mark]
  return [
    typeof value === 'string' || typeof value === 'number'
      ? { kind: 'equals', attribute: mark, value }
      : { kind: 'exists' },
  ]
}

const entryOf = (item: Item): DueEntry | undefined => {
  const { pk, sk } = item
  const [, time = '', workspace = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)#([a-z0-9][a-z0-9-]{0,62})$/.exec(sk) ?? []
  return Number.isNaN(Date.parse(time))
    ? undefined
    : { key: { pk, sk }, workspace, time, asRead: asRead(item, 'placed') }
}

/** A page of the entries of one of `duePartitions` that are due at `now`, oldest first. */
export const listDue = async (
  store: Store,
  partition: string,
  { now, ...paging }: Paging & { readonly now: Date },
): Promise<DuePage> => {
  const { items, next } = await store.query({ pk: partition, to: `${now.toISOString()}#~`, ...paging })
  const entries = items.flatMap((item) => entryOf(item) ?? [])
  const unreadable = items.filter((item) => entryOf(item) === undefined).map(({ pk, sk }) => ({ pk, sk }))
  return { entries, unreadable, ...defined({ next }) }
}

/**
 * Names of the workspaces whose check may be overdue at `now`: their place is older than the margin, or their check is
 * pending and the run before it is.
 */
export const listAwaited = async (
  store: Store,
  { now, marginMs }: { readonly now: Date; readonly marginMs: number },
): Promise<readonly string[]> => {
  const latest = new Date(now.getTime() - marginMs).toISOString()
  // The place of a pending check is at most that far ahead.
  const to = `${new Date(now.getTime() + lostMs).toISOString()}#~`
  const inOne = (pk: string) => Array.fromAsync(soundItems(store, { pk, to }))
  const items = (await Promise.all(duePartitions.map(inOne))).flat()
  return items.flatMap((item) => {
    const entry = entryOf(item)
    const { waits } = item
    const mayBe = entry !== undefined && (entry.time <= latest || (typeof waits === 'string' && waits <= latest))
    return mayBe ? [entry.workspace] : []
  })
}

export const dropDue = async (store: Store, all: readonly Key[], guard: readonly Write[] = []): Promise<void> => {
  await store.write([...all.map((key) => ({ kind: 'delete', key }) as const), ...guard])
}

/** How long an entry stays in quarantine before the check is tried again. */
const restMs = 60 * 60_000

/**
 * Moves an entry into quarantine for an hour if it is stored as it was read. An entry that changed meanwhile is due at
 * once.
 */
export const quarantine = async (store: Store, entry: DueEntry, error: Failure, now: Date): Promise<void> => {
  const { workspace, time, since = now.toISOString() } = entry
  const again = new Date(now.getTime() + restMs).toISOString()
  const key = keys.quarantine(workspace)
  const item = { ...key, time: sortable(time), since, again, error }
  const writes: readonly Write[] =
    entry.key.pk === key.pk
      ? [{ kind: 'put', item, if: entry.asRead }]
      : [
          { kind: 'put', item },
          { kind: 'delete', key: entry.key, if: entry.asRead },
        ]
  await store.write(writes)
}

export interface Quarantined extends DueEntry {
  readonly since: string
  /** When the check is tried again. */
  readonly again: string
  readonly error: Failure
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** An entry without a time is tried at once. */
const noTime = new Date(0).toISOString()

const failureIn = (value: unknown): Failure => {
  const { code, message, hint } = isObject(value) ? value : {}
  return { code: text(code) || 'INTERNAL', message: text(message), hint: text(hint) }
}

const quarantinedOf = (item: Item): Quarantined => ({
  key: { pk: item.pk, sk: item.sk },
  workspace: item.sk,
  time: text(item['time']) || noTime,
  since: text(item['since']) || noTime,
  again: text(item['again']) || noTime,
  error: failureIn(item['error']),
  asRead: asRead(item, 'again'),
})

/** All entries in quarantine that can be read, or those between two workspace names. */
export const listQuarantined = (
  store: Store,
  between: { readonly from?: string; readonly to?: string } = {},
): Promise<readonly Quarantined[]> =>
  Array.fromAsync(soundItems(store, { pk: keys.quarantine('').pk, ...between }), quarantinedOf)
