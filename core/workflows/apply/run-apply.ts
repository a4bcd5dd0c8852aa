import { AppError, asAppError, isAppError } from '../../errors.ts'
import type { Command } from '../../schema/command.ts'
import type { Plan } from '../../schema/plan.ts'
import { type Apply, hasEnded } from '../../schema/records.ts'
import { getApply, updateApply } from '../../state/applies/applies.ts'
import { getPlan } from '../../state/runs.ts'
import { refuseRemoved } from '../../state/workspaces/removal.ts'
import { defined } from '../../values/defined.ts'
import { leftText } from '../../values/left-text.ts'
import type { Deps } from '../deps.ts'
import { openWorkspace, planOpened } from '../session/open-session.ts'
import { commandsToSend } from './approved/commands-to-send.ts'
import { refusal } from './approved/policy.ts'
import { selectTargets } from './approved/select-targets.ts'
import { blockedOutcomes, withBlocked } from './approved/tell-blocked.ts'
import { closeAbandoned } from './close-abandoned.ts'
import { endApply } from './end-apply.ts'
import { executeCommands } from './execute-commands.ts'
import { knownTo } from './guard/after-values.ts'
import { type HeldLock, holdLock } from './lock/hold-lock.ts'
import { openFence } from './lock/open-fence.ts'
import { resumeWaiting } from './resume-waiting.ts'
import { isFailure } from './walk-commands.ts'
import { readProgress, writeLedger } from './write-ledger.ts'

export interface RunApplyInput {
  readonly workspace: string
  readonly applyId: string
  /** Asked between two commands: true to stop there. */
  readonly shouldStop?: () => boolean
  /** Wait for a lock whose holder may be dead, instead of LOCKED. */
  readonly patient?: boolean
}

/** For reading again what the commands were about, in milliseconds; of a short time a quarter. */
const judgingMs = 40_000

/**
 * The worker: reads again, plans again, compares with what was approved, and only then sends. It may be killed at any
 * point and called again for the same apply. An apply that has ended is answered as it is; one that is refused has
 * `error` and sent nothing more. It stops between two commands before `deps.deadline` and hands over to the next one. Throws LOCKED, LOCK_LOST, and what the store throws: then try again.
 */
export const runApply = async (input: RunApplyInput, deps: Deps): Promise<Apply> => {
  const found = await getApply(deps.store, input.workspace, input.applyId)
  if (hasEnded(found)) return found
  const shouldStop = (): boolean => endingOf(input, deps)() !== undefined
  const wish = { workspace: found.workspace, holder: found.id, patient: input.patient ?? false, shouldStop }
  const lock = await holdLock(wish, deps)
  try {
    // Somebody may have ended it while we waited.
    const apply = await getApply(deps.store, input.workspace, input.applyId)
    if (hasEnded(apply)) return apply
    await closeAbandoned(apply, lock, deps)
    const worked = await work(apply, lock, input, deps).catch((error: unknown) => refuse(apply, error, lock, deps))
    if (worked.status === 'queued') await deps.queue.apply({ workspace: worked.workspace, applyId: worked.id })
    return worked
  } finally {
    await lock.release()
  }
}

const work = async (apply: Apply, lock: HeldLock, input: RunApplyInput, deps: Deps): Promise<Apply> => {
  const resumed = apply.startedAt !== undefined
  const hasAllTime = deps.deadline !== undefined && deps.deadline.left() > 0.9 * deps.deadline.wholeMs
  const running: Apply = {
    ...apply,
    status: 'running',
    startedAt: apply.startedAt ?? deps.clock.now().toISOString(),
  }
  await updateApply(deps.store, running, lock.current())
  const earlier = await readProgress(running, deps)
  await writeLedger(
    running,
    [{ kind: 'started', ...defined({ detail: resumed ? 'resumed' : undefined }) }],
    lock.current(),
    deps,
  )

  await refuseRemoved(deps.store, running.workspace)
  const approved = await getPlan(deps.store, running.workspace, running.runId)
  if (approved === undefined) throw new AppError('PLAN_NOT_FOUND', { digest: running.digest })
  const targeted = selectTargets(approved, running.targets)
  const fence = openFence(running, lock, deps)
  const opened = await openWorkspace(running.workspace, deps, running.mode === 'execute' ? { fence } : {})
  const ending = endingOf(input, deps)
  const shouldStop = (): boolean => ending() !== undefined
  const progress = await resumeWaiting({ apply: running, opened, targeted, progress: earlier, lock, shouldStop }, deps)
  // After a long wait there may be too little time to read and plan.
  if (progress === undefined || (earlier.waiting.size > 0 && shouldStop())) {
    return keep({ ...running, status: ending() === 'hand over' ? 'queued' : 'running' }, lock, deps)
  }
  const session = await planOpened(opened, deps)
  const ready = commandsToSend({
    apply: running,
    approved: targeted,
    progress,
    plan: session.plan,
    known: knownTo(session),
    nodes: [...session.loaded.configuration.resources, ...session.recorded.resources],
  })
  const refused = refusal(targeted, session.loaded.configuration.policy)
  if (refused !== undefined) throw new AppError('POLICY_REFUSED', { detail: refused })
  refuseImmutable(running, session.plan)

  const blocked = blockedOutcomes(session.plan.changes, running.targets)
  if (running.mode === 'check') {
    const logged = await logCommands(running, ready.commands, lock, deps)
    return finish(withBlocked(logged, blocked), lock, deps)
  }
  const found = ready.found.map((each) => ({ kind: 'result' as const, ...each }))
  await writeLedger(running, found, lock.current(), deps)
  const ended = [
    ...[...earlier.waiting.keys()].filter((id) => progress.done.has(id)),
    ...ready.found.flatMap(({ outcome }) => (isFailure(outcome) ? [] : [outcome.command])),
  ]
  const waited = approved.changes.filter(({ address }) => ended.some((id) => addressOf(id) === address))
  const executed = await executeCommands(
    { apply: running, ready, session, lock, fence, attempts: progress.attempts, hasAllTime, ending, waited, approved },
    deps,
  )
  return executed.status === 'queued' || executed.status === 'running'
    ? keep(executed, lock, deps)
    : finish(withBlocked(executed, blocked), lock, deps)
}

const doneWords = ({ mode, outcomes, left = [] }: Apply): string => {
  const logged = outcomes.filter(({ status }) => status === 'logged').length
  if (mode === 'check') return `${logged} ${logged === 1 ? 'command' : 'commands'} logged, none sent`
  return left.length === 0 ? 'all commands succeeded' : `all commands succeeded; not as configured: ${leftText(left)}`
}

/** A command's id begins with its resource's address. */
const addressOf = (id: string): string => id.slice(0, id.lastIndexOf('#'))

/** Not at its end: what is left is for the next call. */
const keep = async (apply: Apply, lock: HeldLock, deps: Deps): Promise<Apply> => {
  await updateApply(deps.store, apply, lock.current())
  return apply
}

/** A resource that says `onImmutable: error` must not be passed over in silence. */
const refuseImmutable = ({ targets = [] }: Apply, { changes }: Plan): void => {
  const found = changes.find(
    ({ address, blocked }) => blocked?.refuse && (targets.length === 0 || targets.includes(address)),
  )
  if (found !== undefined) {
    throw new AppError('POLICY_REFUSED', { detail: `${found.address}: ${found.blocked?.detail}` })
  }
}

/** Check mode: every command is in the ledger, as it would be sent, and none was. */
const logCommands = async (apply: Apply, commands: readonly Command[], lock: HeldLock, deps: Deps): Promise<Apply> => {
  const entries = commands.map((command) => ({ kind: 'logged' as const, command }))
  await writeLedger(apply, entries, lock.current(), deps)
  const outcomes = commands.map(({ id }) => ({ command: id, status: 'logged' as const }))
  return { ...apply, status: 'succeeded', outcomes }
}

const endingOf =
  ({ shouldStop }: RunApplyInput, { deadline }: Deps) =>
  () => {
    if (shouldStop?.()) return 'stop' as const
    const isNear = deadline !== undefined && deadline.left() <= Math.min(judgingMs, deadline.wholeMs / 4)
    return isNear ? ('hand over' as const) : undefined
  }

/** The apply has ended: what was left out, its last entry, and its record. */
const finish = async (apply: Apply, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const blocked = apply.outcomes.filter(({ status }) => status === 'blocked')
  const entries = blocked.map((outcome) => ({ kind: 'blocked' as const, outcome }))
  const kind = apply.status === 'refused' ? 'refused' : 'finished'
  const detail = apply.error?.message ?? doneWords(apply)
  await writeLedger(apply, [...entries, { kind, detail }], lock.current(), deps)
  for (const { command: id, status, detail: why = '' } of blocked) {
    deps.progress?.({ step: 'outcome', id, status, detail: why })
  }
  const finished = { ...apply, finishedAt: deps.clock.now().toISOString() }
  await updateApply(deps.store, finished, lock.current())
  return finished
}

/** What the user can mend ends the apply; what may pass by itself is thrown, so that the worker is called again. */
const refuse = async (apply: Apply, cause: unknown, lock: HeldLock, deps: Deps): Promise<Apply> => {
  const error = asAppError(cause)
  if (error.retryable || isAppError(error, 'LOCK_LOST')) throw error
  return endApply(apply, error, lock, deps)
}
