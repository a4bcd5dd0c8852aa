import { AppError, isAppError } from '../../errors/errors.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import { defined, present } from '../../values/defined.ts'
import type { BlobRef } from '../store/blobs.ts'
import { untilWritten } from '../store/commit.ts'
import { blobDeletes, blobOf, readItem } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Store, Write } from '../store/store.ts'
import { things } from '../store/words.ts'
import { type Lineage, type Removal, refuseRemoved } from './lineage.ts'
import { currentVersion } from './versions.ts'

export interface StoredWorkspace {
  readonly workspace: Workspace
  readonly version: number
  readonly bundle: BlobRef | undefined
  /** Present for a workspace that took the name of a removed one. */
  readonly lineage: Lineage
}

const stored = (item: Item): StoredWorkspace => ({
  workspace: item['body'] as Workspace,
  version: Number(item['version']),
  bundle: blobOf(item, 'bundle'),
  lineage: item['lineage'] === undefined ? undefined : String(item['lineage']),
})

export const findStored = async (store: Store, id: string): Promise<StoredWorkspace | undefined> => {
  const item = await store.get(keys.workspace(id))
  return item === undefined ? undefined : stored(item)
}

/** For what replaces or removes a damaged workspace on purpose. */
export const findReplaced = async (store: Store, id: string): Promise<StoredWorkspace | 'damaged' | undefined> => {
  try {
    return await findStored(store, id)
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT')) return 'damaged'
    throw error
  }
}

/**
 * A check that is pending since then may be overdue, and its place in the due list says so: for the watch, which reads no
 * other workspace before its time.
 */
const waitsSince = ({ pendingCheck, lastRun, scheduledSince, updatedAt }: Workspace): { readonly waits?: string } =>
  pendingCheck === undefined ? {} : { waits: lastRun?.finishedAt ?? scheduledSince ?? updatedAt }

/** `anew` writes the place even if it should exist already, as after a quarantine. */
const moveDue = (current: StoredWorkspace | undefined, next: Workspace, anew: boolean): readonly Write[] => {
  const { id, nextCheckAt: to } = next
  const from = current?.workspace.nextCheckAt
  const isInPlace = from === to
  const placed = nextVersion(current)
  return present<Write>(
    from !== undefined && !isInPlace && { kind: 'delete', key: keys.due(id, from) },
    to !== undefined &&
      (anew || !isInPlace) && { kind: 'put', item: { ...keys.due(id, to), placed, ...waitsSince(next) } },
  )
}

export const hasVersion = (version: number): Condition => ({ kind: 'equals', attribute: 'version', value: version })

export const isAsRead = ({ version }: StoredWorkspace): Condition => hasVersion(version)

export const nextVersion = (current: StoredWorkspace | undefined): number => (current?.version ?? 0) + 1

interface Replacement {
  readonly anew: boolean
  readonly lineage?: Lineage
  /** What is stored is damaged, and is replaced whatever it is. */
  readonly isDamaged?: boolean
}

/** Writes the workspace and its place in the due list together, and only if `current` is still stored. */
export const replace = (
  current: StoredWorkspace | undefined,
  next: Workspace,
  bundle: BlobRef | undefined,
  { anew, lineage = current?.lineage, isDamaged = false }: Replacement,
): readonly Write[] => {
  const version = nextVersion(current)
  const absent: Condition = { kind: isDamaged ? 'exists' : 'absent' }
  const unchanged: Condition = current === undefined ? absent : isAsRead(current)
  const body = JSON.parse(JSON.stringify(next))
  const item = { ...keys.workspace(next.id), body, version, lineage }
  return [{ kind: 'put', item: { ...item, ...defined({ bundle }) }, if: [unchanged] }, ...moveDue(current, next, anew)]
}

/**
 * The writes of the next version of a workspace; they require that `current` is still stored. `anew` is that of
 * `moveDue`.
 */
export const rewrites = (current: StoredWorkspace, next: Workspace, { anew = false } = {}): readonly Write[] =>
  replace(current, next, current.bundle, { anew })

/**
 * The writes that remove a workspace; they require that `current` is still stored. The place of a damaged one in the due
 * list is unknown: the tick drops it.
 */
export const removalWrites = (id: string, found: StoredWorkspace | 'damaged', removal: Removal): readonly Write[] => {
  const current = found === 'damaged' ? undefined : found
  const nextCheckAt = current?.workspace.nextCheckAt
  const key = keys.workspace(id)
  const places = nextCheckAt === undefined ? [] : [keys.due(id, nextCheckAt)]
  const gone = [keys.directory(id), keys.quarantine(id), ...places]
  return [
    { kind: 'delete', key, if: [current === undefined ? { kind: 'exists' } : isAsRead(current)] },
    { kind: 'put', item: { ...keys.removed(id), body: removal } },
    ...gone.map((each): Write => ({ kind: 'delete', key: each })),
    ...blobDeletes(key.pk, current?.bundle),
  ]
}

/** In one transaction with `further`; `undefined` if another process wrote the workspace meanwhile. */
export const replaceStored = async (
  store: Store,
  current: StoredWorkspace,
  next: Workspace,
  further: readonly Write[] = [],
): Promise<StoredWorkspace | undefined> => {
  const { ok } = await store.write([...rewrites(current, next), ...further])
  return ok ? { ...current, workspace: next, version: current.version + 1 } : undefined
}

/** Calls `edit` again after a conflict; `undefined` from `edit` means no change. `known` saves a read. */
export const editWorkspace = (
  store: Store,
  id: string,
  edit: (workspace: Workspace) => Workspace | undefined,
  { known, further = [] }: { readonly known?: StoredWorkspace; readonly further?: readonly Write[] } = {},
): Promise<StoredWorkspace | 'absent'> => {
  let seen = known
  return untilWritten(`workspace ${id}`, async () => {
    const current = seen ?? (await findStored(store, id))
    seen = undefined
    if (current === undefined) return 'absent' as const
    const next = edit(current.workspace)
    return next === undefined ? current : replaceStored(store, current, next, further)
  })
}

/** Throws WORKSPACE_CLAIMED if the files of the workspace are kept at another place than `origin`. */
export const requireOrigin = (current: Workspace | undefined, origin: string): void => {
  if (current?.origin === undefined || current.origin === origin) return
  const { id, updatedAt, updatedBy } = current
  throw new AppError('WORKSPACE_CLAIMED', {
    workspace: id,
    here: origin,
    there: current.origin,
    at: updatedAt,
    by: updatedBy.subject,
  })
}

/** `undefined` if the workspace was never stored. */
export const findWorkspace = async (store: Store, id: string): Promise<Workspace | undefined> =>
  (await findStored(store, id))?.workspace

/** Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
export const getWorkspace = async (store: Store, id: string): Promise<Workspace> => {
  const found = await findWorkspace(store, id)
  if (found !== undefined) return found
  await refuseRemoved(store, id)
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
}

/** For reads of the past. A run, an apply or a ledger entry is enough. Throws WORKSPACE_NOT_FOUND. */
export const requireWorkspace = async (store: Store, id: string): Promise<void> => {
  for (const { pk } of [keys.workspace(id), keys.head(id), keys.lock(id)]) {
    const { items, damaged = [] } = await store.query({ pk, limit: 1 })
    if (items.length + damaged.length > 0) return
  }
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
}

/**
 * Includes the version of the files. Throws WORKSPACE_NOT_FOUND, or STORE_CORRUPT if the files are not those that were
 * stored.
 */
export const loadConfiguration = async (
  store: Store,
  id: string,
): Promise<{ readonly bundle: Bundle; readonly stored: VersionNames }> => {
  const item = await store.get(keys.workspace(id))
  const found = item?.['bundle'] && (await readItem<Bundle>(store, item, things.configuration(id), 'bundle'))
  if (!found) throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
  return { bundle: found.body, stored: currentVersion(stored(found.item).workspace) }
}

/** Throws like `loadConfiguration`. */
export const loadBundle = async (store: Store, id: string): Promise<Bundle> =>
  (await loadConfiguration(store, id)).bundle
