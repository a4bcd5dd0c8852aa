import type { Issue } from '../schema/issue.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import type { DesiredResource } from '../schema/resource.ts'
import type { AlertRules, Move } from '../schema/rules.ts'
import { defined } from '../values/defined.ts'
import type { SecretRules } from '../values/secret-source.ts'
import type { Configuration, ProviderConfiguration } from './configuration.ts'
import { type NamedFiles, namedFiles } from './files/named-files.ts'
import { resolvePath } from './files/resolve-path.ts'
import type { SourcedBundle } from './files/source.ts'
import { loadMoves } from './load-moves.ts'
import { loadResources } from './load-resources.ts'
import type { Problems } from './problems.ts'
import { collectProblems } from './problems.ts'
import { holdsHole } from './references/hole.ts'
import type { Scope } from './references/resolution.ts'
import { createResolver } from './references/resolve-values.ts'
import { resolveVariables } from './references/resolve-variables.ts'
import { parseDuration } from './schedule/duration.ts'
import type { WrittenConfiguration } from './shape/shape.ts'
import { parseShape } from './shape/shape-issues.ts'
import type { ParsedDocument } from './syntax/parse-document.ts'
import { documentExtensions, parseDocument } from './syntax/parse-document.ts'

export type Loaded =
  | { readonly ok: true; readonly configuration: Configuration }
  /** `configuration` is what can be read of it, for the steps that come after to find more; absent: nothing can. */
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly configuration?: Configuration }

type Documents = Map<string, { readonly value: Json; locate: ParsedDocument['locate'] }>

interface Load {
  readonly bundle: SourcedBundle
  readonly files: NamedFiles
  readonly secrets: SecretRules | undefined
  readonly document: ParsedDocument
  readonly problems: Problems
  readonly documents: Documents
}

const objectAt = (value: JsonObject, key: string): JsonObject => {
  const inner = value[key]
  return isObject(inner) ? inner : {}
}

/** Parses the document that a provider names, once for all that name it. Answers its path within the bundle. */
const loadDefinition = (load: Load, alias: string, written: Json | undefined): string | undefined => {
  if (typeof written !== 'string' || written === '') return undefined
  const { bundle, files, problems, documents } = load
  const position = load.document.locate(['providers', alias, 'definition'])
  const file = resolvePath(bundle.entry, written)
  if (file === undefined) {
    problems.report(
      position,
      `${written} is outside the folder of the workspace`,
      'name a file beside this one, relative to it',
    )
    return undefined
  }
  const text = files.get(file)
  if (text === undefined) {
    const { message, fix } = files.refusal(file)
    problems.report(position, message, fix)
    return undefined
  }
  if (!documentExtensions.some((extension) => file.endsWith(extension))) {
    problems.report(
      position,
      `${file} is neither YAML nor JSON`,
      `use a file that ends in ${documentExtensions.join(', ')}`,
    )
    return undefined
  }
  if (documents.has(file)) return file
  const parsed = parseDocument(file, text)
  problems.add(parsed.issues)
  documents.set(file, { value: parsed.value ?? null, locate: parsed.locate })
  return file
}

const loadProviders = (load: Load, root: JsonObject, scope: Scope): readonly ProviderConfiguration[] => {
  const resolver = createResolver(scope, load.document, load.problems)
  return Object.entries(objectAt(root, 'providers')).flatMap(([alias, written]) => {
    if (!isObject(written)) return []
    const definition = loadDefinition(load, alias, written['definition'])
    const given = resolver.members(objectAt(written, 'with'), ['providers', alias, 'with'])
    return [
      {
        alias,
        source: String(written['source']),
        ...defined({ definition }),
        with: given,
        ...defined({ broken: isBroken(load, written['definition'], definition, given) ? (true as const) : undefined }),
        position: load.document.locate(['providers', alias], 'key'),
      },
    ]
  })
}

/** Whatever it says of itself after a problem that was told is an echo of that. */
const isBroken = ({ documents }: Load, written: Json | undefined, definition: string | undefined, given: JsonObject) =>
  holdsHole(given) ||
  (written !== undefined && definition === undefined) ||
  (definition !== undefined && documents.get(definition)?.value === null)

const toAlerts = (written: WrittenConfiguration['alerts']): AlertRules => {
  const renotifyMs = written?.renotify === undefined ? undefined : parseDuration(written.renotify)
  return { minSeverity: written?.minSeverity ?? 'low', ...defined({ renotifyMs }) }
}

interface Resolved {
  readonly providers: readonly ProviderConfiguration[]
  readonly resources: readonly DesiredResource[]
  readonly moved: readonly Move[]
}

const toConfiguration = (load: Load, written: WrittenConfiguration, resolved: Resolved): Configuration => {
  const indexes = load.document.value === undefined ? new Map<string, number>() : placesOf(load.document.value)
  const { autoApply: _, approvers: __, ...policy } = written.policy ?? {}
  return {
    workspace: written.workspace,
    ...defined({ schedule: written.schedule }),
    timezone: written.timezone ?? 'UTC',
    blackout: (written.blackout ?? []).map(({ cron, duration }) => ({
      cron,
      durationMs: parseDuration(duration) ?? 0,
    })),
    providers: resolved.providers,
    resources: resolved.resources,
    moved: resolved.moved,
    unmanaged: written.unmanaged ?? 'ignore',
    ignore: (written.ignore ?? []).map((rule) => ({ ...rule, includeDeletes: rule.includeDeletes ?? false })),
    policy,
    limits: toLimits(written.limits),
    alerts: toAlerts(written.alerts),
    locate: (address, path, what) => {
      const index = indexes.get(address)
      if (index === undefined) return load.document.locate(['resources'])
      if (what === 'type') return load.document.locate(['resources', index, 'type'])
      return path.length === 0
        ? load.document.locate(['resources', index])
        : load.document.locate(['resources', index, 'spec', ...path], what)
    },
    documents: load.documents,
  }
}

/** Which place of the written list has which address; the first one where it stands twice. */
const placesOf = (root: Json): ReadonlyMap<string, number> => {
  const written = isObject(root) && isArray(root['resources']) ? root['resources'] : []
  const places = new Map<string, number>()
  for (const [index, each] of written.entries()) {
    const address = isObject(each) ? `${each['type']}.${each['name']}` : ''
    if (!places.has(address)) places.set(address, index)
  }
  return places
}

/** A check of the schedule has fifteen minutes in all. */
const toLimits = ({
  bytes = 536_870_912,
  time = '10m',
}: WrittenConfiguration['limits'] = {}): Configuration['limits'] => ({
  bytes,
  seconds: (parseDuration(time) ?? 0) / 1_000,
})

const loadRoot = (load: Load, root: JsonObject): Loaded => {
  const { document, problems } = load
  // What the shape says does not keep the later steps from looking at the rest: they take what they can read.
  const { written, issues: departures } = parseShape(root, document)
  problems.add(departures)
  const workspace = String(root['workspace'])
  const { secrets } = load
  const scope = {
    workspace,
    ...defined({ secrets }),
    variables: resolveVariables({
      workspace,
      secrets,
      declared: objectAt(root, 'variables'),
      document,
      problems,
    }),
  }
  const providers = loadProviders(load, root, scope)
  const aliases = Object.keys(objectAt(root, 'providers'))
  const resources = loadResources({ scope, written: root['resources'], aliases, document, problems })
  const moved = loadMoves({ written: root['moved'], resources, document, problems })
  const issues = problems.all()
  const read = written ?? { workspace, providers: {}, resources: [] }
  const configuration = toConfiguration(load, read, { providers, resources, moved })
  return written !== undefined && issues.length === 0
    ? { ok: true, configuration }
    : { ok: false, issues, configuration }
}

/**
 * A workspace's files as a configuration, or every problem in them at once. Never throws, whatever the files hold. Providers are not asked: `bindProviders` and `checkResources` come after.
 */
export const loadConfiguration = (
  bundle: SourcedBundle,
  files: NamedFiles = namedFiles(bundle),
  secrets?: SecretRules,
): Loaded => {
  const problems = collectProblems()
  const start = { file: bundle.entry, line: 1, column: 1 }
  const text = files.get(bundle.entry)
  if (text === undefined || !documentExtensions.some((extension) => bundle.entry.endsWith(extension))) {
    const message = text === undefined ? `there is no file ${bundle.entry}` : `${bundle.entry} is neither YAML nor JSON`
    const fix = 'name it plumbline.yaml, plumbline.json or plumbline.jsonc'
    const why = text === undefined ? bundle.refused?.[bundle.entry] : undefined
    return { ok: false, issues: [{ ...start, ...(why ?? { message, fix }) }] }
  }
  const document = parseDocument(bundle.entry, text)
  problems.add(document.issues)
  if (document.value === undefined) return { ok: false, issues: problems.all() }
  if (!isObject(document.value)) {
    problems.report(
      document.locate([]),
      'the configuration must be a mapping of keys to values',
      'start with "workspace: <name>"',
    )
    return { ok: false, issues: problems.all() }
  }
  return loadRoot({ bundle, files, secrets, document, problems, documents: new Map() }, document.value)
}
