import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'

/**
 * Brings the stored configuration up to date, if it is read from a source. Throws SOURCE_UNREADABLE, SOURCE_INVALID.
 */
export const pullSource = async (workspace: string, deps: Deps): Promise<void> => {
  const found = await findWorkspace(deps.store, workspace)
  if (found?.source === undefined) return
  const { pullStored } = await import('./pull-stored.ts')
  await pullStored({ ...found, source: found.source }, deps)
}
