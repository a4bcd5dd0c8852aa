import { AppError, asAppError, failureOf } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Plan } from '../../schema/stored/plan.ts'
import type { Run } from '../../schema/stored/records.ts'
import { findAside, getPlan, saveAside } from '../../state/runs/runs.ts'
import { findLineage } from '../../state/workspaces/lineage.ts'
import { defined } from '../../values/defined.ts'
import type { CheckMessage, Deps } from '../deps.ts'
import { openWorkspace, planOpened } from '../session/open-session.ts'
import { knownTo } from './execution/known-values.ts'
import { loadUndone } from './undo/load-undone.ts'
import { planUndo } from './undo/plan-undo.ts'
import { withDeleted } from './undo/with-deleted.ts'
import { nobodyAsked } from './undo/words.ts'

interface UndoInput {
  readonly workspace: string
  readonly applyId: string
  readonly trigger: Run['trigger']
  readonly actor: Actor
  /** The time of the request; a second request for the same time gets the first plan. */
  readonly scheduledFor?: string
}

interface PlannedUndo {
  readonly run: Run
  readonly plan: Plan
}

/**
 * Plans a queued undo. What the caller can correct is stored as a failed run; other errors are thrown, for another try. Throws
 * REQUEST_INVALID for a message without an actor: nothing but a person or a program that asks for it starts an undo.
 */
export const takeUndo = async (
  { workspace, undo: applyId = '', actor, scheduledFor }: CheckMessage,
  deps: Deps,
): Promise<Run> => {
  if (actor === undefined) throw new AppError('REQUEST_INVALID', { problems: [nobodyAsked] })
  const input = { workspace, applyId, trigger: 'api' as const, actor }
  const startedAt = deps.clock.now().toISOString()
  try {
    return (await planUndoOf({ ...input, ...defined({ scheduledFor }) }, deps)).run
  } catch (cause) {
    const error = asAppError(cause)
    if (error.retryable || error.fault === 'ours') throw error
    const run: Run = {
      ...{ id: deps.ids.ulid(), workspace, undoes: applyId, status: 'failed', trigger: 'api', actor, startedAt },
      ...defined({ scheduledFor }),
      finishedAt: deps.clock.now().toISOString(),
      error: failureOf(error),
    }
    const lineage = await findLineage(deps.store, workspace)
    await saveAside(deps.store, { run, lineage, ...defined({ retention: deps.retention }) })
    return run
  }
}

/**
 * Reads the objects of an apply, plans its undo, and stores the plan as a run of its own: it changes no record, no alert and no
 * schedule, and its digest can be approved. Sends no write. Throws APPLY_NOT_FOUND, UNDO_IMPOSSIBLE, and as `openWorkspace`.
 */
export const planUndoOf = async (input: UndoInput, deps: Deps): Promise<PlannedUndo> => {
  const { workspace, applyId, trigger, actor, scheduledFor } = input
  const earlier = scheduledFor === undefined ? undefined : await findAside(deps.store, workspace, scheduledFor)
  const stored = earlier && (await getPlan(deps.store, workspace, earlier.id))
  if (earlier !== undefined && stored !== undefined) return { run: earlier, plan: stored }
  const lineage = await findLineage(deps.store, workspace)
  const undone = await loadUndone(workspace, applyId, deps)
  const startedAt = deps.clock.now().toISOString()
  const opened = await openWorkspace(workspace, deps)
  const { recorded } = opened
  const session = { ...(await planOpened(withDeleted(opened, undone), deps)), recorded }
  const { plan, loaded, version } = await planUndo(session, { undone, known: knownTo(session) }, deps.seal)
  const run: Run = {
    ...{ id: deps.ids.ulid(), workspace, undoes: applyId, trigger, actor, startedAt },
    ...defined({ scheduledFor }),
    finishedAt: deps.clock.now().toISOString(),
    status: plan.complete ? 'changes' : 'incomplete',
    counts: plan.counts,
    digests: plan.digests,
    configurationDigest: loaded.digest,
    ...version,
  }
  await saveAside(deps.store, { run, lineage, plan, ...defined({ retention: deps.retention }) })
  return { run, plan }
}
