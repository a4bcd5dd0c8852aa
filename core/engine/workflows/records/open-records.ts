import type { Apply, ListedApply } from '../../schema/stored/records.ts'
import { hasEnded } from '../../schema/stored/records.ts'
import { getApply, listApplies } from '../../state/applies/applies.ts'
import { findUnfinished } from '../../state/applies/unfinished-applies.ts'
import { listBackups } from '../../state/backups.ts'
import { exportLedger, type LedgerFilter, type LedgerQuery, queryLedger } from '../../state/ledger-query.ts'
import { listEpisodes } from '../../state/outbox.ts'
import { findAside, findScheduledRun, getPlan, getRun, listRuns } from '../../state/runs/runs.ts'
import type { Page, Paging, Store } from '../../state/store/store.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import { exportState, listState, showState } from '../state/read-state.ts'
import type { VerifyRequest } from './verify-ledger.ts'

const describeApply = async (store: Store, workspace: string, id: string): Promise<Apply> => {
  const apply = await getApply(store, workspace, id)
  if (hasEnded(apply)) return apply
  const { resent = 0, interrupted } = (await findUnfinished(store, workspace, id)) ?? {}
  return { ...apply, ...defined({ resent: resent === 0 ? undefined : resent, interrupted }) }
}

const listWithoutOutcomes = async (store: Store, workspace: string, page: Paging): Promise<Page<ListedApply>> => {
  const { items, ...rest } = await listApplies(store, workspace, page)
  return { ...rest, items: items.map(({ outcomes: _, resources: __, ...listed }) => listed) }
}

/** Most requests verify nothing. */
const verifying = () => import('./verify-ledger.ts')

/**
 * Gives access to the stored data of a workspace by its name, even if its configuration is invalid. Throws
 * WORKSPACE_NOT_FOUND.
 */
export const openRecords = async (store: Store, workspace: string) => {
  await requireWorkspace(store, workspace)
  return {
    /** Newest first. */
    runs: (page: Paging) => listRuns(store, workspace, page),
    /** Throws RUN_NOT_FOUND. */
    run: (id: string) => getRun(store, workspace, id),
    /** `undefined` for a run that failed. Throws RUN_NOT_FOUND, STORE_CORRUPT. */
    plan: (run: string) => getPlan(store, workspace, run),
    /** Also finds a run that is not a check. */
    scheduledRun: async (time: string) =>
      (await findScheduledRun(store, workspace, time)) ?? (await findAside(store, workspace, time)),
    /** Newest first. */
    applies: (page: Paging) => listWithoutOutcomes(store, workspace, page),
    /** Throws APPLY_NOT_FOUND. */
    apply: (id: string) => describeApply(store, workspace, id),
    /** The latest episode of each key, open or resolved. */
    episodes: () => listEpisodes(store, workspace),
    /** Ascending. */
    ledger: (query: LedgerQuery) => queryLedger(store, workspace, query),
    /** Starts after the entry with the number `after`. Without a filter, the last part is the end of the ledger. */
    exportLedger: (filter: LedgerFilter, after?: number) => exportLedger(store, workspace, filter, after),
    state: (pattern?: string) => listState(store, workspace, pattern),
    /** Throws RECORD_NOT_FOUND. */
    recordOf: (address: string) => showState(store, workspace, address),
    /** The state as it is now, or a backup. Throws STATE_NOT_FOUND, BACKUP_NOT_FOUND, STORE_CONFLICT. */
    exportState: (backup?: string) => exportState(store, workspace, backup),
    /** Newest first. */
    backups: () => listBackups(store, workspace),
    verifyLedger: async () => (await verifying()).verifyLedger({ workspace }, { store }),
    /** One part of the same. */
    verifyLedgerPart: async (asked: VerifyRequest) =>
      (await verifying()).verifyLedgerPart({ workspace, ...asked }, { store }),
  }
}
