import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Damaged, Item, Store } from '../../../../core/engine/state/store/store.ts'
import { reporting } from '../../../../core/engine/state/store/verified.ts'
import { loadHoldings } from '../../../../core/engine/state/workspaces/holdings.ts'
import { listWorkspaces } from '../../../../core/engine/state/workspaces/list-workspaces.ts'
import { listVersions } from '../../../../core/engine/state/workspaces/versions.ts'
import { resendApplies } from '../../../../core/engine/workflows/apply/resend-applies.ts'
import { deliverLeftovers } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { findOverdue, oldestWaitSeconds } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { movableClock, testDeps } from '../../../builders/workspaces/workspace.ts'
import { fleet, hurt, now, server } from './fleet.ts'

export const storeOf = async (items: readonly Item[]): Promise<Store> => {
  const store = memoryStore(movableClock(now))
  for (let start = 0; start < items.length; start += 100)
    await store.write(items.slice(start, start + 100).map((item) => ({ kind: 'put', item })))
  return store
}

/** Where one workspace is read alone, its damage ends the read. A later format looks like that of a newer version. */
const orCorrupt = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error, 'STORE_CORRUPT') || isAppError(error, 'STATE_NEWER')) return error.message
    throw error
  }
}

/** What is about a whole ledger ends with an entry that only a later version can read. */
const orNewer = async <Read>(work: () => Promise<Read>): Promise<Read | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error, 'STATE_NEWER')) return undefined
    throw error
  }
}

const readWorkspace = async (store: Store, id: string) => {
  const records = await openRecords(store, id)
  const page = { limit: 10 }
  return {
    runs: await records.runs(page),
    applies: await records.applies(page),
    versions: await listVersions(store, id, page),
    ledger: await records.ledger(page),
    later: await records.ledger({ ...page, from: '2026-03-01T06:00:05.000Z' }),
    exported: await orNewer(() => Array.fromAsync(records.exportLedger({}))),
    verdict: await orNewer(() => records.verifyLedger()),
    episodes: await records.episodes(),
    backups: await records.backups(),
    state: await orCorrupt(() => records.state()),
  }
}

/** Calls everything that serves many, and returns what it said about all other workspaces. */
export const serve = async (inner: Store) => {
  const told: Damaged[] = []
  const store = reporting(inner, (damaged) => told.push(damaged))
  const { deps, queued, alerts } = testDeps({ store })
  const isOther = ({ workspace }: { readonly workspace: string }) => workspace !== hurt
  const ids = <One extends { readonly id: string }>(all: readonly One[]) => all.filter(({ id }) => id !== hurt)
  const list = await listWorkspaces(store, { limit: 10 })
  const overdue = await findOverdue({ marginMs: -1 }, deps)
  const oldest = await oldestWaitSeconds(deps)
  const of = await Promise.all(fleet.map(async (id) => [id, await readWorkspace(store, id)] as const))
  const holdings = (await loadHoldings(store, server, [''])).map((each) => each.holdings)
  const due = await enqueueDue({}, deps)
  const resent = await resendApplies(deps)
  await deliverLeftovers(deps)
  const failures = [...due.failures, ...resent.failures].map(({ error }) => error.code)
  return {
    told,
    failures,
    list,
    of: new Map(of),
    others: {
      list: ids(list.items),
      overdue: overdue.filter(isOther),
      oldest,
      of: of.filter(([id]) => id !== hurt),
      holdings: holdings.filter(isOther),
      queued: queued.check.filter(isOther).toSorted((left, right) => (left.workspace < right.workspace ? -1 : 1)),
      quarantined: due.quarantined.filter(isOther),
      resent: resent.resent.filter(isOther),
      alerts: new Set(alerts.filter(isOther).map(({ workspace, id }) => `${workspace} ${id}`)),
    },
  }
}
