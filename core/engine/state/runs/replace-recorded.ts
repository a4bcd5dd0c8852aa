import type { RecordedResource } from '../../schema/resource.ts'
import { present } from '../../values/defined.ts'
import { holdsLock } from '../applies/lock.ts'
import { type Changes, eachKey, finalChanges, inBatches, joinChanges } from '../store/commit.ts'
import { blobDeletes, blobOf, documentChanges } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import { keyOf } from '../store/limits.ts'
import type { Store, Write } from '../store/store.ts'
import {
  allAtOnce,
  asLoaded,
  headerWrites,
  moved,
  type PreparedRecorded,
  type Recorded,
  type RecordedChange,
  type RecordedOptions,
  resourceChanges,
  withChange,
} from './recorded.ts'

interface ReplaceOptions extends Omit<RecordedOptions, 'guard'> {
  /** An id that no records have yet, for a change that does not fit into one transaction. */
  readonly generation: string
}

/**
 * A change of any size that is valid as a whole or not at all: nothing of it is visible before the transaction of
 * `changes.final`. Records that do not fit into that transaction are all written before it, under new keys; the former
 * ones are deleted after it.
 */
export const replaceRecorded = async (
  store: Store,
  base: Recorded,
  change: RecordedChange,
  { generation, lock, ...options }: ReplaceOptions,
): Promise<PreparedRecorded> => {
  const each = await resourceChanges(base, change)
  const next = withChange(moved(base, options), change, each)
  const together = allAtOnce([finalChanges(headerWrites(base, next, lock)), ...each])
  if (together !== undefined) return { changes: together, next }
  const anew = { ...next, generation }
  const written = joinChanges(await writeAll(anew))
  const ahead = [...written.ahead, ...written.final]
  const behind = await formerDeletes(store, base.workspace, { kept: ahead })
  // A later writer may use one of the chunks that are deleted. Another user may write as soon as that user has the
  // lock.
  const unmoved: Write = { kind: 'check', key: keys.state(base.workspace), if: asLoaded(anew) }
  const guard = present<Write>(unmoved, lock && holdsLock(lock))
  return { changes: { ahead, final: headerWrites(base, anew, lock), behind, guard }, next: anew }
}

const writeAll = ({ workspace, generation, resources }: Recorded): Promise<readonly Changes[]> =>
  Promise.all(
    resources.map((resource: RecordedResource) =>
      documentChanges(keys.recorded(workspace, resource.address, generation), resource),
    ),
  )

/** Deletes all stored records except `kept`, including those that a writer left behind when it died. */
const formerDeletes = async (
  store: Store,
  workspace: string,
  { prefixes = ['R#', 'G#'], kept = [] }: { readonly prefixes?: readonly string[]; readonly kept?: readonly Write[] },
): Promise<readonly Write[]> => {
  const deletes = new Map<string, Write>()
  const { pk } = keys.state(workspace)
  for (const prefix of prefixes) {
    for await (const { sk, item } of eachKey(store, { pk, prefix })) {
      const all: readonly Write[] = [{ kind: 'delete', key: { pk, sk } }, ...blobDeletes(pk, blobOf(item))]
      for (const write of all) deletes.set(keyOf(write).sk, write)
    }
  }
  for (const write of kept) deletes.delete(keyOf(write).sk)
  return [...deletes.values()]
}

/**
 * Deletes the recorded resources and backups of a removed workspace, so that the next workspace of its name does not
 * take them over.
 */
export const forgetRecorded = async (store: Store, workspace: string): Promise<void> => {
  const header: Write = { kind: 'delete', key: keys.state(workspace) }
  const prefixes = ['R#', 'G#', keys.backup('', '').sk]
  const writes = [header, ...(await formerDeletes(store, workspace, { prefixes }))]
  for (const batch of inBatches(writes.map((write) => [write]))) await store.write(batch)
}
