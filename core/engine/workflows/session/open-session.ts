import type { SourcedBundle } from '../../config/files/source.ts'
import { AppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import { unkept } from '../../plan/unkept-view.ts'
import type { Address } from '../../schema/resource.ts'
import { type Basis, engineVersion } from '../../schema/stored/saved-plan.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import { loadReadHistory, noHistory } from '../../state/runs/reads.ts'
import { loadRecorded, type Recorded } from '../../state/runs/recorded.ts'
import { currentVersion } from '../../state/workspaces/versions.ts'
import { findWorkspace, loadConfiguration, requireOrigin } from '../../state/workspaces/workspaces.ts'
import type { Fence } from '../../transport/limits/fenced.ts'
import type { Secrets } from '../../transport/secrets/secrets.ts'
import { confined, pinned } from '../../transport/secrets/secrets.ts'
import type { Transport } from '../../transport/transport.ts'
import { defined } from '../../values/defined.ts'
import type { CheckPart, Deps } from '../deps.ts'
import { forUnkept } from './load/for-unkept.ts'
import { loadWorkspaceLater } from './load/load-later.ts'
import type { WorkspacePlan } from './plan/observation.ts'
import type { HeldByOthers } from './plan/plan-observed.ts'
import type { Base } from './preview/base.ts'
import { openPreview } from './preview/open-preview.ts'
import { type ForeseenReads, isLimited } from './read/is-limited.ts'
import { type EarlierReads, openEarlierReads } from './shared/keep-answers.ts'
import { createKnownObjects, type KnownObjects, knownFrom, liveObject, liveValue } from './shared/known-objects.ts'
import type { LoadedWorkspace } from './shared/loaded-workspace.ts'
import { openTransports, type Transports } from './shared/transports.ts'

export interface OpenWorkspace {
  readonly loaded: LoadedWorkspace
  /** The stored version; empty for files that are not stored. */
  readonly version: VersionNames
  readonly recorded: Recorded
  /** Present for a preview. */
  readonly base?: Base
  readonly transports: Transports
  readonly known: KnownObjects
  readonly reads: ForeseenReads
  /** Present for a check that may continue in another invocation. */
  readonly earlier?: EarlierReads
  /** Each secret keeps one value for the lifetime of this object. */
  readonly secrets: Secrets
}

export interface Session extends WorkspacePlan, OpenWorkspace {
  /** Absent: nothing live was read. */
  readonly others?: HeldByOthers
}

/**
 * Loads a workspace and opens its transports. Writes need a `fence`. Throws CONFIG_NOT_FOUND, CONFIG_INVALID,
 * WORKSPACE_MISMATCH, WORKSPACE_CLAIMED.
 */
export const openWorkspace = async (workspace: string, given: Deps, fence?: Fence): Promise<OpenWorkspace> => {
  const secrets = pinned(confined(given.secrets, workspace, given.secretRules))
  const deps = { ...given, secrets }
  const { loaded: own, version, base } = await loadOwn(workspace, deps)
  const recorded = await loadRecorded(deps.store, workspace)
  const underWay = await underWayIn(recorded, workspace, deps)
  const providers = given.keepsNothing ? forUnkept(own.providers) : own.providers
  const loaded = { ...own, providers, isUnderWay: (address: Address) => underWay.has(address) }
  const known = createKnownObjects()
  const history = isLimited(loaded) ? await loadReadHistory(deps.store, workspace) : noHistory
  const resume = deps.part && resuming(deps.part, loaded, recorded, deps)
  const transports = openTransports(loaded, deps, {
    ...defined({ fence, spent: history.spent, resume }),
    live: async (source, digest) => liveValue(source, digest, known, deps.seal),
    object: (mark) => liveObject(mark, known, deps.seal),
  })
  await transports.learnSecrets()
  const reads = { history, isApply: fence !== undefined }
  const earlier = resume?.earlier
  return { loaded, version, recorded, transports, known, secrets, reads, ...defined({ base, earlier }) }
}

/** Few workspaces have a create without an end, so what looks for it is loaded only there. */
const underWayIn = async (
  recorded: Recorded,
  workspace: string,
  { store }: Pick<Deps, 'store'>,
): Promise<ReadonlySet<Address>> => {
  if (!recorded.resources.some(({ doubted }) => doubted === 'sent')) return new Set()
  const { createsUnderWay } = await import('./load/creates-under-way.ts')
  return createsUnderWay(store, workspace, recorded)
}

/**
 * With another configuration or recorded state, the key is another one and everything is read again, because earlier
 * reads may not fit. `undefined` if this invocation has all the time that the workspace allows: then no reads are kept.
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

/** Refuses files of another workspace, or from another place. Throws WORKSPACE_MISMATCH, WORKSPACE_CLAIMED. */
const loadOwn = async (
  workspace: string,
  deps: Deps,
): Promise<Pick<OpenWorkspace, 'loaded' | 'version'> & { readonly base?: Base | undefined }> => {
  const { store, config } = deps
  const known = config.folder === undefined ? undefined : await findWorkspace(store, workspace)
  // A workspace with a source uses what its repository says, even if a folder on this machine has the same workspace.
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

/** Loaded late, because the planner compares values and therefore needs the YAML library. */
const loadPlanning = () => import('./plan-workspace.ts')
const loadPolicy = () => import('../../plan/policy.ts')

const withRules = async ({
  loaded,
  recorded,
  transports,
}: Partial<OpenWorkspace> & Pick<OpenWorkspace, 'loaded' | 'recorded'>) => {
  if (loaded.rules.length === 0) return { loaded, unchecked: [] }
  const { expandRules } = await import('./rules/expand-rules.ts')
  return expandRules({ loaded, recorded: recorded.resources, ...defined({ transports }) })
}

export const planOpened = async (opened: OpenWorkspace, given: Deps): Promise<Session> => {
  const { recorded, transports, known, secrets, base, reads } = opened
  const deps = { ...given, secrets }
  const [{ planWorkspace }, { withPolicy }] = await Promise.all([loadPlanning(), loadPolicy()])
  const { loaded, unchecked: undecided } = await withRules(opened)
  const input = { loaded, recorded: recorded.resources, transports, reads, undecided, ...defined({ base }) }
  const planned = await planWorkspace(input, deps)
  for (const [address, { observed, type }] of planned.resources) known.learn(address, knownFrom(observed, type))
  const plan = withPolicy(planned.plan, loaded.configuration.policy)
  return { ...planned, ...opened, loaded, plan: deps.keepsNothing ? unkept(plan) : plan }
}

export const basisOf = ({ recorded, loaded, plan }: Pick<Session, 'loaded' | 'plan' | 'recorded'>): Basis => ({
  ...defined({ lineage: recorded.lineage }),
  serial: recorded.serial,
  configurationDigest: loaded.digest,
  observedDigest: plan.digests.observed,
  engineVersion,
})

/** A session without live reads: the transport refuses every request of any caller. */
export const openRecorded = async (workspace: string, given: Deps): Promise<Session> => {
  const deps = { ...given, transport: () => unread }
  const opened = await openWorkspace(workspace, deps)
  const { recorded, transports, secrets } = opened
  const { loaded } = await withRules({ loaded: opened.loaded, recorded })
  const { planRecorded } = await loadPlanning()
  const planned = await planRecorded({ loaded, recorded: recorded.resources, transports }, { ...deps, secrets })
  return { ...planned, ...opened, loaded }
}

const unread: Transport = {
  send: async ({ method, url }) => {
    throw new AppError('NOT_REFRESHED', { method, url })
  },
}

/** Opens and plans a workspace. Throws as `openWorkspace`. */
export const openSession = async (workspace: string, deps: Deps, fence?: Fence): Promise<Session> =>
  planOpened(await openWorkspace(workspace, deps, fence), deps)
