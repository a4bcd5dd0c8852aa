import { AppError } from '../errors.ts'
import type { Address, RecordedResource } from '../schema/resource.ts'
import { defined, present } from '../values/defined.ts'
import { holdsLock, type Lock } from './applies/lock.ts'
import type { BlobRef } from './store/blobs.ts'
import {
  type Changes,
  eachItem,
  finalChanges,
  fitsOnce,
  inBatches,
  joinChanges,
  mustCommit,
  mustHold,
} from './store/commit.ts'
import { blobDeletes, blobOf, documentChanges, readItem } from './store/documents.ts'
import { keys } from './store/keys.ts'
import type { Condition, Item, Store, Write } from './store/store.ts'
import { things } from './words.ts'

const formatVersion = '1'

/** What a workspace was last agreed to be. `lineage` is absent until the first write; `serial` grows with every one. */
export interface Recorded {
  readonly workspace: string
  readonly lineage?: string
  readonly serial: number
  readonly resources: readonly RecordedResource[]
  /** Where large resources lie. */
  readonly blobs: Readonly<Record<Address, BlobRef>>
}

export interface RecordedChange {
  readonly put: readonly RecordedResource[]
  readonly remove: readonly Address[]
}

interface RecordedOptions {
  /** Id of a new history, taken where the workspace has none yet. */
  readonly lineage: string
  /** Of an apply: nothing is written once it is lost. */
  readonly lock?: Lock
  /** For what goes ahead of the last transaction. */
  readonly guard?: readonly Write[]
}

const checkFormat = (header: Item | undefined): void => {
  const found = String(header?.['formatVersion'] ?? formatVersion)
  if (Number(found) > Number(formatVersion)) throw new AppError('STATE_NEWER', { found, known: formatVersion })
}

/** Reads the header first, so that a write during the read is noticed at the save. Throws STATE_NEWER, STORE_CORRUPT. */
export const loadRecorded = async (store: Store, workspace: string): Promise<Recorded> => {
  const header = await store.get(keys.state(workspace))
  checkFormat(header)
  const { pk, sk } = keys.recorded(workspace, '')
  const read = (item: Item) => readItem<RecordedResource>(store, item, things.record(item.sk.slice(sk.length)))
  const loaded = present(...(await Array.fromAsync(eachItem(store, { pk, prefix: sk }), read)))
  return {
    workspace,
    ...defined({ lineage: header && String(header['lineage']) }),
    serial: Number(header?.['serial'] ?? 0),
    resources: loaded.map(({ body }) => body),
    blobs: blobsOf(loaded.map(({ item }) => item)),
  }
}

/** By address, of those that name a blob. */
const blobsOf = (items: readonly Item[]): Recorded['blobs'] =>
  Object.fromEntries(
    items.flatMap((item) => {
      const blob = blobOf(item)
      return blob === undefined ? [] : [[item.sk.slice(keys.recorded('', '').sk.length), blob]]
    }),
  )

const asLoaded = ({ serial, lineage }: Recorded): readonly Condition[] =>
  serial === 0
    ? [{ kind: 'absent' }]
    : present<Condition>(
        { kind: 'equals', attribute: 'serial', value: serial },
        // Another history may have come as far.
        lineage !== undefined && { kind: 'equals', attribute: 'lineage', value: lineage },
      )

/** Moves the serial, so that nobody else who read the same one can write any more. */
const headerWrites = (base: Recorded, { lineage, lock }: RecordedOptions): readonly Write[] => {
  const item: Item = {
    ...keys.state(base.workspace),
    lineage: base.lineage ?? lineage,
    serial: base.serial + 1,
    formatVersion,
    ...defined({ fence: lock?.fence }),
  }
  return present<Write>({ kind: 'put', item, if: asLoaded(base) }, lock && holdsLock(lock))
}

const moved = (base: Recorded, { lineage }: RecordedOptions): Recorded => ({
  ...base,
  lineage: base.lineage ?? lineage,
  serial: base.serial + 1,
})

/** One for each resource. */
const resourceChanges = async (base: Recorded, { put, remove }: RecordedChange): Promise<readonly Changes[]> => {
  const replaced = await Promise.all(
    put.map((resource) =>
      documentChanges(keys.recorded(base.workspace, resource.address), resource, {
        replaces: base.blobs[resource.address],
      }),
    ),
  )
  const removed = remove.map((address): Changes => {
    const key = keys.recorded(base.workspace, address)
    return { ...finalChanges([{ kind: 'delete', key }]), behind: blobDeletes(key.pk, base.blobs[address]) }
  })
  return [...replaced, ...removed]
}

/** What the base is after the change: for the next step of an apply, without reading all of it again. */
const withChange = (base: Recorded, { put, remove }: RecordedChange, blobs: Recorded['blobs']): Recorded => {
  const gone = new Set([...remove, ...put.map((resource) => resource.address)])
  const kept = Object.entries(base.blobs).filter(([address]) => !gone.has(address))
  return {
    ...base,
    resources: [...base.resources.filter(({ address }) => !gone.has(address)), ...put],
    blobs: { ...Object.fromEntries(kept), ...blobs },
  }
}

interface PreparedRecorded {
  /** For the last transaction, in which the rest of what belongs together goes too. Empty where nothing changes. */
  readonly changes: Changes
  /** What is recorded once that transaction went through. */
  readonly next: Recorded
}

/**
 * A change that fits becomes part of the last transaction. A larger one is written here in batches: the serial is moved
 * first, and every batch checks it, so that two writers never mix. What a crash leaves is a record that the next run
 * corrects. Throws STORE_CONFLICT where the record moved since it was loaded, LOCK_LOST where the lock did.
 */
export const prepareRecorded = async (
  store: Store,
  base: Recorded,
  change: RecordedChange,
  options: RecordedOptions,
): Promise<PreparedRecorded> => {
  if (change.put.length + change.remove.length === 0) return { changes: finalChanges([]), next: base }
  const what = things.recorded(base.workspace)
  const each = await resourceChanges(base, change)
  const resources = joinChanges(each)
  const written = resources.final.flatMap((write) => (write.kind === 'put' ? [write.item] : []))
  const next = withChange(moved(base, options), change, blobsOf(written))
  const together = joinChanges([finalChanges(headerWrites(base, options)), resources])
  // Half of the last transaction is left to what goes along.
  if (fitsOnce(together, 0.5)) return { changes: together, next }
  const { guard: further = [], lock } = options
  const claim = [...headerWrites(base, options), ...further]
  mustHold(await store.write(claim), claim, what)
  const claimed = moved(base, options)
  const unmoved: Write = { kind: 'check', key: keys.state(base.workspace), if: asLoaded(claimed) }
  const guard = present<Write>(unmoved, ...further, lock && holdsLock(lock))
  const groups = each.map(({ ahead, final, behind }) => [...ahead, ...final, ...behind])
  for (const batch of inBatches(groups, guard)) mustHold(await store.write(batch), batch, what)
  return { changes: finalChanges(headerWrites(claimed, options)), next: moved(next, options) }
}

/** Writes a change by itself, or together with further writes that belong to it. */
export const saveRecorded = async (
  store: Store,
  base: Recorded,
  change: RecordedChange,
  options: RecordedOptions & { readonly further?: readonly Write[] },
): Promise<Recorded> => {
  const { changes, next } = await prepareRecorded(store, base, change, options)
  const all = { ...changes, final: [...changes.final, ...(options.further ?? [])] }
  if (all.final.length > 0) await mustCommit(store, all, things.recorded(base.workspace))
  return next
}

/** Forgets the recorded resources of a removed workspace: the next one of its name must not take them over. */
export const forgetRecorded = async (store: Store, workspace: string): Promise<void> => {
  const { pk, sk } = keys.recorded(workspace, '')
  const writes: Write[] = [{ kind: 'delete', key: keys.state(workspace) }]
  for await (const item of eachItem(store, { pk, prefix: sk })) {
    writes.push({ kind: 'delete', key: { pk, sk: item.sk } }, ...blobDeletes(pk, blobOf(item)))
  }
  const distinct = new Map(writes.map((write) => [write.kind === 'delete' ? write.key.sk : '', write]))
  for (const batch of inBatches([...distinct.values()].map((write) => [write]))) await store.write(batch)
}
