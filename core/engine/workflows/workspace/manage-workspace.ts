import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { appendLedger } from '../../state/ledger.ts'
import { againOnConflict } from '../../state/store/commit.ts'
import { keys } from '../../state/store/keys.ts'
import type { Write } from '../../state/store/store.ts'
import { dropDue, listQuarantined } from '../../state/workspaces/due-list.ts'
import { refuseRemoved } from '../../state/workspaces/lineage.ts'
import { withNextCheck } from '../../state/workspaces/pending-check.ts'
import { findStored, getWorkspace, rewrites } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'

export interface WorkspaceRequest {
  readonly workspace: string
  readonly actor: Actor
  readonly reason: string
}

type LifeEvent =
  | ('paused' | 'resumed' | 'removed' | 'reused' | 'expired' | 'source_removed')
  | ('acknowledged' | 'snoozed' | 'unsnoozed')

export const lifeEntry = (kind: LifeEvent, { workspace, actor, reason }: WorkspaceRequest, at: string) =>
  ({ workspace, at, kind, actor, reason }) as const

/** The entry and the change are one transaction; `edit` returns `undefined` if nothing changes. */
export const changeLife = async (
  kind: LifeEvent,
  request: WorkspaceRequest,
  edit: (workspace: Workspace, at: string) => Workspace | undefined,
  { store, clock }: Deps,
): Promise<Workspace> => {
  const { workspace: id } = request
  const aside: Write = { kind: 'delete', key: keys.quarantine(id) }
  return againOnConflict(async () => {
    const stored = await findStored(store, id)
    if (stored === undefined) return getWorkspace(store, id)
    const at = clock.now().toISOString()
    const next = edit(stored.workspace, at)
    if (next === undefined) return stored.workspace
    await appendLedger(store, id, [lifeEntry(kind, request, at)], [...rewrites(stored, next, { anew: true }), aside])
    return next
  })
}

/** Stops scheduled checks; requested checks and applies continue. Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
export const pauseWorkspace = (request: WorkspaceRequest, deps: Deps): Promise<Workspace> => {
  const { actor: by, reason } = request
  const edit = (workspace: Workspace, at: string) =>
    workspace.paused === undefined ? { ...withNextCheck(workspace, undefined), paused: { at, by, reason } } : undefined
  return changeLife('paused', request, edit, deps)
}

/**
 * Starts the scheduled checks again, from now on; also takes the workspace out of quarantine. Throws as
 * `pauseWorkspace`.
 */
export const resumeWorkspace = async (request: WorkspaceRequest, deps: Deps): Promise<Workspace> => {
  const { workspace: id } = request
  const aside = (await listQuarantined(deps.store, { from: id, to: id })).length > 0
  const edit = ({ paused, ...rest }: Workspace, at: string) => {
    if (paused === undefined && !aside) return undefined
    const next = withNextCheck(rest, rest.schedule === undefined ? undefined : at)
    return { ...next, ...defined({ scheduledSince: paused && at }) }
  }
  return changeLife('resumed', request, edit, deps)
}

/** Removes a name that is only in the due list. Throws WORKSPACE_NOT_FOUND, WORKSPACE_REMOVED. */
export const removeLeftover = async (workspace: string, { store }: Deps): Promise<void> => {
  const aside = await listQuarantined(store, { from: workspace, to: workspace })
  if (aside.length === 0) {
    await refuseRemoved(store, workspace)
    throw new AppError('WORKSPACE_NOT_FOUND', { workspace })
  }
  await dropDue(store, [keys.quarantine(workspace), keys.directory(workspace)])
}
