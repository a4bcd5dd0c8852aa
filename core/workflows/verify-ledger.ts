import { verify } from '../ledger/verify.ts'
import type { LedgerVerdict } from '../schema/records.ts'
import { getLedgerHead, readLedger } from '../state/ledger.ts'
import type { Deps } from './deps.ts'

/** Walks a workspace's whole chain, from its first entry to the head that is stored beside it. */
export const verifyLedger = async (
  { workspace }: { readonly workspace: string },
  { store }: Pick<Deps, 'store'>,
): Promise<LedgerVerdict> => verify(readLedger(store, workspace), await getLedgerHead(store, workspace))
