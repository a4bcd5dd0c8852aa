import type { SourcedBundle } from '../../../config/files/source.ts'
import { AppError } from '../../../errors/errors.ts'
import type { Actor } from '../../../schema/actor.ts'
import type { Workspace } from '../../../schema/stored/records.ts'
import type { Version, VersionDiff } from '../../../schema/stored/versions.ts'
import type { Page, Paging } from '../../../state/store/store.ts'
import { listVersions, loadVersion } from '../../../state/workspaces/versions.ts'
import { getWorkspace } from '../../../state/workspaces/workspaces.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import { putWorkspace } from '../put-workspace.ts'

/** The versions of a workspace, the latest first. Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
export const workspaceHistory = async (
  { workspace, ...paging }: Paging & { readonly workspace: string },
  { store }: Pick<Deps, 'store'>,
): Promise<Page<Version>> => {
  await getWorkspace(store, workspace)
  return listVersions(store, workspace, paging)
}

/** Includes the folder of the caller, which relative paths start from; a stored version has none. */
const storedVersion = async (
  workspace: string,
  version: number,
  { store, config }: Pick<Deps, 'store' | 'config'>,
): Promise<{ readonly about: Version; readonly bundle: SourcedBundle }> => {
  const { about, bundle } = await loadVersion(store, workspace, version)
  return { about, bundle: { ...bundle, ...defined({ folder: await config.folder?.(workspace) }) } }
}

export interface DiffRequest {
  readonly workspace: string
  readonly from: number
  readonly to: number
}

/**
 * What differs between two versions. Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED, VERSION_NOT_FOUND, STORE_CORRUPT.
 */
export const diffVersions = async (
  { workspace: id, from, to }: DiffRequest,
  deps: Pick<Deps, 'store' | 'config' | 'providers' | 'sources'>,
): Promise<VersionDiff> => {
  await getWorkspace(deps.store, id)
  const before = await storedVersion(id, from, deps)
  const after = await storedVersion(id, to, deps)
  const { compareVersions, readVersion } = await import('../compare-versions.ts')
  const compared = compareVersions(
    { ...(await readVersion(before.bundle, deps)), version: from },
    { ...(await readVersion(after.bundle, deps)), version: to },
  )
  return { workspace: id, from: before.about, to: after.about, ...compared }
}

export interface RollbackRequest {
  readonly workspace: string
  readonly version: number
  readonly reason: string
  readonly actor: Actor
  /** The number of the version that the caller saw as the current one. */
  readonly expected?: number | undefined
}

/**
 * Makes a new version with the content of an earlier one, by the rules of a push: the content must be valid now. The
 * files stay claimed by the place that pushed them. Throws VERSION_NOT_FOUND, VERSION_CURRENT, VERSION_CONFLICT and
 * what `putWorkspace` throws.
 */
export const rollbackWorkspace = async (
  { workspace: id, version, reason, actor, expected }: RollbackRequest,
  deps: Deps,
): Promise<Workspace> => {
  const workspace = await getWorkspace(deps.store, id)
  const { about, bundle } = await storedVersion(id, version, deps)
  if (about.digest === workspace.configurationDigest) throw new AppError('VERSION_CURRENT', { workspace: id, version })
  const { origin } = workspace
  return putWorkspace(
    {
      bundle,
      actor,
      workspace: id,
      note: { reason, rollbackOf: version },
      // Another user may store something between the read and the write.
      expected: expected ?? workspace.configurationVersion,
      ...defined({ claim: origin === undefined ? undefined : { origin, mayTake: async () => false } }),
    },
    deps,
  )
}
