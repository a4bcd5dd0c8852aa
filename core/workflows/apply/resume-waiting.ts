import { isEqual } from '../../diff/canonical.ts'
import type { Command, PlannedRequest } from '../../schema/command.ts'
import type { Apply } from '../../schema/records.ts'
import { urlParts } from '../../schema/url.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'
import { type Opened, openSession } from '../session/open-session.ts'
import type { ApplyProgress } from './approved/compare-approved.ts'
import { unknownIn } from './approved/unknown-in.ts'
import { knownTo } from './guard/after-values.ts'
import { forgiving } from './guard/look-again.ts'
import type { HeldLock } from './lock/hold-lock.ts'
import { goOnWaiting } from './wait-for.ts'
import { waitPorts } from './wait-ports.ts'
import { isFailure, skipped } from './walk-commands.ts'
import { readProgress, writeLedger } from './write-ledger.ts'

interface Resuming {
  readonly apply: Apply
  readonly opened: Opened
  /** The approved commands that the apply is for. */
  readonly targeted: readonly Command[]
  readonly progress: ApplyProgress
  readonly lock: HeldLock
  readonly shouldStop: () => boolean
}

/**
 * Goes on waiting for what an earlier worker sent, before anything is planned: as long as it is under way nothing can be
 * said about it. The progress as it is then; `undefined`: it was stopped again.
 */
export const resumeWaiting = async (resuming: Resuming, deps: Deps): Promise<ApplyProgress | undefined> => {
  const { apply, opened, targeted, progress, lock } = resuming
  for (const [id, waiting] of progress.waiting) {
    const command = targeted.find((each) => each.id === id)
    if (command === undefined) continue
    if (waiting.answers !== undefined) opened.produced.answers.set(command.address, waiting.answers)
    const lookUp = (request: PlannedRequest): Promise<void> => findAccepted(command, request, opened, deps)
    const outcome = await goOnWaiting(command, waiting, waitPorts({ ...resuming, lookUp }, deps))
    if (outcome === undefined) return undefined
    const after = isFailure(outcome) ? dependentsOf(id, targeted) : []
    const entries = [
      { kind: 'result' as const, command, outcome },
      ...after.map((each) => ({ kind: 'result' as const, command: each, outcome: skipped(each.id, id) })),
    ]
    await writeLedger(apply, entries, lock.current(), deps)
    const { status, detail } = outcome
    deps.progress?.({ step: 'outcome', id, status, ...defined({ detail }) })
  }
  return progress.waiting.size === 0 ? progress : readProgress(apply, deps)
}

/**
 * An id that no answer told, or that could not be kept: the object is found by its keys, as a check finds it. Another object of
 * the same resource, which the one that is being made replaces, is none of it: then nothing is asked, and the reason is told.
 */
const findAccepted = async (command: Command, request: PlannedRequest, opened: Opened, deps: Deps): Promise<void> => {
  const { address, action } = command
  const missing = unknownIn([...urlParts(request.url), request.body ?? null], forgiving(knownTo(opened)))
  if (!missing.has(address)) return
  const { produced } = await openSession(opened.loaded.configuration.workspace, deps)
  const ids = produced.ids.get(address)
  const before = opened.recorded.resources.find((each) => each.address === address)?.ids
  if (ids === undefined || (action === 'create' && before !== undefined && isEqual(ids, before))) return
  opened.produced.ids.set(address, ids)
}

/** All that waits for a command, directly or not; commands come in an order in which none precedes what it needs. */
const dependentsOf = (id: string, commands: readonly Command[]): readonly Command[] => {
  const blocked = new Set([id])
  return commands.filter((command) => {
    const isBlocked = command.dependsOn.some((needed) => blocked.has(needed))
    if (isBlocked) blocked.add(command.id)
    return isBlocked
  })
}
