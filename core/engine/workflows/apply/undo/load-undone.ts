import { AppError, isAppError } from '../../../errors/errors.ts'
import type { Plan } from '../../../schema/stored/plan.ts'
import { type Apply, hasEnded } from '../../../schema/stored/records.ts'
import { getApply } from '../../../state/applies/applies.ts'
import { getPlan } from '../../../state/runs/runs.ts'
import { findLineage, isOf } from '../../../state/workspaces/lineage.ts'
import type { Deps } from '../../deps.ts'
import { doneBy, type UndoneApply, uncertainOf } from './done-by.ts'
import { wholeFaults } from './words.ts'

/**
 * An apply that can be undone, at least in part, and its plan. Throws WORKSPACE_REMOVED, APPLY_NOT_FOUND, UNDO_IMPOSSIBLE with the
 * reason.
 */
export const loadUndone = async (
  workspace: string,
  id: string,
  { store }: Pick<Deps, 'store'>,
): Promise<UndoneApply> => {
  const apply = await getApply(store, workspace, id)
  const refuse = (detail: string): AppError => new AppError('UNDO_IMPOSSIBLE', { apply: id, detail })
  const fault = isOf(await findLineage(store, workspace), apply) ? faultOf(apply) : wholeFaults.former
  if (fault !== undefined) throw refuse(fault)
  const plan = await planOf(apply, store)
  if (plan === undefined) throw refuse(wholeFaults.noPlan)
  if ([...doneBy({ apply, plan }), ...uncertainOf({ apply, plan })].length === 0) throw refuse(wholeFaults.nothing)
  return { apply, plan }
}

const faultOf = (apply: Apply): string | undefined => {
  if (apply.mode === 'check') return wholeFaults.check
  if (!hasEnded(apply)) return wholeFaults.running
  return apply.undoes === undefined ? undefined : wholeFaults.isUndo
}

const planOf = async ({ workspace, runId }: Apply, store: Deps['store']): Promise<Plan | undefined> => {
  try {
    return await getPlan(store, workspace, runId)
  } catch (error) {
    if (isAppError(error, 'RUN_NOT_FOUND')) return undefined
    throw error
  }
}
