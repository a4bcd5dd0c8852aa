import { bindProviders } from '../../../config/check/bind-providers.ts'
import { checkImports } from '../../../config/check/check-imports.ts'
import { checkReferences } from '../../../config/check/check-references.ts'
import { checkResources } from '../../../config/check/check-resources.ts'
import { holdsHole } from '../../../config/expressions/references.ts'
import { type NamedFiles, namedFiles } from '../../../config/files/named-files.ts'
import type { SourcedBundle } from '../../../config/files/source.ts'
import { type LoadingRules, loadConfiguration } from '../../../config/load.ts'
import { isAboutMissing } from '../../../config/load-resources.ts'
import { onceEach } from '../../../config/once-each.ts'
import type { Configuration } from '../../../config/shared/configuration.ts'
import { AppError } from '../../../errors/errors.ts'
import { findCycles } from '../../../graph/graph.ts'
import { digest } from '../../../json/digest.ts'
import type { Provider, ProviderInput, ProviderRegistry } from '../../../provider/provider.ts'
import type { Issue, Problem } from '../../../schema/issue.ts'
import { isObject, type JsonObject } from '../../../schema/json.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import type { Bundle } from '../../../schema/stored/bundle.ts'
import { addressPattern, resourceAddress } from '../../../values/addresses/address.ts'
import { conditionsIn } from '../../../values/conditions.ts'
import { defined } from '../../../values/defined.ts'
import { byPlace } from '../../../values/diagnose.ts'
import { pathIn, pathOfStored, storedName } from '../../../values/file-path.ts'
import { coveredBase } from '../rules/covered.ts'
import { type LoadedWorkspace, type Prepared, typeOf } from '../shared/loaded-workspace.ts'
import { refusals } from '../shared/words.ts'
import { forPreview } from './for-preview.ts'
import { withImplied } from './imply-dependencies.ts'
import { withoutApi } from './without-api.ts'
import { withoutLacking } from './without-lacking.ts'

/** Parses, configures and checks everything, so that all issues are found at once. Throws CONFIG_INVALID. */
export const loadWorkspace = (
  bundle: SourcedBundle,
  registry: ProviderRegistry,
  files: NamedFiles = namedFiles(bundle),
  rules: LoadingRules = {},
): LoadedWorkspace => {
  const loaded = loadConfiguration(bundle, files, rules)
  const declaring = new Set(files.named)
  const { configuration } = loaded
  const first = loaded.ok ? [] : loaded.issues
  if (configuration === undefined) throw new AppError('CONFIG_INVALID', { issues: first })
  const configured = configureProviders(configuration, { files, ...defined({ folder: bundle.folder }) }, registry)
  const { issues } = configured
  const providers = configuration.preview === undefined ? configured.providers : forPreview(configured.providers)
  const types = new Map([...providers].map(([alias, { types }]) => [alias, new Set(Object.keys(types))]))
  const bound = bindProviders(configuration, types)
  const meant = namesMeant(configuration.resources, bound.configuration.resources, types)
  const found = collectIssues(
    first.filter((issue) => !isAboutMissing(issue, meant)),
    circlesIn(configuration),
  )
  found.add(issues)
  found.add(bound.issues)
  const ready = prepareResources(
    withoutLacking(withoutApi({ configuration: bound.configuration, providers })),
    found.add,
  )
  found.refuse()
  // Only the last step that can read a file is before this, so all named files are known.
  const own = ownFiles(bundle, { files, declaring, variables: configuration.given }, [...providers.values()])
  const { workspace, rules: forAll } = splitRules(ready)
  return { ...withImplied(workspace), rules: forAll, bundle: own, digest: digest(own), ...indexOf(configuration) }
}

/** A preview has no rules: it leaves alone what it did not create. */
const splitRules = ({ configuration, providers }: Prepared) => {
  const { resources, preview } = configuration
  const objects = resources.filter((each) => !isRule(each))
  return {
    workspace: { providers, configuration: { ...configuration, resources: objects } },
    rules: preview === undefined ? resources.filter(isRule) : [],
  }
}

const isRule = ({ forAll }: DesiredResource): boolean => forAll !== undefined

const indexOf = ({ gone, imports }: Configuration): Pick<LoadedWorkspace, 'isGone' | 'imports'> => {
  const patterns = gone.map(({ address }) => addressPattern(address))
  return {
    isGone: (address) => patterns.some((covers) => covers(address)),
    imports: new Map(imports.map((each) => [each.to, each])),
  }
}

/**
 * Addresses that resources of unknown types would have with the right type: a reference to one of them is not an error.
 */
const namesMeant = (
  all: readonly DesiredResource[],
  bound: readonly DesiredResource[],
  types: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> => {
  const known = new Set(bound.map(({ address }) => address))
  const nameless = all.filter(({ address }) => !known.has(address))
  const every = [...types.values()].flatMap((each) => [...each])
  return new Set(nameless.flatMap(({ module, name }) => every.map((type) => resourceAddress({ module, type, name }))))
}

const placeOf = ({ file, line, column }: Issue): string => `${file}:${line}:${column}`

/**
 * Collects the issues of several steps. A later step adds no issue at a position that already has one. `apart` is
 * always kept.
 */
const collectIssues = (first: readonly Issue[], apart: readonly Issue[]) => {
  const all = [...first]
  return {
    add: (issues: readonly Issue[]): void => {
      const known = new Set(all.map(placeOf))
      for (const issue of issues) if (!known.has(placeOf(issue))) all.push(issue)
    },
    refuse: (): void => {
      const issues = onceEach([...all, ...apart]).toSorted(byPlace)
      if (issues.length > 0) throw new AppError('CONFIG_INVALID', { issues })
    },
  }
}

/** More circles are found once these are fixed. */
const shownCircles = 10

/** A resource that waits for itself could never be read or created. */
const circlesIn = ({ resources }: Configuration): readonly Issue[] => {
  const positions = new Map(resources.map(({ address, position }) => [address, position]))
  return findCycles(resources, shownCircles).flatMap((circle) => {
    const position = positions.get(circle[0] ?? '')
    const placed = circle.map((address) => ({ address, ...positions.get(address) }))
    return position === undefined ? [] : [{ ...position, ...refusals.circle(placed) }]
  })
}

interface Used {
  readonly files: NamedFiles
  /** Files that declare something; they are always a part of the workspace. */
  readonly declaring: ReadonlySet<string>
  readonly variables: JsonObject
}

/**
 * The files that declare something or that providers use, and the given values. A managed file is left out: it may contain
 * a secret, and changes with every drift.
 */
const ownFiles = (
  { entry, files, folder, preview }: SourcedBundle,
  { files: { named }, declaring, variables }: Used,
  providers: readonly Provider[],
): Bundle => {
  const roots = providers.flatMap(({ fileRoots = [] }) => fileRoots)
  const isManaged = (file: string): boolean =>
    folder !== undefined && roots.some((root) => `/${pathIn(folder.slice(1), file)}`.startsWith(`${root}/`))
  const kept = Object.entries(files)
    .map(([name, text]) => [pathOfStored(name), text] as const)
    .filter(([file]) => declaring.has(file) || (named.has(file) && !isManaged(file)))
    .map(([file, text]) => [storedName(file), text] as const)
  // Without given values, the member is left out, so that the digest stays as it was before variables existed.
  return {
    entry,
    files: Object.fromEntries(kept),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...defined({ preview }),
  }
}

const configureProviders = (
  configuration: Configuration,
  shared: Pick<ProviderInput, 'files' | 'folder'>,
  registry: ProviderRegistry,
) => {
  const providers = new Map<string, Provider>()
  const issues: Issue[] = []
  for (const {
    alias,
    source,
    definition,
    with: given,
    position,
    withPosition,
    sourcePosition,
    inputs,
    broken,
    integrity,
    baseUrls,
  } of configuration.providers) {
    if (broken) continue
    const isPackage = source.startsWith('npm:')
    const kind = isPackage ? 'npm' : source
    const factory = Object.hasOwn(registry, kind) ? registry[kind] : undefined
    if (!isPackage && (integrity ?? baseUrls) !== undefined)
      issues.push({ ...sourcePosition, ...refusals.ofPackages(alias), value: source })
    if (factory === undefined) {
      issues.push({ ...sourcePosition, ...refusals.noSource(alias, source, Object.keys(registry)), value: source })
      continue
    }
    const document = definition === undefined ? undefined : configuration.documents.get(definition)
    const about = document && { file: definition ?? '', ...document }
    const configured = factory.configure({
      alias,
      source,
      with: given,
      position,
      withPosition,
      inputs,
      ...shared,
      ...defined({ definition: about, integrity, baseUrls }),
    })
    if (configured.ok) providers.set(alias, configured.provider)
    else issues.push(...configured.issues)
  }
  return { providers, issues }
}

/** A condition by another type needs what its list is asked by, and attributes that it has. */
const unaskable = (rule: DesiredResource, workspace: Prepared): readonly Issue[] => {
  const own = typeOf(workspace, rule.provider, rule.type)?.schema.attributes ?? {}
  return conditionsIn(rule.forAll).flatMap(([name, expected]): readonly Issue[] => {
    const other = Object.hasOwn(own, name) ? undefined : typeOf(workspace, rule.provider, name)
    if (other === undefined) return []
    const { listWithin: needed = [], schema } = other
    const isGood = [expected]
      .flat()
      .every(
        (each) =>
          isObject(each) &&
          needed.every((key) => typeof each[key] === 'string') &&
          Object.keys(each).every((key) => Object.hasOwn(schema.attributes, key)),
      )
    if (isGood && other.list !== undefined) return []
    return [{ ...rule.position, ...refusals.unaskable(rule.address, name, needed) }]
  })
}

/** The objects of a rule must be in one list, and have an address that nothing else has. */
const checkRules = (workspace: Prepared): readonly Issue[] => {
  const { resources, locate } = workspace.configuration
  const rules = resources.filter(isRule)
  const covered = new Set(rules.map(({ type }) => coveredBase(type)))
  return [
    ...rules.flatMap(({ address, provider, type }) => {
      const facts = typeOf(workspace, provider, type)
      const isWhole = facts?.list !== undefined && [...(facts.listWithin ?? []), ...(facts.listBy ?? [])].length === 0
      return isWhole ? [] : [{ ...locate(address, [], 'type'), ...refusals.unlistedRule(address, type), value: type }]
    }),
    ...rules.flatMap((rule) => unaskable(rule, workspace)),
    ...resources.flatMap((each) =>
      !isRule(each) && covered.has(resourceAddress(each))
        ? [{ ...each.position, ...refusals.takenByRules(each.address) }]
        : [],
    ),
  ]
}

const prepareResources = (workspace: Prepared, found: (issues: readonly Issue[]) => void): Prepared => {
  const { configuration } = workspace
  const report = ({ address }: DesiredResource, problems: readonly Problem[]): void =>
    found(problems.map(({ path, ...found }) => ({ ...configuration.locate(address, path), ...found })))
  // The types of a provider that could not be configured are unknown; the problem of the provider is reported instead.
  const known = configuration.resources.filter(
    ({ provider, type, mayLackType }) =>
      typeOf(workspace, provider, type) !== undefined || (mayLackType && workspace.providers.has(provider)),
  )
  const resources = known.flatMap((resource) => {
    const type = typeOf(workspace, resource.provider, resource.type)
    if (type?.prepare === undefined || isRule(resource)) return [resource]
    if (holdsHole(resource.attributes)) return []
    const prepared = type.prepare(resource.attributes)
    if (prepared.ok) return [{ ...resource, attributes: prepared.attributes }]
    report(resource, prepared.problems)
    return []
  })
  const ready = { ...workspace, configuration: { ...configuration, resources } }
  const referable = (alias: string, type: string) => {
    const { schema, idNames: ids } = typeOf(workspace, alias, type) ?? {}
    return schema === undefined ? undefined : { schema, ids }
  }
  found(checkRules(ready))
  found(checkResources(ready.configuration, (alias, type) => referable(alias, type)?.schema))
  found(checkImports(ready.configuration, referable))
  found(checkReferences(ready.configuration, referable))
  for (const resource of resources) {
    if (holdsHole(resource.attributes)) continue
    report(resource, typeOf(workspace, resource.provider, resource.type)?.validate?.(resource.attributes) ?? [])
  }
  return ready
}
