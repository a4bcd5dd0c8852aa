import { AppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import type { AlertRoute } from '../../schema/alert-route.ts'
import type { Alert, Episode } from '../../schema/stored/findings.ts'
import type { Plan } from '../../schema/stored/plan.ts'
import type { Run } from '../../schema/stored/records.ts'
import { ranAhead } from '../../values/clock-skew.ts'
import { defined, present } from '../../values/defined.ts'
import { findAnchored } from '../anchors.ts'
import type { Lock } from '../applies/lock.ts'
import { episodeChanges, loadEpisodes, loadSoundEpisodes, outboxWrites } from '../outbox.ts'
import { expiryAfter, type Retention, usualRetention } from '../retention.ts'
import { type Changes, commit, finalChanges, joinChanges, mustCommit, untilWritten } from '../store/commit.ts'
import { documentChanges, getDocument, listDocuments } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Item, Key, Page, Paging, Store, Write } from '../store/store.ts'
import { isUnusable } from '../store/verified.ts'
import { things } from '../store/words.ts'
import { type Lineage, requireLineage, stillOf } from '../workspaces/lineage.ts'
import { afterRun } from '../workspaces/pending-check.ts'
import { findStored, rewrites } from '../workspaces/workspaces.ts'
import { prepareRecorded, type Recorded, type RecordedChange } from './recorded.ts'

/** A plan is kept longer than the run that stored it, so that later runs with the same plan need not store it again. */
const sparePlanDays = 100

export interface RunToSave {
  readonly run: Run
  /** When the check began; absent: when the run started. */
  readonly askedAt?: string
  /** Absent for a failed run. */
  readonly plan?: Plan
  /** `lineage` is used if the workspace has none yet. */
  readonly recorded?: { readonly base: Recorded; readonly change: RecordedChange; readonly lineage: string }
  /** The lock of an apply that checks after itself. */
  readonly lock?: Lock
  readonly lineage?: Lineage
  /** Absent: the usual one. */
  readonly retention?: Retention
  /** Where alerts are sent besides; absent if the configuration was not read: as it was stored. */
  readonly routes?: readonly AlertRoute[]
  /** Computes episodes and alerts from the stored episodes. Called again after a conflicting write. */
  readonly advance: (stored: readonly Episode[]) => {
    readonly episodes: readonly Episode[]
    readonly alerts: readonly Alert[]
  }
}

export interface SavedRun {
  /** The earlier run if this scheduled time was already checked. */
  readonly run: Run
  readonly stored: boolean
}

type KeptRun = Pick<RunToSave, 'run' | 'plan' | 'retention'>

/** `spareDays`: how many days later. */
const expiryOf = ({ run, retention = usualRetention }: KeptRun, spareDays = 0): number => {
  const { inSyncDays, otherDays } = retention
  return expiryAfter(run.finishedAt, (run.status === 'in_sync' ? inSyncDays : otherDays) + spareDays)
}

interface PlanOfRun {
  /** `plan` is the digest of the whole plan, stored in the item of the run. */
  readonly attributes: { readonly plan?: string }
  /** Absent if an equal plan is already stored for long enough. */
  readonly changes?: Changes | undefined
}

const planChanges = async (store: Store, kept: KeptRun): Promise<PlanOfRun> => {
  const { run, plan } = kept
  if (plan === undefined) return { attributes: {} }
  const id = digest(plan)
  const key = keys.plan(run.workspace, id)
  const expiry = expiryOf(kept)
  const { ttl = 0 } = (await store.get(key)) ?? {}
  const attributes = { plan: id }
  if (ttl >= expiry) return { attributes }
  return { attributes, changes: await documentChanges(key, plan, { ttl: expiryOf(kept, sparePlanDays) }) }
}

export const noCommands = digest([])

/**
 * A plan without commands needs no pointer, which would be a fifth of what an uneventful check writes. A damaged pointer is
 * named by its read and stays: who approves its commands is told of it.
 */
const mayPoint = async (store: Store, workspace: string, { digests }: Plan): Promise<boolean> => {
  if (digests.commands === noCommands) return false
  try {
    await store.get(keys.commands(workspace, digests.commands))
    return true
  } catch (error) {
    if (!isUnusable(error)) throw error
    return false
  }
}

const pointingTo =
  ({ workspace, id }: Run, ttl: number) =>
  (key: Key): Item => ({ ...key, workspace, run: id, ttl })

const runChanges = async (store: Store, kept: KeptRun): Promise<Changes> => {
  const { run, plan } = kept
  const { workspace, id, scheduledFor } = run
  const ttl = expiryOf(kept)
  const pointTo = pointingTo(run, ttl)
  const pointers = present<Write>(
    scheduledFor !== undefined && {
      kind: 'put',
      item: pointTo(keys.scheduled(workspace, scheduledFor)),
      if: [{ kind: 'absent' }],
    },
    plan !== undefined &&
      (await mayPoint(store, workspace, plan)) && {
        kind: 'put',
        item: pointTo(keys.commands(workspace, plan.digests.commands)),
      },
  )
  const { attributes, changes } = await planChanges(store, kept)
  const own = await documentChanges(keys.run(workspace, id), run, { ttl, attributes, if: [{ kind: 'absent' }] })
  return joinChanges(present(own, changes, finalChanges(pointers)))
}

/** A run older than the newest one does not describe the present, unless the clock of the newest one was fast. */
const isStale = async (store: Store, run: Run): Promise<boolean> => {
  const [newest] = (await listRuns(store, run.workspace, { limit: 1 })).items
  return newest !== undefined && newest.id > run.id && !ranAhead(newest.startedAt, run.finishedAt)
}

/**
 * Reads the workspace first: a later run that is stored after this read changes the workspace, and then the write fails
 * and is repeated.
 */
const changesAfterRun = async (
  store: Store,
  { run, askedAt, advance, lineage, routes }: RunToSave,
): Promise<Changes> => {
  const current = await findStored(store, run.workspace)
  if (current?.lineage !== lineage || current === undefined) await requireLineage(store, run.workspace, lineage)
  const isNewest = !(await isStale(store, run))
  const rewritten = (episodes?: readonly Episode[]): readonly Write[] =>
    current === undefined
      ? // The workspace was never stored because its files are elsewhere.
        stillOf(run.workspace, lineage)
      : rewrites(current, afterRun(current.workspace, run, { isNewest, askedAt, episodes }))
  if (!isNewest) return finalChanges(rewritten())
  // A failed run may be the one that tells of a damaged episode.
  const { sound: before, damaged } =
    run.status === 'failed'
      ? await loadSoundEpisodes(store, run.workspace)
      : { sound: await loadEpisodes(store, run.workspace), damaged: new Set() }
  const stored = before.map(({ episode }) => episode)
  const { episodes: advanced, alerts: found } = advance(stored)
  const episodes = advanced.filter(({ key }) => !damaged.has(key))
  const anchored = found.length === 0 ? undefined : await findAnchored(store, run.workspace)
  const more = defined({ paused: current?.workspace.paused, anchored })
  const alerts = found.map((alert) => ({ ...alert, ...more }))
  const written = [
    ...outboxWrites(alerts, routes ?? current?.workspace.alertRoutes),
    ...rewritten(replaced(stored, episodes)),
  ]
  return joinChanges([await episodeChanges(before, episodes), finalChanges(written)])
}

const replaced = (before: readonly Episode[], after: readonly Episode[]): readonly Episode[] => [
  ...before.filter(({ key }) => after.every((one) => one.key !== key)),
  ...after,
]

const isAt = (write: Write | undefined, key: { readonly sk: string }): boolean =>
  write?.kind === 'put' && write.item.sk === key.sk

/** These conflicts mean that the recorded state changed or that the lock was lost, so a repetition is useless. */
const checkRecorded = (failed: Write | undefined, { run }: RunToSave): void => {
  if (failed?.kind === 'check' && failed.key.sk === keys.lock(run.workspace).sk)
    throw new AppError('LOCK_LOST', { workspace: run.workspace })
  if (isAt(failed, keys.state(run.workspace))) {
    throw new AppError('STORE_CONFLICT', { what: things.recorded(run.workspace) })
  }
}

const earlierRun = async (store: Store, { run }: RunToSave, found: Item | undefined): Promise<SavedRun> => ({
  run: await getRun(store, run.workspace, String(found?.['run'] ?? run.id)),
  stored: false,
})

/**
 * Stores a run with all its consequences in one transaction. What does not fit is written before and has no effect
 * without it. A second run for the same scheduled time, or the same run again, changes nothing. Throws STORE_CONFLICT
 * if the recorded state has changed since it was loaded: the run must then be repeated.
 */
export const saveRun = async (store: Store, save: RunToSave): Promise<SavedRun> => {
  const { recorded, lock, lineage } = save
  const seen = await findSaved(store, save.run)
  if (seen !== undefined) return { run: seen, stored: false }
  const options = { guard: stillOf(save.run.workspace, lineage), ...defined({ lock }) }
  const prepared =
    recorded &&
    (await prepareRecorded(store, recorded.base, recorded.change, { ...options, lineage: recorded.lineage }))
  const run = withSerial(save.run, prepared?.next)
  const own = await runChanges(store, { ...save, run })
  return untilWritten(`run ${run.id}`, async () => {
    const all = joinChanges(present(own, prepared?.changes, await changesAfterRun(store, save)))
    const result = await commit(store, all)
    if (result.ok) return { run, stored: true }
    const failed = all.final[result.index]
    checkRecorded(failed, save)
    const isRun = isAt(failed, keys.run(run.workspace, run.id))
    const isScheduled = run.scheduledFor !== undefined && isAt(failed, keys.scheduled(run.workspace, run.scheduledFor))
    return isRun || isScheduled ? earlierRun(store, save, result.found) : undefined
  })
}

/** The basis of a plan is the recorded state after its check, so that the check does not make its own plan stale. */
const withSerial = (run: Run, next: Recorded | undefined): Run =>
  run.basis === undefined || next === undefined
    ? run
    : { ...run, basis: { ...run.basis, ...defined({ lineage: next.lineage }), serial: next.serial } }

const findSaved = async (store: Store, run: Run): Promise<Run | undefined> => {
  const claim =
    run.scheduledFor === undefined ? undefined : await store.get(keys.scheduled(run.workspace, run.scheduledFor))
  return claim === undefined
    ? getDocument<Run>(store, keys.run(run.workspace, run.id), `run ${run.id}`)
    : findRun(store, run.workspace, String(claim['run']))
}

export const findScheduledRun = async (store: Store, workspace: string, time: string): Promise<Run | undefined> => {
  const claim = await store.get(keys.scheduled(workspace, time))
  return claim === undefined ? undefined : getRun(store, workspace, String(claim['run']))
}

/** Stores a run that is no check; only its id, its time and its commands lead to it. Throws WORKSPACE_REMOVED, STORE_CONFLICT. */
export const saveAside = async (store: Store, { lineage, ...kept }: KeptRun & Pick<RunToSave, 'lineage'>) => {
  const { run, plan } = kept
  const { workspace, id, scheduledFor } = run
  const ttl = expiryOf(kept)
  const { attributes, changes } = await planChanges(store, kept)
  const own = await documentChanges(keys.aside(workspace, id), run, { ttl, attributes })
  const isApprovable = plan !== undefined && plan.view === undefined && (await mayPoint(store, workspace, plan))
  const places = present(
    scheduledFor !== undefined && keys.asideAt(workspace, scheduledFor),
    isApprovable && keys.commands(workspace, plan.digests.commands),
  )
  const writes = places.map((key): Write => ({ kind: 'put', item: pointingTo(run, ttl)(key) }))
  const further = finalChanges([...writes, ...stillOf(workspace, lineage)])
  await mustCommit(store, joinChanges(present(own, changes, further)), `run ${id}`)
}

export const findAside = async (store: Store, workspace: string, time: string): Promise<Run | undefined> => {
  const pointer = await store.get(keys.asideAt(workspace, time))
  return pointer === undefined ? undefined : getRun(store, workspace, String(pointer['run']))
}

export const findRun = async (store: Store, workspace: string, id: string): Promise<Run | undefined> => {
  const read = (key: Key): Promise<Run | undefined> => getDocument<Run>(store, key, `run ${id}`)
  return (await read(keys.run(workspace, id))) ?? read(keys.aside(workspace, id))
}

/** Throws RUN_NOT_FOUND. */
export const getRun = async (store: Store, workspace: string, run: string): Promise<Run> => {
  const found = await findRun(store, workspace, run)
  if (found === undefined) throw new AppError('RUN_NOT_FOUND', { run })
  return found
}

const planIdOf = async (store: Store, workspace: string, run: string): Promise<string | undefined> => {
  const item = (await store.get(keys.run(workspace, run))) ?? (await store.get(keys.aside(workspace, run)))
  if (item === undefined) throw new AppError('RUN_NOT_FOUND', { run })
  return item['plan'] === undefined ? undefined : String(item['plan'])
}

/** `undefined` for a failed run. Throws RUN_NOT_FOUND, STORE_CORRUPT. */
export const getPlan = async (store: Store, workspace: string, run: string): Promise<Plan | undefined> => {
  const id = await planIdOf(store, workspace, run)
  return id === undefined ? undefined : getDocument<Plan>(store, keys.plan(workspace, id), things.plan(run))
}

/** Newest first. */
export const listRuns = (store: Store, workspace: string, paging: Paging): Promise<Page<Run>> =>
  listDocuments<Run>(store, (id) => keys.run(workspace, id), paging, 'run')
