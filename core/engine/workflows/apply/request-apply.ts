import { AppError, asAppError, isAppError } from '../../errors/errors.ts'
import type { Actor } from '../../schema/actor.ts'
import type { Grade } from '../../schema/command.ts'
import type { Plan, Selection } from '../../schema/stored/plan.ts'
import { type Apply, hasEnded, type Run } from '../../schema/stored/records.ts'
import type { Basis } from '../../schema/stored/saved-plan.ts'
import { createApply, getApply, keepApply, withdrawApply } from '../../state/applies/applies.ts'
import { unfinishedWrite } from '../../state/applies/unfinished-applies.ts'
import { getRunByCommands } from '../../state/runs/find-by-commands.ts'
import { getPlan, getRun, listRuns } from '../../state/runs/runs.ts'
import { findLineage, isOf, type Lineage, requireLineage } from '../../state/workspaces/lineage.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import { unlessEmpty } from '../../values/members.ts'
import type { Deps } from '../deps.ts'
import { partOf } from './approved/part-of.ts'
import { countResults, resourcesOf } from './approved/resource-results.ts'
import { isWhole } from './approved/selection.ts'

export interface ApplyRequest extends Selection {
  readonly workspace: string
  readonly mode: Apply['mode']
  /** The digest of the reviewed commands, which will be sent; with a selection, only of the selected commands. */
  readonly digest: string
  /** The run that planned them; if absent, the newest run with these commands. */
  readonly runId?: string
  /** What the plan was made from. If a part of it has changed, nothing is sent. */
  readonly basis?: Basis
  readonly reason: string
  readonly actor: Actor
  readonly idempotencyKey?: string
  /** The grades of commands that the caller may approve; all when absent. */
  readonly grades?: readonly Grade[]
  /** The caller does the work itself: nothing is queued, now or later. */
  readonly own?: boolean
}

/**
 * Stores an approval and queues the work. The digest must be one that a check of this workspace has planned. A repeated
 * request with the same key returns the same apply. Throws WORKSPACE_NOT_FOUND, PLAN_NOT_FOUND, TARGET_UNKNOWN, SCOPE_MISSING,
 * IDEMPOTENCY_REUSED, and QUEUE_UNAVAILABLE, after which nothing of a new request is left.
 */
export const requestApply = async (input: ApplyRequest, deps: Deps): Promise<Apply> => {
  const { workspace, mode, digest, targets = [], exclude = [], basis, reason, actor } = input
  await requireWorkspace(deps.store, workspace)
  const lineage = await findLineage(deps.store, workspace)
  const { run, plan } = await approvedRun(input, lineage, deps)
  await refuseGrades(plan, input)
  const { id: runId, undoes, configurationVersion, commit } = run
  const resources = [...resourcesOf(plan, input)]
  const apply: Apply = {
    id: deps.ids.ulid(),
    workspace,
    mode,
    status: 'queued',
    digest,
    runId,
    ...defined({ undoes, configurationVersion, commit }),
    ...defined({ targets: unlessEmpty([...targets]), exclude: unlessEmpty([...exclude]), basis }),
    reason,
    actor,
    requestedAt: deps.clock.now().toISOString(),
    outcomes: [],
    resources,
    results: countResults(resources),
  }
  const { idempotencyKey, own = false } = input
  const createFor = (options: Parameters<typeof createApply>[2]): Promise<Apply> =>
    createApply(deps.store, apply, options).catch(async (error: unknown) => {
      // The workspace may have been removed since it was read.
      if (isAppError(error, 'STORE_CONFLICT')) await requireLineage(deps.store, workspace, lineage)
      throw error
    })
  if (own) return createFor({ idempotencyKey, lineage, further: [] })
  const lookAt = new Date(deps.clock.now().getTime() + firstLookMs)
  const stored = await createFor({ idempotencyKey, lineage, further: [unfinishedWrite(apply, lookAt)] })
  if (hasEnded(stored)) return stored
  // The first caller may be withdrawing the request at this moment.
  if (stored.id !== apply.id && !(await keepApply(deps.store, stored))) return requestApply(input, deps)
  try {
    // A repeated request is queued again too, because the first caller may have died before this point. The worker runs
    // an apply once.
    await deps.queue.apply({ workspace, applyId: stored.id })
    return stored
  } catch (error) {
    const isNew = stored.id === apply.id
    // The refusal may be a lost answer, and a worker may have started the apply already.
    if (isNew && !(await withdrawApply(deps.store, stored, { idempotencyKey, lineage }))) {
      return getApply(deps.store, workspace, stored.id)
    }
    throw error
  }
}

/** Throws SCOPE_MISSING. In check mode nothing is sent, so nothing needs to be undone. */
const refuseGrades = async (plan: Plan, { mode, grades, ...selection }: ApplyRequest): Promise<void> => {
  if (grades === undefined || mode === 'check') return
  const { commands } = await partOf(plan, selection)
  const others = commands.filter(({ grade }) => !grades.includes(grade))
  if (others.length === 0) return
  const named = others.map(({ id, grade }) => `${id} (${grade})`)
  throw new AppError('SCOPE_MISSING', { needs: 'irreversible', commands: named })
}

/** Milliseconds after which a tick looks whether a worker has ended the apply: its message may have been lost. */
const firstLookMs = 2 * 60_000

interface ApprovedRun {
  readonly run: Run
  readonly plan: Plan
}

const approvedRun = async (request: ApplyRequest, lineage: Lineage, { store }: Deps): Promise<ApprovedRun> => {
  const { workspace, digest, runId } = request
  if (runId !== undefined) return namedRun(request, runId, lineage, store)
  if (!isWhole(request)) return selectedRun(request, lineage, store)
  const run = await getRunByCommands(store, workspace, digest, lineage)
  const plan = await getPlan(store, workspace, run.id)
  if (plan === undefined) throw new AppError('PLAN_NOT_FOUND', { digest })
  return { run, plan }
}

const namedRun = async (
  { workspace, digest, ...selection }: ApplyRequest,
  runId: string,
  lineage: Lineage,
  store: Deps['store'],
): Promise<ApprovedRun> => {
  const run = await getRun(store, workspace, runId)
  const plan = isOf(lineage, run) ? await getPlan(store, workspace, runId) : undefined
  if (plan !== undefined && plan.view === undefined) {
    const { digests } = await partOf(plan, selection)
    if (digests.commands === digest) return { run, plan }
  }
  throw new AppError('PLAN_NOT_FOUND', { digest })
}

/**
 * Number of runs. A person who approves a part has seen a recent plan; an older plan must be approved as a whole, or
 * planned again.
 */
const runsLookedAt = 20

/**
 * No index contains the digests of all possible selections, so the latest plans are reduced to the selection and
 * compared.
 */
const selectedRun = async (
  { workspace, digest, ...selection }: ApplyRequest,
  lineage: Lineage,
  store: Deps['store'],
): Promise<ApprovedRun> => {
  const { items } = await listRuns(store, workspace, { limit: runsLookedAt })
  const reached = new Set<string>()
  let refusal: AppError | undefined
  for (const run of items.filter((each) => isOf(lineage, each))) {
    const { id, digests } = run
    if (digests === undefined || reached.has(digests.commands)) continue
    reached.add(digests.commands)
    const plan = await getPlan(store, workspace, id)
    if (plan === undefined) continue
    const narrow = await narrowed(plan, selection)
    if (narrow instanceof AppError) refusal ??= narrow
    else if (narrow.digests.commands === digest) return { run, plan }
    else if (digests.commands === digest) throw differs(digest, narrow)
  }
  throw refusal ?? new AppError('PLAN_NOT_FOUND', { digest })
}

const narrowed = async (plan: Plan, selection: Selection): Promise<Plan | AppError> => {
  try {
    return await partOf(plan, selection)
  } catch (error) {
    return asAppError(error)
  }
}

const differs = (digest: string, { targets = [], exclude = [], digests, commands }: Plan): AppError =>
  new AppError('APPROVAL_DIFFERS', { digest, targets, exclude, narrow: digests.commands, commands: commands.length })
