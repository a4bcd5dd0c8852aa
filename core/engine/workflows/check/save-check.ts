import { type AppError, failureOf, isAppError } from '../../errors/errors.ts'
import type { Plan } from '../../schema/stored/plan.ts'
import type { Run } from '../../schema/stored/records.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { Lock } from '../../state/applies/lock.ts'
import { type SavedRun, saveRun } from '../../state/runs/runs.ts'
import type { Lineage } from '../../state/workspaces/lineage.ts'
import { currentVersion } from '../../state/workspaces/versions.ts'
import { findWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import type { Session } from '../session/open-session.ts'

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
    const { counts: _counts, causes: _causes, differing: _differing, digests: _digests, basis: _basis, ...rest } = run
    return saveChecked({ ...rest, ...(await failedRun(run.workspace, error, deps)) }, {}, input, deps)
  }
}

const saveChecked = async (
  run: Run,
  { session, plan }: OpenedCheck,
  input: SavedFor,
  deps: Deps,
): Promise<SavedRun> => {
  const { workspace, askedAt, lineage, lock } = input
  const recorded = session && (await recordedOf(session, deps))
  const { advanceEpisodes } = await import('../../alert/episode.ts')
  return saveRun(deps.store, {
    run,
    askedAt,
    lineage,
    ...defined({ plan, recorded, lock, retention: deps.retention }),
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

/** The planner has the code for records, and is loaded with it once there is a session. */
const recordedOf = async (session: Session, deps: Deps) => {
  const { recordChanges } = await import('./record-changes.ts')
  return { base: session.recorded, change: recordChanges(session), lineage: deps.ids.uuid() }
}
