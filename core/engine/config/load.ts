import type { Diagnostic, Issue } from '../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject } from '../schema/json.ts'
import { defined } from '../values/defined.ts'
import { byPlace } from '../values/diagnose.ts'
import { resolvePath } from '../values/file-path.ts'
import { mapMembers } from '../values/members.ts'
import type { SecretRules } from '../values/secret-source.ts'
import { holdsHole } from './expressions/references.ts'
import { type NamedFiles, namedFiles } from './files/named-files.ts'
import type { SourcedBundle } from './files/source.ts'
import { say as sayOfFile } from './files/words.ts'
import { loadImports } from './load-imports.ts'
import { loadMoves, loadPlaceMoves } from './load-moves.ts'
import { loadRemoved } from './load-removed.ts'
import { type LoadedResources, loadResources } from './load-resources.ts'
import { checkRoutes } from './load-routes.ts'
import type { FindSource } from './modules/foreign.ts'
import { includedParts } from './modules/include.ts'
import { onceEach } from './once-each.ts'
import { checkAliases, overlayInputs, overlayVariables, renaming, withoutHistory } from './preview/apply-overlay.ts'
import { asPreview } from './preview/as-preview.ts'
import { type LoadedOverlay, loadOverlay } from './preview/load-overlay.ts'
import { type Frame, rootFrame } from './references/frame.ts'
import type { Scope } from './references/resolution.ts'
import { createResolver } from './references/resolve-values.ts'
import { parseDuration } from './schedule/schedule.ts'
import { configurationShape, type WrittenConfiguration } from './shape/shape.ts'
import { parseFile } from './shape/shape-issues.ts'
import type { Configuration, ProviderConfiguration } from './shared/configuration.ts'
import { limitedTypes } from './shared/limited-types.ts'
import { say } from './shared/words.ts'
import {
  documentExtensions,
  isDocument,
  type ParsedDocument,
  parseDocument,
  type Report,
  reporter,
} from './syntax/parse-document.ts'
import { givenByStore } from './variables/given-value.ts'
import { type ResolvedVariables, resolveVariables, type VariablesInput } from './variables/resolve-variables.ts'

export type Loaded =
  | { readonly ok: true; readonly configuration: Configuration }
  /**
   * With issues, `configuration` contains what is readable, so that later steps find more problems; it is absent if
   * nothing is readable.
   */
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly configuration?: Configuration }

interface LoadInput {
  readonly bundle: SourcedBundle
  readonly files: NamedFiles
  readonly secrets: SecretRules | undefined
  readonly findSource: FindSource
  readonly document: ParsedDocument
  readonly issues: Issue[]
  readonly report: Report
  readonly documents: Map<string, { readonly value: Json; locate: ParsedDocument['locate'] }>
}

const objectAt = (value: JsonObject, key: string): JsonObject => {
  const inner = value[key]
  return isObject(inner) ? inner : {}
}

const loadDefinition = (load: LoadInput, alias: string, written: Json | undefined): string | undefined => {
  if (typeof written !== 'string' || written === '') return undefined
  const { bundle, files, documents } = load
  const refuse = (diagnostic: Diagnostic): undefined => load.report(['providers', alias, 'definition'], diagnostic)
  const file = resolvePath(bundle.entry, written)
  if (file === undefined) return refuse(sayOfFile('outside', written))
  const text = files.getDocument(file)
  if (text === undefined) return refuse(files.refusal(file))
  if (!isDocument(file)) return refuse(say('otherFileType', file, documentExtensions))
  if (documents.has(file)) return file
  const { value = null, locate, issues } = parseDocument(file, text)
  for (const issue of issues) load.issues.push(issue)
  documents.set(file, { value, locate })
  return file
}

const packageMembers = ({ integrity, baseUrls }: JsonObject): Pick<ProviderConfiguration, 'integrity' | 'baseUrls'> =>
  defined({
    integrity: typeof integrity === 'string' ? integrity : undefined,
    baseUrls: isArray(baseUrls) ? baseUrls.filter((url) => typeof url === 'string') : undefined,
  })

const loadProviders = (
  load: LoadInput,
  root: JsonObject,
  {
    scope,
    frame,
    overlay,
  }: { readonly scope: Scope; readonly frame: Frame; readonly overlay: LoadedOverlay | undefined },
): readonly ProviderConfiguration[] => {
  const resolver = createResolver(scope)
  return Object.entries(objectAt(root, 'providers')).flatMap(([alias, written]) => {
    if (!isObject(written)) return []
    const definition = loadDefinition(load, alias, written['definition'])
    const own = objectAt(written, 'with')
    const path = ['providers', alias, 'with']
    const other = overlay && overlayInputs(overlay, alias, own, frame)
    const kept = mapMembers(own, (each, name) =>
      other !== undefined && Object.hasOwn(other.inputs, name) ? undefined : each,
    )
    const replaced = other && resolver.members(other.frame, other.inputs, path)
    const given = { ...resolver.members(frame, kept, path), ...replaced }
    const isRead =
      definition === undefined ? written['definition'] === undefined : load.documents.get(definition)?.value !== null
    return [
      {
        alias,
        source: String(written['source']),
        with: given,
        ...packageMembers(written),
        position: load.document.locate(['providers', alias], 'key'),
        withPosition: load.document.locate(path, 'key'),
        sourcePosition: load.document.locate(['providers', alias, 'source']),
        inputs: mapMembers(own, (_, name) => load.document.locate([...path, name])),
        // Problems that later steps find in this provider are consequences of a reported one.
        ...defined({ definition, broken: holdsHole(given) || !isRead ? (true as const) : undefined }),
      },
    ]
  })
}

type ResolvedParts = Pick<Configuration, 'given' | 'providers' | 'moved' | 'movedPlaces' | 'removed' | 'imports'> &
  LoadedResources & { readonly overlay: LoadedOverlay | undefined }

const toConfiguration = (
  load: LoadInput,
  written: WrittenConfiguration,
  { drafts, overlay, facts, disabled: _, ...resolved }: ResolvedParts,
): Configuration => {
  const { document, documents } = load
  const { alerts = {}, limits = {} } = written
  const configuration: Configuration = {
    ...resolved,
    workspace: written.workspace,
    ...defined({ schedule: written.schedule }),
    timezone: written.timezone ?? 'UTC',
    blackout: (written.blackout ?? []).map(({ cron, duration }) => ({
      cron,
      durationMs: parseDuration(duration) ?? 0,
    })),
    notes: facts.flatMap(({ notes }) => notes),
    gone: written.gone ?? [],
    orphans: written.orphans ?? 'delete',
    unmanaged: written.unmanaged ?? 'ignore',
    ignore: (written.ignore ?? []).map((rule) => ({ ...rule, includeDeletes: rule.includeDeletes ?? false })),
    policy: written.policy ?? {},
    events: written.events ?? {},
    limitedTypes: limitedTypes(written.policy, document),
    // A scheduled check has fifteen minutes in total.
    limits: {
      bytes: limits.bytes ?? 536_870_912,
      seconds: (parseDuration(limits.time ?? '10m') ?? 0) / 1_000,
      ...defined({ requests: limits.requests }),
    },
    alerts: {
      minSeverity: alerts.minSeverity ?? 'low',
      ...defined({ renotifyMs: parseDuration(alerts.renotify ?? ''), routes: alerts.routes }),
    },
    locate: (address, path, what) => {
      const draft = drafts.get(address)
      if (draft === undefined) return document.locate(['resources'])
      const whole = draft.path.slice(0, 2)
      if (what === 'type') return draft.frame.locate([...whole, 'type'])
      return path.length === 0 ? draft.frame.locate(whole) : draft.frame.locate([...draft.path, ...path], what)
    },
    documents,
  }
  return overlay === undefined ? configuration : asPreview(configuration, overlay)
}

const loadRoot = (load: LoadInput, whole: JsonObject): Loaded => {
  const { document, report, issues, secrets, files, findSource } = load
  // Problems of the shape do not stop the later steps, which use what is readable.
  const written = parseFile(configurationShape, whole, report)
  const named = String(whole['workspace'])
  const { preview } = load.bundle
  const overlay = preview && loadOverlay(preview, { base: named, entry: document, files, issues })
  const root = overlay === undefined ? whole : withoutHistory(whole)
  const workspace = overlay?.names.id ?? named
  const scope = { workspace, ...defined({ secrets }) }
  checkRoutes(written?.alerts?.routes ?? [], scope, report)
  const declared = objectAt(root, 'variables')
  const outside = [...givenByStore(load.bundle.variables ?? {}), ...(load.bundle.given ?? [])]
  const bare = rootFrame(document.file, report, document)
  const { values, given } = loadVariables({ scope, declared, given: outside, frame: bare, issues }, overlay)
  const variables = new Map([...values].map(([name, value]) => [name, { value }]))
  const names = { resources: new Set<string>(), modules: new Set<string>() }
  const frame = rootFrame(document.file, report, document, { variables, names })
  const providers = loadProviders(load, root, { scope, frame, overlay })
  const aliases = Object.keys(objectAt(root, 'providers'))
  if (overlay !== undefined) checkAliases(overlay, aliases)
  const include = isArray(root['include']) ? root['include'] : []
  const parts = [{ frame, written: root }, ...includedParts(include, { files, frame, issues })]
  const renames = overlay && renaming(overlay)
  const loaded = loadResources({ scope, parts, aliases, files, issues, rename: renames?.rename, findSource })
  renames?.finish()
  const moved = [...loadMoves(root['moved'], loaded, report), ...loaded.facts.flatMap((each) => each.moved)]
  const movedPlaces = loadPlaceMoves(root['moved'], aliases, report)
  const removed = loadRemoved(root['removed'], { resources: loaded.resources, moved }, report)
  const own = loadImports(root['import'], { ...loaded, scope, frame })
  const imports = [...own, ...loaded.facts.flatMap((each) => each.imports)]
  const read = written ?? { workspace, providers: {}, resources: [] }
  const configuration = toConfiguration(load, read, {
    given,
    providers,
    moved,
    movedPlaces,
    removed,
    imports,
    overlay,
    ...loaded,
  })
  return written !== undefined && issues.length === 0
    ? { ok: true, configuration }
    : { ok: false, issues: onceEach(issues).toSorted(byPlace), configuration }
}

/**
 * In a preview the values of the overlay take precedence, but only those given from outside are kept with the
 * configuration.
 */
const loadVariables = (input: VariablesInput, overlay: LoadedOverlay | undefined): ResolvedVariables => {
  if (overlay === undefined) return resolveVariables(input)
  const before = resolveVariables({ ...input, issues: [] })
  const more = overlayVariables(overlay, before.values)
  return { ...resolveVariables({ ...input, given: [...input.given, ...more] }), given: before.given }
}

export interface LoadingRules {
  /** Limits which secrets may be used; absent: any. */
  readonly secrets?: SecretRules | undefined
  /** Finds modules in formats of other products; absent: there are none. */
  readonly findSource?: FindSource
}

/**
 * Turns the files of a workspace into a configuration, or into a list of all their problems. Never throws. Providers
 * are checked later.
 */
export const loadConfiguration = (
  bundle: SourcedBundle,
  files: NamedFiles = namedFiles(bundle),
  { secrets, findSource = () => undefined }: LoadingRules = {},
): Loaded => {
  const { entry } = bundle
  const text = files.getDocument(entry)
  if (text === undefined || !isDocument(entry)) {
    const refused =
      text === undefined ? (bundle.refused?.[entry] ?? say('noEntry', entry)) : say('otherEntryType', entry)
    return { ok: false, issues: [{ file: entry, line: 1, column: 1, ...refused }] }
  }
  const document = parseDocument(entry, text)
  const issues = [...document.issues]
  const report = reporter(document, issues)
  if (isObject(document.value))
    return loadRoot(
      { bundle, files, secrets, findSource, document, issues, report, documents: new Map() },
      document.value,
    )
  if (document.value !== undefined) report([], say('noMapping'))
  return { ok: false, issues: issues.toSorted(byPlace) }
}
