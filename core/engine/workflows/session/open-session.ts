import type { SourcedBundle } from '../../config/files/source.ts'
import { normaliseRead } from '../../diff/normalise-read.ts'
import { AppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import { fromPointer, valueAt } from '../../json/pointer.ts'
import type { ResourceType } from '../../provider/provider.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Seal } from '../../schema/ports.ts'
import type { Address } from '../../schema/resource.ts'
import { type Basis, engineVersion } from '../../schema/stored/saved-plan.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { LiveMark } from '../../schema/value.ts'
import { loadReadHistory, noHistory } from '../../state/runs/reads.ts'
import { loadRecorded, type Recorded } from '../../state/runs/recorded.ts'
import { currentVersion } from '../../state/workspaces/versions.ts'
import { findWorkspace, loadConfiguration, requireOrigin } from '../../state/workspaces/workspaces.ts'
import type { Fence } from '../../transport/limits/fenced.ts'
import { withoutPlaces } from '../../transport/secrets/live-object.ts'
import type { Secrets } from '../../transport/secrets/secrets.ts'
import { confined, pinned } from '../../transport/secrets/secrets.ts'
import type { Transport } from '../../transport/transport.ts'
import { splitPlace } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import { partsOf, unescapeMarks } from '../../values/marks/marks.ts'
import type { CheckPart, Deps } from '../deps.ts'
import { loadWorkspaceLater } from './load/load-later.ts'
import type { ReadOutcome, WorkspacePlan } from './plan/observation.ts'
import type { Base } from './preview/base.ts'
import { openPreview } from './preview/open-preview.ts'
import { type ForeseenReads, isLimited } from './read/is-limited.ts'
import { type EarlierReads, openEarlierReads } from './shared/keep-answers.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import { openTransports, type Transports } from './shared/transports.ts'
import { staleValues } from './shared/words.ts'

/** The values that resources really have, by address: clear text, for requests only, never stored. */
export interface Produced {
  /** From the latest read. */
  readonly attributes: Map<Address, JsonObject>
  /** The same in the form that may be stored: secrets are sealed. */
  readonly sealed: Map<Address, JsonObject>
  readonly ids: Map<Address, JsonObject>
  /** The object as the latest read returned it. */
  readonly found: Map<Address, JsonObject>
  /** Whole objects of the latest read, and their versions, by name. */
  readonly objects: Map<Address, Readonly<Record<string, JsonObject>>>
  readonly versions: Map<Address, JsonObject>
  /** Values of the answers of commands, by the pointer under which others refer to them. */
  readonly answers: Map<Address, JsonObject>
  /** Resources that a command of this session created: earlier ids belong to another object. */
  readonly made: Set<Address>
}

/** A loaded workspace, with the transports to its targets. */
export interface OpenWorkspace {
  readonly loaded: LoadedWorkspace
  /** Which stored version that is; empty for files that are not stored. */
  readonly version: VersionNames
  readonly recorded: Recorded
  /** Of a preview. */
  readonly base?: Base
  readonly transports: Transports
  readonly produced: Produced
  readonly reads: ForeseenReads
  /** Of a check that may go on in another invocation. */
  readonly earlier?: EarlierReads
  /** Each secret keeps one value for the lifetime of this object. */
  readonly secrets: Secrets
}

/** A workspace that was loaded, read and planned, with everything that its commands need. */
export interface Session extends WorkspacePlan, OpenWorkspace {}

/** Writes need a `fence`. Throws CONFIG_NOT_FOUND, CONFIG_INVALID, WORKSPACE_MISMATCH, WORKSPACE_CLAIMED. */
export const openWorkspace = async (workspace: string, given: Deps, fence?: Fence): Promise<OpenWorkspace> => {
  const secrets = pinned(confined(given.secrets, workspace, given.secretRules))
  const deps = { ...given, secrets }
  const { loaded, version, base } = await loadOwn(workspace, deps)
  const recorded = await loadRecorded(deps.store, workspace)
  const produced: Produced = {
    attributes: new Map(),
    sealed: new Map(),
    ids: new Map(),
    found: new Map(),
    objects: new Map(),
    versions: new Map(),
    answers: new Map(),
    made: new Set(),
  }
  const history = isLimited(loaded) ? await loadReadHistory(deps.store, workspace) : noHistory
  const resume = deps.part && resuming(deps.part, loaded, recorded, deps)
  const transports = openTransports(loaded, deps, {
    ...defined({ fence, spent: history.spent, resume }),
    live: async (source, digest) => liveValue(source, digest, produced, deps.seal),
    object: (mark) => liveObject(mark, produced, deps.seal),
  })
  await transports.learnSecrets()
  const reads = { history, isApply: fence !== undefined }
  const earlier = resume?.earlier
  return { loaded, version, recorded, transports, produced, secrets, reads, ...defined({ base, earlier }) }
}

/**
 * With another configuration, or another record, everything is read anew: what was read before may not fit to it. Nothing is
 * kept where this invocation has all the time that the workspace allows.
 */
const resuming = ({ since, number }: CheckPart, loaded: LoadedWorkspace, recorded: Recorded, deps: Deps) => {
  const { seconds } = loaded.configuration.limits
  if (number === 1 && seconds * 1_000 <= (deps.deadline?.left() ?? Number.POSITIVE_INFINITY)) return undefined
  const same = [since, loaded.digest, recorded.lineage ?? null, recorded.serial]
  const check = digest(same).slice('sha256:'.length)
  const earlier = openEarlierReads(loaded.configuration.workspace, check, deps)
  return { earlier, elapsedMs: Math.max(0, deps.clock.now().getTime() - Date.parse(since)) }
}

const loadStored = async (workspace: string, { store }: Deps): Promise<SourcedBundle> => {
  const { bundle, stored } = await loadConfiguration(store, workspace)
  return { ...bundle, stored }
}

/** Refuses files of another workspace, or from another place. Throws WORKSPACE_MISMATCH or WORKSPACE_CLAIMED. */
const loadOwn = async (
  workspace: string,
  deps: Deps,
): Promise<Pick<OpenWorkspace, 'loaded' | 'version'> & { readonly base?: Base | undefined }> => {
  const { store, config } = deps
  const known = config.folder === undefined ? undefined : await findWorkspace(store, workspace)
  // What a repository says counts, also where a folder on this machine has the same workspace.
  const bundle = known?.source === undefined ? await config.load(workspace) : await loadStored(workspace, deps)
  const kept = known ?? (bundle.stored === undefined ? await findWorkspace(store, workspace) : undefined)
  if (bundle.origin !== undefined) requireOrigin(kept, bundle.origin)
  const loaded = await loadWorkspaceLater(bundle, deps)
  const found = loaded.configuration.workspace
  if (found !== workspace) throw new AppError('WORKSPACE_MISMATCH', { expected: workspace, found })
  const isKept = kept?.configurationDigest === loaded.digest
  const version = bundle.stored ?? (isKept ? currentVersion(kept) : {})
  if (loaded.configuration.preview === undefined) return { loaded, version }
  return { ...(await openPreview(loaded, bundle.folder, deps)), version }
}

/** The planner, which compares values and therefore needs the YAML library. */
const loadPlanning = () => import('./plan-workspace.ts')

/** Reads and plans a workspace in its current state. */
export const planOpened = async (opened: OpenWorkspace, given: Deps): Promise<Session> => {
  const { loaded, recorded, transports, produced, secrets, base, reads } = opened
  const deps = { ...given, secrets }
  const { planWorkspace } = await loadPlanning()
  const input = { loaded, recorded: recorded.resources, transports, reads, ...defined({ base }) }
  const planned = await planWorkspace(input, deps)
  for (const [address, { observed, type }] of planned.resources) remember(address, observed, type, produced)
  return { ...planned, ...opened }
}

/** What the plan of a session was made from. */
export const basisOf = ({ recorded, loaded, plan }: Session): Basis => ({
  ...defined({ lineage: recorded.lineage }),
  serial: recorded.serial,
  configurationDigest: loaded.digest,
  observedDigest: plan.digests.observed,
  engineVersion,
})

/** A session of which nothing live was read: the transport refuses every request, whoever sends it. */
export const openRecorded = async (workspace: string, given: Deps): Promise<Session> => {
  const deps = { ...given, transport: () => unread }
  const opened = await openWorkspace(workspace, deps)
  const { loaded, recorded, transports, secrets } = opened
  const { planRecorded } = await loadPlanning()
  const planned = await planRecorded({ loaded, recorded: recorded.resources, transports }, { ...deps, secrets })
  return { ...planned, ...opened }
}

const unread: Transport = {
  send: async ({ method, url }) => {
    throw new AppError('NOT_REFRESHED', { method, url })
  },
}

/** Both at once. */
export const openSession = async (workspace: string, deps: Deps, fence?: Fence): Promise<Session> =>
  planOpened(await openWorkspace(workspace, deps, fence), deps)

/** A create was sent: everything that was known of the old object is not valid for the new one. */
export const forget = (address: Address, { made, answers: _, ...read }: Produced): void => {
  for (const known of Object.values(read)) known.delete(address)
  made.add(address)
}

/** Keeps the result of a read, in the canonical form that plans use, for the requests that follow. */
export const remember = (
  address: Address,
  { result, raw }: ReadOutcome,
  type: ResourceType | undefined,
  produced: Produced,
): void => {
  if (raw !== undefined && type !== undefined) {
    const { unread } = result.kind === 'present' ? result : {}
    produced.attributes.set(address, normaliseRead(type.schema, { attributes: raw, ...defined({ unread }) }))
  }
  if (result.kind !== 'absent' && result.ids !== undefined) produced.ids.set(address, result.ids)
  if (result.kind !== 'present') return
  if (type !== undefined) produced.sealed.set(address, normaliseRead(type.schema, result))
  if (result.object !== undefined) produced.found.set(address, result.object)
  if (result.objects !== undefined) produced.objects.set(address, result.objects)
  if (result.versions !== undefined) produced.versions.set(address, result.versions)
}

/** The object of a `$live` mark: the parts that nothing else compares must be as approved. */
const liveObject = (mark: LiveMark, { objects }: Produced, seal: Seal): JsonObject => {
  const [address, name] = splitPlace(mark.$live)
  const object = objects.get(address)?.[name]
  if (object === undefined) throw new AppError('OBJECT_CHANGED', { object: mark.$live, detail: staleValues.noObject })
  if (mark.digest === undefined || seal(withoutPlaces(object, mark.except)) === mark.digest) return object
  throw new AppError('OBJECT_CHANGED', { object: mark.$live, detail: staleValues.object })
}

/** `live:<address>#<pointer>`: the value with the approved digest; in a set its index may differ from the plan. */
const liveValue = (source: string, digest: string | undefined, { attributes }: Produced, seal: Seal): Json => {
  const [address, pointer] = splitPlace(source.slice('live:'.length))
  const whole = attributes.get(address) ?? {}
  const value = valueAt(whole, fromPointer(pointer))
  const isIt = (each: Json): boolean => digest !== undefined && each !== null && seal(each) === digest
  const found = value !== undefined && isIt(value) ? value : partsOf(whole).find(isIt)
  if (found !== undefined) return unescapeMarks(found)
  throw new AppError('SECRET_UNRESOLVED', { source, detail: staleValues.secret })
}
