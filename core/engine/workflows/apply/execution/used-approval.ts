import { AppError } from '../../../errors/errors.ts'
import type { Command } from '../../../schema/command.ts'
import type { Apply } from '../../../schema/stored/records.ts'
import { selectLedger } from '../../../state/ledger.ts'
import { getRun } from '../../../state/runs/runs.ts'
import { loggedCommand } from '../../../values/marks/logged-command.ts'
import type { Deps } from '../../deps.ts'

/**
 * Throws APPROVAL_USED if one of the commands was sent after the check that planned them: who approved that check has
 * seen the difference that was repaired, and not the one that there is now. A command that failed did nothing, so its
 * approval can still be used.
 */
export const requireUnused = async (apply: Apply, commands: readonly Command[], { store }: Deps): Promise<void> => {
  const { id: own, workspace, runId } = apply
  const { startedAt: planned } = await getRun(store, workspace, runId)
  const ids = new Set(commands.map(({ id }) => id))
  const sent = new Map<string, string>()
  for await (const entry of selectLedger(store, workspace, { from: planned })) {
    const { at, applyId, attempt, outcome } = entry
    const id = loggedCommand(entry)?.id
    if (applyId === undefined || applyId === own || at <= planned || id === undefined || !ids.has(id)) continue
    if (attempt !== undefined) sent.set(id, applyId)
    if (outcome?.status === 'failed') sent.delete(id)
  }
  const [used] = sent
  if (used !== undefined) throw new AppError('APPROVAL_USED', { command: used[0], apply: used[1], planned })
}
