import type { NamedFiles } from '../../../config/files/named-files.ts'
import type { SourcedBundle } from '../../../config/files/source.ts'
import type { ProviderRegistry } from '../../../provider/provider.ts'
import type { SecretRules } from '../../../values/secret-source.ts'
import type { Deps } from '../../deps.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import { withSources } from './late-sources.ts'

/* Parsers are loaded with the first workspace: most functions never need them. */

/** Loaded workspaces by bundle: reading a folder ends with loading it, and the caller needs the same result next. */
const loaded = new WeakMap<
  SourcedBundle,
  {
    readonly registry: ProviderRegistry
    readonly sources: LoadingDeps['sources']
    readonly rules: SecretRules | undefined
    readonly workspace: LoadedWorkspace
  }
>()

/** With `secretRules`, a secret that the workspace may not read is an issue with its position. */
export type LoadingDeps = Pick<Deps, 'providers' | 'sources' | 'secretRules'>

/** Loads the same bundle only once. Throws CONFIG_INVALID with all issues. */
export const loadWorkspaceLater = async (
  bundle: SourcedBundle,
  { providers, sources, secretRules: rules }: LoadingDeps,
  files?: NamedFiles,
): Promise<LoadedWorkspace> => {
  const registry = await providers()
  const known = loaded.get(bundle)
  if (known?.registry === registry && known.sources === sources && known.rules === rules) return known.workspace
  const { loadWorkspace } = await import('./load-workspace.ts')
  const workspace = await withSources(sources, (findSource) =>
    loadWorkspace(bundle, registry, files, { secrets: rules, findSource }),
  )
  loaded.set(bundle, { registry, sources, rules, workspace })
  return workspace
}
