import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Store, Write } from '../store/store.ts'
import { renamed } from '../store/words.ts'

/** What remains of a removed workspace beside its ledger and its runs: its name stays reserved. */
export type Removal = { readonly at: string; readonly by: Actor; readonly reason: string }

export const findRemoval = async (store: Store, workspace: string): Promise<Removal | undefined> =>
  (await store.get(keys.removed(workspace)))?.['body'] as Removal | undefined

/** Throws WORKSPACE_REMOVED. */
export const refuseRemoved = async (store: Store, workspace: string): Promise<void> => {
  const found = await findRemoval(store, workspace)
  if (found !== undefined) throw removedError(workspace, found)
}

export const removedError = (workspace: string, { at, by, reason }: Removal): AppError =>
  new AppError('WORKSPACE_REMOVED', { workspace, at, by: by.subject, reason })

/* Lineages grow with time, so that older runs are those of a former workspace. `undefined`: the first one. */

export type Lineage = string | undefined

/** Of the workspace that has the name now. Throws WORKSPACE_REMOVED. */
export const findLineage = async (store: Store, workspace: string): Promise<Lineage> => {
  const item = await store.get(keys.workspace(workspace))
  if (item === undefined) await refuseRemoved(store, workspace)
  return item?.['lineage'] === undefined ? undefined : String(item['lineage'])
}

/** Whether a run or an apply is of this workspace, and not of one that had its name before. */
export const isOf = (lineage: Lineage, { id }: { readonly id: string }): boolean =>
  lineage === undefined || id > lineage

const isSame = (lineage: Lineage): Condition =>
  lineage === undefined
    ? { kind: 'absentOrAtMost', attribute: 'lineage', value: '' }
    : { kind: 'equals', attribute: 'lineage', value: lineage }

/** For a transaction that must touch no other workspace of the name, and none that was removed. */
export const stillOf = (workspace: string, lineage: Lineage): readonly Write[] => [
  { kind: 'check', key: keys.workspace(workspace), if: [isSame(lineage)] },
  { kind: 'check', key: keys.removed(workspace), if: [{ kind: 'absent' }] },
]

/** Throws WORKSPACE_REMOVED if another workspace has the name now, or none. */
export const requireLineage = async (store: Store, workspace: string, lineage: Lineage): Promise<void> => {
  if ((await findLineage(store, workspace)) === lineage) return
  throw new AppError('WORKSPACE_REMOVED', {
    workspace,
    at: 'meanwhile',
    by: 'another user',
    reason: renamed,
  })
}
