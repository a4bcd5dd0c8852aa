import { AppError } from '../../../errors/errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { Fence, Passage } from '../../../transport/limits/fenced.ts'
import type { ApplyLog } from './apply-log.ts'
import { broken } from './words.ts'

/** Lets the writes of one apply pass; each must belong to an approved command whose intent is in the ledger. */
export interface ApplyFence extends Fence {
  /**
   * Admits a command. `attempts`: the number of attempts in the ledger. `still`: called for each attempt; rejects if
   * the object has changed.
   */
  admit(command: Command, attempts: number, still: () => Promise<void>): void
  /**
   * `tried`: an attempt is recorded, and the last one was not sent or was answered. `out`: it may have been sent
   * without an answer.
   */
  stateOf(command: Command): 'new' | 'tried' | 'out'
}

interface Admitted {
  readonly command: Command
  readonly still: () => Promise<void>
  attempts: number
  state: ReturnType<ApplyFence['stateOf']>
}

/**
 * For each attempt, one transaction renews the lock and writes the ledger entry; then `still` is called; then the write
 * is sent.
 */
export const openFence = (log: Pick<ApplyLog, 'attempt'>): ApplyFence => {
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
