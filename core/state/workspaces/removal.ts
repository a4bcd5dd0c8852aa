import { AppError } from '../../errors.ts'
import type { Actor, Workspace } from '../../schema/records.ts'
import { type BlobRef, deleteBlob } from '../store/blobs.ts'
import { eachItem, inBatches } from '../store/commit.ts'
import { blobOf } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store, Write } from '../store/store.ts'

/** What stays of a workspace that was removed, beside its ledger and its runs: its name is not free. */
export type Removal = { readonly at: string; readonly by: Actor; readonly reason: string }

export const findRemoval = async (store: Store, workspace: string): Promise<Removal | undefined> =>
  (await store.get(keys.removed(workspace)))?.['body'] as Removal | undefined

/** Throws WORKSPACE_REMOVED. */
export const refuseRemoved = async (store: Store, workspace: string): Promise<void> => {
  const found = await findRemoval(store, workspace)
  if (found !== undefined) throw removedError(workspace, found)
}

export const removedError = (workspace: string, { at, by, reason }: Removal): AppError =>
  new AppError('WORKSPACE_REMOVED', { workspace, at, by: by.subject, reason })

interface Stored {
  readonly workspace: Workspace
  readonly version: number
  readonly bundle: BlobRef | undefined
}

/** What makes a workspace a removed one, all or nothing and only as it was read. */
export const removalWrites = ({ workspace, version, bundle }: Stored, removal: Removal): readonly Write[] => {
  const { id, nextCheckAt } = workspace
  const key = keys.workspace(id)
  const gone = [
    keys.directory(id),
    keys.quarantine(id),
    ...(nextCheckAt === undefined ? [] : [keys.due(id, nextCheckAt), keys.formerDue(id, nextCheckAt)]),
  ]
  return [
    { kind: 'delete', key, if: [{ kind: 'equals', attribute: 'version', value: version }] },
    { kind: 'put', item: { ...keys.removed(id), body: removal } },
    ...gone.map((each): Write => ({ kind: 'delete', key: each })),
    ...(bundle === undefined ? [] : deleteBlob(key.pk, bundle)),
  ]
}

/**
 * Forgets what was recorded of a removed workspace: another one of its name must not take its objects for its own. Runs,
 * applies and the ledger stay.
 */
export const forgetRecorded = async (store: Store, workspace: string): Promise<void> => {
  const { pk, sk } = keys.recorded(workspace, '')
  const writes: Write[] = [{ kind: 'delete', key: keys.state(workspace) }]
  for await (const item of eachItem(store, { pk, prefix: sk })) {
    const blob = blobOf(item)
    writes.push({ kind: 'delete', key: { pk, sk: item.sk } }, ...(blob === undefined ? [] : deleteBlob(pk, blob)))
  }
  const distinct = new Map(writes.map((write) => [write.kind === 'delete' ? write.key.sk : '', write]))
  for (const batch of inBatches([...distinct.values()].map((write) => [write]))) await store.write(batch)
}
