import type { NamedFiles } from '../config/named-files.ts'
import type { SourcedBundle } from '../config/source.ts'
import type { ProviderRegistry } from '../providers/provider.ts'
import type { Deps } from './deps.ts'
import type { LoadedWorkspace } from './loaded-workspace.ts'

/*
 * Parsers, providers and the planner are most of the code, and a function that only answers or schedules never needs
 * them: they are loaded with the first workspace, so that a cold start does not pay for them.
 */

/** The registry of the product. */
export const loadProviders = async (): Promise<ProviderRegistry> => (await import('../providers/index.ts')).providers

/** Throws CONFIG_INVALID with all issues. */
export const loadWorkspaceLater = async (
  bundle: SourcedBundle,
  { providers }: Pick<Deps, 'providers'>,
  files?: NamedFiles,
): Promise<LoadedWorkspace> => {
  const { loadWorkspace } = await import('./load-workspace.ts')
  return loadWorkspace(bundle, await providers(), files)
}

/** The planner, which compares; it knows YAML. */
export const loadPlanning = () => import('./plan-workspace.ts')
