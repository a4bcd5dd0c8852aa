import { AppError } from '../../../errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { Fence, Passage } from '../../../transport/fenced.ts'
import type { ApplyLog } from '../apply-log.ts'
import { broken } from '../words.ts'

/** Lets the writes of one apply through, each of an approved command whose intent stands in the ledger. */
export interface ApplyFence extends Fence {
  /** Allows a command. `attempts`: in the ledger already; `still`: asked for each, rejects if the object moved. */
  admit(command: Command, attempts: number, still: () => Promise<void>): void
  /** `tried`: an attempt is noted, and the last one did not leave or was answered; `out`: it may have left, unanswered. */
  stateOf(command: Command): 'new' | 'tried' | 'out'
}

interface Admitted {
  readonly command: Command
  readonly still: () => Promise<void>
  attempts: number
  state: ReturnType<ApplyFence['stateOf']>
}

/** Each attempt renews the lock and is in the ledger, in one transaction, before `still` is asked and the write leaves. */
export const openFence = (log: ApplyLog): ApplyFence => {
  const admitted = new Map<string, Admitted>()
  return {
    admit: (command, attempts, still) => void admitted.set(command.id, { command, attempts, still, state: 'new' }),
    stateOf: ({ id }) => admitted.get(id)?.state ?? 'new',
    enter: async ({ command: id, timeoutMs }) => {
      const found = id === undefined ? undefined : admitted.get(id)
      if (found === undefined) throw new AppError('INTERNAL', { detail: broken.noIntent(id) })
      found.attempts += 1
      const passage = await log.attempt(found.command, found.attempts, timeoutMs)
      found.state = 'tried'
      try {
        await found.still()
        return watched(passage, found)
      } catch (error) {
        passage.end()
        throw error
      }
    },
  }
}

const watched = (passage: Passage, found: Admitted): Passage => ({
  ...passage,
  mayLeave: () => {
    const may = passage.mayLeave()
    if (may) found.state = 'out'
    return may
  },
  end: (how) => {
    if (how === 'answered') found.state = 'tried'
    passage.end()
  },
})
