import type { SourcedBundle } from '../../config/files/source.ts'
import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import type { VersionChanges } from '../../schema/stored/versions.ts'
import { holdsLock } from '../../state/applies/lock.ts'
import { findRemoval } from '../../state/workspaces/lineage.ts'
import { type Beginning, type Claim, type Saving, saveWorkspace } from '../../state/workspaces/save-workspace.ts'
import { findReplaced, findStored } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import { withLockSoon } from '../apply/lock/hold-lock.ts'
import type { Deps } from '../deps.ts'
import { scheduledSince } from '../schedule/due-since.ts'
import { nextCheck } from '../schedule/next-check.ts'
import { loadWorkspaceLater } from '../session/load/load-later.ts'
import type { LoadedWorkspace } from '../session/shared/loaded-workspace.ts'
import { lifeEntry, type WorkspaceRequest } from './manage-workspace.ts'
import { previewOf, timesOf } from './preview-of.ts'
import { clearFormer } from './remove-workspace.ts'
import { whyNoWebhook } from './webhook-secret.ts'
import { eventsProblem } from './words.ts'

/**
 * Stores valid files. If they differ from the stored ones, a workspace with a schedule is due at once. Throws
 * CONFIG_INVALID, REQUEST_INVALID, WORKSPACE_MISMATCH, WORKSPACE_CLAIMED, WORKSPACE_REMOVED, PREVIEW_REFUSED.
 */
export const putWorkspace = async (
  input: {
    readonly bundle: SourcedBundle
    readonly actor: Actor
    readonly workspace?: string
    /** Where the files are; missing if the caller does not say it. */
    readonly claim?: Claim
    /** Starts a new workspace under the name of a removed one, with this reason. */
    readonly reuse?: { readonly reason: string } | undefined
    /** How long a preview lives from now on, such as `7d`; if absent, the time in its overlay. */
    readonly expires?: string | undefined
    readonly source?: Workspace['source']
  } & Pick<Saving, 'note' | 'expected' | 'isPulled'>,
  deps: Deps,
): Promise<Workspace> => {
  const loaded = await loadWorkspaceLater(input.bundle, deps)
  const { configuration, bundle, digest } = loaded
  const { workspace: id } = configuration
  if (input.workspace !== undefined && input.workspace !== id) {
    throw new AppError('WORKSPACE_MISMATCH', { expected: input.workspace, found: id })
  }
  refuseSecret(id, configuration.events.github?.webhookSecret.secret, deps)
  const now = deps.clock.now()
  const found = input.isPulled ? await findStored(deps.store, id) : await findReplaced(deps.store, id)
  const current = found === 'damaged' ? undefined : found?.workspace
  // Its own lineage is lost: no approval of an earlier plan counts for the new one.
  const restores = found === 'damaged' ? deps.ids.ulid() : undefined
  const preview = await previewOf(configuration, { now, current, expires: input.expires }, deps)
  const times = timesOf(configuration, preview)
  const next = { ...times, configurationDigest: digest }
  // A pull is the first step of a check, so no other check needs to be due at once.
  const nextCheckAt = input.isPulled ? (await nextCheck(next, now))?.toISOString() : await due(current, next, now)
  const since = await scheduledSince(current, times, now.toISOString())
  const record = {
    id,
    ...times,
    ...defined({ nextCheckAt, scheduledSince: since }),
    configurationDigest: digest,
    ...defined({ events: unlessEmpty(configuration.events), alertRoutes: configuration.alerts.routes }),
    updatedAt: now.toISOString(),
    updatedBy: input.actor,
    ...defined({ origin: input.claim?.origin, commit: input.note?.commit, preview, source: input.source }),
  }
  const { claim, reuse, actor, note = {}, expected, isPulled = false } = input
  const compare = (before: Bundle | undefined) => changesFrom(before, loaded, input.bundle, deps)
  const save = (begins?: Beginning) =>
    saveWorkspace(deps.store, record, bundle, { claim, begins, note, expected, isPulled, restores, compare })
  return reuse === undefined ? save() : reuseName({ workspace: id, actor, reason: reuse.reason }, save, deps)
}

/** The API function reads the secret of a webhook before anybody has signed in, so it may read no other one. */
const refuseSecret = (workspace: string, source: string | undefined, { secretRules }: Deps): void => {
  const why = source === undefined ? undefined : whyNoWebhook(workspace, source, secretRules)
  if (why !== undefined) throw new AppError('REQUEST_INVALID', { problems: [eventsProblem(why)] })
}

/** Compares with the stored files, which are read as if they were in the folder of the new ones. */
const changesFrom = async (
  before: Bundle | undefined,
  after: LoadedWorkspace,
  { folder }: SourcedBundle,
  deps: Deps,
): Promise<VersionChanges> => {
  const { countChanges, nothing, readVersion } = await import('./compare-versions.ts')
  const earlier = before === undefined ? nothing : await readVersion({ ...before, ...defined({ folder }) }, deps)
  return countChanges(earlier, { bundle: after.bundle, loaded: after })
}

const due = async (
  current: Workspace | undefined,
  next: Pick<Workspace, 'schedule' | 'timezone' | 'configurationDigest'>,
  now: Date,
): Promise<string | undefined> => {
  if (next.schedule === undefined) return undefined
  const untouched = current?.configurationDigest === next.configurationDigest
  if (!untouched) return now.toISOString()
  return current.nextCheckAt ?? (await nextCheck(next, now))?.toISOString()
}

/**
 * Starts a new workspace under the name of a removed one, with a ledger entry. Throws LOCKED and what `save` throws.
 */
const reuseName = async (
  request: WorkspaceRequest,
  save: (begins?: Beginning) => Promise<Workspace>,
  deps: Deps,
): Promise<Workspace> => {
  const { workspace } = request
  const { store, clock, ids } = deps
  if ((await findRemoval(store, workspace)) === undefined) return save()
  const lineage = ids.ulid()
  return withLockSoon({ workspace, holder: lineage }, deps, async (lock) => {
    // If two callers ask for the name at the same time, the second one finds it taken.
    const removal = await findRemoval(store, workspace)
    if (removal === undefined) return save()
    await clearFormer(workspace, removal, lock, deps)
    const entry = lifeEntry('reused', request, clock.now().toISOString())
    return save({ lineage, entry, guard: [holdsLock(lock.current())] })
  })
}
