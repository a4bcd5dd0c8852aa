import { bindProviders } from '../config/bind-providers.ts'
import { checkResources } from '../config/check-resources.ts'
import type { Configuration } from '../config/configuration.ts'
import { loadConfiguration } from '../config/load.ts'
import { digest } from '../digest.ts'
import type { Issue } from '../errors.ts'
import { AppError } from '../errors.ts'
import type { Provider, ProviderDocument, ProviderRegistry, ResourceType } from '../providers/provider.ts'
import type { Bundle } from '../schema/records.ts'
import type { DesiredResource } from '../schema/resource.ts'

/** A workspace ready to be read: its configuration, and its providers by alias. */
export interface LoadedWorkspace {
  readonly configuration: Configuration
  readonly providers: ReadonlyMap<string, Provider>
  /** Digest of all files. */
  readonly digest: string
}

export const typeOf = (loaded: LoadedWorkspace, alias: string, type: string): ResourceType | undefined =>
  loaded.providers.get(alias)?.types[type]

/** Parses, configures the providers and checks every resource against their facts. Throws CONFIG_INVALID with all issues. */
export const loadWorkspace = (bundle: Bundle, registry: ProviderRegistry): LoadedWorkspace => {
  const loaded = loadConfiguration(bundle)
  if (!loaded.ok) throw new AppError('CONFIG_INVALID', { issues: loaded.issues })
  const { providers, issues } = configureProviders(loaded.configuration, bundle, registry)
  const types = new Map([...providers].map(([alias, { types }]) => [alias, new Set(Object.keys(types))]))
  const bound = bindProviders(loaded.configuration, types)
  if (!bound.ok || issues.length > 0) {
    throw new AppError('CONFIG_INVALID', { issues: [...issues, ...(bound.ok ? [] : bound.issues)] })
  }
  const workspace = { configuration: bound.configuration, providers, digest: digest(bundle) }
  const found = resourceIssues(workspace)
  if (found.length > 0) throw new AppError('CONFIG_INVALID', { issues: found })
  return workspace
}

const configureProviders = (configuration: Configuration, bundle: Bundle, registry: ProviderRegistry) => {
  const providers = new Map<string, Provider>()
  const issues: Issue[] = []
  const files = new Map(Object.entries(bundle.files))
  for (const entry of configuration.providers) {
    const factory = registry[entry.source]
    if (factory === undefined) {
      issues.push({
        ...entry.position,
        message: `provider ${entry.alias} has an unknown source`,
        value: entry.source,
        fix: `use one of: ${Object.keys(registry).join(', ')}`,
      })
      continue
    }
    const definition = documentOf(configuration, entry.definition)
    const configured = factory.configure({ ...entry, files, ...(definition ? { definition } : {}) })
    if (configured.ok) providers.set(entry.alias, configured.provider)
    else issues.push(...configured.issues)
  }
  return { providers, issues }
}

const documentOf = (configuration: Configuration, file: string | undefined): ProviderDocument | undefined => {
  const document = file === undefined ? undefined : configuration.documents.get(file)
  return file === undefined || document === undefined ? undefined : { file, ...document }
}

const resourceIssues = (workspace: LoadedWorkspace): readonly Issue[] => {
  const { configuration } = workspace
  const schemaOf = (alias: string, type: string) => typeOf(workspace, alias, type)?.schema
  return [
    ...checkResources(configuration, schemaOf),
    ...configuration.resources.flatMap((each) => ownRules(workspace, each)),
  ]
}

const ownRules = (workspace: LoadedWorkspace, resource: DesiredResource): readonly Issue[] =>
  (typeOf(workspace, resource.provider, resource.type)?.validate?.(resource.attributes) ?? []).map((problem) => ({
    ...workspace.configuration.locate(resource.address, problem.path),
    message: problem.message,
    fix: problem.fix,
  }))
