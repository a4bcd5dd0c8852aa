import { goOnWaiting } from '../apply/wait-for.ts'
import { isFailure, skipped } from '../apply/walk-commands.ts'
import type { Command } from '../schema/command.ts'
import type { Apply } from '../schema/records.ts'
import type { Deps } from './deps.ts'
import type { HeldLock } from './hold-lock.ts'
import type { Opened } from './open-session.ts'
import { waitPorts } from './wait-ports.ts'
import { type ApplyProgress, readProgress, writeLedger } from './write-ledger.ts'

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
  const ports = waitPorts(resuming, deps)
  for (const [id, waiting] of progress.waiting) {
    const command = targeted.find((each) => each.id === id)
    if (command === undefined) continue
    if (waiting.answers !== undefined) opened.produced.answers.set(command.address, waiting.answers)
    const outcome = await goOnWaiting(command, waiting, ports)
    if (outcome === undefined) return undefined
    const after = isFailure(outcome) ? dependentsOf(id, targeted) : []
    const entries = [
      { kind: 'result' as const, command, outcome },
      ...after.map((each) => ({ kind: 'result' as const, command: each, outcome: skipped(each.id, id) })),
    ]
    await writeLedger(apply, entries, lock.current(), deps)
    const { status, detail } = outcome
    deps.progress?.({ step: 'outcome', id, status, ...(detail === undefined ? {} : { detail }) })
  }
  return progress.waiting.size === 0 ? progress : readProgress(apply, deps)
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
