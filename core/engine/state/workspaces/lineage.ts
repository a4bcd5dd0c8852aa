import { AppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Store, Write } from '../store/store.ts'
import { renamed } from '../store/words.ts'

/** What remains of a removed workspace besides its ledger and its runs. Its name stays reserved. */
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

/* Lineages grow with time, so older runs are those of a former workspace. `undefined` is the first lineage. */

export type Lineage = string | undefined

/** The lineage of the current workspace of the name. Throws WORKSPACE_REMOVED. */
export const findLineage = async (store: Store, workspace: string): Promise<Lineage> => {
  const item = await store.get(keys.workspace(workspace))
  if (item === undefined) await refuseRemoved(store, workspace)
  return item?.['lineage'] === undefined ? undefined : String(item['lineage'])
}

/** True if a run or an apply belongs to this workspace, and not to a former one of its name. */
export const isOf = (lineage: Lineage, { id }: { readonly id: string }): boolean =>
  lineage === undefined || id > lineage

const isSame = (lineage: Lineage): Condition =>
  lineage === undefined
    ? { kind: 'absentOrAtMost', attribute: 'lineage', value: '' }
    : { kind: 'equals', attribute: 'lineage', value: lineage }

/** Makes a transaction fail if the workspace was removed or another workspace has its name. */
export const stillOf = (workspace: string, lineage: Lineage): readonly Write[] => [
  { kind: 'check', key: keys.workspace(workspace), if: [isSame(lineage)] },
  { kind: 'check', key: keys.removed(workspace), if: [{ kind: 'absent' }] },
]

/** Throws WORKSPACE_REMOVED if another workspace has the name now, or if none has it. */
export const requireLineage = async (store: Store, workspace: string, lineage: Lineage): Promise<void> => {
  if ((await findLineage(store, workspace)) === lineage) return
  throw new AppError('WORKSPACE_REMOVED', {
    workspace,
    at: 'meanwhile',
    by: 'another user',
    reason: renamed,
  })
}
