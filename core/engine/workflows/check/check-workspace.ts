import { type AppError, asAppError, isAppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Action, Plan } from '../../schema/stored/plan.ts'
import type { Run } from '../../schema/stored/records.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { Lock } from '../../state/applies/lock.ts'
import { findAside, findScheduledRun, getPlan, saveAside } from '../../state/runs/runs.ts'
import { againOnConflict } from '../../state/store/commit.ts'
import { saveHoldings } from '../../state/workspaces/holdings.ts'
import { findLineage, type Lineage } from '../../state/workspaces/lineage.ts'
import { endPending } from '../../state/workspaces/pending-check.ts'
import { defined } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import { causesOf } from '../../values/texts/causes.ts'
import type { CheckMessage, CheckPart, Deps } from '../deps.ts'
import { basisOf, openRecorded, openSession, type Session } from '../session/open-session.ts'
import { isLimited } from '../session/read/is-limited.ts'
import { deliverAlerts } from './deliver-alerts.ts'
import { handOver, nextPart } from './hand-over.ts'
import { failedRun, saveCheck } from './save-check.ts'

export interface CheckInput {
  readonly workspace: string
  readonly trigger: Run['trigger']
  readonly actor: Actor
  /** ISO time. There is one run for each time. */
  readonly scheduledFor?: string
  /** The lock of the apply, if an apply checks its own result. */
  readonly lock?: Lock
  /**
   * Brings the stored configuration up to date first. If that fails, the run fails: an old configuration is not
   * trusted.
   */
  readonly pull?: Pull | undefined
}

/** Brings the stored configuration up to date. Throws the reason if it cannot be read from where it is kept. */
export type Pull = (workspace: string, deps: Deps) => Promise<void>

export interface Checked {
  readonly run: Run
  /** Missing for a failed run. */
  readonly plan?: Plan
}

/** Checks a workspace. A failed check is stored as a run too; only errors that prevent storing are thrown. */
export const checkWorkspace = (input: CheckInput, deps: Deps): Promise<Checked> => check<never>(input, deps)

/** The same; `see` gets what was read. */
export const checkSeen = (input: CheckInput, deps: Deps, see: (session: Session) => void): Promise<Checked> =>
  check<never>(input, deps, async (session) => void see(session))

/** Does a check, or a part of it. The result is a run, or `goesOn` with the next part, which is queued then. */
export const checkPart = (
  input: CheckInput,
  message: Omit<CheckMessage, 'part'>,
  deps: Deps,
): Promise<Checked | { readonly goesOn: CheckPart }> =>
  check(input, deps, async (session) => {
    const next = nextPart(session, deps)
    return next !== undefined && (await handOver(message, next, session, deps)) ? { goesOn: next } : undefined
  })

/** Most targets do not tell who changed what, so a start does not load what asks them. */
const attributed = async (session: Session, lineage: Lineage, deps: Deps): Promise<Plan> => {
  const isTold = [...session.resources.values()].some(({ type }) => type?.trace !== undefined)
  return isTold ? (await import('./attribute-drift.ts')).attributeDrift(session, lineage, deps) : session.plan
}

/** `cut` looks at what was read. If it returns a result, that is returned, and the check is not stored. */
const check = async <Cut extends { readonly goesOn: CheckPart }>(
  input: CheckInput,
  deps: Deps,
  cut?: (session: Session) => Promise<Cut | undefined>,
): Promise<Checked | Cut> => {
  const { workspace, scheduledFor } = input
  if (scheduledFor !== undefined) {
    const earlier = await findScheduledRun(deps.store, workspace, scheduledFor)
    if (earlier !== undefined) {
      await endPending(deps.store, workspace, scheduledFor)
      return withPlan(earlier, deps)
    }
  }
  const lineage = await findLineage(deps.store, workspace)
  const askedAt = deps.clock.now().toISOString()
  const unread = await unreadBy(input, deps)
  // If another writer stored in between, this check compared with an old record, so it reads again.
  const checked = await againOnConflict(() => checkOnce({ ...input, lineage, askedAt, unread }, deps, cut), 3)
  // An alert that cannot be published now is reported, stays in the outbox, and is sent with the next check or tick.
  await deliverAlerts({ workspace }, deps)
  return checked
}

const unreadBy = async ({ workspace, pull }: CheckInput, deps: Deps): Promise<AppError | undefined> =>
  pull && (await look(() => pull(workspace, deps))).error

const withPlan = async (run: Run, { store }: Deps): Promise<Checked> => {
  const plan = await getPlan(store, run.workspace, run.id)
  return { run, ...defined({ plan }) }
}

/** Has the lineage of the workspace, because a later workspace with the same name is another one. */
type CheckOf = CheckInput & {
  readonly lineage: Lineage
  /** When the check began. What its source announces after that may not have been read. */
  readonly askedAt: string
  /** Why the configuration could not be brought up to date. */
  readonly unread: AppError | undefined
}

const checkOnce = async <Cut>(
  input: CheckOf,
  deps: Deps,
  cut?: (session: Session) => Promise<Cut | undefined>,
): Promise<Checked | Cut> => {
  const { workspace, trigger, actor, scheduledFor, lineage, unread } = input
  const startedAt = beganAt(deps)
  const id = deps.ids.ulid()
  const opened: OpenedOrError =
    unread === undefined ? await look(() => openSession(workspace, deps)) : { error: unread }
  refuseInterrupted(deps)
  const instead = opened.session && (await cut?.(opened.session))
  if (instead !== undefined) return instead
  const plan = opened.session && (await attributed(opened.session, lineage, deps))
  await opened.session?.transports.saveAnswers()
  const readMs = deps.clock.now().getTime() - Date.parse(startedAt)
  if (opened.session !== undefined && isLimited(opened.session.loaded)) {
    const { rememberReads } = await import('./remember-reads.ts')
    await rememberReads(workspace, opened.session, readMs, deps)
  }
  const run: Run = {
    id,
    workspace,
    trigger,
    ...defined({ scheduledFor }),
    actor,
    startedAt,
    finishedAt: deps.clock.now().toISOString(),
    ...(opened.session === undefined ? await failedRun(workspace, opened.error, deps) : finishedRun(opened.session)),
  }
  const saved = await saveCheck(run, { ...opened, plan }, input, deps)
  if (saved.run.status === 'failed') return { run: saved.run }
  if (saved.stored && opened.session !== undefined) await rememberHoldings(opened.session, deps)
  return saved.stored ? { run: saved.run, ...defined({ plan }) } : withPlan(saved.run, deps)
}

/** A failure of the store is reported, and costs only that other workspaces learn it later. */
const rememberHoldings = async ({ plan: { workspace }, holdings }: Session, deps: Deps): Promise<void> => {
  if (holdings === undefined) return
  try {
    await saveHoldings(deps.store, workspace, holdings.before, holdings.now)
  } catch (error) {
    deps.warn({ kind: 'holdings_lost', workspace, error })
  }
}

/** The first part begins after the configuration was brought up to date, because the check reads what that stored. */
const beganAt = ({ part, clock }: Deps): string =>
  part === undefined || part.number === 1 ? clock.now().toISOString() : part.since

/** An interrupted check has no findings. A check that a deadline stopped has findings, and is stored as incomplete. */
const refuseInterrupted = ({ deadline }: Deps): void => {
  const reason: unknown = deadline?.signal.reason
  if (isAppError(reason, 'INTERRUPTED')) throw reason
}

/**
 * Plans the recorded values without reading anything live. Its run is stored beside the checks: it changes no record,
 * no alert and no schedule, and cannot be approved.
 */
export const checkRecorded = async (
  { workspace, trigger, actor, scheduledFor }: Omit<CheckInput, 'lock'>,
  deps: Deps,
): Promise<Checked> => {
  const earlier = scheduledFor === undefined ? undefined : await findAside(deps.store, workspace, scheduledFor)
  if (earlier !== undefined) return withPlan(earlier, deps)
  const lineage = await findLineage(deps.store, workspace)
  const startedAt = deps.clock.now().toISOString()
  const opened = await look(() => openRecorded(workspace, deps))
  refuseInterrupted(deps)
  const { basis: _, ...found } =
    opened.session === undefined ? await failedRun(workspace, opened.error, deps) : finishedRun(opened.session)
  const run: Run = {
    ...{ id: deps.ids.ulid(), workspace, view: 'recorded', trigger },
    ...defined({ scheduledFor }),
    actor,
    startedAt,
    finishedAt: deps.clock.now().toISOString(),
    ...found,
  }
  const plan = opened.session?.plan
  await saveAside(deps.store, { run, lineage, ...defined({ plan, retention: deps.retention }) })
  return { run, ...defined({ plan }) }
}

type OpenedOrError<Found = Session> =
  | { readonly session: Found; readonly error?: never }
  | { readonly session?: never; readonly error: AppError }

/**
 * An error of the store is thrown, because it is not a finding about the workspace, and without a store there is no
 * run. A damaged record is one.
 */
const look = async <Found>(open: () => Promise<Found>): Promise<OpenedOrError<Found>> => {
  try {
    return { session: await open() }
  } catch (cause) {
    const error = asAppError(cause)
    const isOfStore = /^(STORE|STATE|WORKSPACE)_/.test(error.code) && error.code !== 'STORE_CORRUPT'
    if (isOfStore) throw error
    return { error }
  }
}

const shownDiffering = 3
const gravestFirst: readonly Action[] = ['delete', 'replace', 'update', 'create']

const differingIn = ({ changes, drift }: Plan): Run['differing'] => {
  const changed = gravestFirst.flatMap((action) => changes.filter((change) => change.action === action))
  const all = [...new Set([...changed, ...drift].map(({ address }) => address))]
  return all.length === 0 ? undefined : { count: all.length, first: all.slice(0, shownDiffering) }
}

const finishedRun = (
  session: Session,
): Pick<Run, 'status' | 'counts' | 'causes' | 'differing' | 'digests' | 'configurationDigest' | 'basis'> &
  VersionNames => {
  const { plan, loaded, version } = session
  return {
    status: plan.inSync ? 'in_sync' : plan.complete ? 'changes' : 'incomplete',
    counts: plan.counts,
    ...defined({
      causes: unlessEmpty([...causesOf(plan.unchecked)]),
      differing: differingIn(plan),
      // Where nothing is kept, nobody can ask for them.
      digests: plan.view === 'unkept' ? undefined : plan.digests,
    }),
    configurationDigest: loaded.digest,
    ...version,
    basis: basisOf(session),
  }
}
