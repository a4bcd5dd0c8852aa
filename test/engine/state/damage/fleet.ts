import { advanceEpisodes } from '../../../../core/engine/alert/episode.ts'
import type { Holdings } from '../../../../core/engine/schema/stored/holdings.ts'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { acquireLock, releaseLock, saveWatched } from '../../../../core/engine/state/applies/lock.ts'
import { saveSight } from '../../../../core/engine/state/applies/sights.ts'
import { unfinishedWrite } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { backupChanges } from '../../../../core/engine/state/backups.ts'
import { appendLedger } from '../../../../core/engine/state/ledger.ts'
import { saveReadHistory } from '../../../../core/engine/state/runs/reads.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { saveAside, saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { documentOf } from '../../../../core/engine/state/runs/state-document.ts'
import { commit, soundItems } from '../../../../core/engine/state/store/commit.ts'
import { duePartitions, keys } from '../../../../core/engine/state/store/keys.ts'
import { workspaceIn } from '../../../../core/engine/state/store/kinds.ts'
import type { Item, Store } from '../../../../core/engine/state/store/store.ts'
import { saveHoldings } from '../../../../core/engine/state/workspaces/holdings.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import {
  aBundle,
  aChange,
  aDraft,
  anApply,
  anId,
  aPlan,
  aResource,
  aRun,
  aWorkspace,
} from '../../../builders/values/records.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

export const fleet = ['acme', 'bolt', 'crab'] as const
/** The workspace whose items are damaged. */
export const hurt = 'bolt'
export const server = 'https://dns.example'
const home = `${server} *`
export const now = '2026-11-21T06:00:00.000Z'

const holdingsOf = (workspace: string): Holdings => ({ workspace, homes: [home], tenants: [] })

const saveRuns = async (store: Store, workspace: string): Promise<void> => {
  const plan = aPlan([aChange('pdns_zone.a')], [], { workspace })
  for (const n of [1, 2]) {
    const run = aRun(n, plan, { workspace, scheduledFor: new Date(Date.parse(now) - n * 60_000).toISOString() })
    const base = await loadRecorded(store, workspace)
    const change = { put: [aResource('a'), aResource(`of-run-${n}`)], remove: [] }
    await saveRun(store, {
      run,
      plan,
      recorded: { base, change, lineage: 'first' },
      routes: [{ kind: 'slack', url: { secret: 'env:SLACK' } }],
      advance: (open) =>
        advanceEpisodes({
          workspace,
          plan,
          run,
          open,
          rules: { minSeverity: 'low' },
          at: run.finishedAt,
          newId: () => anId(n),
        }),
    })
  }
  const aside = aRun(3, plan, { workspace, scheduledFor: now })
  await saveAside(store, { run: aside, plan, lineage: undefined })
}

const saveRest = async (store: Store, workspace: string): Promise<void> => {
  for (const n of [4, 5]) {
    const apply = anApply(n, { workspace, runId: anId(1), requestedAt: now })
    const further = [unfinishedWrite(apply, new Date(now))]
    await createApply(store, apply, { idempotencyKey: `key ${n}`, further })
    await appendLedger(store, workspace, [aDraft(n, { workspace, applyId: apply.id })])
  }
  await appendLedger(store, workspace, [aDraft(6, { workspace, kind: 'paused' })])
  const document = documentOf(await loadRecorded(store, workspace))
  const wish = { id: anId(7), at: now, before: 'imported', actor, reason: 'why', document } as const
  await commit(store, (await backupChanges(wish)).changes)
  await saveHoldings(store, workspace, new Map(), new Map([[home, holdingsOf(workspace)]]))
  await saveReadHistory(store, workspace, { resources: {}, left: [], limits: {}, ms: 0, sent: 0 })
  const lock = await acquireLock(store, { workspace, holder: 'other', leaseMs: 1, now: new Date(now) })
  const sight = { apply: anApply(4, { workspace, requestedAt: now }), address: 'pdns_zone.a', isMade: true }
  await saveSight(store, sight, { attributes: {}, counted: [] }, lock)
  await saveWatched(store, lock, 5)
  await releaseLock(store, lock)
  const answers = { ...keys.answers(workspace, 'pack'), bytes: new Uint8Array([1, 2]) }
  const source = { ...keys.source(workspace), seen: { source: 'digest' } }
  const aside = { ...keys.quarantine(workspace), time: now, since: now, again: '2026-11-21T08:00:00.000Z' }
  const anchored = { ...keys.anchored(workspace), head: { seq: 1, hash: `sha256:${'0'.repeat(64)}`, at: now } }
  const unanchored = { ...keys.unanchored(workspace), at: now }
  const noted = [anchored, unanchored, { ...keys.delivery(workspace, 'digest') }]
  const items: readonly Item[] = [answers, source, aside, ...noted]
  await store.write(items.map((item) => ({ kind: 'put', item })))
}

/** Every workspace is due, has runs, applies that wait, alerts that wait, and one item at least of each kind. */
export const storeFleet = async (store: Store): Promise<void> => {
  for (const id of fleet) {
    await saveWorkspace(store, aWorkspace({ id, nextCheckAt: now, updatedAt: now }), aBundle())
    await saveRuns(store, id)
    await saveRest(store, id)
  }
  const removed = { at: now, by: actor, reason: 'gone' }
  await store.write([{ kind: 'put', item: { ...keys.removed('gone'), body: removed } }])
}

const partitions = [
  ...[...fleet, 'gone'].flatMap((id) => [
    keys.workspace(id).pk,
    keys.lock(id).pk,
    keys.entry(id, 1).pk,
    keys.answers(id, '').pk,
  ]),
  ...duePartitions,
  keys.directory('').pk,
  keys.quarantine('').pk,
  keys.unfinished('', '').pk,
  keys.undelivered('', '').pk,
  keys.unanchored('').pk,
  keys.holdings(home, '').pk,
]

export const allItems = async (store: Store): Promise<readonly Item[]> =>
  (await Promise.all(partitions.map((pk) => Array.fromAsync(soundItems(store, { pk }))))).flat()

export const isHurt = (item: Item): boolean =>
  ['DIR', 'QUARANTINE'].includes(item.pk)
    ? item.sk === hurt
    : item.pk.startsWith('HOME#')
      ? workspaceIn(item) === hurt
      : ['bolt', 'gone'].includes(workspaceIn(item))
