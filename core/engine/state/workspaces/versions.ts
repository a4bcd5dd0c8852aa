import { AppError } from '../../errors/errors.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { Version, VersionNames } from '../../schema/stored/versions.ts'
import { defined } from '../../values/defined.ts'
import { type BlobRef, readBlob } from '../store/blobs.ts'
import { eachKey, inBatches } from '../store/commit.ts'
import { blobDeletes, blobOf } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import { keyOf } from '../store/limits.ts'
import type { Item, Page, Paging, Store, Write } from '../store/store.ts'
import { things } from '../store/words.ts'

/*
 * Every version of a configuration is kept until its workspace is removed. Equal contents share a blob. The workspace
 * has the number of its latest version, and both are written in one transaction, so the numbers have no gap.
 */

export const currentVersion = (workspace: Workspace): VersionNames => ({
  configurationVersion: workspace.configurationVersion,
  ...defined({ commit: workspace.commit }),
})

export const versionWrite = (workspace: string, about: Version, bundle: BlobRef): Write => {
  const item: Item = { ...keys.version(workspace, about.version), about: JSON.parse(JSON.stringify(about)), bundle }
  return { kind: 'put', item }
}

const aboutOf = (item: Item): Version => item['about'] as unknown as Version

export const findVersion = async (store: Store, workspace: string, version: number): Promise<Version | undefined> => {
  const item = await store.get(keys.version(workspace, version))
  return item && aboutOf(item)
}

/** The number of the latest version, as its key tells it; 0 if there is none. */
export const latestVersion = async (store: Store, workspace: string): Promise<number> => {
  const { pk, sk: prefix } = keys.versions(workspace)
  const { items, damaged = [] } = await store.query({ pk, prefix, reverse: true, limit: 1 })
  const sk = items[0]?.sk ?? damaged[0]?.key.sk
  return sk === undefined ? 0 : Number(sk.slice(prefix.length))
}

/** Latest first. `next` is a number. */
export const listVersions = async (
  store: Store,
  workspace: string,
  { limit, after }: Paging,
): Promise<Page<Version>> => {
  const { pk, sk: prefix } = keys.versions(workspace)
  const from = defined({ after: after && keys.version(workspace, Number(after)).sk })
  const { items, next, damaged } = await store.query({ pk, prefix, reverse: true, limit, ...from })
  return {
    items: items.map(aboutOf),
    ...defined({ next: next && String(Number(next.slice(prefix.length))), damaged }),
  }
}

interface StoredVersion {
  readonly about: Version
  readonly bundle: Bundle
}

/** Throws VERSION_NOT_FOUND, STORE_CORRUPT. */
export const loadVersion = async (store: Store, workspace: string, version: number): Promise<StoredVersion> => {
  const item = await store.get(keys.version(workspace, version))
  const ref = blobOf(item, 'bundle')
  if (item === undefined || ref === undefined) throw new AppError('VERSION_NOT_FOUND', { workspace, version })
  const bundle = await readBlob(store, item.pk, ref, things.version(workspace, version))
  return { about: aboutOf(item), bundle: bundle as unknown as Bundle }
}

/** The next workspace of the name begins with version 1. */
export const forgetVersions = async (store: Store, workspace: string): Promise<void> => {
  const { pk, sk: prefix } = keys.versions(workspace)
  const source: Write = { kind: 'delete', key: keys.source(workspace) }
  const deletes = new Map<string, Write>([['', source]])
  for await (const { sk, item } of eachKey(store, { pk, prefix })) {
    const own: Write = { kind: 'delete', key: { pk, sk } }
    for (const write of [own, ...blobDeletes(pk, blobOf(item, 'bundle'))]) deletes.set(keyOf(write).sk, write)
  }
  for (const batch of inBatches([...deletes.values()].map((write) => [write]))) await store.write(batch)
}
