import { AppError, isAppError } from '../../errors/errors.ts'
import { canonicalJson } from '../../json/digest.ts'
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
import { findVersion, versionWrite } from './versions.ts'
import {
  findStored,
  hasVersion,
  loadBundle,
  nextVersion,
  replace,
  requireOrigin,
  type StoredWorkspace,
} from './workspaces.ts'

type NextWorkspace = Omit<Workspace, 'lastRun' | 'configurationVersion'>

/** A claim that the files of a workspace are kept at a place. */
export interface Claim {
  readonly origin: string
  /** Whether the workspace may be taken from another place. */
  readonly mayTake: (from: string) => Promise<boolean>
}

/** What distinguishes a workspace from a removed one with the same name. */
export interface Beginning {
  readonly lineage: string
  /** For the ledger, which goes on. */
  readonly entry: LedgerDraft
  readonly guard: readonly Write[]
}

/** How a configuration is stored. */
export interface Saving {
  readonly claim?: Claim | undefined
  readonly begins?: Beginning | undefined
  /** What is said of the version, besides who stored what and when. */
  readonly note?: Pick<Version, 'reason' | 'rollbackOf' | 'commit'>
  /** The version that must be the current one. */
  readonly expected?: number | undefined
  /** Whether it was read from the source of the workspace: nothing else may be stored as long as there is one. */
  readonly isPulled?: boolean
  /** What differs from the stored configuration. */
  readonly compare?: (current: Bundle | undefined) => Promise<VersionChanges>
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

const requireClaim = async (current: Workspace | undefined, { origin, mayTake }: Claim): Promise<void> => {
  if (current?.origin === undefined || current.origin === origin) return
  if (!(await mayTake(current.origin))) requireOrigin(current, origin)
}

const requireSource = (workspace: string, current: Workspace | undefined, { isPulled = false }: Saving): void => {
  const source = current?.source
  if ((source !== undefined) === isPulled) return
  // The source may have been removed while it was read.
  if (source === undefined) throw new AppError('SOURCE_NOT_FOUND', { workspace })
  throw new AppError('WORKSPACE_SOURCED', { workspace, source: sourceText(source) })
}

/** The members that a new configuration keeps. A paused workspace stays paused, and has no due time. */
const withKept = (next: NextWorkspace, current: Workspace | undefined): Omit<Workspace, 'configurationVersion'> => {
  const { lastRun, pendingCheck, paused, source = next.source } = current ?? {}
  const { nextCheckAt, ...rest } = next
  const due = paused === undefined ? nextCheckAt : undefined
  return { ...rest, ...defined({ nextCheckAt: due, lastRun, pendingCheck, paused, source }) }
}

/** The stored files; damaged ones do not prevent that others are stored. */
const readable = async (store: Store, id: string): Promise<Bundle | undefined> => {
  try {
    return await loadBundle(store, id)
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT')) return undefined
    throw error
  }
}

/** The next version, or the current one if the content is the same; with what writes it. */
const versionWrites = async (
  store: Store,
  { current, next, ref }: { current: StoredWorkspace | undefined; next: NextWorkspace; ref: BlobRef },
  { note, compare }: Saving,
): Promise<{ readonly version: number; readonly writes: readonly Write[] }> => {
  const { id, updatedAt: at, updatedBy: by, configurationDigest: digest } = next
  const write = (about: Version): Write => versionWrite(id, about, ref)
  const last = current?.workspace.configurationVersion ?? 0
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
 * Creates or replaces a workspace, but for its last run. The write itself decides a claim and the number of the version.
 * Throws WORKSPACE_CLAIMED, WORKSPACE_SOURCED, WORKSPACE_REMOVED, VERSION_CONFLICT.
 */
export const saveWorkspace = (
  store: Store,
  next: NextWorkspace,
  bundle: Bundle,
  saving: Saving = {},
): Promise<Workspace> =>
  untilWritten(`workspace ${next.id}`, async () => {
    const { claim, begins: wanted, expected } = saving
    const current = await findStored(store, next.id)
    const begins = current === undefined ? wanted : undefined
    if (current === undefined && begins === undefined) await refuseRemoved(store, next.id)
    requireSource(next.id, current?.workspace, saving)
    if (claim !== undefined) await requireClaim(current?.workspace, claim)
    // Somebody stored another kind of workspace under the name in the meantime.
    if (current !== undefined && current.workspace.preview?.branch !== next.preview?.branch)
      throw new AppError('STORE_CONFLICT', { what: things.workspace(next.id) })
    if (expected !== undefined) requireVersion(next, current, expected)
    const { pk } = keys.workspace(next.id)
    // One spelling, so that versions with the same content share it.
    const { ref, writes } = await blobWrites(pk, canonicalJson(bundle))
    const { version, writes: versions } = await versionWrites(store, { current, next, ref }, saving)
    const workspace = { ...withKept(next, current?.workspace), configurationVersion: version }
    const isSame = version === current?.workspace.configurationVersion
    const changes: Changes = {
      ahead: writes,
      final: [
        ...replace(current, workspace, ref, true, begins?.lineage),
        ...versions,
        { kind: 'put', item: { ...keys.directory(next.id) } },
        { kind: 'delete', key: keys.quarantine(next.id) },
        // The name of a removed one is taken in this very write, or not at all.
        begins === undefined
          ? { kind: 'check', key: keys.removed(next.id), if: [{ kind: 'absent' }] }
          : { kind: 'delete', key: keys.removed(next.id), if: [{ kind: 'exists' }] },
        ...(begins?.guard ?? []),
      ],
      // A version that is not the current one any more keeps its files.
      behind: isSame ? blobDeletes(pk, current?.bundle, ref) : [],
      guard: [{ kind: 'check', key: keys.workspace(next.id), if: [hasVersion(nextVersion(current))] }],
    }
    const isWritten = begins === undefined ? (await commit(store, changes)).ok : await beginWith(store, changes, begins)
    return isWritten ? workspace : undefined
  })
