import { bindProviders } from '../config/bind-providers.ts'
import { checkResources } from '../config/check-resources.ts'
import type { Configuration } from '../config/configuration.ts'
import { loadConfiguration } from '../config/load.ts'
import type { SourcedBundle } from '../config/source.ts'
import { digest } from '../digest.ts'
import { AppError } from '../errors.ts'
import type { Problem, Provider, ProviderDocument, ProviderRegistry } from '../providers/provider.ts'
import type { Issue } from '../schema/issue.ts'
import type { Bundle } from '../schema/records.ts'
import type { DesiredResource } from '../schema/resource.ts'
import { type LoadedWorkspace, typeOf } from './loaded-workspace.ts'

/** Parses, configures the providers and checks every resource against their facts. Throws CONFIG_INVALID with all issues. */
export const loadWorkspace = (bundle: SourcedBundle, registry: ProviderRegistry): LoadedWorkspace => {
  const loaded = loadConfiguration(bundle)
  if (!loaded.ok) throw new AppError('CONFIG_INVALID', { issues: loaded.issues })
  const { providers, issues } = configureProviders(loaded.configuration, bundle, registry)
  refuse(issues)
  const types = new Map([...providers].map(([alias, { types }]) => [alias, new Set(Object.keys(types))]))
  const bound = bindProviders(loaded.configuration, types)
  if (!bound.ok) throw new AppError('CONFIG_INVALID', { issues: bound.issues })
  const own = withoutManaged(bundle, [...providers.values()])
  return prepareResources({ configuration: bound.configuration, providers, bundle: own, digest: digest(own) })
}

/** A managed file may hold a secret, and moves with every drift. */
const withoutManaged = ({ entry, files, folder }: SourcedBundle, providers: readonly Provider[]): Bundle => {
  const roots = providers.flatMap(({ fileRoots = [] }) => fileRoots)
  const isManaged = (file: string): boolean => roots.some((root) => `${folder}/${file}`.startsWith(`${root}/`))
  const kept = Object.entries(files).filter(([file]) => file === entry || folder === undefined || !isManaged(file))
  return { entry, files: Object.fromEntries(kept) }
}

const refuse = (issues: readonly Issue[]): void => {
  if (issues.length > 0) throw new AppError('CONFIG_INVALID', { issues })
}

const configureProviders = (configuration: Configuration, bundle: SourcedBundle, registry: ProviderRegistry) => {
  const providers = new Map<string, Provider>()
  const issues: Issue[] = []
  const files = new Map(Object.entries(bundle.files))
  const folder = bundle.folder === undefined ? {} : { folder: bundle.folder }
  for (const { alias, source, definition, with: given, position } of configuration.providers) {
    const factory = Object.hasOwn(registry, source) ? registry[source] : undefined
    if (factory === undefined) {
      const fix = `use one of: ${Object.keys(registry).join(', ')}`
      issues.push({ ...position, message: `provider ${alias} has an unknown source`, value: source, fix })
      continue
    }
    const document = documentOf(configuration, definition)
    const input = { alias, with: given, position, files, ...folder, ...(document ? { definition: document } : {}) }
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
const prepareResources = (workspace: LoadedWorkspace): LoadedWorkspace => {
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
