import { AppError } from '../../errors/errors.ts'
import type { Run } from '../../schema/stored/records.ts'
import { keys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { isOf, type Lineage } from '../workspaces/lineage.ts'
import { findRun, listRuns, noCommands } from './runs.ts'

/** Plans without commands are looked for in this many runs, the newest first. */
const runsLookedAt = 20

const findWithoutCommands = async (store: Store, workspace: string): Promise<Run | undefined> => {
  const { items } = await listRuns(store, workspace, { limit: runsLookedAt })
  return items.find(({ digests }) => digests?.commands === noCommands)
}

const findPointed = async (store: Store, workspace: string, digest: string): Promise<Run | undefined> => {
  const pointer = await store.get(keys.commands(workspace, digest))
  return pointer === undefined ? undefined : findRun(store, workspace, String(pointer['run']))
}

/** The newest run that planned exactly these commands. Throws PLAN_NOT_FOUND, STORE_CORRUPT. */
export const getRunByCommands = async (
  store: Store,
  workspace: string,
  digest: string,
  lineage?: Lineage,
): Promise<Run> => {
  const run = await (digest === noCommands
    ? findWithoutCommands(store, workspace)
    : findPointed(store, workspace, digest))
  if (run === undefined || !isOf(lineage, run)) throw new AppError('PLAN_NOT_FOUND', { digest })
  return run
}
