import type { LedgerPart } from '../../ledger/verify.ts'
import type { Plan } from '../../schema/plan.ts'
import {
  type Apply,
  type Episode,
  hasEnded,
  type LedgerEntry,
  type LedgerVerdict,
  type Run,
} from '../../schema/records.ts'
import { getApply, listApplies } from '../../state/applies/applies.ts'
import { findUnfinished } from '../../state/applies/unfinished-applies.ts'
import { exportLedger, type LedgerFilter, type LedgerQuery, queryLedger } from '../../state/ledger.ts'
import { listEpisodes } from '../../state/outbox.ts'
import { findScheduledRun, getPlan, getRun, listRuns } from '../../state/runs.ts'
import type { Store } from '../../state/store/store.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { verifyLedger } from './verify-ledger.ts'

interface Paging {
  readonly limit: number
  /** `next` of the page before. */
  readonly after?: string
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}

/** What is kept of a workspace, whatever state its configuration is in. */
export interface Records {
  /** Newest first. */
  runs(page: Paging): Promise<Page<Run>>
  /** Throws RUN_NOT_FOUND. */
  run(id: string): Promise<Run>
  /** `undefined` for a run that failed. Throws RUN_NOT_FOUND, STORE_CORRUPT. */
  plan(run: string): Promise<Plan | undefined>
  /** The run that was due at this time. */
  scheduledRun(time: string): Promise<Run | undefined>
  /** Newest first. */
  applies(page: Paging): Promise<Page<Apply>>
  /** Throws APPLY_NOT_FOUND. */
  apply(id: string): Promise<Apply>
  /** The latest of each key, open or resolved. */
  episodes(): Promise<readonly Episode[]>
  /** Ascending. */
  ledger(query: LedgerQuery): Promise<Page<LedgerEntry>>
  /** From after the entry with this number on; without a filter, the end of the ledger is the last part. */
  exportLedger(filter: LedgerFilter, after?: number): AsyncIterable<LedgerPart>
  verifyLedger(): Promise<LedgerVerdict>
}

/** With what became of its message. */
const describeApply = async (store: Store, workspace: string, id: string): Promise<Apply> => {
  const apply = await getApply(store, workspace, id)
  const { resent = 0 } = hasEnded(apply) ? {} : ((await findUnfinished(store, workspace, id)) ?? {})
  return resent === 0 ? apply : { ...apply, resent }
}

/** The only way from a name to what is kept under it. Throws WORKSPACE_NOT_FOUND. */
export const openRecords = async (store: Store, workspace: string): Promise<Records> => {
  await requireWorkspace(store, workspace)
  return {
    runs: (page) => listRuns(store, workspace, page),
    run: (id) => getRun(store, workspace, id),
    plan: (run) => getPlan(store, workspace, run),
    scheduledRun: (time) => findScheduledRun(store, workspace, time),
    applies: (page) => listApplies(store, workspace, page),
    apply: (id) => describeApply(store, workspace, id),
    episodes: () => listEpisodes(store, workspace),
    ledger: (query) => queryLedger(store, workspace, query),
    exportLedger: (filter, after) => exportLedger(store, workspace, filter, after),
    verifyLedger: () => verifyLedger({ workspace }, { store }),
  }
}
