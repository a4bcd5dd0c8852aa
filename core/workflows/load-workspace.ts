import { bindProviders } from '../config/bind-providers.ts'
import { checkResources } from '../config/check-resources.ts'
import type { Configuration } from '../config/configuration.ts'
import { loadConfiguration } from '../config/load.ts'
import { type NamedFiles, namedFiles } from '../config/named-files.ts'
import type { SourcedBundle } from '../config/source.ts'
import { digest } from '../digest.ts'
import { AppError } from '../errors.ts'
import type { Problem, Provider, ProviderDocument, ProviderInput, ProviderRegistry } from '../providers/provider.ts'
import type { Issue } from '../schema/issue.ts'
import type { Bundle } from '../schema/records.ts'
import type { DesiredResource } from '../schema/resource.ts'
import { type LoadedWorkspace, type Prepared, typeOf } from './loaded-workspace.ts'

/** Parses, configures the providers and checks every resource against their facts. Throws CONFIG_INVALID with all issues. */
export const loadWorkspace = (
  bundle: SourcedBundle,
  registry: ProviderRegistry,
  files: NamedFiles = namedFiles(bundle),
): LoadedWorkspace => {
  const loaded = loadConfiguration(bundle, files)
  if (!loaded.ok) throw new AppError('CONFIG_INVALID', { issues: loaded.issues })
  const { providers, issues } = configureProviders(loaded.configuration, { files, ...folderOf(bundle) }, registry)
  refuse(issues)
  const types = new Map([...providers].map(([alias, { types }]) => [alias, new Set(Object.keys(types))]))
  const bound = bindProviders(loaded.configuration, types)
  if (!bound.ok) throw new AppError('CONFIG_INVALID', { issues: bound.issues })
  const ready = prepareResources({ configuration: bound.configuration, providers })
  // After the last step that can ask for a file.
  const own = ownFiles(bundle, files, [...providers.values()])
  return { ...ready, bundle: own, digest: digest(own) }
}

/** The entry and what it names. A managed file may hold a secret, and moves with every drift. */
const ownFiles = (
  { entry, files, folder }: SourcedBundle,
  { named }: NamedFiles,
  providers: readonly Provider[],
): Bundle => {
  const roots = providers.flatMap(({ fileRoots = [] }) => fileRoots)
  const isManaged = (file: string): boolean =>
    folder !== undefined && roots.some((root) => `${folder}/${file}`.startsWith(`${root}/`))
  const kept = Object.entries(files).filter(([file]) => file === entry || (named.has(file) && !isManaged(file)))
  return { entry, files: Object.fromEntries(kept) }
}

const folderOf = ({ folder }: SourcedBundle): { readonly folder?: string } => (folder === undefined ? {} : { folder })

const refuse = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw new AppError('CONFIG_INVALID', { issues })
}

const configureProviders = (
  configuration: Configuration,
  shared: Pick<ProviderInput, 'files' | 'folder'>,
  registry: ProviderRegistry,
) => {
  const providers = new Map<string, Provider>()
  const issues: Issue[] = []
  for (const { alias, source, definition, with: given, position } of configuration.providers) {
    const factory = Object.hasOwn(registry, source) ? registry[source] : undefined
    if (factory === undefined) {
      const fix = `use one of: ${Object.keys(registry).join(', ')}`
      issues.push({ ...position, message: `provider ${alias} has an unknown source`, value: source, fix })
      continue
    }
    const document = documentOf(configuration, definition)
    const input = { alias, with: given, position, ...shared, ...(document ? { definition: document } : {}) }
    const configured = factory.configure(input)
    if (configured.ok) providers.set(alias, configured.provider)
    else issues.push(...configured.issues)
  }
  return { providers, issues }
}

const documentOf = (configuration: Configuration, file: string | undefined): ProviderDocument | undefined => {
  const document = file === undefined ? undefined : configuration.documents.get(file)
  return file === undefined || document === undefined ? undefined : { file, ...document }
}

/** Brings what was written to the attributes of each type's schema, and checks it against their facts. */
const prepareResources = (workspace: Prepared): Prepared => {
  const { configuration } = workspace
  const issues: Issue[] = []
  const report = ({ address }: DesiredResource, problems: readonly Problem[]): void => {
    for (const { path, message, fix } of problems) {
      issues.push({ ...configuration.locate(address, path), message, fix })
    }
  }
  const resources = configuration.resources.map((resource) => {
    const prepared = typeOf(workspace, resource.provider, resource.type)?.prepare?.(resource.attributes)
    if (prepared === undefined) return resource
    if (prepared.ok) return { ...resource, attributes: prepared.attributes }
    report(resource, prepared.problems)
    return resource
  })
  refuse(issues)
  const ready = { ...workspace, configuration: { ...configuration, resources } }
  const schemaOf = (alias: string, type: string) => typeOf(workspace, alias, type)?.schema
  issues.push(...checkResources(ready.configuration, schemaOf))
  for (const resource of resources) {
    report(resource, typeOf(workspace, resource.provider, resource.type)?.validate?.(resource.attributes) ?? [])
  }
  refuse(issues)
  return ready
}
