import { AppError, isAppError } from '../../../errors/errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { getRun } from '../../../state/runs/runs.ts'
import { loggedCommand } from '../../../values/marks/logged-command.ts'
import type { Deps } from '../../deps.ts'
import { entriesSince } from './read-progress.ts'

/**
 * Throws LEDGER_UNREAD; APPROVAL_USED if one of the commands was sent by an apply of the same check, or of a later one: who approved that
 * check has seen the difference that was repaired, and not the one that there is now. So has who approved a check that began before
 * the command had its result. A command that failed did nothing, so its approval can still be used.
 */
export const requireUnused = async (apply: Apply, commands: readonly Command[], { store }: Deps): Promise<void> => {
  const { id: own, workspace, runId } = apply
  const { startedAt: planned } = await getRun(store, workspace, runId)
  const ids = new Set(commands.map(({ id }) => id))
  const sent = new Map<string, { readonly apply: string; readonly run: string; readonly until: string }>()
  for await (const entry of entriesSince(planned, { workspace }, { store })) {
    const { applyId, runId: run, attempt, outcome } = entry
    const id = loggedCommand(entry)?.id
    if (applyId === undefined || run === undefined || applyId === own || id === undefined || !ids.has(id)) continue
    // An unknown result is written by whoever ends the apply of a dead worker, maybe after a new check.
    const isResult = outcome?.status === 'succeeded' && sent.get(id)?.apply === applyId
    if (attempt !== undefined || isResult) sent.set(id, { apply: applyId, run, until: entry.at })
    if (outcome?.status === 'failed') sent.delete(id)
  }
  for (const [command, { apply: other, run, until }] of sent) {
    if (run === runId || planned < until || planned < (await startOf(workspace, run, store)))
      throw new AppError('APPROVAL_USED', { command, apply: other, planned })
  }
}

/** Runs expire in the order in which they began: one that is not there any more is older. */
const startOf = async (workspace: string, run: string, store: Deps['store']): Promise<string> => {
  try {
    return (await getRun(store, workspace, run)).startedAt
  } catch (error) {
    if (isAppError(error, 'RUN_NOT_FOUND')) return ''
    throw error
  }
}
