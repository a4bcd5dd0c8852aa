import type { AnchorStatement } from '../../schema/stored/anchor.ts'
import { getLedgerHead } from '../../state/ledger.ts'
import { findStored } from '../../state/workspaces/workspaces.ts'
import { defined } from '../../values/defined.ts'
import type { Deps } from '../deps.ts'

/** What an anchor of the ledger says now; `undefined` if the ledger has no entry. Throws STORE_CORRUPT. */
export const stateHead = async (
  { workspace, deployment }: { readonly workspace: string; readonly deployment: string },
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<AnchorStatement | undefined> => {
  // The workspace may have been removed: its ledger stays.
  const lineage = (await findStored(store, workspace))?.lineage
  const { seq, hash } = await getLedgerHead(store, workspace)
  if (seq === 0) return undefined
  const at = clock.now().toISOString()
  return { version: '1', deployment, workspace, ...defined({ lineage }), seq, hash, at }
}
