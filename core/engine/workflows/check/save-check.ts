import { advanceEpisodes } from '../../alert/episode.ts'
import { type AppError, failureOf, isAppError } from '../../errors/errors.ts'
import { canonicalJson } from '../../json/canonical.ts'
import { agreedAnew, recordAfterCheck } from '../../plan/record/record.ts'
import type { Plan } from '../../schema/stored/plan.ts'
import type { Run } from '../../schema/stored/records.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { Lock } from '../../state/applies/lock.ts'
import type { RecordedChange } from '../../state/runs/recorded.ts'
import { type SavedRun, saveRun } from '../../state/runs/runs.ts'
import type { Lineage } from '../../state/workspaces/lineage.ts'
import { currentVersion } from '../../state/workspaces/versions.ts'
import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'
import { atHome } from '../session/shared/loaded-workspace.ts'

interface SavedFor {
  readonly workspace: string
  readonly askedAt: string
  readonly lineage: Lineage
  readonly lock?: Lock
}

interface OpenedCheck {
  readonly session?: Session | undefined
  readonly plan?: Plan | undefined
}

/** What is damaged cannot be brought up to date: then the check has failed, and its run tells that. */
export const saveCheck = async (run: Run, opened: OpenedCheck, input: SavedFor, deps: Deps): Promise<SavedRun> => {
  try {
    return await saveChecked(run, opened, input, deps)
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    const { counts: _counts, causes: _causes, digests: _digests, basis: _basis, ...rest } = run
    return saveChecked({ ...rest, ...(await failedRun(run.workspace, error, deps)) }, {}, input, deps)
  }
}

const saveChecked = (run: Run, { session, plan }: OpenedCheck, input: SavedFor, deps: Deps): Promise<SavedRun> => {
  const { workspace, askedAt, lineage, lock } = input
  return saveRun(deps.store, {
    run,
    askedAt,
    lineage,
    ...defined({ plan, recorded: session && recordedOf(session, deps), lock, retention: deps.retention }),
    ...(session !== undefined && { routes: session.loaded.configuration.alerts.routes ?? [] }),
    advance: (open) =>
      advanceEpisodes({
        workspace,
        run,
        open,
        ...defined({ plan }),
        rules: session?.loaded.configuration.alerts ?? { minSeverity: 'low' },
        at: run.startedAt,
        newId: deps.ids.ulid,
      }),
  })
}

/** Names the stored version, although it could not be used or was not trusted. */
export const failedRun = async (
  workspace: string,
  error: AppError,
  { store }: Deps,
): Promise<Pick<Run, 'status' | 'error' | 'basis'> & VersionNames> => {
  const stored = await findWorkspace(store, workspace)
  return { status: 'failed', error: failureOf(error), ...(stored && currentVersion(stored)) }
}

const recordedOf = (session: Session, deps: Deps) => ({
  base: session.recorded,
  change: recordChanges(session),
  lineage: deps.ids.uuid(),
})

const recordChanges = ({
  resources,
  loaded,
  recorded: { resources: stored },
}: Pick<Session, 'recorded' | 'resources' | 'loaded'>): RecordedChange => {
  const before = new Map(stored.map((each) => [each.address, each]))
  const put: RecordedChange['put'][number][] = []
  const remove = new Set<string>()
  for (const [address, one] of resources) {
    const { planned, observed, desired, recorded, type, refs, refersBy, doubt, isInstead } = one
    const { seenBy = recorded?.seenBy } = one
    if (type === undefined) continue
    if (desired?.lifecycle.readOnly) {
      for (const each of [address, planned.previousAddress ?? address]) if (before.has(each)) remove.add(each)
      continue
    }
    const isOther = isInstead === true && observed.result.kind === 'present'
    const ids = observed.result.kind === 'present' ? observed.result.ids : recorded?.ids
    const parents = observed.result.kind === 'present' ? observed.result.parents : recorded?.parents
    const agreed = recorded && planned.isAgreedAnew ? agreedAnew(recorded, planned.before ?? {}) : recorded
    const renewed = recordAfterCheck({
      planned,
      schema: type.schema,
      // What was agreed was about the object that is gone.
      ...defined({ desired, recorded: isOther ? undefined : agreed, ids, parents, seenBy, refs, refersBy, doubt }),
    })
    const next = renewed === undefined || observed.result.kind === 'unknown' ? renewed : atHome(loaded, renewed)
    const { previousAddress } = planned
    if (previousAddress !== undefined && next !== undefined) remove.add(previousAddress)
    if (next === undefined && recorded !== undefined) remove.add(address)
    else if (next !== undefined && canonicalJson(next) !== canonicalJson(before.get(address))) put.push(next)
  }
  return { put, remove: [...remove].filter((address) => put.every((each) => each.address !== address)) }
}
