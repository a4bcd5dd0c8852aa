import { AppError } from '../../../errors/errors.ts'
import { findRemoval } from '../../../state/workspaces/lineage.ts'
import { findWorkspace } from '../../../state/workspaces/workspaces.ts'
import type { Deps } from '../../deps.ts'
import { previewRefusals } from '../../words.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Base } from './base.ts'
import { openBase } from './open-base.ts'

interface Preview {
  readonly loaded: LoadedWorkspace
  /** Absent if the base was removed: then no object belongs to it any more. */
  readonly base?: Base | undefined
}

/** Opens a preview and its base. An expired preview declares nothing. Throws PREVIEW_REFUSED. */
export const openPreview = async (
  loaded: LoadedWorkspace,
  folder: string | undefined,
  deps: Deps,
): Promise<Preview> => {
  const { workspace: preview, preview: { base } = { base: '' } } = loaded.configuration
  const stored = (await findWorkspace(deps.store, preview))?.preview
  if (stored === undefined) throw new AppError('PREVIEW_REFUSED', { preview, detail: previewRefusals.notStored })
  const isExpired = stored.expiresAt <= deps.clock.now().toISOString()
  const isGone = isExpired && (await findRemoval(deps.store, base)) !== undefined
  return {
    loaded: isExpired ? withoutResources(loaded) : loaded,
    base: isGone ? undefined : await openBase({ base, preview, folder }, deps),
  }
}

const withoutResources = (loaded: LoadedWorkspace): LoadedWorkspace => ({
  ...loaded,
  configuration: { ...loaded.configuration, resources: [] },
})
