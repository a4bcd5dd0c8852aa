import { AppError } from '../../errors/errors.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import { defined, present, presentIn } from '../../values/defined.ts'
import { holdsLock, type Lock } from '../applies/lock.ts'
import type { BlobRef } from '../store/blobs.ts'
import {
  againOnConflict,
  type Changes,
  eachItem,
  finalChanges,
  fitsOnce,
  inBatches,
  joinChanges,
  mustCommit,
  mustHold,
} from '../store/commit.ts'
import { blobDeletes, blobOf, documentChanges, readItem } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Store, Write } from '../store/store.ts'
import { things } from '../store/words.ts'

/** Of a state that is exported. */
export const formatVersion = '2' as const
/** Of the items in the store. */
const storedVersion = '3'

/**
 * The state of a workspace as it was last agreed. `lineage` is absent until the first write; `serial` grows with every one.
 */
export interface Recorded {
  readonly workspace: string
  readonly lineage?: string
  readonly serial: number
  /** Under which keys the records are; absent: under those of the first generation. */
  readonly generation?: string
  /** A change of many records is under way, or its writer died: some have their new value. */
  readonly isPartial?: true
  readonly resources: readonly RecordedResource[]
  /** Where large resources lie. */
  readonly blobs: Readonly<Record<Address, BlobRef>>
}

export interface RecordedChange {
  readonly put: readonly RecordedResource[]
  readonly remove: readonly Address[]
}

export interface RecordedOptions {
  /** Id of a new history, taken where the workspace has none yet. */
  readonly lineage: string
  /** The new serial is larger than this one too. */
  readonly above?: number
  /** The lock of an apply: nothing is written after it is lost. */
  readonly lock?: Lock
  /** For writes before the last transaction. */
  readonly guard?: readonly Write[]
}

const checkFormat = (header: Item | undefined): void => {
  const found = String(header?.['formatVersion'] ?? storedVersion)
  if (Number(found) > Number(storedVersion)) throw new AppError('STATE_NEWER', { found, known: storedVersion })
}

const generationOf = (header: Item | undefined): string | undefined =>
  header?.['generation'] === undefined ? undefined : String(header['generation'])

/**
 * Reads the header first, so that a write during the read is noticed at the save. Reads again where other records took
 * the place of those it was reading, because then these are deleted. Throws STATE_NEWER, STORE_CORRUPT.
 */
export const loadRecorded = async (store: Store, workspace: string): Promise<Recorded> => {
  const header = await store.get(keys.state(workspace))
  checkFormat(header)
  const generation = generationOf(header)
  const { pk, sk } = keys.recorded(workspace, '', generation)
  const read = (item: Item) => readItem<RecordedResource>(store, item, things.record(item.sk.slice(sk.length)))
  const loaded = presentIn(await Array.fromAsync(eachItem(store, { pk, prefix: sk }), read))
  if (generationOf(await store.get(keys.state(workspace))) !== generation) return loadRecorded(store, workspace)
  return {
    workspace,
    ...defined({ lineage: header && String(header['lineage']), generation }),
    serial: Number(header?.['serial'] ?? 0),
    ...(header?.['isPartial'] === true ? { isPartial: true } : {}),
    resources: loaded.map(({ body }) => body),
    blobs: blobsOf(
      loaded.map(({ item }) => item),
      sk,
    ),
  }
}

/** The number of the current version; 0 if nothing was ever recorded. */
export const loadSerial = async (store: Store, workspace: string): Promise<number> =>
  Number((await store.get(keys.state(workspace)))?.['serial'] ?? 0)

/** One version, and not parts of two. Throws STORE_CONFLICT while somebody writes, and what `loadRecorded` throws. */
export const loadSettled = (store: Store, workspace: string): Promise<Recorded> =>
  againOnConflict(async () => {
    const found = await loadRecorded(store, workspace)
    const header = await store.get(keys.state(workspace))
    const isSettled = Number(header?.['serial'] ?? 0) === found.serial && found.isPartial === undefined
    if (isSettled) return found
    throw new AppError('STORE_CONFLICT', { what: things.recorded(workspace) })
  })

/** By address, of those that name a blob. `before`: what comes before the address in their keys. */
const blobsOf = (items: readonly Item[], before: string): Recorded['blobs'] =>
  Object.fromEntries(
    items.flatMap((item) => {
      const blob = blobOf(item)
      return blob === undefined ? [] : [[item.sk.slice(before.length), blob]]
    }),
  )

/** That nobody wrote since. */
export const asLoaded = ({ serial, lineage }: Recorded): readonly Condition[] =>
  serial === 0
    ? [{ kind: 'absent' }]
    : present<Condition>(
        { kind: 'equals', attribute: 'serial', value: serial },
        // Another history may have come as far.
        lineage !== undefined && { kind: 'equals', attribute: 'lineage', value: lineage },
      )

/** What the header says of a change once it is written. */
export const moved = ({ isPartial: _, ...base }: Recorded, { lineage, above = 0 }: RecordedOptions): Recorded => ({
  ...base,
  lineage: base.lineage ?? lineage,
  serial: Math.max(base.serial, above) + 1,
})

/** Moves the serial, so that nobody else who read the same one can write any more. */
export const headerWrites = (base: Recorded, next: Recorded, lock: Lock | undefined): readonly Write[] => {
  const { workspace, lineage, serial, generation, isPartial } = next
  const item: Item = {
    ...keys.state(workspace),
    serial,
    formatVersion: storedVersion,
    ...defined({ lineage, generation, isPartial, fence: lock?.fence }),
  }
  return present<Write>({ kind: 'put', item, if: asLoaded(base) }, lock && holdsLock(lock))
}

/** One for each resource. */
export const resourceChanges = async (
  { workspace, generation, blobs }: Recorded,
  { put, remove }: RecordedChange,
): Promise<readonly Changes[]> => {
  const replaced = await Promise.all(
    put.map((resource) =>
      documentChanges(keys.recorded(workspace, resource.address, generation), resource, {
        replaces: blobs[resource.address],
      }),
    ),
  )
  const removed = remove.map((address): Changes => {
    const key = keys.recorded(workspace, address, generation)
    return { ...finalChanges([{ kind: 'delete', key }]), behind: blobDeletes(key.pk, blobs[address]) }
  })
  return [...replaced, ...removed]
}

/** The records after the change: for the next step of an apply, without reading all of them again. */
export const withChange = (base: Recorded, { put, remove }: RecordedChange, changes: readonly Changes[]): Recorded => {
  const gone = new Set([...remove, ...put.map((resource) => resource.address)])
  const kept = Object.entries(base.blobs).filter(([address]) => !gone.has(address))
  const items = joinChanges(changes).final.flatMap((write) => (write.kind === 'put' ? [write.item] : []))
  const blobs = blobsOf(items, keys.recorded('', '', base.generation).sk)
  return {
    ...base,
    resources: [...base.resources.filter(({ address }) => !gone.has(address)), ...put],
    blobs: { ...Object.fromEntries(kept), ...blobs },
  }
}

export interface PreparedRecorded {
  /** For the last transaction, in which the rest of what belongs together goes too. Empty where nothing changes. */
  readonly changes: Changes
  /** What is recorded once that transaction went through. */
  readonly next: Recorded
}

/** Half of the last transaction is left to what goes along. */
const shareOfRecorded = 0.5

/**
 * A change that takes at most half of a transaction, all of it in the last one: its chunks are written and deleted when it
 * becomes valid, so no other writer can come between. `undefined` for a larger one.
 */
export const allAtOnce = (each: readonly Changes[]): Changes | undefined => {
  const joined = joinChanges(each)
  const { ahead, final, behind } = joined
  return fitsOnce(joined, shareOfRecorded) ? finalChanges([...final, ...ahead, ...behind]) : undefined
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
  const isEmpty = change.put.length + change.remove.length === 0
  if (isEmpty && base.isPartial === undefined) return { changes: finalChanges([]), next: base }
  const what = things.recorded(base.workspace)
  const { guard: further = [], lock } = options
  const each = await resourceChanges(base, change)
  const next = withChange(moved(base, options), change, each)
  const together = allAtOnce([finalChanges(headerWrites(base, next, lock)), ...each])
  if (together !== undefined) return { changes: together, next }
  const claimed = { ...moved(base, options), isPartial: true as const }
  const claim = [...headerWrites(base, claimed, lock), ...further]
  mustHold(await store.write(claim), claim, what)
  const unmoved: Write = { kind: 'check', key: keys.state(base.workspace), if: asLoaded(claimed) }
  const guard = present<Write>(unmoved, ...further, lock && holdsLock(lock))
  const groups = each.map(({ ahead, final, behind }) => [...ahead, ...final, ...behind])
  for (const batch of inBatches(groups, guard)) mustHold(await store.write(batch), batch, what)
  const last = moved(next, options)
  return { changes: finalChanges(headerWrites(claimed, last, lock)), next: last }
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
