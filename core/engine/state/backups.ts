import { AppError } from '../errors/errors.ts'
import type { Json } from '../schema/json.ts'
import type { StateBackup, StateDocument } from '../schema/stored/state.ts'
import { expiryAfter, usualRetention } from './retention.ts'
import { blobWrites, readBlob } from './store/blobs.ts'
import { type Changes, soundItems } from './store/commit.ts'
import { blobOf } from './store/documents.ts'
import { keys } from './store/keys.ts'
import type { Store } from './store/store.ts'
import { things } from './store/words.ts'

interface BackupWish extends Pick<StateBackup, 'id' | 'at' | 'before' | 'actor' | 'reason'> {
  readonly document: StateDocument
  readonly keptDays?: number
}

/** Written in one transaction with the change that it precedes. */
export const backupChanges = async ({
  document,
  keptDays = usualRetention.backupDays,
  ...wish
}: BackupWish): Promise<{ readonly backup: StateBackup; readonly changes: Changes }> => {
  const { workspace, lineage, serial, resources } = document
  const ttl = expiryAfter(wish.at, keptDays)
  const until = new Date(ttl * 1000).toISOString()
  const backup = { ...wish, workspace, lineage, serial, resources: resources.length, until }
  const key = keys.backup(workspace, wish.id)
  const { ref, writes } = await blobWrites(key.pk, JSON.stringify(document), ttl)
  const item = { ...key, about: JSON.parse(JSON.stringify(backup)) as Json, blob: { ...ref }, ttl }
  return { backup, changes: { ahead: writes, final: [{ kind: 'put', item }], behind: [] } }
}

/** Newest first. */
export const listBackups = (store: Store, workspace: string): Promise<readonly StateBackup[]> => {
  const { pk, sk } = keys.backup(workspace, '')
  const items = soundItems(store, { pk, prefix: sk, reverse: true })
  return Array.fromAsync(items, (item) => item['about'] as unknown as StateBackup)
}

/** Throws BACKUP_NOT_FOUND, STORE_CORRUPT. */
export const loadBackup = async (store: Store, workspace: string, backup: string): Promise<StateDocument> => {
  const key = keys.backup(workspace, backup)
  const blob = blobOf(await store.get(key))
  if (blob === undefined) throw new AppError('BACKUP_NOT_FOUND', { workspace, backup })
  return (await readBlob(store, key.pk, blob, things.backup(backup))) as unknown as StateDocument
}
