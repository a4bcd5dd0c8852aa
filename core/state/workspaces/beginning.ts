import { isAppError } from '../../errors.ts'
import type { LedgerDraft } from '../../ledger/link.ts'
import { appendLedger } from '../ledger.ts'
import type { Changes } from '../store/commit.ts'
import type { Store, Write } from '../store/store.ts'

/** What makes a workspace another one than the one of its name that was removed. */
export interface Beginning {
  readonly lineage: string
  /** For the ledger, which goes on. */
  readonly entry: LedgerDraft
  readonly guard: readonly Write[]
}

/** With its entry, all or nothing; false where somebody else was faster. Throws LOCK_LOST. */
export const beginWith = async (store: Store, changes: Changes, { entry }: Beginning): Promise<boolean> => {
  try {
    await appendLedger(store, entry.workspace, [entry], changes)
    return true
  } catch (error) {
    if (isAppError(error, 'STORE_CONFLICT')) return false
    throw error
  }
}
