import { isAppError } from '../../errors/errors.ts'
import { type LedgerPart, verify } from '../../ledger/verify.ts'
import { createWitness } from '../../ledger/witness.ts'
import type { Apply, LedgerVerdict } from '../../schema/stored/records.ts'
import { findApply, soundApplies } from '../../state/applies/applies.ts'
import { readWholeLedger } from '../../state/ledger.ts'
import type { Damaged, Store } from '../../state/store/store.ts'
import { requireWorkspace } from '../../state/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { lostApply } from '../words.ts'

type Witness = ReturnType<typeof createWitness>

/**
 * Reads the whole chain of a workspace, from its first entry to the stored head, and compares it with the records of
 * the applies: if entries and head are both missing, these records still show that there were entries. Throws
 * WORKSPACE_NOT_FOUND.
 */
export const verifyLedger = async (
  { workspace }: { readonly workspace: string },
  { store }: Pick<Deps, 'store'>,
): Promise<LedgerVerdict> => {
  await requireWorkspace(store, workspace)
  try {
    // The applies are read before the entries: if a running apply records an outcome later, its entry exists already.
    const damaged: Damaged[] = []
    const applies = await Array.fromAsync(soundApplies(store, workspace, (one) => damaged.push(one)))
    const witness = createWitness()
    const verdict = await verify(noted(readWholeLedger(store, workspace), witness), { workspace })
    return verdict.ok ? ((await flawOfApplies({ applies, damaged }, witness, store, workspace)) ?? verdict) : verdict
  } catch (error) {
    if (!isAppError(error, 'STORE_CORRUPT')) throw error
    return { ok: false, seq: 1, detail: error.message }
  }
}

async function* noted(parts: AsyncIterable<LedgerPart>, witness: Witness): AsyncGenerator<LedgerPart> {
  for await (const part of parts) {
    if ('hash' in part) witness.note(part)
    yield part
  }
}

const flawOfApplies = async (
  { applies, damaged }: { readonly applies: readonly Apply[]; readonly damaged: readonly Damaged[] },
  witness: Witness,
  store: Store,
  workspace: string,
): Promise<LedgerVerdict | undefined> => {
  const entries = witness.applies()
  for (const apply of applies) {
    const detail = witness.flawOf(apply)
    if (detail !== undefined) return { ok: false, seq: entries.get(apply.id) ?? 1, detail }
  }
  for (const { id, error } of damaged) return { ok: false, seq: entries.get(id) ?? 1, detail: error.message }
  const known = new Set(applies.map(({ id }) => id))
  for (const [apply, seq] of entries) {
    // An apply that started after the records were read is found by this second look.
    if (known.has(apply) || (await findApply(store, workspace, apply)) !== undefined) continue
    return { ok: false, seq, detail: lostApply(apply) }
  }
  return undefined
}
