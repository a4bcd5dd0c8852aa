import { AppError } from '../../errors/errors.ts'
import type { Address, RecordedResource } from '../../schema/resource.ts'
import type { StateDocument, StateEntry, StateList, StateShown } from '../../schema/stored/state.ts'
import { loadBackup } from '../../state/backups.ts'
import { loadRecorded, loadSettled } from '../../state/runs/recorded.ts'
import { documentOf, withDigest } from '../../state/runs/state-document.ts'
import type { Damaged, Store } from '../../state/store/store.ts'
import { namesOf } from '../../state/store/verified.ts'
import { addressPattern, canonicalAddress } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import { doubtWords } from '../../values/words.ts'

const entryOf = (record: RecordedResource): StateEntry => {
  const { address, type, provider, ids, doubted, lastApplied } = record
  const foundBy = ids === undefined ? 'keys' : 'ids'
  const { digest } = withDigest(record)
  return { address, type, provider, foundBy, ...defined({ ids, doubted, lastApplied }), digest }
}

/**
 * The recorded resources of a workspace, by address; with `pattern`, a pattern or the name of a module, only those that
 * match.
 */
export const listState = async (store: Store, workspace: string, pattern = '*'): Promise<StateList> => {
  const damaged: Damaged[] = []
  const { lineage, serial, resources } = await loadRecorded(store, workspace, (one) => damaged.push(one))
  const matches = addressPattern(pattern)
  const found = resources.filter(({ address }) => matches(address))
  const sorted = found.toSorted((left, right) => (left.address < right.address ? -1 : 1))
  return { workspace, serial, resources: sorted.map(entryOf), ...defined({ lineage, damaged: namesOf(damaged) }) }
}

/** Throws RECORD_NOT_FOUND, STORE_CORRUPT. */
export const showState = async (store: Store, workspace: string, written: Address): Promise<StateShown> => {
  const address = canonicalAddress(written)
  const damaged: Damaged[] = []
  const { lineage, serial, resources } = await loadRecorded(store, workspace, (one) => damaged.push(one))
  for (const { key, error } of damaged) if (key.sk.endsWith(`#${address}`)) throw error
  const record = resources.find((each) => each.address === address)
  if (record === undefined || lineage === undefined) throw new AppError('RECORD_NOT_FOUND', { workspace, address })
  const doubt = record.doubted && doubtWords[record.doubted]
  return { workspace, lineage, serial, resource: withDigest(record), ...defined({ doubt }) }
}

/**
 * The whole recorded state, or a backup. Throws STATE_NOT_FOUND, BACKUP_NOT_FOUND, and STORE_CONFLICT while another
 * caller writes.
 */
export const exportState = async (store: Store, workspace: string, backup?: string): Promise<StateDocument> =>
  backup === undefined ? documentOf(await loadSettled(store, workspace)) : loadBackup(store, workspace, backup)
