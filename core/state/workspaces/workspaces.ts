import { AppError, isAppError } from '../../errors.ts'
import type { LedgerDraft } from '../../ledger/link.ts'
import type { Bundle, Workspace } from '../../schema/records.ts'
import { defined, present } from '../../values/defined.ts'
import { currentWorkspace } from '../../values/earlier-form.ts'
import { appendLedger } from '../ledger.ts'
import { type BlobRef, blobWrites } from '../store/blobs.ts'
import { type Changes, commit, untilWritten } from '../store/commit.ts'
import { blobDeletes, blobOf, readItem } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Store, Write } from '../store/store.ts'
import { things } from '../words.ts'
import { type Lineage, type Removal, refuseRemoved } from './lineage.ts'

/** A claim that the files of a workspace are kept at a place. */
export interface Claim {
  readonly origin: string
  /** Whether the workspace may be taken from another place. */
  readonly mayTake: (from: string) => Promise<boolean>
}

/** A stored workspace, with the facts that its next version needs. */
export interface StoredWorkspace {
  readonly workspace: Workspace
  readonly version: number
  readonly bundle: BlobRef | undefined
  /** Whether its due time is in a partition by name; earlier versions had one partition for all. */
  readonly spread: boolean
  /** Of one that took the name of a removed one: an id. */
  readonly lineage: Lineage
}

const stored = (item: Item): StoredWorkspace => ({
  workspace: currentWorkspace(item['body'] as Workspace),
  version: Number(item['version']),
  bundle: blobOf(item, 'bundle'),
  spread: item['spread'] === true,
  lineage: item['lineage'] === undefined ? undefined : String(item['lineage']),
})

/** What distinguishes a workspace from a removed one with the same name. */
export interface Beginning {
  readonly lineage: string
  /** For the ledger, which goes on. */
  readonly entry: LedgerDraft
  readonly guard: readonly Write[]
}

/** With its entry, all or nothing; false after a conflicting write. Throws LOCK_LOST. */
const beginWith = async (store: Store, changes: Changes, { entry }: Beginning): Promise<boolean> => {
  try {
    await appendLedger(store, entry.workspace, [entry], changes)
    return true
  } catch (error) {
    if (isAppError(error, 'STORE_CONFLICT')) return false
    throw error
  }
}

/** `undefined` where there is none. */
export const findStored = async (store: Store, id: string): Promise<StoredWorkspace | undefined> => {
  const item = await store.get(keys.workspace(id))
  return item === undefined ? undefined : stored(item)
}

/** `anew`: its place is written even if it should exist already, as after a quarantine. */
const moveDue = (
  id: string,
  current: StoredWorkspace | undefined,
  to: string | undefined,
  anew: boolean,
): readonly Write[] => {
  const from = current?.workspace.nextCheckAt
  const spread = current?.spread ?? true
  const isInPlace = from === to && spread
  const place = spread ? keys.due : keys.formerDue
  const placed = nextVersion(current)
  return present<Write>(
    from !== undefined && !isInPlace && { kind: 'delete', key: place(id, from) },
    to !== undefined && (anew || !isInPlace) && { kind: 'put', item: { ...keys.due(id, to), placed } },
  )
}

const hasVersion = (version: number): Condition => ({ kind: 'equals', attribute: 'version', value: version })

export const isAsRead = ({ version }: StoredWorkspace): Condition => hasVersion(version)

const nextVersion = (current: StoredWorkspace | undefined): number => (current?.version ?? 0) + 1

/** The record and its place in the due list, all or nothing and only from `current` on. */
const replace = (
  current: StoredWorkspace | undefined,
  next: Workspace,
  bundle: BlobRef | undefined,
  anew: boolean,
  lineage = current?.lineage,
): readonly Write[] => {
  const version = nextVersion(current)
  const unchanged: Condition = current === undefined ? { kind: 'absent' } : isAsRead(current)
  const body = JSON.parse(JSON.stringify(next))
  const item = { ...keys.workspace(next.id), body, version, spread: true, lineage }
  return [
    { kind: 'put', item: { ...item, ...defined({ bundle }) }, if: [unchanged] },
    ...moveDue(next.id, current, next.nextCheckAt, anew),
  ]
}

/**
 * The writes of a workspace's next version, which require that the stored version is the one that was read. `anew` as in
 * `moveDue`.
 */
export const rewrites = (current: StoredWorkspace, next: Workspace, { anew = false } = {}): readonly Write[] =>
  replace(current, next, current.bundle, anew)

/** The writes that remove a workspace, all or nothing and only if it is stored as it was read. */
export const removalWrites = (current: StoredWorkspace, removal: Removal): readonly Write[] => {
  const { id, nextCheckAt } = current.workspace
  const key = keys.workspace(id)
  const places = nextCheckAt === undefined ? [] : [keys.due(id, nextCheckAt), keys.formerDue(id, nextCheckAt)]
  const gone = [keys.directory(id), keys.quarantine(id), ...places]
  return [
    { kind: 'delete', key, if: [isAsRead(current)] },
    { kind: 'put', item: { ...keys.removed(id), body: removal } },
    ...gone.map((each): Write => ({ kind: 'delete', key: each })),
    ...blobDeletes(key.pk, current.bundle),
  ]
}

/** One transaction with `further`; `undefined` if another process wrote the workspace in the meantime. */
export const replaceStored = async (
  store: Store,
  current: StoredWorkspace,
  next: Workspace,
  further: readonly Write[] = [],
): Promise<StoredWorkspace | undefined> => {
  const { ok } = await store.write([...rewrites(current, next), ...further])
  return ok ? { ...current, workspace: next, version: current.version + 1, spread: true } : undefined
}

/** Changes a workspace. `edit` may be called again, and answers `undefined` for no change. `known` saves a read. */
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

/** Throws WORKSPACE_CLAIMED where the files of a workspace are kept at another place than `origin`. */
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

const requireClaim = async (current: Workspace | undefined, { origin, mayTake }: Claim): Promise<void> => {
  if (current?.origin === undefined || current.origin === origin) return
  if (!(await mayTake(current.origin))) requireOrigin(current, origin)
}

/** The members that a new configuration keeps. A paused workspace stays paused, and has no due time. */
const withKept = (next: Omit<Workspace, 'lastRun'>, current: Workspace | undefined): Workspace => {
  const { lastRun, pendingCheck, paused } = current ?? {}
  const { nextCheckAt, ...rest } = next
  const due = paused === undefined ? nextCheckAt : undefined
  return { ...rest, ...defined({ nextCheckAt: due, lastRun, pendingCheck, paused }) }
}

/** Creates or replaces a workspace, but for its last run. The write itself decides a claim. Throws WORKSPACE_CLAIMED. */
export const saveWorkspace = (
  store: Store,
  next: Omit<Workspace, 'lastRun'>,
  bundle: Bundle,
  { claim, begins: wanted }: { readonly claim?: Claim | undefined; readonly begins?: Beginning | undefined } = {},
): Promise<Workspace> =>
  untilWritten(`workspace ${next.id}`, async () => {
    const current = await findStored(store, next.id)
    const begins = current === undefined ? wanted : undefined
    if (current === undefined && begins === undefined) await refuseRemoved(store, next.id)
    if (claim !== undefined) await requireClaim(current?.workspace, claim)
    const workspace = withKept(next, current?.workspace)
    const { pk } = keys.workspace(next.id)
    const { ref, writes } = await blobWrites(pk, JSON.stringify(bundle))
    const changes: Changes = {
      ahead: writes,
      final: [
        ...replace(current, workspace, ref, true, begins?.lineage),
        { kind: 'put', item: { ...keys.directory(next.id) } },
        { kind: 'delete', key: keys.quarantine(next.id) },
        // The name of a removed one is taken in this very write, or not at all.
        begins === undefined
          ? { kind: 'check', key: keys.removed(next.id), if: [{ kind: 'absent' }] }
          : { kind: 'delete', key: keys.removed(next.id), if: [{ kind: 'exists' }] },
        ...(begins?.guard ?? []),
      ],
      behind: blobDeletes(pk, current?.bundle, ref),
      guard: [{ kind: 'check', key: keys.workspace(next.id), if: [hasVersion(nextVersion(current))] }],
    }
    const isWritten = begins === undefined ? (await commit(store, changes)).ok : await beginWith(store, changes, begins)
    return isWritten ? workspace : undefined
  })

/** `undefined` where it was never stored. */
export const findWorkspace = async (store: Store, id: string): Promise<Workspace | undefined> =>
  (await findStored(store, id))?.workspace

/** Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
export const getWorkspace = async (store: Store, id: string): Promise<Workspace> => {
  const found = await findWorkspace(store, id)
  if (found !== undefined) return found
  await refuseRemoved(store, id)
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
}

/** For reading the past, a run, an apply or a ledger entry is enough. Throws WORKSPACE_NOT_FOUND. */
export const requireWorkspace = async (store: Store, id: string): Promise<void> => {
  for (const { pk } of [keys.workspace(id), keys.head(id)]) {
    if ((await store.query({ pk, limit: 1 })).items.length > 0) return
  }
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
}

/** Throws WORKSPACE_NOT_FOUND, or STORE_CORRUPT where the files are not what was stored. */
export const loadBundle = async (store: Store, id: string): Promise<Bundle> => {
  const item = await store.get(keys.workspace(id))
  const found = item?.['bundle'] && (await readItem<Bundle>(store, item, things.configuration(id), 'bundle'))
  if (!found) throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
  return found.body
}
