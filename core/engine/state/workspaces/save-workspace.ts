import { AppError, isAppError } from '../../errors/errors.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { LedgerDraft } from '../../ledger/link.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { Version, VersionChanges } from '../../schema/stored/versions.ts'
import { defined } from '../../values/defined.ts'
import { sourceText } from '../../values/source-text.ts'
import { appendLedger } from '../ledger.ts'
import { type BlobRef, blobWrites } from '../store/blobs.ts'
import { type Changes, commit, untilWritten } from '../store/commit.ts'
import { blobDeletes } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Store, Write } from '../store/store.ts'
import { things } from '../store/words.ts'
import { refuseRemoved } from './lineage.ts'
import { findVersion, latestVersion, versionWrite } from './versions.ts'
import {
  findReplaced,
  findStored,
  hasVersion,
  loadBundle,
  nextVersion,
  replace,
  requireOrigin,
  type StoredWorkspace,
} from './workspaces.ts'

type NextWorkspace = Omit<Workspace, 'lastRun' | 'configurationVersion'>

export interface Claim {
  readonly origin: string
  readonly mayTake: (from: string) => Promise<boolean>
}

/** Used for a workspace that takes the name of a removed one. */
export interface Beginning {
  readonly lineage: string
  /** For the ledger, which continues. */
  readonly entry: LedgerDraft
  readonly guard: readonly Write[]
}

export interface Saving {
  readonly claim?: Claim | undefined
  readonly begins?: Beginning | undefined
  readonly note?: Pick<Version, 'reason' | 'rollbackOf' | 'commit'>
  /** The version that must be current. */
  readonly expected?: number | undefined
  /**
   * The configuration was read from the source of the workspace. While there is a source, no other configuration may be
   * stored.
   */
  readonly isPulled?: boolean
  /** The lineage of a workspace that replaces a damaged one. Absent: a damaged one is not replaced. */
  readonly restores?: string | undefined
  readonly compare?: (current: Bundle | undefined) => Promise<VersionChanges>
}

/** Writes the changes together with the ledger entry. False after a conflicting write. Throws LOCK_LOST. */
const beginWith = async (store: Store, changes: Changes, { entry }: Beginning): Promise<boolean> => {
  try {
    await appendLedger(store, entry.workspace, [entry], changes)
    return true
  } catch (error) {
    if (isAppError(error, 'STORE_CONFLICT')) return false
    throw error
  }
}

/** Throws WORKSPACE_CLAIMED if the workspace belongs to another place, which the claim may not take it from. */
export const requireClaim = async (current: Workspace | undefined, { origin, mayTake }: Claim): Promise<void> => {
  if (current?.origin === undefined || current.origin === origin) return
  if (!(await mayTake(current.origin))) requireOrigin(current, origin)
}

const requireSource = (workspace: string, current: Workspace | undefined, { isPulled = false }: Saving): void => {
  const source = current?.source
  if ((source !== undefined) === isPulled) return
  // The source may have been removed during the pull.
  if (source === undefined) throw new AppError('SOURCE_NOT_FOUND', { workspace })
  throw new AppError('WORKSPACE_SOURCED', { workspace, source: sourceText(source) })
}

/** The members that a new configuration keeps. A paused workspace stays paused and has no due time. */
const withKept = (next: NextWorkspace, current: Workspace | undefined): Omit<Workspace, 'configurationVersion'> => {
  const { lastRun, days, openEpisodes, pendingCheck, paused, source = next.source } = current ?? {}
  const { nextCheckAt, ...rest } = next
  const due = paused === undefined ? nextCheckAt : undefined
  return { ...rest, ...defined({ nextCheckAt: due, lastRun, days, openEpisodes, pendingCheck, paused, source }) }
}

/** `undefined` if the stored files are damaged, so that others can be stored. */
const readable = async (store: Store, id: string): Promise<Bundle | undefined> => {
  try {
    return await loadBundle(store, id)
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT')) return undefined
    throw error
  }
}

const versionWrites = async (
  store: Store,
  {
    current,
    next,
    ref,
    last,
  }: { current: StoredWorkspace | undefined; next: NextWorkspace; ref: BlobRef; last: number },
  { note, compare }: Saving,
): Promise<{ readonly version: number; readonly writes: readonly Write[] }> => {
  const { id, updatedAt: at, updatedBy: by, configurationDigest: digest } = next
  const write = (about: Version): Write => versionWrite(id, about, ref)
  if (current?.workspace.configurationDigest === digest) {
    const about = await findVersion(store, id, last)
    return { version: last, writes: about === undefined ? [] : [write(about)] }
  }
  const version = last + 1
  const changes = await compare?.(current && (await readable(store, id)))
  return { version, writes: [write({ version, at, by, digest, ...note, ...defined({ changes }) })] }
}

const requireVersion = ({ id }: NextWorkspace, current: StoredWorkspace | undefined, expected: number): void => {
  const found = current?.workspace.configurationVersion ?? 0
  if (found !== expected) throw new AppError('VERSION_CONFLICT', { workspace: id, expected, found })
}

/**
 * Creates or replaces a workspace, but not its last run. The write itself decides about a claim and the number of the
 * version. Throws WORKSPACE_CLAIMED, WORKSPACE_SOURCED, WORKSPACE_REMOVED, VERSION_CONFLICT.
 */
export const saveWorkspace = (
  store: Store,
  next: NextWorkspace,
  bundle: Bundle,
  saving: Saving = {},
): Promise<Workspace> =>
  untilWritten(`workspace ${next.id}`, async () => {
    const { claim, begins: wanted, expected, restores } = saving
    const found = restores === undefined ? await findStored(store, next.id) : await findReplaced(store, next.id)
    const isDamaged = found === 'damaged'
    const current = isDamaged ? undefined : found
    const begins = found === undefined ? wanted : undefined
    if (found === undefined && begins === undefined) await refuseRemoved(store, next.id)
    requireSource(next.id, current?.workspace, saving)
    if (claim !== undefined) await requireClaim(current?.workspace, claim)
    // Another kind of workspace was stored under the name meanwhile.
    if (current !== undefined && current.workspace.preview?.branch !== next.preview?.branch)
      throw new AppError('STORE_CONFLICT', { what: things.workspace(next.id) })
    if (expected !== undefined) requireVersion(next, current, expected)
    const { pk } = keys.workspace(next.id)
    // Canonical, so that versions with the same content share a blob.
    const { ref, writes } = await blobWrites(pk, canonicalJson(bundle))
    const last = isDamaged ? await latestVersion(store, next.id) : (current?.workspace.configurationVersion ?? 0)
    const { version, writes: versions } = await versionWrites(store, { current, next, ref, last }, saving)
    const workspace = { ...withKept(next, current?.workspace), configurationVersion: version }
    const isSame = version === current?.workspace.configurationVersion
    const changes: Changes = {
      ahead: writes,
      final: [
        ...replace(current, workspace, ref, { anew: true, isDamaged, lineage: isDamaged ? restores : begins?.lineage }),
        ...versions,
        { kind: 'put', item: { ...keys.directory(next.id) } },
        { kind: 'delete', key: keys.quarantine(next.id) },
        // The name of a removed workspace is taken in this write or not at all.
        begins === undefined
          ? { kind: 'check', key: keys.removed(next.id), if: [{ kind: 'absent' }] }
          : { kind: 'delete', key: keys.removed(next.id), if: [{ kind: 'exists' }] },
        ...(begins?.guard ?? []),
      ],
      // A former version keeps its files.
      behind: isSame ? blobDeletes(pk, current?.bundle, ref) : [],
      guard: [{ kind: 'check', key: keys.workspace(next.id), if: [hasVersion(nextVersion(current))] }],
    }
    const isWritten = begins === undefined ? (await commit(store, changes)).ok : await beginWith(store, changes, begins)
    return isWritten ? workspace : undefined
  })
