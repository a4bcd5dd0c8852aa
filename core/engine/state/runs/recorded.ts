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
import { blobDeletes, blobOf, documentChanges, readItem, soundDocuments } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Damaged, Item, Store, Write } from '../store/store.ts'
import { things } from '../store/words.ts'

/** Of an exported state. */
export const formatVersion = '2' as const
/** Of the items in the store. */
const storedVersion = '3'

/** The recorded state. `lineage` is absent until the first write; `serial` grows with every write. */
export interface Recorded {
  readonly workspace: string
  readonly lineage?: string
  readonly serial: number
  /** The generation of the keys of the records; absent for the first one. */
  readonly generation?: string
  /** A change of many records is in progress, or its writer died: only some records have their new value. */
  readonly isPartial?: true
  readonly resources: readonly RecordedResource[]
  readonly blobs: Readonly<Record<Address, BlobRef>>
}

export interface RecordedChange {
  readonly put: readonly RecordedResource[]
  readonly remove: readonly Address[]
}

export interface RecordedOptions {
  /** Id of a new history; used if the workspace has none yet. */
  readonly lineage: string
  /** The new serial is also larger than this number. */
  readonly above?: number
  /** The lock of an apply. Nothing is written after it is lost. */
  readonly lock?: Lock
  /** Conditions for the writes before the last transaction. */
  readonly guard?: readonly Write[]
}

const checkFormat = (workspace: string, header: Item | undefined): void => {
  const found = String(header?.['formatVersion'] ?? storedVersion)
  if (Number(found) <= Number(storedVersion)) return
  throw new AppError('STATE_NEWER', { what: things.recorded(workspace), found, known: storedVersion })
}

const generationOf = (header: Item | undefined): string | undefined =>
  header?.['generation'] === undefined ? undefined : String(header['generation'])

/**
 * Reads the header first, so that a save detects writes during the read. Reads again if other records replaced those
 * being read, because these are then deleted. Throws STATE_NEWER, STORE_CORRUPT. `skip` is called for each damaged
 * record, which is then left out: only for display.
 */
export const loadRecorded = async (
  store: Store,
  workspace: string,
  skip?: (damaged: Damaged) => void,
): Promise<Recorded> => {
  const header = await store.get(keys.state(workspace))
  checkFormat(workspace, header)
  const generation = generationOf(header)
  const { pk, sk } = keys.recorded(workspace, '', generation)
  const read = (item: Item) => readItem<RecordedResource>(store, item, things.record(item.sk.slice(sk.length)))
  const query = { pk, prefix: sk }
  const loaded = presentIn(
    skip === undefined
      ? await Array.fromAsync(eachItem(store, query), read)
      : await Array.fromAsync(soundDocuments<RecordedResource>(store, query, things.recorded(workspace), skip)),
  )
  if (generationOf(await store.get(keys.state(workspace))) !== generation) return loadRecorded(store, workspace, skip)
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

/** 0 if nothing was ever recorded. */
export const loadSerial = async (store: Store, workspace: string): Promise<number> =>
  Number((await store.get(keys.state(workspace)))?.['serial'] ?? 0)

/** Never mixes two versions. Throws STORE_CONFLICT while another process writes, and the errors of `loadRecorded`. */
export const loadSettled = (store: Store, workspace: string): Promise<Recorded> =>
  againOnConflict(async () => {
    const found = await loadRecorded(store, workspace)
    const header = await store.get(keys.state(workspace))
    const isSettled = Number(header?.['serial'] ?? 0) === found.serial && found.isPartial === undefined
    if (isSettled) return found
    throw new AppError('STORE_CONFLICT', { what: things.recorded(workspace) })
  })

const blobsOf = (items: readonly Item[], before: string): Recorded['blobs'] =>
  Object.fromEntries(
    items.flatMap((item) => {
      const blob = blobOf(item)
      return blob === undefined ? [] : [[item.sk.slice(before.length), blob]]
    }),
  )

/** These conditions hold if nobody has written since `loadRecorded`. */
export const asLoaded = ({ serial, lineage }: Recorded): readonly Condition[] =>
  serial === 0
    ? [{ kind: 'absent' }]
    : present<Condition>(
        { kind: 'equals', attribute: 'serial', value: serial },
        // Another history may have reached the same serial.
        lineage !== undefined && { kind: 'equals', attribute: 'lineage', value: lineage },
      )

export const moved = ({ isPartial: _, ...base }: Recorded, { lineage, above = 0 }: RecordedOptions): Recorded => ({
  ...base,
  lineage: base.lineage ?? lineage,
  serial: Math.max(base.serial, above) + 1,
})

/** Increases the serial, so that the writes of all others who read the same serial fail. */
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
  /** Must be part of the last transaction, with the other writes that belong to it. Empty if nothing changes. */
  readonly changes: Changes
  readonly next: Recorded
}

/** The rest of the last transaction is for the other writes. */
const shareOfRecorded = 0.5

/**
 * Puts a change that takes at most half of a transaction into the last transaction. Its chunks are then written and
 * deleted together with the change, so no other writer can interfere. `undefined` for a larger change.
 */
export const allAtOnce = (each: readonly Changes[]): Changes | undefined => {
  const joined = joinChanges(each)
  const { ahead, final, behind } = joined
  return fitsOnce(joined, shareOfRecorded) ? finalChanges([...final, ...ahead, ...behind]) : undefined
}

/**
 * Prepares a small change for the last transaction. Writes a larger change here in batches: the serial is increased
 * first and every batch checks it, so that two writers never mix. After a crash the next run corrects the record.
 * Throws STORE_CONFLICT if the record has changed since it was loaded, LOCK_LOST if the lock was lost.
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
