import { AppError } from '../../../errors/errors.ts'
import type { GraphNode } from '../../../graph/graph.ts'
import { refusal } from '../../../plan/policy.ts'
import { movedAddresses, movedParts } from '../../../plan/saved-plan.ts'
import type { Command } from '../../../schema/command.ts'
import type { RecordedResource } from '../../../schema/resource.ts'
import type { Change, Plan } from '../../../schema/stored/plan.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { getPlan } from '../../../state/runs/runs.ts'
import { refuseRemoved } from '../../../state/workspaces/lineage.ts'
import { addressOf } from '../../../values/addresses/address.ts'
import { defined, present } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import { basisOf, type OpenWorkspace, openWorkspace, planOpened, type Session } from '../../session/open-session.ts'
import { undoubted } from '../../session/plan/follow-successors.ts'
import type { ReadyCommands } from '../approved/commands-to-send.ts'
import { commandsToSend } from '../approved/commands-to-send.ts'
import type { ApplyProgress } from '../approved/compare-approved.ts'
import { refuseImmutable } from '../approved/policy.ts'
import { selectTargets } from '../approved/select-targets.ts'
import type { UndoneApply } from '../undo/done-by.ts'
import { loadUndone } from '../undo/load-undone.ts'
import { planUndo } from '../undo/plan-undo.ts'
import { withDeleted } from '../undo/with-deleted.ts'
import type { ApplyLog } from './apply-log.ts'
import { doneIn } from './execute-commands.ts'
import { knownTo } from './known-values.ts'
import { type ApplyFence, openFence } from './open-fence.ts'
import { readProgress } from './read-progress.ts'
import { requireUnused } from './used-approval.ts'

/** Asked between two commands. `hand over`: the next worker does the rest. `stop`: the apply ends here. */
export type Ending = () => 'hand over' | 'stop' | undefined

export interface ApplyRun {
  readonly apply: Apply
  readonly log: ApplyLog
  /** Every write passes it; it lets only commands with an intent through. */
  readonly fence: ApplyFence
  readonly approved: Plan
  /** Only those of the selection, if there is one. */
  readonly commands: readonly Command[]
  readonly earlier: ApplyProgress
  readonly opened: OpenWorkspace
  /** The apply that this one undoes, if it does. */
  readonly undone?: UndoneApply
  readonly ending: Ending
  /** Whether the apply is the first work of its invocation, so that another worker would not have more time. */
  readonly hasAllTime: boolean
}

/** An apply whose targets were read and planned again, and compared with the approved plan. */
export interface Execution extends ApplyRun {
  readonly session: Session
  readonly ready: ReadyCommands
  /** Approved changes whose commands an earlier worker sent, and that are done: their objects are still to be read. */
  readonly waited: readonly Change[]
}

/**
 * Starts or continues an apply. Throws WORKSPACE_REMOVED, PLAN_NOT_FOUND, TARGET_UNKNOWN, UNDO_IMPOSSIBLE and what opening a workspace
 * throws.
 */
export const openRun = async (queued: Apply, log: ApplyLog, ending: Ending, deps: Deps): Promise<ApplyRun> => {
  const { workspace, runId, digest, mode, startedAt } = queued
  const hasAllTime = deps.deadline !== undefined && deps.deadline.left() > 0.9 * deps.deadline.wholeMs
  const apply: Apply = { ...queued, status: 'running', startedAt: startedAt ?? deps.clock.now().toISOString() }
  const earlier = await readProgress(apply, deps)
  await log.write([{ kind: 'started', ...defined({ detail: startedAt && 'resumed' }) }], apply)
  await refuseRemoved(deps.store, workspace)
  const approved = await getPlan(deps.store, workspace, runId)
  if (approved === undefined) throw new AppError('PLAN_NOT_FOUND', { digest })
  const commands = selectTargets(approved, queued)
  const fence = openFence(log)
  const undone = approved.undoes === undefined ? undefined : await loadUndone(workspace, approved.undoes, deps)
  const opened = await openWorkspace(workspace, deps, mode === 'execute' ? fence : undefined)
  return { apply, log, fence, approved, commands, earlier, opened, ending, hasAllTime, ...defined({ undone }) }
}

/** Whether no command of the apply was sent yet, by any worker. */
const isFresh = ({ outcomes, open }: ApplyProgress): boolean => outcomes.length + open.length === 0

/**
 * Refuses a saved plan that was made from other values than the present ones. After a command was sent, the apply
 * itself changes these values, so they are not compared.
 */
const requireBasis = (
  { apply: { basis }, approved }: ApplyRun,
  progress: ApplyProgress,
  { plan, ...session }: Session,
): void => {
  if (basis === undefined || !isFresh(progress)) return
  const moved = movedParts(basis, basisOf({ plan, ...session }))
  if (moved.length > 0)
    throw new AppError('SAVED_PLAN_STALE', { moved, at: movedAddresses(approved, plan), unread: plan.unchecked.length })
}

/**
 * The apply itself may send its delete again, to what is as it was approved; to all others the object is in doubt after a delete
 * without an answer.
 */
const withoutOwnDoubts = (opened: OpenWorkspace, applyId: string): OpenWorkspace => {
  const { recorded } = opened
  const isOwn = ({ doubted, sentBy }: RecordedResource): boolean => doubted === 'deleted' && sentBy === applyId
  return {
    ...opened,
    recorded: { ...recorded, resources: recorded.resources.map((each) => (isOwn(each) ? undoubted(each) : each)) },
  }
}

/** What would be approved now: the way to what is configured, or back from the apply that this one undoes. */
const planAgain = async (
  { apply, undone, opened }: ApplyRun,
  { done }: ApplyProgress,
  deps: Deps,
): Promise<Session> => {
  const { recorded } = opened
  const own = withoutOwnDoubts(opened, apply.id)
  if (undone === undefined) return { ...(await planOpened(own, deps)), recorded }
  const session = { ...(await planOpened(withDeleted(own, undone, apply.id), deps)), recorded }
  return planUndo(session, { undone, known: knownTo(session), progress: { applyId: apply.id, done } }, deps.seal)
}

/**
 * Reads and plans again, and compares with the approved plan. Throws SAVED_PLAN_STALE, STALE_PLAN, TARGET_UNREAD,
 * POLICY_REFUSED, APPROVAL_USED.
 */
export const compareAgain = async (run: ApplyRun, progress: ApplyProgress, deps: Deps): Promise<Execution> => {
  const { apply, commands, approved, earlier, log } = run
  const session = await planAgain(run, progress, deps)
  const { configuration } = session.loaded
  requireBasis(run, progress, session)
  const ready = commandsToSend({
    apply,
    approved: commands,
    progress,
    plan: session.plan,
    known: knownTo(session),
    nodes: [...session.resources.values()].flatMap(({ desired, recorded }) => present<GraphNode>(desired, recorded)),
  })
  const refused =
    refusal(commands, session.plan.changes, configuration.policy, session.plan.existing) ??
    refuseImmutable(session.plan.changes, apply)
  if (refused !== undefined) throw new AppError('POLICY_REFUSED', { detail: refused })
  if (isFresh(progress) && configuration.policy.standingApprovals !== true) await requireUnused(apply, commands, deps)
  if (apply.mode === 'execute') await log.write(ready.found.map((each) => ({ kind: 'result', ...each })))
  const done = new Set([
    ...[...earlier.waiting.keys()].filter((id) => progress.done.has(id)),
    ...doneIn(ready.found.map(({ outcome }) => outcome)),
  ])
  const isWhole = (address: string): boolean =>
    commands.every((each) => each.address !== address || progress.done.has(each.id))
  const made = session.recorded.resources.flatMap(({ address, doubted, sentBy }) =>
    doubted === 'sent' && sentBy === apply.id && isWhole(address) ? [address] : [],
  )
  const addresses = new Set([...[...done].map(addressOf), ...made])
  const waited = approved.changes.filter(({ address }) => addresses.has(address))
  return { ...run, session, ready, waited, earlier: progress }
}
